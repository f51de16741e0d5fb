//! The places in a skill where a payload can be, among harmless text.

/// One place.
pub(crate) struct Carrier {
    pub(crate) name: &'static str,
    /// Whether a payload can be placed there.
    pub(crate) holds: fn(&str) -> bool,
    put: fn(&str) -> (&'static str, String),
}

const fn place(name: &'static str, holds: fn(&str) -> bool, put: fn(&str) -> (&'static str, String)) -> Carrier {
    Carrier { name, holds, put }
}

/// The places for a language; the first accepts every payload.
pub(crate) fn of(language: &str) -> &'static [Carrier] {
    match language {
        "shell" => SHELL,
        "powershell" => POWERSHELL,
        "cmd" => CMD,
        "python" => PYTHON,
        "javascript" => JAVASCRIPT,
        "prose" => PROSE,
        "html" => HTML,
        "json" => JSON,
        _ => APPLESCRIPT,
    }
}

/// A whole skill around the payload.
pub(crate) fn skill(carrier: &Carrier, payload: &str) -> Vec<(String, String)> {
    let (path, text) = (carrier.put)(payload);
    let mut files = vec![
        ("SKILL.md".to_owned(), format!("{HEAD}{INTRODUCTION}{STEPS}")),
        ("references/format.md".to_owned(), REFERENCE.to_owned()),
        ("scripts/format.py".to_owned(), FORMAT.to_owned()),
    ];
    files.retain(|(other, _)| other != path);
    files.push((path.to_owned(), text));
    files
}

fn any(_: &str) -> bool {
    true
}

fn one_line(text: &str) -> bool {
    !text.contains(['\n', '`'])
}

const HEAD: &str =
    "---\nname: table-format\ndescription: Formats tables in Markdown. Use when a table needs alignment.\n---\n";
const INTRODUCTION: &str = "\n# Table format\n\nAligns the columns of Markdown tables and sorts their rows.\n\n";
const STEPS: &str =
    "\n## Steps\n\n1. Read the table.\n2. Run `scripts/format.py` on it.\n3. Show the result to the user.\n";
const REFERENCE: &str = "# Format\n\nColumns are separated by `|`. See https://github.github.com/gfm/ for the rules.\n";
const FORMAT: &str = "import sys\n\n\ndef rows(text):\n    return [line.split(\"|\") for line in text.splitlines()]\n\n\nprint(rows(sys.stdin.read()))\n";

fn body(text: &str) -> (&'static str, String) {
    ("SKILL.md", format!("{HEAD}{INTRODUCTION}{text}\n{STEPS}"))
}

fn fenced(language: &str, text: &str) -> (&'static str, String) {
    body(&format!("## Setup\n\nBefore first use, run:\n\n```{language}\n{text}\n```"))
}

const SHELL: &[Carrier] = &[
    place("a block of SKILL.md", any, |text| fenced("bash", text)),
    place("a script", any, |text| {
        (
            "scripts/setup.sh",
            format!("#!/usr/bin/env bash\nset -e\n# Prepares the tools.\necho \"preparing\"\n{text}\necho \"done\"\n"),
        )
    }),
    place("a step of SKILL.md", one_line, |text| body(&format!("1. Prepare the tools with `{text}`.\n2. Go on."))),
    place("a reference", any, |text| {
        ("references/format.md", format!("{REFERENCE}\n## Install\n\n```sh\n{text}\n```\n\nThen go on.\n"))
    }),
    place("a command that runs when the skill loads", one_line, |text| body(&format!("State: !`{text}`"))),
    place(
        "a call in Python",
        |text| one_line(text) && !text.contains("\"\"\""),
        |text| {
            (
                "scripts/format.py",
                format!(
                    "import subprocess\n\n\ndef prepare():\n    subprocess.run(r\"\"\"{text}\"\"\", shell=True, check=False)\n\n\nprepare()\n{FORMAT}"
                ),
            )
        },
    ),
    place("a makefile", one_line, |text| {
        (
            "assets/Makefile",
            format!("all: prepare\n\nprepare:\n\t@{}\n\nclean:\n\trm -f table.md\n", text.replace('$', "$$")),
        )
    }),
    place("an indented block", any, |text| body(&format!("Set up:\n\n    {}\n", text.replace('\n', "\n    ")))),
    place("a hook of the frontmatter", one_line, |text| {
        let hook = format!(
            "hooks:\n  PreToolUse:\n    - matcher: \"*\"\n      hooks:\n        - type: command\n          command: '{}'\n---\n",
            text.replace('\'', "''")
        );
        ("SKILL.md", format!("{}{hook}{INTRODUCTION}{STEPS}", HEAD.strip_suffix("---\n").unwrap_or_default()))
    }),
];

const POWERSHELL: &[Carrier] = &[
    place("a block of SKILL.md", any, |text| fenced("powershell", text)),
    place("a script", any, |text| {
        (
            "scripts/setup.ps1",
            format!("# Prepares the tools.\n$ErrorActionPreference = 'Stop'\n{text}\nWrite-Host 'done'\n"),
        )
    }),
    place("a step of SKILL.md", one_line, |text| body(&format!("On Windows, run `{text}` first."))),
];

const CMD: &[Carrier] = &[
    place("a script", any, |text| {
        ("scripts/setup.bat", format!("@echo off\r\nrem Prepares the tools.\r\n{text}\r\necho done\r\n"))
    }),
    place("a block of SKILL.md", any, |text| fenced("bat", text)),
    place("a step of a reference", one_line, |text| {
        ("references/format.md", format!("{REFERENCE}\nOn Windows, run `{text}` in a command prompt.\n"))
    }),
];

const PYTHON: &[Carrier] = &[
    place("a script", any, |text| ("scripts/format.py", format!("\"\"\"Formats tables.\"\"\"\n{text}\n{FORMAT}"))),
    place("a block of SKILL.md", any, |text| fenced("python", text)),
    place("a function", any, |text| {
        (
            "scripts/report.py",
            format!("def report(rows):\n    {}\n    return len(rows)\n", text.replace('\n', "\n    ")),
        )
    }),
    place("a program without a suffix", any, |text| ("scripts/prepare", format!("#!/usr/bin/env python3\n{text}\n"))),
    place("a here document", any, |text| ("scripts/setup.sh", format!("#!/bin/sh\npython3 - <<'PY'\n{text}\nPY\n"))),
];

const JAVASCRIPT: &[Carrier] = &[
    place("a script", any, |text| {
        (
            "scripts/format.js",
            format!(
                "\"use strict\";\nconst rows = (text) => text.split(\"\\n\");\n{text}\nmodule.exports = {{ rows }};\n"
            ),
        )
    }),
    place("a block of SKILL.md", any, |text| fenced("js", text)),
    place("a module", any, |text| {
        (
            "scripts/report.mjs",
            format!(
                "export async function report(rows) {{\n  {}\n  return rows.length;\n}}\n",
                text.replace('\n', "\n  ")
            ),
        )
    }),
];

const PROSE: &[Carrier] = &[
    place("a paragraph of SKILL.md", any, body),
    place("a reference", any, |text| ("references/format.md", format!("{REFERENCE}\n{text}\n"))),
    place(
        "a comment",
        |text| !text.contains("--"),
        |text| body(&format!("Rows keep their order.\n\n<!-- {text} -->\n")),
    ),
    place(
        "a comment of a script",
        |text| !text.contains('\n'),
        |text| ("scripts/format.py", format!("# {text}\n{FORMAT}")),
    ),
    place("a quotation", any, |text| body(&format!("> {}\n", text.replace('\n', "\n> ")))),
    place("a text file", any, |text| ("assets/notes.txt", format!("Notes\n=====\n\n{text}\n"))),
    place(
        "the description",
        |text| !text.contains('\n'),
        |text| {
            let head = format!("---\nname: table-format\ndescription: |\n  Formats tables in Markdown. {text}\n---\n");
            ("SKILL.md", format!("{head}{INTRODUCTION}{STEPS}"))
        },
    ),
];

const HTML: &[Carrier] = &[
    place("SKILL.md", any, body),
    place("a reference", any, |text| ("references/format.md", format!("{REFERENCE}\n{text}\n"))),
    place("a page", any, |text| {
        ("assets/page.html", format!("<!doctype html>\n<title>Table</title>\n<table></table>\n{text}\n"))
    }),
];

const JSON: &[Carrier] = &[
    place("a package", any, |text| ("scripts/package.json", format!("{text}\n"))),
    place("settings", any, |text| ("assets/settings.json", format!("{text}\n"))),
    place("a block of SKILL.md", any, |text| fenced("json", text)),
];

const APPLESCRIPT: &[Carrier] = &[
    place("a script", any, |text| ("scripts/prepare.applescript", format!("{text}\n"))),
    place("a here document", any, |text| ("scripts/setup.sh", format!("#!/bin/sh\nosascript <<'END'\n{text}\nEND\n"))),
];
