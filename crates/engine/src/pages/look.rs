//! A look into the files of one skill: what it carries, what in it looks harmful, and the digest that names exactly these
//! files. Who must have seen it, and what follows from a finding, is left to `actions::trust` and `state`.

use std::{cmp::Reverse, collections::BTreeSet, io, path::Path, sync::Arc};

use ::skills::{Danger, Entry, File, Skill, SkillPath};
use api::{Carried, Finding, Scripts, Trust};
use files::confined;
use sha2::{Digest as _, Sha256};
use state::Harm;
use text::Lines;

/// The largest file that is scanned; scanning only the beginning of a larger one would prove nothing.
const LARGEST: u64 = 1 << 20;
/// How many bytes of a skill are scanned in all.
const TOGETHER: u64 = 16 << 20;
/// How many of its files are scanned: as many as are served.
const FILES: usize = 512;
/// The lines of a finding that its mark covers, so that a command over several lines cannot change unnoticed.
const MARKED: u32 = 3;
const UNREAD: &str = "Part of the frontmatter of SKILL.md cannot be read here. Tools and hooks that stand there are not \
    told, and another program may find them.";

/// A skill as its files are now.
pub(crate) struct Looked {
    /// Names exactly these files.
    pub(crate) digest: String,
    pub(crate) trust: Trust,
    /// Its findings that can do harm.
    pub(crate) harm: Vec<Harm>,
}

impl Looked {
    /// The marks of what looks harmful.
    pub(crate) fn marks(&self) -> BTreeSet<String> {
        self.harm.iter().map(|harm| harm.mark.clone()).collect()
    }
}

/// Looks into a skill below the folder `root` of the library.
pub(crate) fn look(root: &Path, entry: &Arc<Entry>) -> Looked {
    let files = Files::read(root, entry);
    let texts = files.read.iter().map(|(path, bytes)| (*path, bytes.as_slice()));
    let skill = texts.clone().find(|(path, _)| **path == SkillPath::skill_md());
    let skill = skill.map(|(_, bytes)| Arc::new(::skills::read(&entry.skill.id, bytes)));
    let skill = skill.unwrap_or_else(|| Arc::clone(&entry.skill));
    let found = ::skills::scan(texts.clone());
    let harm = files.harm(&found);
    let mut trust = judge(&skill, &entry.files, texts, found);
    trust.left_out.extend_from_slice(&files.left_out);
    Looked { digest: files.digest(entry), trust, harm }
}

/// Only what looks harmful in a skill, of which nothing else is asked.
pub(crate) fn harm(root: &Path, entry: &Entry) -> Vec<Harm> {
    let files = Files::read(root, entry);
    files.harm(&::skills::scan(files.read.iter().map(|(path, bytes)| (*path, bytes.as_slice()))))
}

/// What a skill carries and what in it looks malicious, given the texts of all its files and what a scan found there.
pub(crate) fn judge<'f>(
    skill: &Skill,
    files: &[File],
    texts: impl Iterator<Item = (&'f SkillPath, &'f [u8])>,
    mut found: Vec<::skills::Finding>,
) -> Trust {
    found.sort_by_key(|finding| Reverse(finding.severity));
    let told = ::skills::carried(skill, files, texts);
    Trust {
        left_out: told.unread.then(|| UNREAD.to_owned()).into_iter().collect(),
        carried: carried(told),
        findings: found.into_iter().map(finding).collect(),
    }
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

    /// The findings that can do harm, each with its mark.
    fn harm(&self, found: &[::skills::Finding]) -> Vec<Harm> {
        let high = found.iter().filter(|finding| finding.severity == Danger::High);
        high.map(|finding| Harm { mark: self.mark(finding), message: finding.message.clone() }).collect()
    }

    /// Names a finding by its sign, its file and its lines, wherever in the file they are.
    fn mark(&self, finding: &::skills::Finding) -> String {
        let file = self.read.iter().find(|(path, _)| **path == finding.path);
        let bytes = file.map_or(&[][..], |(_, bytes)| bytes);
        let (lines, line) = (Lines::new(bytes), finding.place.line);
        let marked = &bytes[lines.start(line)..lines.start(line.saturating_add(MARKED))];
        let mut digest = Sha256::new();
        for part in [finding.rule.as_bytes(), finding.path.as_str().as_bytes(), marked.trim_ascii()] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        format!("{:x}", digest.finalize())[..32].to_owned()
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
