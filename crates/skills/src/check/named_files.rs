//! The rule about files that a text names without linking to them.

use std::{collections::BTreeSet, ops::Range};

use super::{
    content::Content,
    links::Listed,
    markdown::{Kind, Piece},
};
use crate::problem::Fault;

/// The folders whose files belong to a skill by convention.
const FOLDERS: &[&str] = &["scripts", "references", "assets"];

/// How far before a path its command is searched for, in bytes: text may have no line ends.
const COMMAND: usize = 256;

/// Programs that run a script.
const RUNNERS: &[&str] = &[
    "python",
    "python3",
    "uv",
    "bash",
    "sh",
    "zsh",
    "node",
    "npx",
    "tsx",
    "bun",
    "deno",
    "ruby",
    "perl",
    "php",
    "pwsh",
    "powershell",
    "Rscript",
    "julia",
    "go",
    "source",
    "chmod",
];

/// One problem for all missing paths, at the first one. A project's path may look the same, so a path counts only
/// when it is in a folder that the skill has, or is to be run.
pub(super) fn missing(content: &mut Content<'_>) -> Vec<Fault> {
    let Some(folder) = &content.folder else { return Vec::new() };
    let (text, mut seen) = (content.text(), BTreeSet::new());
    let mentions = content.markdown.pieces.iter().flat_map(|piece| mentions(text, piece));
    let missing: Vec<_> = mentions
        .filter(|mention| {
            let path = &text[mention.span.clone()];
            let is_ours = mention.is_run || !mention.is_in_block && folder.holds(top(path));
            is_ours && !folder.holds(path) && seen.insert(path)
        })
        .map(|mention| mention.span)
        .collect();
    let Some(first) = missing.first() else { return Vec::new() };
    let message = match &missing[..] {
        [span] => format!(
            "The text names `{}`, which the skill does not have. If it belongs to the user's project, say so.",
            &text[span.clone()]
        ),
        _ => format!(
            "The text names {} files that the skill does not have: {}. If they belong to the user's project, say so.",
            missing.len(),
            Listed::places(missing.iter().map(|span| (&text[span.clone()], span.start)), text).words()
        ),
    };
    vec![Fault::new("file-missing", first.clone(), message)]
}

struct Mention {
    span: Range<usize>,
    is_run: bool,
    is_in_block: bool,
}

/// The paths below one of [`FOLDERS`] that a piece of text names.
fn mentions(text: &str, piece: &Piece) -> Vec<Mention> {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    let (mut found, mut at) = (Vec::new(), piece.span.start);
    let source = &text[piece.span.clone()];
    if !source.contains('/') || !FOLDERS.iter().any(|folder| source.contains(folder)) {
        return found;
    }
    for word in source.split_inclusive(|c| !is_path(c)) {
        let start = at;
        at += word.len();
        let word = word.trim_end_matches(|c| !is_path(c)).trim_end_matches(['.', '-', '/']);
        let path = word.trim_start_matches("./");
        let name = path.rsplit('/').next().unwrap_or_default();
        if path.contains('/') && FOLDERS.contains(&top(path)) && name.contains('.') && !path.contains("..") {
            let from = start + word.len() - path.len();
            let near = text.floor_char_boundary(start.saturating_sub(COMMAND)).max(piece.span.start);
            let before = &text[near..start];
            // `${SKILL}/scripts/x` and `$DIR/scripts/x` start with a character that a relative path does not have.
            let is_whole = !before.ends_with(['}', '$', '<', '>', '~', '*', '\\', '@', ':', '=']);
            if is_whole {
                let is_in_block = piece.kind == Kind::Block;
                let is_run = path.starts_with("scripts/") && is_run(before, word, piece.kind);
                found.push(Mention { span: from..from + path.len(), is_run, is_in_block });
            }
        }
    }
    found
}

/// Whether the line before the path makes it a command: a program that runs scripts, or nothing at all.
fn is_run(before: &str, word: &str, kind: Kind) -> bool {
    let line = before.rsplit(['\n', '\r', '`']).next().unwrap_or(before).trim_start_matches(['$', ' ', '\t']);
    let runner = line.split_whitespace().next();
    match (kind, runner) {
        (Kind::Prose, _) => false,
        (_, Some(runner)) => RUNNERS.contains(&runner) && !line.contains(['|', ';', '>', '&']),
        (Kind::Code, None) => true,
        (Kind::Block, None) => word.starts_with("./"),
    }
}

/// The first folder of a path.
fn top(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::markdown::Markdown;

    /// The paths that a text names; those that it runs have a `!`.
    fn named(text: &str) -> Vec<String> {
        let markdown = Markdown::new(text, 0..text.len());
        let mentions = markdown.pieces.iter().flat_map(|piece| mentions(text, piece));
        mentions.map(|mention| format!("{}{}", &text[mention.span], if mention.is_run { "!" } else { "" })).collect()
    }

    #[test]
    fn commands_are_told_from_mentions() {
        assert_eq!(named("Run `python scripts/a.py --fast`."), ["scripts/a.py!"]);
        assert_eq!(named("Use `scripts/a_b.py`, then ./scripts/c.sh."), ["scripts/a_b.py!", "scripts/c.sh"]);
        assert_eq!(named("```sh\n$ bash scripts/a.sh x\n./scripts/b.sh\n```"), ["scripts/a.sh!", "scripts/b.sh!"]);
        assert_eq!(named("```yaml\nvolumes:\n  - ./scripts/init.sql:/x\n```"), ["scripts/init.sql"]);
    }

    #[test]
    fn paths_of_others_are_no_names_of_files() {
        for text in
            ["my/scripts/a.py", "`${ROOT}/scripts/a.py`", "scripts/", "the scripts/lint step", "scripts/../a.py"]
        {
            assert_eq!(named(text), Vec::<String>::new(), "{text}");
        }
    }
}
