//! What a change of a skill's files means: its lines, and what the skill can do after it.

use std::collections::{BTreeMap, BTreeSet};

use ::skills::{File, Inventory, SkillPath, Way};
use api::{Ability, AbilityKind, Conflict, Finding, UpdateChange, UpdateFile};
use connect::plain_lines;
use sha2::{Digest as _, Sha256};
use sources::{
    merge::Piece,
    update::{Change, FileBytes, FileSet, text},
};

use crate::pages::look;

/// The most lines of one file that are shown.
const MOST_LINES: usize = 2_000;

/// What is different about a skill after a change.
pub(in crate::actions) struct Reviewed {
    pub(in crate::actions) files: Vec<UpdateFile>,
    pub(in crate::actions) gains: Vec<Ability>,
    pub(in crate::actions) losses: Vec<Ability>,
    pub(in crate::actions) findings: Vec<Finding>,
    pub(in crate::actions) text_only: bool,
    pub(in crate::actions) conflicts: u32,
}

/// Reviews a change: `mine` becomes `after`, and where `changes` has a conflict, either side may come.
pub(in crate::actions) fn review(
    id: &str,
    mine: &FileSet,
    after: &FileSet,
    theirs: &FileSet,
    changes: &BTreeMap<String, Change>,
) -> Reviewed {
    let files: Vec<_> =
        changes.iter().filter_map(|(path, change)| file(path, change, mine.get(path), after.get(path))).collect();
    let conflicts: usize = changes.values().map(Change::conflicts).sum();
    // Whatever the answers will be, it can do no more than both together.
    let either: FileSet =
        if conflicts == 0 { after.clone() } else { theirs.clone().into_iter().chain(after.clone()).collect() };
    let (before, now) = (abilities(id, mine), abilities(id, &either));
    let (old, new) = (findings(id, mine), findings(id, &either));
    let new: Vec<_> = new.into_iter().filter(|finding| !old.iter().any(|known| same(known, finding))).collect();
    let gains = missing(&now, &before);
    let what: BTreeSet<_> = now.iter().map(|(ability, _)| ability).collect();
    let losses: Vec<_> = missing(&before, &now).into_iter().filter(|ability| !what.contains(ability)).collect();
    let is_text = |path: &String| {
        let of = |files: &FileSet| files.get(path).is_none_or(|file| !file.executable && text(&file.bytes).is_some());
        of(mine) && of(after)
    };
    let text_only =
        conflicts == 0 && gains.is_empty() && new.is_empty() && files.iter().all(|file| is_text(&file.path));
    Reviewed { files, gains, losses, findings: new, text_only, conflicts: u32::try_from(conflicts).unwrap_or(u32::MAX) }
}

fn file(path: &str, change: &Change, mine: Option<&FileBytes>, after: Option<&FileBytes>) -> Option<UpdateFile> {
    let how = match change {
        Change::Kept => return None,
        Change::Lines { .. } | Change::Whole { .. } => UpdateChange::Conflict,
        Change::Merged(_) => UpdateChange::Merged,
        Change::Taken(None) => UpdateChange::Removed,
        Change::Taken(Some(_)) if mine.is_none() => UpdateChange::Added,
        Change::Taken(Some(_)) => UpdateChange::Changed,
    };
    let bytes = |file: Option<&FileBytes>| file.map(|file| file.bytes.clone()).unwrap_or_default();
    let (before, now) = (bytes(mine), bytes(after));
    let is_text = text(&before).is_some() && text(&now).is_some();
    let mut lines = if is_text { plain_lines(&before, &now) } else { Vec::new() };
    lines.truncate(MOST_LINES);
    Some(UpdateFile { path: path.to_owned(), how, lines, conflicts: conflicts(change) })
}

fn conflicts(change: &Change) -> Vec<Conflict> {
    let whole = |file: &Option<FileBytes>| {
        file.as_ref().map(|file| {
            text(&file.bytes)
                .map_or_else(|| format!("It is no text, and has {} bytes.", file.bytes.len()), str::to_owned)
        })
    };
    match change {
        Change::Lines { text, .. } => {
            let piece = |piece: &Piece| match piece {
                Piece::Agreed(_) => None,
                Piece::Conflict { base, mine, theirs } => {
                    Some(Conflict { base: Some(base.clone()), mine: Some(mine.clone()), theirs: Some(theirs.clone()) })
                }
            };
            text.pieces.iter().filter_map(piece).collect()
        }
        Change::Whole { mine, theirs } => vec![Conflict { base: None, mine: whole(mine), theirs: whole(theirs) }],
        _ => Vec::new(),
    }
}

/// What a skill can do, each with what tells it from another of the same name.
type Abilities = BTreeSet<(Ability, String)>;

/// Those of `some` that `others` have not, without what tells them apart.
fn missing(some: &Abilities, others: &Abilities) -> Vec<Ability> {
    let new: BTreeSet<_> = some.difference(others).map(|(ability, _)| ability.clone()).collect();
    new.into_iter().collect()
}

fn abilities(id: &str, files: &FileSet) -> Abilities {
    let skill = ::skills::read(id, skill_md(files));
    let listed = listed(files);
    let texts: Vec<_> = texts(files);
    let Inventory { scripts, programs, archives, hosts, tools, commands, .. } =
        ::skills::carried(&skill, &listed, texts.iter().map(|(path, bytes)| (path, *bytes)));
    let mut found = Abilities::new();
    let mut add = |kind, what: String, detail: String| {
        found.insert((Ability { kind, what }, detail));
    };
    let digest = |path: &str| {
        let file = files.get(path).cloned().unwrap_or_default();
        format!("{:x} {}", Sha256::digest(&file.bytes), file.executable)
    };
    let paths = |paths: Vec<SkillPath>| paths.into_iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>();
    for path in scripts.into_iter().flat_map(|scripts| paths(scripts.paths)) {
        add(AbilityKind::Script, path.clone(), digest(&path));
    }
    for path in paths(programs) {
        add(AbilityKind::Program, path.clone(), digest(&path));
    }
    for path in paths(archives) {
        add(AbilityKind::Archive, path.clone(), digest(&path));
    }
    for (kind, all) in [(AbilityKind::Host, hosts), (AbilityKind::Tool, tools), (AbilityKind::Command, commands)] {
        all.into_iter().for_each(|what| add(kind, what, String::new()));
    }
    for server in &skill.servers {
        let form = serde_json::to_string(&server.ways).unwrap_or_default();
        let how = match server.ways.first() {
            None => format!("{}: it does not say how it starts", server.name),
            Some(way) => format!("{}: {}", server.name, started(way)),
        };
        add(AbilityKind::Server, how, form);
        for parameter in server.parameters.iter().filter(|parameter| parameter.sensitive) {
            add(AbilityKind::Secret, parameter.name.clone(), server.name.clone());
        }
    }
    found
}

/// How a server starts, on one line.
fn started(way: &Way) -> String {
    match way {
        Way::Http { url, .. } => url.clone(),
        Way::Stdio { command, args, .. } => {
            [command].into_iter().chain(args).map(String::as_str).collect::<Vec<_>>().join(" ")
        }
        Way::Docker { image, args, .. } => {
            ["container", image].into_iter().chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
        }
    }
}

fn findings(id: &str, files: &FileSet) -> Vec<Finding> {
    let skill = ::skills::read(id, skill_md(files));
    let texts: Vec<_> = texts(files);
    let texts = || texts.iter().map(|(path, bytes)| (path, *bytes));
    look::judge(&skill, &listed(files), texts(), ::skills::scan(texts())).findings
}

/// Whether two findings are the same, wherever in the file.
fn same(one: &Finding, other: &Finding) -> bool {
    (&one.rule, &one.path, &one.message) == (&other.rule, &other.path, &other.message)
}

fn skill_md(files: &FileSet) -> &[u8] {
    files.get("SKILL.md").map_or(&[], |file| &file.bytes)
}

fn listed(files: &FileSet) -> Vec<File> {
    let one = |(path, file): (&String, &FileBytes)| {
        Some(File { path: SkillPath::new(path)?, size: file.bytes.len() as u64, modified: 0 })
    };
    files.iter().filter_map(one).collect()
}

fn texts(files: &FileSet) -> Vec<(SkillPath, &[u8])> {
    files.iter().filter_map(|(path, file)| Some((SkillPath::new(path)?, &*file.bytes))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_is_no_text_and_a_server_without_a_start_are_said_in_sentences() {
        let side = |bytes: &[u8]| Some(FileBytes { bytes: bytes.to_vec(), executable: false });
        let found = conflicts(&Change::Whole { mine: side(&[0xff, 0]), theirs: side(b"Boil.") });
        assert_eq!(found[0].mine.as_deref(), Some("It is no text, and has 2 bytes."));
        assert_eq!(found[0].theirs.as_deref(), Some("Boil."));
        let text = b"---\nname: tea\ndescription: Tea.\nrequires-mcp-servers:\n  - name: stock\n---\n";
        let files = FileSet::from([("SKILL.md".to_owned(), side(text).unwrap_or_default())]);
        let what: Vec<_> = abilities("tea", &files).into_iter().map(|(ability, _)| ability.what).collect();
        assert_eq!(what, ["stock: it does not say how it starts"]);
    }
}
