#!/usr/bin/env python3
"""Counts lines, words and characters of a text file, and prints them as JSON."""

import json
import sys
from pathlib import Path


def measure(text: str) -> dict[str, int]:
    return {"lines": len(text.splitlines()), "words": len(text.split()), "characters": len(text)}


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: measure.py FILE", file=sys.stderr)
        return 2
    try:
        text = Path(sys.argv[1]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{sys.argv[1]} could not be read: {error}", file=sys.stderr)
        return 1
    print(json.dumps(measure(text)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
