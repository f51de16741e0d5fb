//! What a person looks at before they switch on a skill that somebody else wrote.

use std::{cmp::Reverse, io, path::Path, sync::Arc};

use ::skills::{Entry, File, Skill, SkillPath};

use crate::{
    Engine,
    actions::{blocking, skills::root},
    beneath,
    view::{ActionError, Carried, Finding, Scripts, Trust},
};

/// The largest file that is looked into; of a larger one only its beginning would be, which proves nothing.
const LARGEST: u64 = 1 << 20;
/// How much of a skill is looked into.
const TOGETHER: u64 = 16 << 20;
/// How many of its files are looked into: as many as are served.
const FILES: usize = 512;
const UNREAD: &str = "Part of the frontmatter of SKILL.md cannot be read here. Tools and hooks that stand there are not \
    told, and another program may find them.";

/// What a skill carries and what in it looks as if it meant harm, as its files are now.
///
/// # Errors
/// When there is no such skill.
pub async fn look_at_skill(engine: &Engine, key: &str) -> Result<Trust, ActionError> {
    let entry = engine.entry(key)?;
    let root = root(engine, &entry);
    blocking(move || Ok(look(&root, &entry))).await
}

fn look(root: &Path, entry: &Arc<Entry>) -> Trust {
    let mut read: Vec<(&SkillPath, Vec<u8>)> = Vec::new();
    let mut left_out = Vec::new();
    let mut left = TOGETHER;
    let is_skill_md = |file: &&File| file.path == SkillPath::skill_md();
    // The instructions first, however many files and bytes stand before them.
    let in_order = entry.files.iter().filter(is_skill_md).chain(entry.files.iter().filter(|file| !is_skill_md(file)));
    for file in in_order.take(FILES) {
        let is_skill_md = is_skill_md(&file);
        let bytes = if is_skill_md {
            beneath::read_skill_md(root, &entry.location, LARGEST.min(left))
        } else {
            beneath::read(&entry.location, &file.path, LARGEST.min(left))
        };
        match bytes {
            Ok(bytes) => {
                left -= (bytes.len() as u64).min(left);
                read.push((&file.path, bytes));
            }
            Err(error) => left_out.push(not_read(&file.path, &error, left)),
        }
    }
    if entry.files.len() > FILES {
        left_out.push(format!("The skill has more than {FILES} files; the others were not looked at."));
    }
    let texts = read.iter().map(|(path, bytes)| (*path, bytes.as_slice()));
    let skill = texts.clone().find(|(path, _)| **path == SkillPath::skill_md());
    let skill = skill.map(|(_, bytes)| Arc::new(::skills::read(&entry.skill.id, bytes)));
    let skill = skill.unwrap_or_else(|| Arc::clone(&entry.skill));
    let mut trust = judge(&skill, &entry.files, texts);
    trust.left_out.extend(left_out);
    trust
}

/// What a skill carries and what in it looks as if it meant harm, when all of it was read.
pub(super) fn judge<'f>(
    skill: &Skill,
    files: &[File],
    texts: impl Iterator<Item = (&'f SkillPath, &'f [u8])> + Clone,
) -> Trust {
    let mut findings = ::skills::scan(texts.clone());
    findings.sort_by_key(|finding| Reverse(finding.severity));
    let told = ::skills::carried(skill, files, texts);
    Trust {
        left_out: told.unread.then(|| UNREAD.to_owned()).into_iter().collect(),
        carried: carried(told),
        findings: findings.into_iter().map(finding).collect(),
    }
}

fn not_read(path: &SkillPath, error: &io::Error, left: u64) -> String {
    match error.kind() {
        io::ErrorKind::FileTooLarge if left < LARGEST => {
            format!("{path} was not looked at: the skill holds more than {} MiB.", TOGETHER >> 20)
        }
        io::ErrorKind::FileTooLarge => format!("{path} was not looked at: it is larger than {} MiB.", LARGEST >> 20),
        io::ErrorKind::PermissionDenied => {
            format!("{path} was not looked at: it may not be read, or leads out of the skill.")
        }
        _ => format!("{path} was not looked at: {error}."),
    }
}

fn carried(carried: ::skills::Carried) -> Carried {
    let names = |paths: Vec<SkillPath>| paths.iter().map(|path| path.as_str().to_owned()).collect();
    Carried {
        scripts: carried
            .scripts
            .into_iter()
            .map(|scripts| Scripts { language: scripts.language.to_owned(), paths: names(scripts.paths) })
            .collect(),
        programs: names(carried.programs),
        archives: names(carried.archives),
        hosts: carried.hosts,
        servers: carried.servers,
        tools: carried.tools,
        commands: carried.commands,
        files: u32::try_from(carried.files).unwrap_or(u32::MAX),
        size: carried.size,
    }
}

fn finding(finding: ::skills::Finding) -> Finding {
    Finding {
        rule: finding.rule.to_owned(),
        severity: finding.severity,
        message: finding.message,
        path: finding.path.as_str().to_owned(),
        line: finding.place.line,
        column: finding.place.column,
    }
}
