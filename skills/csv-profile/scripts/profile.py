#!/usr/bin/env python3
"""Profile a CSV file: print one JSON object about its rows and columns. Reads only, needs no packages."""

import argparse
import csv
import json
import re
import sys
from collections import Counter
from datetime import datetime

MISSING = {"", "na", "n/a", "null", "none", "-", "nan"}
BOOLEANS = {"true", "false", "yes", "no"}
DATES = ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y")
MOST_DISTINCT = 10_000
MOSTLY = 0.95


def kind(value):
    """What a value looks like: integer, number, boolean, date or text."""
    if re.fullmatch(r"[-+]?\d+", value):
        return "integer"
    if re.fullmatch(r"[-+]?(\d+\.\d*|\.\d+|\d+)([eE][-+]?\d+)?", value):
        return "number"
    if value.lower() in BOOLEANS:
        return "boolean"
    return "date" if as_date(value) else "text"


def as_date(value):
    if not re.match(r"\d", value):
        return None
    for form in DATES:
        try:
            return datetime.strptime(value, form)
        except ValueError:
            continue
    return None


class Column:
    def __init__(self, name):
        self.name = name
        self.missing = 0
        self.padded = 0
        self.kinds = Counter()
        self.values = Counter()
        self.examples = {}
        self.range = {}

    def add(self, row, cell):
        value = cell.strip()
        if value.lower() in MISSING:
            self.missing += 1
            return
        self.padded += value != cell
        what = kind(value)
        self.kinds[what] += 1
        if value in self.values or len(self.values) < MOST_DISTINCT:
            self.values[value] += 1
        examples = self.examples.setdefault(what, [])
        if len(examples) < 5:
            examples.append({"row": row, "value": value})
        for range_of in {what, "text"}:
            self.widen(range_of, value)

    def widen(self, what, value):
        measure = {"integer": float, "number": float, "date": as_date}.get(what, len)(value)
        low, high = self.range.get(what, ((measure, value), (measure, value)))
        self.range[what] = (min(low, (measure, value)), max(high, (measure, value)))

    def type(self):
        total = sum(self.kinds.values())
        numbers = self.kinds["integer"] + self.kinds["number"]
        if self.kinds["number"] and numbers >= MOSTLY * total:
            return "number"
        common = self.kinds.most_common(1)
        return common[0][0] if common and common[0][1] >= MOSTLY * total else "text"

    def profile(self):
        type_ = self.type()
        fitting = {"integer", "number"} if type_ == "number" else {type_}
        ranges = [self.range[what] for what in fitting if what in self.range]
        others = [what for what in self.examples if type_ != "text" and what not in fitting]
        misfits = [example for what in others for example in self.examples[what]]
        return {
            "name": self.name,
            "type": type_,
            "missing": self.missing,
            "distinct": len(self.values),
            "minimum": min((low for low, _ in ranges), default=(None, None))[1],
            "maximum": max((high for _, high in ranges), default=(None, None))[1],
            "common": [{"value": value, "count": count} for value, count in self.values.most_common(5)],
            "misfits": misfits[:5],
            "padded": self.padded,
        }


def profile(path, delimiter, encoding, most_rows):
    with open(path, newline="", encoding=encoding) as file:
        sample = file.read(64 * 1024)
        file.seek(0)
        if delimiter is None:
            try:
                delimiter = csv.Sniffer().sniff(sample, delimiters=",;\t|").delimiter
            except csv.Error:
                delimiter = ","
        reader = csv.reader(file, delimiter=delimiter)
        header = next(reader, [])
        columns = [Column(name.strip()) for name in header]
        rows, ragged, duplicates, seen, stopped = 0, [], 0, set(), False
        for record in reader:
            if not record:
                continue
            if most_rows and rows >= most_rows:
                stopped = True
                break
            rows += 1
            if len(record) != len(columns):
                ragged.append(rows)
            fingerprint = hash(tuple(record))
            duplicates += fingerprint in seen
            seen.add(fingerprint)
            for column, cell in zip(columns, record):
                column.add(rows, cell)
    return {
        "file": path,
        "rows": rows,
        "stopped_early": stopped,
        "delimiter": delimiter,
        "encoding": encoding,
        "ragged_rows": ragged[:20],
        "duplicate_rows": duplicates,
        "columns": [column.profile() for column in columns],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--delimiter", help="one character; guessed when left out")
    parser.add_argument("--encoding", help="utf-8 when left out, latin-1 where that fails")
    parser.add_argument("--rows", type=int, help="stop after so many rows")
    options = parser.parse_args()
    for encoding in [options.encoding] if options.encoding else ["utf-8-sig", "latin-1"]:
        try:
            result = profile(options.file, options.delimiter, encoding, options.rows)
        except UnicodeDecodeError:
            continue
        except OSError as error:
            sys.exit(f"The file cannot be read: {error}")
        json.dump(result, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return
    sys.exit(f"The file is not {options.encoding}.")


if __name__ == "__main__":
    main()
