//! The review of someone else's skill before it is switched on, wherever it is: in an added folder, or in our own
//! folder, which receives imported and installed skills.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use ::skills::{Entry, File, Skill, SkillPath};
use api::{ActionError, Carried, ErrorKind, Finding, Look, Scripts, Trust};
use files::confined;
use library::Root;
use servers::is_ready;
use sha2::{Digest as _, Sha256};
use state::blocking;

use crate::{Engine, actions::skills::root};

/// The largest file that is scanned; scanning only the beginning of a larger one would prove nothing.
const LARGEST: u64 = 1 << 20;
/// How many bytes of a skill are scanned in all.
const TOGETHER: u64 = 16 << 20;
/// How many of its files are scanned: as many as are served.
const FILES: usize = 512;
const UNREAD: &str = "Part of the frontmatter of SKILL.md cannot be read here. Tools and hooks that stand there are not \
    told, and another program may find them.";

/// What a skill carries and what in it looks malicious, as its files are now.
///
/// # Errors
/// When there is no such skill.
pub async fn look_at_skill(engine: &Engine, key: &str) -> Result<Look, ActionError> {
    let entry = engine.state().entry(key)?;
    let root = root(engine, &entry);
    blocking(move || Ok(look(&root, &entry))).await
}

/// The same for every skill in these folders of the library, named by their paths, that could be switched on at once:
/// it is off, ready, and not reviewed yet.
///
/// # Errors
/// When the engine is quitting.
pub async fn look_at_ready(engine: &Engine, folders: &[String]) -> Result<Vec<Look>, ActionError> {
    let roots: Vec<_> = engine
        .state()
        .roots()
        .iter()
        .filter(|root| folders.iter().any(|path| root.path == Path::new(path)))
        .cloned()
        .collect();
    let catalog = engine.state().catalog();
    let state = engine.state().now();
    let wanted: Vec<(PathBuf, Arc<Entry>)> = {
        let of = |root: &Root| {
            let asks = |entry: &&Arc<Entry>| {
                let choice = state.choices.folders.iter().find(|folder| folder.id == root.id);
                entry.folder == root.id && choice.is_some_and(|folder| folder.asks(&entry.path))
            };
            let ready = |entry: &&Arc<Entry>| is_ready(&entry.skill, &state.given, &entry.key());
            catalog.entries().iter().filter(asks).filter(ready).cloned().collect::<Vec<_>>()
        };
        roots.into_iter().flat_map(|root| of(&root).into_iter().map(move |entry| (root.path.clone(), entry))).collect()
    };
    blocking(move || Ok(wanted.iter().map(|(root, entry)| look(root, entry)).collect())).await
}

/// Ensures that the user switches on what they saw: each of these skills that is not reviewed yet needs the digest of a
/// review, and must be unchanged since.
pub(super) async fn refuse_unseen(
    engine: &Engine,
    entries: &[Arc<Entry>],
    seen: &BTreeMap<String, String>,
) -> Result<(), ActionError> {
    let state = engine.state().now();
    let asks = |entry: &&Arc<Entry>| {
        let folder = state.choices.folders.iter().find(|folder| folder.id == entry.folder);
        folder.is_some_and(|folder| folder.asks(&entry.path))
    };
    let mut shown = Vec::new();
    for entry in entries.iter().filter(asks) {
        let Some(digest) = seen.get(&entry.key()) else {
            let message = format!("{} is somebody else's, and nobody has seen yet what it carries.", entry.skill.name);
            let hints = vec!["Look at what it carries first; then switch it on.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message, hints });
        };
        shown.push((root(engine, entry), digest.clone(), Arc::clone(entry)));
    }
    blocking(move || {
        let other = shown.iter().find(|(root, digest, entry)| Files::read(root, entry).digest(entry) != *digest);
        let Some((_, _, entry)) = other else { return Ok(()) };
        let message = format!("{} changed since it was shown, so nothing was switched on.", entry.skill.name);
        Err(ActionError {
            kind: ErrorKind::Changed,
            message,
            hints: vec!["Look at it again, then switch it on.".to_owned()],
        })
    })
    .await
}

fn look(root: &Path, entry: &Arc<Entry>) -> Look {
    let files = Files::read(root, entry);
    let texts = files.read.iter().map(|(path, bytes)| (*path, bytes.as_slice()));
    let skill = texts.clone().find(|(path, _)| **path == SkillPath::skill_md());
    let skill = skill.map(|(_, bytes)| Arc::new(::skills::read(&entry.skill.id, bytes)));
    let skill = skill.unwrap_or_else(|| Arc::clone(&entry.skill));
    let mut trust = judge(&skill, &entry.files, texts);
    trust.left_out.extend_from_slice(&files.left_out);
    Look { key: entry.key(), digest: files.digest(entry), trust }
}

/// The scanned files of a skill.
struct Files<'e> {
    read: Vec<(&'e SkillPath, Vec<u8>)>,
    /// What was not read, as sentences.
    left_out: Vec<String>,
}

impl<'e> Files<'e> {
    fn read(root: &Path, entry: &'e Entry) -> Self {
        let mut files = Self { read: Vec::new(), left_out: Vec::new() };
        let mut left = TOGETHER;
        let is_skill_md = |file: &&File| file.path == SkillPath::skill_md();
        // SKILL.md comes first, no matter how many files and bytes precede it.
        let in_order =
            entry.files.iter().filter(is_skill_md).chain(entry.files.iter().filter(|file| !is_skill_md(file)));
        for file in in_order.take(FILES) {
            let bytes = if is_skill_md(&file) {
                confined::read_skill_md(root, &entry.location, LARGEST.min(left))
            } else {
                confined::read(&entry.location, &file.path, LARGEST.min(left))
            };
            match bytes {
                Ok(bytes) => {
                    left -= (bytes.len() as u64).min(left);
                    files.read.push((&file.path, bytes));
                }
                Err(error) => files.left_out.push(not_read(&file.path, &error, left)),
            }
        }
        if entry.files.len() > FILES {
            let message = format!("The skill has more than {FILES} files; the others were not looked at.");
            files.left_out.push(message);
        }
        files
    }

    /// Identifies these files: those that were read by their bytes, the others by size and time.
    fn digest(&self, entry: &Entry) -> String {
        let mut digest = Sha256::new();
        let mut part = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        for (path, bytes) in &self.read {
            part(path.as_str().as_bytes());
            part(bytes);
        }
        for file in entry.files.iter() {
            part(file.path.as_str().as_bytes());
            if !self.read.iter().any(|(path, _)| **path == file.path) {
                part(&file.size.to_le_bytes());
                part(&file.modified.to_le_bytes());
            }
        }
        format!("{:x}", digest.finalize())
    }
}

/// What a skill carries and what in it looks malicious, given the texts of all its files.
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

fn carried(carried: ::skills::Inventory) -> Carried {
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
