//! What a skill carries besides its instructions: scripts, programs, links, servers, the tools that it asks for. A
//! person should see this before switching on a skill from another author. This module judges nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{File, Problem, Skill, SkillPath};

/// What a skill carries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Inventory {
    /// Scripts, by language.
    pub scripts: Vec<Scripts>,
    /// Files that hold a program, or code that a program loads, in a form that is not text.
    pub programs: Vec<SkillPath>,
    /// Archives: their contents are invisible until they are unpacked.
    pub archives: Vec<SkillPath>,
    /// The hosts that its texts link to, sorted.
    pub hosts: Vec<String>,
    /// The MCP servers that it declares.
    pub servers: Vec<String>,
    /// The tools that it wants to use without a prompt (`allowed-tools`).
    pub tools: Vec<String>,
    /// Commands that run without being called: its hooks, and those in SKILL.md that run when it is loaded.
    pub commands: Vec<String>,
    /// Whether part of the frontmatter could not be read: a client that can read it may find tools and hooks there
    /// that are not listed here.
    pub unread: bool,
    /// Number of files.
    pub files: usize,
    /// Total size of the files, in bytes.
    pub size: u64,
}

/// The scripts of one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scripts {
    /// The language's name for people.
    pub language: &'static str,
    /// The files.
    pub paths: Vec<SkillPath>,
}

const LANGUAGES: &[(&str, &[&str], &[&str])] = &[
    ("Shell", &["sh", "bash", "zsh", "fish", "ksh", "command"], &["sh", "bash", "zsh", "fish", "dash", "ksh"]),
    ("Python", &["py", "pyw", "ipynb"], &["python", "uv"]),
    ("JavaScript", &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"], &["node", "deno", "bun", "tsx", "npx"]),
    ("PowerShell", &["ps1", "psm1", "psd1"], &["pwsh", "powershell"]),
    ("Windows batch", &["bat", "cmd", "vbs", "wsf", "hta", "reg"], &[]),
    ("Ruby", &["rb"], &["ruby"]),
    ("Perl", &["pl", "pm"], &["perl"]),
    ("PHP", &["php"], &["php"]),
    ("AppleScript", &["applescript", "scpt"], &["osascript"]),
    ("Lua", &["lua"], &["lua"]),
    ("R", &["r"], &["Rscript"]),
];

const PROGRAMS: &[&str] = &[
    "exe", "dll", "so", "dylib", "msi", "com", "scr", "jar", "class", "pyc", "node", "wasm", "app", "dmg", "pkg",
    "deb", "rpm", "apk", "appimage", "bin", "lnk", "sys",
];

/// First bytes of programs: ELF, Mach-O (four forms and universal), WebAssembly, Java.
const MAGIC: &[&[u8]] = &[
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
];

const ARCHIVES: &[&str] = &["zip", "7z", "rar", "tar", "tgz", "gz", "bz2", "xz", "zst", "cab", "iso"];

/// Collects what a skill carries. `files` lists all its files; `read` gives the bytes, or the first bytes, of the
/// readable ones.
pub fn carried<'f>(skill: &Skill, files: &[File], read: impl Iterator<Item = (&'f SkillPath, &'f [u8])>) -> Inventory {
    let frontmatter = skill.frontmatter();
    let mut carried = Inventory {
        servers: skill.servers.iter().map(|server| server.name.clone()).collect(),
        tools: asked(&frontmatter, "allowed-tools").into_iter().flat_map(tools).collect(),
        unread: skill.problems.iter().any(loses_something),
        files: files.len(),
        size: files.iter().map(|file| file.size).sum(),
        ..Inventory::default()
    };
    asked(&frontmatter, "hooks").into_iter().for_each(|value| hooks(value, &mut carried.commands));
    let mut begins = BTreeMap::new();
    let mut hosts = BTreeSet::new();
    for (path, bytes) in read {
        begins.insert(path, &bytes[..bytes.len().min(256)]);
        hosts.extend(links(bytes));
        if *path == SkillPath::skill_md() {
            carried.commands.extend(run_when_loaded(bytes));
        }
    }
    carried.hosts = hosts.into_iter().collect();
    let mut scripts = BTreeMap::<&str, Vec<SkillPath>>::new();
    for file in files {
        let begin = begins.get(&file.path).copied().unwrap_or_default();
        let suffix = suffix(&file.path);
        if is_program(&suffix, begin) {
            carried.programs.push(file.path.clone());
        } else if ARCHIVES.contains(&suffix.as_str()) {
            carried.archives.push(file.path.clone());
        } else if let Some(language) = language(&suffix, begin) {
            scripts.entry(language).or_default().push(file.path.clone());
        }
    }
    carried.scripts = scripts.into_iter().map(|(language, paths)| Scripts { language, paths }).collect();
    carried
}

fn suffix(path: &SkillPath) -> String {
    path.file_name().rsplit_once('.').map_or_else(String::new, |(_, suffix)| suffix.to_ascii_lowercase())
}

fn is_program(suffix: &str, begin: &[u8]) -> bool {
    // `MZ` alone could start a text; a Windows program has a NUL soon after.
    let windows = begin.starts_with(b"MZ") && begin.contains(&0);
    PROGRAMS.contains(&suffix) || windows || MAGIC.iter().any(|magic| begin.starts_with(magic))
}

/// The language by the first line (`#!/usr/bin/env python3`), else by the suffix.
fn language(suffix: &str, begin: &[u8]) -> Option<&'static str> {
    let line = begin.strip_prefix(b"#!").and_then(|line| line.split(|byte| *byte == b'\n').next());
    let line = line.map(String::from_utf8_lossy).unwrap_or_default();
    let programs: Vec<_> =
        line.split([' ', '/']).map(|word| word.trim_end_matches(|c: char| !c.is_alphabetic())).collect();
    let called = |(_, _, names): &&(_, _, &[&str])| names.iter().any(|name| programs.contains(name));
    let named = |(_, suffixes, _): &&(_, &[&str], _)| suffixes.contains(&suffix);
    LANGUAGES.iter().find(called).or_else(|| LANGUAGES.iter().find(named)).map(|(language, ..)| *language)
}

/// Whether the problem means that part of the frontmatter was not read. A value with a fix was read as if fixed; but
/// hooks that were read as text may be hooks to another reader.
fn loses_something(problem: &Problem) -> bool {
    match problem.rule {
        "yaml-syntax" | "yaml-limit" => problem.fix.is_none() || problem.field.as_deref() == Some("hooks"),
        "unquoted-value" | "unquoted-colon" => problem.field.as_deref() == Some("hooks"),
        _ => false,
    }
}

/// The values of a key: in the frontmatter, and in what some clients merge into it (`<<: *name`).
fn asked<'v>(frontmatter: &'v Map<String, Value>, key: &str) -> Vec<&'v Value> {
    let merged = match frontmatter.get("<<") {
        Some(Value::Object(map)) => asked(map, key),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_object).flat_map(|map| asked(map, key)).collect(),
        _ => Vec::new(),
    };
    frontmatter.get(key).into_iter().chain(merged).collect()
}

/// Tool names: `Bash(git add:*), Read` as a text, as a list, or as the keys of a mapping.
fn tools(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => {
            let mut depth = 0_usize;
            let between = |c: char| {
                match c {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && (c == ',' || c.is_whitespace())
            };
            text.split(between).filter(|tool| !tool.is_empty()).map(str::to_owned).collect()
        }
        Value::Array(list) => list.iter().map(plainly).collect(),
        Value::Object(map) => map.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Collects every `command` below `hooks`, and every address that a hook calls.
fn hooks(value: &Value, commands: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            commands.extend(["command", "url"].into_iter().filter_map(|key| map.get(key)).map(plainly));
            map.values().for_each(|value| hooks(value, commands));
        }
        Value::Array(list) => list.iter().for_each(|value| hooks(value, commands)),
        _ => {}
    }
}

/// A text as it is, anything else as JSON.
fn plainly(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Claude Code runs the text between ``!` `` and `` ` `` when it loads a skill.
fn run_when_loaded(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let commands = text.lines().flat_map(|line| line.split("!`").skip(1).filter_map(|rest| rest.split_once('`')));
    commands.map(|(command, _)| command.to_owned()).filter(|command| !command.is_empty()).collect()
}

/// The hosts of the addresses in a text, without ports.
fn links(bytes: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut hosts = BTreeSet::new();
    for (at, _) in text.match_indices("://") {
        let scheme = ["http", "https", "ws", "wss", "ftp"].iter().any(|scheme| ends_with_word(&text[..at], scheme));
        let authority = text[at + 3..].split(|c: char| !(c.is_alphanumeric() || ".-_@:~%!$&+=".contains(c))).next();
        let host = authority.and_then(|authority| authority.rsplit('@').next()).and_then(|host| host.split(':').next());
        let host = host.unwrap_or_default().trim_matches(['.', '-']).to_lowercase();
        if scheme && host.contains('.') && !host.contains(['$', '%', '{']) {
            hosts.insert(host);
        }
    }
    hosts
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let before = text.len().checked_sub(word.len()).filter(|at| text.is_char_boundary(*at));
    let Some((before, end)) = before.map(|at| text.split_at(at)) else { return false };
    end.eq_ignore_ascii_case(word) && !before.ends_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn told(files: &[(&str, &[u8])]) -> Inventory {
        let files: Vec<_> = files.iter().map(|(path, bytes)| (SkillPath::new(path).unwrap(), *bytes)).collect();
        let skill = read("tea", files.iter().find(|(path, _)| path.as_str() == "SKILL.md").unwrap().1);
        let list: Vec<_> = files
            .iter()
            .map(|(path, bytes)| File { path: path.clone(), size: bytes.len() as u64, modified: 0 })
            .collect();
        carried(&skill, &list, files.iter().map(|(path, bytes)| (path, *bytes)))
    }

    #[test]
    fn a_skill_of_instructions_carries_nothing() {
        let file: &[u8] = b"---\nname: tea\ndescription: Makes tea.\n---\nBoil water.\n";
        assert_eq!(
            told(&[("SKILL.md", file)]),
            Inventory { files: 1, size: file.len() as u64, ..Inventory::default() }
        );
    }

    #[test]
    fn scripts_programs_and_archives_are_told_apart_by_what_they_are() {
        let carried = told(&[
            ("SKILL.md", b"---\nname: tea\n---\n"),
            ("a.sh", b"echo"),
            ("bin/tool", b"\x7fELF\x02"),
            ("data.bin", b"x"),
            ("deps.tar.gz", b"\x1f\x8b"),
            ("run", b"#!/usr/bin/env -S python3.12 -u\nprint()"),
            ("setup", b"#!/bin/bash\n"),
            ("notes.txt", b"MZ is how programs begin"),
            ("tool.txt", b"MZ\x90\0"),
        ]);
        let scripts: Vec<_> = carried
            .scripts
            .iter()
            .map(|scripts| (scripts.language, scripts.paths.iter().map(SkillPath::as_str).collect::<Vec<_>>()))
            .collect();
        assert_eq!(scripts, [("Python", vec!["run"]), ("Shell", vec!["a.sh", "setup"])]);
        let names = |paths: &[SkillPath]| paths.iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(&carried.programs), ["bin/tool", "data.bin", "tool.txt"]);
        assert_eq!(names(&carried.archives), ["deps.tar.gz"]);
    }

    #[test]
    fn links_tools_hooks_and_commands_are_listed() {
        let carried = told(&[
            (
                "SKILL.md",
                b"---\nname: tea\nallowed-tools: Bash(git add:*, git push), Read  Write\nhooks:\n  PreToolUse:\n    - \
                  hooks:\n        - type: command\n          command: ./log.sh\n---\nNow: !`date` and [x](HTTPS://A.Example:8\
                  443/y). Also http://user@b.example/, wss://c.example?d, foo://no.example and https://${HOST}/.\n",
            ),
            ("guide.md", b"See https://a.example."),
        ]);
        assert_eq!(carried.hosts, ["a.example", "b.example", "c.example"]);
        assert_eq!(carried.tools, ["Bash(git add:*, git push)", "Read", "Write"]);
        assert_eq!(carried.commands, ["./log.sh", "date"]);
    }

    /// The tools and commands that a frontmatter asks for, and whether part of it was not read.
    fn asked_for(frontmatter: &str) -> (Vec<String>, Vec<String>, bool) {
        let file = format!("---\nname: tea\ndescription: Makes tea.\n{frontmatter}\n---\nBoil water.\n");
        let carried = told(&[("SKILL.md", file.as_bytes())]);
        (carried.tools, carried.commands, carried.unread)
    }

    #[test]
    fn no_spelling_hides_what_runs_by_itself() {
        let (tools, commands, unread) = asked_for(
            "base: &base\n  hooks: &hooks {Stop: [{hooks: [{type: command, command: &run ./run.sh}]}]}\n  \
             allowed-tools: [Bash]\n<<: *base\nhooks: {Start: {command: *run}, End: {command: [a, b]}, Ask: \
             {type: http, url: https://a.example}}",
        );
        assert_eq!(tools, ["Bash"]);
        assert_eq!(commands, ["./run.sh", "[\"a\",\"b\"]", "https://a.example", "./run.sh"]);
        assert!(!unread);
        assert_eq!(asked_for("allowed-tools: {Bash: true, Read: ask}").0, ["Bash", "Read"]);
    }

    #[test]
    fn what_cannot_be_read_is_told_as_unread() {
        let chain = |links: usize| {
            let link = |n: usize| format!("a{n}: &a{n} [*a{}]\n", n - 1);
            let chain: String = (1..=links).map(link).collect();
            format!("a0: &a0 {{command: ./run.sh}}\n{chain}hooks: *a{links}")
        };
        assert_eq!(asked_for(&chain(8)), (vec![], vec!["./run.sh".to_owned()], false));
        for hidden in [
            &chain(17),
            // Few aliases, but nested deeper than any reader follows.
            "a: &a [[[[[[[{command: ./run.sh}]]]]]]]\nb: &b [[[[[[[*a]]]]]]]\nhooks: [[[*b]]]",
            "hooks: {\"$serde_json::private::Number\": \"1\", command: ./run.sh}",
            "hooks: {$serde_json::private::RawValue: '{}', command: ./run.sh}",
            "hooks: [{command: ./run.sh}",
        ] {
            assert!(asked_for(hidden).2, "{hidden}");
        }
        let unquoted = "when_to_use: Always: when tea is wanted";
        assert_eq!(asked_for(unquoted), (vec![], vec![], false), "what was mended is not lost");
    }
}
