//! Checks the command lines in our texts: hints, help, answers, documents. Each must be accepted, because users type
//! them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::error::ErrorKind::{self, InvalidValue, MissingRequiredArgument, MissingSubcommand, ValueValidation};

use crate::args::command;

/// The places with texts for people.
const PLACES: &[&str] = &["crates", "src-tauri/src", "ui/src", "docs", "skills", "README.md", "SECURITY.md"];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        found.push(path.to_path_buf());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !["tests", "target", "node_modules", "generated", "said.rs"].iter().any(|left| name == *left) {
            files(&entry.path(), found);
        }
    }
}

/// Every `skilltender ...` in backquotes, on one line.
fn named(text: &str) -> Vec<String> {
    // A Rust string continues after a backslash.
    let mut joined = String::new();
    for line in text.lines() {
        match line.trim_end().strip_suffix('\\') {
            Some(goes_on) => joined += goes_on.trim_start(),
            None => joined += &format!("{}\n", line.trim_start()),
        }
    }
    let parts = joined.split("`skilltender ").skip(1).filter_map(|rest| rest.split_once('`'));
    let lines = parts.map(|(line, _)| line).filter(|line| !line.contains('\n'));
    lines.map(str::to_owned).collect()
}

/// A possible input for it: placeholders become names.
fn typed(line: &str) -> Vec<String> {
    let (mut words, mut inside) = (Vec::new(), false);
    // Words after a shell operator belong to the shell.
    for word in line.split_whitespace().take_while(|word| !matches!(*word, ">" | ">>")) {
        // `{:?}` is one word, whatever its value, and so is `{one, two}`.
        if !inside && !matches!(word, "..." | "…") {
            let plain = if word.contains('{') { "x" } else { word.trim_matches(['"', '\'']) };
            // A text names a whole path as Unix writes it.
            words.push(if cfg!(windows) && plain.starts_with('/') { format!("C:{plain}") } else { plain.to_owned() });
        }
        inside = (inside || word.contains('{')) && !word.contains('}');
    }
    words
}

fn refused(line: &str) -> Option<ErrorKind> {
    let read = command().try_get_matches_from(["skilltender".to_owned()].into_iter().chain(typed(line)));
    let kind = read.err()?.kind();
    // A text may name a command without its required arguments, or with a placeholder.
    let short = matches!(kind, MissingRequiredArgument | MissingSubcommand) || !crate::is_mistake(kind);
    let room = matches!(kind, InvalidValue | ValueValidation) && line.contains('{');
    (!short && !room).then_some(kind)
}

#[test]
fn every_command_line_that_a_text_names_is_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    PLACES.iter().for_each(|place| files(&root.join(place), &mut paths));
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for path in paths {
        // A file that is not text contains no command.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        // A usage line with alternatives is not a command line; a command line assembled in code is not found.
        for line in
            named(&text).into_iter().filter(|line| !line.starts_with('{') && !line.contains(['[', '|', '(', '<']))
        {
            looked_at += 1;
            wrong.extend(refused(&line).map(|kind| format!("{}: `skilltender {line}`: {kind}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(looked_at > 150, "{looked_at} were found");
}

#[test]
fn a_command_line_that_nobody_knows_is_found() {
    let rust = "hint(\"Try `skilltender servers \\\n        begin {name}`, or `skilltender connect {}`.\")";
    assert_eq!(named(rust), ["servers begin {name}", "connect {}"]);
    for line in ["servers begin {name}", "conect {}", "connect {} --now", "settings port", "disable tea --on"] {
        assert_eq!(refused(line).is_some(), line != "settings port", "{line}");
    }
    for line in ["connect {id}{of}", "settings port {}", "enable", "clients drift {} --keep", "--help", "list ..."] {
        assert_eq!(refused(line), None, "{line}");
    }
}
