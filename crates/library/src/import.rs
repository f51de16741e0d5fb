//! Skills from outside: reads a folder, a zip file, a SKILL.md or the list of a repository's files, and checks it before
//! anything is written.
//!
//! Each skill is checked separately: one that cannot be imported is named with its reason, and the others are imported.
//! A zip file with a name that leads out of it is refused as a whole, because such a name is never accidental. Files
//! that belong to no skill are left out, and named. The target folder, and that the skills are off there, is left to
//! the action.

mod archive;
mod contents;
mod folder;
mod judge;
mod listed;
mod skill_md;
mod tar;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::OsStr,
    ops::Bound,
    path::Path,
};

use files::{file_names, ignored};
use sha2::{Digest as _, Sha256};
use skills::SkillPath;
use text::some_of;

pub use contents::Contents;
pub use listed::{Listed, read_listed, skill_folders};
pub use tar::{Bundled, bundle};

/// The maximum number of files, and of bytes, of all skills in one import.
const MOST_FILES_TOGETHER: usize = 4096;
const MOST_BYTES_TOGETHER: u64 = 64 << 20;

/// The contents of an import.
#[derive(Debug, Default)]
pub struct Incoming {
    /// Whether it comes from a zip file.
    pub archive: bool,
    /// The skills, sorted by path.
    pub skills: Vec<IncomingSkill>,
    /// The skills that cannot be imported, sorted by path.
    pub refused: Vec<RefusedSkill>,
    /// Other things that are left out, as sentences.
    pub left_out: Vec<String>,
}

/// One skill to import.
#[derive(Debug)]
pub struct IncomingSkill {
    /// Its path in the source; empty for the source itself.
    pub path: String,
    /// The name of its future folder.
    pub id: String,
    /// Its files, sorted; SKILL.md is one of them.
    pub files: BTreeMap<SkillPath, IncomingFile>,
}

/// One skill that cannot be imported.
#[derive(Debug)]
pub struct RefusedSkill {
    /// Its path in the source; empty for the source itself.
    pub path: String,
    /// Why, as a sentence.
    pub why: String,
}

/// One file to import.
#[derive(Debug, PartialEq, Eq)]
pub struct IncomingFile {
    pub bytes: Vec<u8>,
    pub executable: bool,
}

/// Why nothing, or one skill, cannot be imported, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// A file of a source, before it is read.
#[derive(Debug)]
struct Member {
    /// Its path in the source, with `/`.
    path: String,
    /// Its size in bytes, as claimed by the source.
    size: u64,
    executable: bool,
    /// Whether it is a link; its target is never read.
    link: bool,
    /// Its index in the source.
    index: usize,
    /// Why it cannot be read, as a sentence.
    trouble: Option<String>,
}

/// Reads a member's bytes.
type Read<'r> = &'r mut dyn FnMut(&Member) -> Result<Vec<u8>, Refused>;

/// Reads a folder or a zip file: all skills in it, or those at the paths in `only`, whether or not the others can be
/// imported. A SKILL.md means the one skill that it belongs to.
///
/// # Errors
/// When the source cannot be read, is no skill, or holds what an import refuses.
pub fn read(source: &Path, only: Option<&[String]>) -> Result<Incoming, Refused> {
    let kind = source.metadata().map_err(|error| Refused(format!("{} cannot be read: {error}.", source.display())))?;
    let incoming = if kind.is_dir() {
        folder::read(source, only)?
    } else if kind.is_file() && skill_md::is_one(source) {
        skill_md::read(source)?
    } else {
        archive::read(source, only)?
    };
    if incoming.skills.is_empty() { Err(nothing_comes(source, &incoming.refused)) } else { Ok(incoming) }
}

impl Incoming {
    /// Identifies exactly these skills and bytes.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        let mut part = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        for skill in &self.skills {
            part(skill.path.as_bytes());
            part(skill.id.as_bytes());
            for (path, file) in &skill.files {
                part(path.as_str().as_bytes());
                part(&[u8::from(file.executable)]);
                part(&file.bytes);
            }
            part(b"");
        }
        format!("{:x}", digest.finalize())
    }
}

/// Sorts the members of a source into skills, checks each, and only then reads the accepted ones.
fn sort(source: &Path, members: &[Member], only: Option<&[String]>, read: Read<'_>) -> Result<Incoming, Refused> {
    let (tools, members): (Vec<_>, Vec<_>) = members.iter().partition(|member| is_of_tools(&member.path));
    let members: BTreeMap<&str, &Member> = members.into_iter().map(|member| (member.path.as_str(), member)).collect();
    let folders = folders_with_a_skill(&members);
    if folders.is_empty() {
        return Err(Refused(no_skill(source, &members)));
    }
    let mut sorting = Sorting { source, members: &members, read, coming: Coming::default(), refused: Vec::new() };
    match only {
        Some(only) => {
            for path in only {
                let inside = if path == "." { "" } else { path.trim_end_matches('/') };
                let top = folders.get(inside).ok_or_else(|| not_there(path, &folders))?;
                sorting.take(top);
            }
        }
        None => sorting.take_all(&folders),
    }
    let Sorting { coming: Coming { mut skills, .. }, mut refused, .. } = sorting;
    skills.sort_by(|one, other| one.path.cmp(&other.path));
    refused.sort_by(|one, other| one.path.cmp(&other.path));
    let mut left_out = Vec::new();
    if only.is_none() {
        let is_outside = |path: &&str| !folders_of(path).any(|folder| folders.contains(folder));
        let outside: Vec<_> = members.keys().copied().filter(is_outside).collect();
        left_out.extend(named(&outside, "belongs to no skill", "belong to no skill"));
        let tools: Vec<_> = tools.iter().map(|member| member.path.as_str()).collect();
        left_out.extend(named(&tools, "is a tool's own", "are tools' own"));
    }
    Ok(Incoming { archive: false, skills, refused, left_out })
}

/// The state while a source is sorted into skills.
struct Sorting<'s, 'r> {
    source: &'s Path,
    members: &'s BTreeMap<&'s str, &'s Member>,
    read: Read<'r>,
    coming: Coming,
    refused: Vec<RefusedSkill>,
}

/// The skills accepted so far.
#[derive(Default)]
struct Coming {
    skills: Vec<IncomingSkill>,
    /// The index of the skill with each folder name.
    ids: HashMap<String, usize>,
    files: usize,
    bytes: u64,
}

impl<'s> Sorting<'s, '_> {
    /// Takes the outermost skills: one inside another is part of it. If the outer one is refused, or no more than a page
    /// about those inside it, these may be taken.
    fn take_all(&mut self, folders: &BTreeSet<&'s str>) {
        // A client's hidden folder often links to the skills next to it, which keep their names.
        let mut sorted: Vec<_> = folders.iter().copied().collect();
        sorted.sort_by_key(|path| (path.split('/').any(|name| name.starts_with('.')), *path));
        let mut taken = BTreeSet::new();
        for top in sorted {
            if folders_of(top).any(|above| above != top && taken.contains(above)) {
                continue;
            }
            if has_inside(folders, top) && self.is_page(top) {
                let why = "Its SKILL.md has no frontmatter, and there are skills below it: it is a page about them.";
                self.refused.push(RefusedSkill { path: top.to_owned(), why: why.to_owned() });
            } else if self.take(top) {
                taken.insert(top);
            }
        }
    }

    /// Whether the SKILL.md in this folder is text without frontmatter. One that is empty, or not read yet, is not.
    fn is_page(&mut self, top: &str) -> bool {
        let path = if top.is_empty() { "SKILL.md".to_owned() } else { format!("{top}/SKILL.md") };
        let Some(member) = self.members.get(path.as_str()).filter(|member| member.size <= judge::MOST_BYTES) else {
            return false;
        };
        let is_text = !member.link && member.trouble.is_none();
        let text = if is_text { (self.read)(member).ok() } else { None };
        text.is_some_and(|text| {
            !text.is_empty() && skills::read("", &text).problems.iter().any(|problem| problem.rule == "no-frontmatter")
        })
    }

    /// Checks and reads the skill in this folder; returns whether it is accepted.
    fn take(&mut self, top: &str) -> bool {
        let taken = self.skill(top).and_then(|skill| self.add(skill));
        if let Err(Refused(why)) = &taken {
            self.refused.push(RefusedSkill { path: top.to_owned(), why: why.clone() });
        }
        taken.is_ok()
    }

    fn skill(&mut self, top: &str) -> Result<IncomingSkill, Refused> {
        let members = self.members_of(top);
        judge::skill(top, &members)?;
        let (files, bytes) = (self.coming.files + members.len(), self.coming.bytes.saturating_add(size_of(&members)));
        if files > MOST_FILES_TOGETHER || bytes > MOST_BYTES_TOGETHER {
            return Err(Refused(format!(
                "With those before it, more than {MOST_FILES_TOGETHER} files or {} MiB would come at once. Import it by itself.",
                MOST_BYTES_TOGETHER >> 20
            )));
        }
        let mut files = BTreeMap::new();
        for member in &members {
            let path = inside(&member.path, top).and_then(SkillPath::new);
            let path = path.ok_or_else(|| Refused(format!("`{}` is no name for a file of a skill.", member.path)))?;
            files.insert(path, IncomingFile { bytes: (self.read)(member)?, executable: member.executable });
        }
        Ok(IncomingSkill { path: top.to_owned(), id: id(self.source, top, &files)?, files })
    }

    fn add(&mut self, skill: IncomingSkill) -> Result<(), Refused> {
        let Coming { skills, ids, files, bytes } = &mut self.coming;
        if let Some(other) = ids.get(&file_names::folded(&skill.id)).and_then(|at| skills.get(*at)) {
            return Err(Refused(if other.files == skill.files {
                format!("It is the same as `{}`, file by file.", other.path)
            } else {
                format!("It would get the folder `{}`, as `{}` does. Import it by itself.", skill.id, other.path)
            }));
        }
        ids.insert(file_names::folded(&skill.id), skills.len());
        *files += skill.files.len();
        *bytes += skill.files.values().map(|file| file.bytes.len() as u64).sum::<u64>();
        skills.push(skill);
        Ok(())
    }

    /// The members in a folder and below it.
    fn members_of(&self, top: &str) -> Vec<&'s Member> {
        let from = if top.is_empty() { String::new() } else { format!("{top}/") };
        let below = self.members.range::<str, _>((Bound::Included(from.as_str()), Bound::Unbounded));
        below.take_while(|(path, _)| path.starts_with(&from)).map(|(_, member)| *member).collect()
    }
}

/// The folders with a SKILL.md.
fn folders_with_a_skill<'p>(members: &BTreeMap<&'p str, &Member>) -> BTreeSet<&'p str> {
    let folder = |path: &&'p str| -> Option<&'p str> {
        let above = path.strip_suffix("SKILL.md")?;
        (above.is_empty() || above.ends_with('/')).then(|| above.trim_end_matches('/'))
    };
    members.keys().filter_map(folder).collect()
}

/// The folders that contain a path, outermost first: that of the source itself is empty.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    [""].into_iter().chain(path.match_indices('/').map(|(at, _)| &path[..at]))
}

/// Whether there is another of these folders in this one.
fn has_inside(folders: &BTreeSet<&str>, top: &str) -> bool {
    let from = if top.is_empty() { "\0".to_owned() } else { format!("{top}/") };
    let next = folders.range::<str, _>((Bound::Included(from.as_str()), Bound::Unbounded)).next();
    next.is_some_and(|path| top.is_empty() || path.starts_with(&from))
}

/// The path of a file below a folder; the empty folder is the source itself.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// Whether a path is a file that is never part of a skill, or is in a folder of such files.
fn is_of_tools(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_apples = |name: &str| name == "__MACOSX" || name.starts_with("._");
    ignored::is_ignored(OsStr::new(name))
        || is_apples(name)
        || folders.split('/').any(|folder| ignored::is_ignored_folder(OsStr::new(folder)) || is_apples(folder))
}

/// The folder name of a skill: its current one. At the top of the source, the skill's own name, or else the source's.
fn id(source: &Path, top: &str, files: &BTreeMap<SkillPath, IncomingFile>) -> Result<String, Refused> {
    let own = || top.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
    let said = || {
        let skill = skills::read("", &files[&SkillPath::skill_md()].bytes);
        skills::is_kebab_case(&skill.name).then_some(skill.name)
    };
    let source_name = || {
        let name = if source.is_dir() { source.file_name() } else { source.file_stem() };
        name.and_then(OsStr::to_str).filter(|name| file_names::trouble(name).is_none()).map(str::to_owned)
    };
    let id = if top.is_empty() && !source.is_dir() {
        said().or_else(source_name)
    } else {
        own().or_else(source_name).or_else(said)
    };
    let id = id.filter(|id| file_names::trouble(id).is_none());
    id.ok_or_else(nameless)
}

fn nameless() -> Refused {
    Refused("The skill has no name that a folder can have. Give it one in its SKILL.md.".to_owned())
}

fn misnamed(almost: &str) -> String {
    format!("`{almost}` must be called SKILL.md, in capitals: clients read no other.")
}

fn no_skill(source: &Path, members: &BTreeMap<&str, &Member>) -> String {
    let almost = |path: &&&str| {
        path.rsplit('/').next().is_some_and(|name| name != "SKILL.md" && name.eq_ignore_ascii_case("SKILL.md"))
    };
    match members.keys().find(almost) {
        Some(almost) => misnamed(almost),
        None => format!("There is no SKILL.md in {}, so there is no skill in it.", source.display()),
    }
}

fn not_there(path: &str, folders: &BTreeSet<&str>) -> Refused {
    let there: Vec<_> = folders.iter().map(|folder| if folder.is_empty() { "." } else { folder }).collect();
    Refused(format!("There is no skill at `{path}`. There are {}.", some_of(&there)))
}

/// The error for a source whose skills are all refused.
fn nothing_comes(source: &Path, refused: &[RefusedSkill]) -> Refused {
    match refused {
        [only] => Refused(only.why.clone()),
        many => {
            let some = many.iter().take(3).map(|refused| format!("`{}`: {}", refused.path, refused.why));
            let some: Vec<_> = some.collect();
            let none = format!("None of the {} skills in {} can come.", many.len(), source.display());
            Refused(format!("{none} {}", some.join(" ")))
        }
    }
}

fn named(paths: &[&str], one: &str, many: &str) -> Option<String> {
    match paths {
        [] => None,
        [path] => Some(format!("`{path}` {one} and stays out.")),
        _ => Some(format!("{} {many} and stay out.", some_of(paths))),
    }
}

/// The total size of files in bytes, as claimed: a zip file may claim anything.
fn size_of(members: &[&Member]) -> u64 {
    members.iter().fold(0, |sum, member| sum.saturating_add(member.size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(paths: impl Iterator<Item = String>) -> Vec<Member> {
        let member = |(index, path)| Member { path, size: 0, executable: false, link: false, index, trouble: None };
        paths.enumerate().map(member).collect()
    }

    fn sorted(paths: &[&str], only: Option<&[String]>) -> Result<Incoming, Refused> {
        let members = members(paths.iter().map(|path| (*path).to_owned()));
        sort(Path::new("/some.zip"), &members, only, &mut |member| {
            Ok(format!("---\nname: tea\n---\n\n{}\n", member.path).into_bytes())
        })
    }

    fn coming(paths: &[&str]) -> Vec<String> {
        sorted(paths, None).unwrap().skills.into_iter().map(|skill| skill.path).collect()
    }

    #[test]
    fn the_outermost_folders_are_the_skills() {
        assert_eq!(
            coming(&["a/SKILL.md", "a/b/SKILL.md", "ab/SKILL.md", "a-b/x", "c/d/SKILL.md", "e/x.md"]),
            ["a", "ab", "c/d"]
        );
        assert_eq!(coming(&["SKILL.md", "a/SKILL.md"]), [""]);
    }

    #[test]
    fn what_stands_in_a_skill_that_cannot_come_may_come() {
        let incoming = sorted(&["a/SKILL.md", "a/con", "a/b/SKILL.md"], None).unwrap();
        assert_eq!(incoming.skills.iter().map(|skill| skill.path.as_str()).collect::<Vec<_>>(), ["a/b"]);
        assert_eq!(incoming.refused[0].why, "A name in `a/con` is one that Windows keeps for a device.");
    }

    #[test]
    fn a_skill_that_is_named_comes_whatever_the_others_are() {
        let only = ["a/b/".to_owned()];
        let incoming = sorted(&["a/SKILL.md", "a/b/SKILL.md", "c/SKILL.md", "c/con"], Some(&only)).unwrap();
        assert_eq!(incoming.skills.iter().map(|skill| skill.path.as_str()).collect::<Vec<_>>(), ["a/b"]);
        assert!(incoming.refused.is_empty() && incoming.left_out.is_empty(), "{incoming:?}");
        let missing = sorted(&["a/SKILL.md"], Some(&["b".to_owned()])).unwrap_err();
        assert_eq!(missing.0, "There is no skill at `b`. There are `a`.");
    }

    #[test]
    fn of_two_skills_for_one_folder_the_one_in_sight_comes() {
        let incoming = sorted(&[".claude/skills/tea/SKILL.md", "skills/tea/SKILL.md"], None).unwrap();
        assert_eq!(incoming.skills[0].path, "skills/tea");
        assert_eq!(incoming.refused[0].path, ".claude/skills/tea");
    }

    /// An algorithm that is quadratic in their number would not finish here.
    #[test]
    fn twenty_thousand_skills_are_told_apart_and_those_that_are_too_many_are_refused() {
        let many = members((0..20_000).map(|number| format!("team-{}/skill-{number}/SKILL.md", number % 100)));
        let incoming = sort(Path::new("/many.zip"), &many, None, &mut |_| Ok(Vec::new())).unwrap();
        assert_eq!(
            (incoming.skills.len(), incoming.refused.len()),
            (MOST_FILES_TOGETHER, 20_000 - MOST_FILES_TOGETHER)
        );
        assert!(incoming.refused[0].why.contains("more than 4096 files"), "{}", incoming.refused[0].why);
    }
}
