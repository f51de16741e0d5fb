//! Skills from outside: a folder or a zip file is read whole and judged before a byte is written.
//!
//! What is refused, is refused with a sentence and as a whole: names that lead out or mean something
//! else on another system, links, two names that some systems take for one, too much of anything.
//! Files that belong to no skill stay out, and are named. Where the skills go, and that they are off
//! there, is the action's concern.

mod archive;
mod folder;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::OsStr,
    path::Path,
};

use sha2::{Digest as _, Sha256};
use skills::SkillPath;

use crate::{portable, walk};

/// The most files of one skill, and of all together.
const MOST_FILES: usize = 512;
const MOST_FILES_TOGETHER: usize = 4096;
/// The most bytes of one skill, and of all together.
const MOST_BYTES: u64 = 16 << 20;
const MOST_BYTES_TOGETHER: u64 = 64 << 20;
/// The most folders below each other.
const DEEPEST: usize = 16;
/// How many files that stay out are named.
const NAMED: usize = 3;

/// What would come.
#[derive(Debug)]
pub(crate) struct Incoming {
    /// Whether it comes from a zip file.
    pub(crate) archive: bool,
    /// The skills, sorted by path.
    pub(crate) skills: Vec<IncomingSkill>,
    /// What stays out, as sentences.
    pub(crate) left_out: Vec<String>,
}

/// One skill that would come.
#[derive(Debug)]
pub(crate) struct IncomingSkill {
    /// Where it stands in the source; empty for the source itself.
    pub(crate) path: String,
    /// The name of the folder that it would get.
    pub(crate) id: String,
    /// Its files, sorted; SKILL.md is one of them.
    pub(crate) files: BTreeMap<SkillPath, IncomingFile>,
}

/// One file that would come.
#[derive(Debug)]
pub(crate) struct IncomingFile {
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
}

/// Why nothing comes, as sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(pub(crate) String);

/// A file of a source, before it is read.
#[derive(Debug)]
struct Member {
    /// Its path in the source, with `/`.
    path: String,
    /// Bytes, as far as the source says the truth.
    size: u64,
    executable: bool,
    /// Whether it is a link; what it leads to is never looked at.
    link: bool,
    /// Which one it is in the source.
    index: usize,
}

/// Reads a folder or a zip file.
pub(crate) fn read(source: &Path) -> Result<Incoming, Refused> {
    let kind = source.metadata().map_err(|error| Refused(format!("{} cannot be read: {error}.", source.display())))?;
    if kind.is_dir() { folder::read(source) } else { archive::read(source) }
}

impl Incoming {
    /// Names exactly these skills and bytes.
    pub(crate) fn digest(&self) -> String {
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

/// Sorts the members of a source into skills, judges them, and only then reads those that come.
fn sort(
    source: &Path,
    members: Vec<Member>,
    mut read: impl FnMut(&Member) -> Result<Vec<u8>, Refused>,
) -> Result<Incoming, Refused> {
    for member in &members {
        check_name(&member.path)?;
    }
    let (members, tools): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| !is_of_tools(&member.path));
    let tops = tops(&members);
    let mut skills: BTreeMap<&str, Vec<&Member>> = tops.iter().map(|top| (*top, Vec::new())).collect();
    let mut outside = Vec::new();
    for member in &members {
        match folders_of(&member.path).find(|folder| tops.contains(folder)) {
            Some(top) => skills.entry(top).or_default().push(member),
            None => outside.push(member.path.as_str()),
        }
    }
    if skills.is_empty() {
        return Err(Refused(no_skill(source, &members)));
    }
    let mut together = (0, 0_u64);
    for (top, members) in &skills {
        check_skill(top, members)?;
        together.0 += members.len();
        together.1 = together.1.saturating_add(size_of(members));
    }
    if together.0 > MOST_FILES_TOGETHER || together.1 > MOST_BYTES_TOGETHER {
        return Err(Refused(format!(
            "{} holds more than {MOST_FILES_TOGETHER} files of skills, or more than {} MiB. Import its skills one by one.",
            source.display(),
            MOST_BYTES_TOGETHER >> 20
        )));
    }
    let mut ids = HashMap::new();
    let mut incoming = Vec::new();
    for (top, members) in skills {
        let mut files = BTreeMap::new();
        for member in members {
            let path = inside(&member.path, top).and_then(SkillPath::new);
            let path = path.ok_or_else(|| Refused(format!("`{}` is no name for a file of a skill.", member.path)))?;
            files.insert(path, IncomingFile { bytes: read(member)?, executable: member.executable });
        }
        let id = id(source, top, &files)?;
        if let Some(other) = ids.insert(portable::folded(&id), top) {
            return Err(Refused(format!(
                "`{other}` and `{top}` would both become the folder `{id}`. Import them one by one."
            )));
        }
        incoming.push(IncomingSkill { path: top.to_owned(), id, files });
    }
    let mut left_out = Vec::new();
    left_out.extend(named(&outside, "belongs to no skill", "belong to no skill"));
    let tools: Vec<_> = tools.iter().map(|member| member.path.as_str()).collect();
    left_out.extend(named(&tools, "is a tool's own", "are tools' own"));
    Ok(Incoming { archive: false, skills: incoming, left_out })
}

/// The outermost folders with a SKILL.md. A skill inside another one is a part of it.
fn tops(members: &[Member]) -> BTreeSet<&str> {
    let folder = |member: &'_ Member| -> Option<usize> {
        let above = member.path.strip_suffix("SKILL.md")?;
        (above.is_empty() || above.ends_with('/')).then(|| above.trim_end_matches('/').len())
    };
    let all: BTreeSet<_> = members.iter().filter_map(|member| Some(&member.path[..folder(member)?])).collect();
    let is_top = |top: &&str| folders_of(top).all(|above| above == *top || !all.contains(above));
    all.iter().copied().filter(is_top).collect()
}

/// The folders that a path stands in, the outermost first: that of the source itself is empty.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    [""].into_iter().chain(path.match_indices('/').map(|(at, _)| &path[..at]))
}

/// The path of a file below a folder; the empty folder is the source itself.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

fn check_name(path: &str) -> Result<(), Refused> {
    if path.starts_with('/') {
        return Err(Refused(format!("`{path}` is an absolute path, so nothing was read. A skill's files have none.")));
    }
    if let Some(trouble) = path.split('/').find_map(portable::trouble) {
        return Err(Refused(format!("A name in `{}` {trouble}, so nothing was read.", path.escape_debug())));
    }
    if path.split('/').count() > DEEPEST {
        return Err(Refused(format!("`{path}` stands in more than {DEEPEST} folders, so nothing was read.")));
    }
    Ok(())
}

/// Checks what one skill holds, by what the source says of it.
fn check_skill(top: &str, members: &[&Member]) -> Result<(), Refused> {
    let what = if top.is_empty() { "The skill" } else { top };
    if members.len() > MOST_FILES {
        return Err(Refused(format!("{what} has more than {MOST_FILES} files, which is more than clients take.")));
    }
    if size_of(members) > MOST_BYTES {
        return Err(Refused(format!(
            "{what} has more than {} MiB, which is more than clients take.",
            MOST_BYTES >> 20
        )));
    }
    if let Some(link) = members.iter().find(|member| member.link) {
        return Err(Refused(format!(
            "`{}` is a link, and a skill that is imported has none. Nothing was read.",
            link.path
        )));
    }
    let mut files = HashMap::new();
    for member in members {
        if let Some(other) = files.insert(portable::folded(&member.path), &member.path) {
            return Err(Refused(format!("`{other}` and `{}` are one file on many systems.", member.path)));
        }
    }
    let mut folders = HashMap::new();
    for member in members {
        for (at, _) in member.path.match_indices('/') {
            let folder = &member.path[..at];
            if files.contains_key(&portable::folded(folder)) {
                return Err(Refused(format!("`{folder}` is a file and a folder at once.")));
            }
            if let Some(other) = folders.insert(portable::folded(folder), folder).filter(|other| *other != folder) {
                return Err(Refused(format!("`{other}` and `{folder}` are one folder on many systems.")));
            }
        }
    }
    Ok(())
}

/// Whether a path lies in a folder that is never a part of a skill, or is such a file.
fn is_of_tools(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_apples = |name: &str| name == "__MACOSX" || name.starts_with("._");
    walk::is_ignored(OsStr::new(name))
        || is_apples(name)
        || folders.split('/').any(|folder| walk::is_ignored_folder(OsStr::new(folder)) || is_apples(folder))
}

/// The folder's name that a skill gets: its own where it has one. At the top of the source, the name
/// that it gives itself, else the source's.
fn id(source: &Path, top: &str, files: &BTreeMap<SkillPath, IncomingFile>) -> Result<String, Refused> {
    let own = || top.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
    let said = || {
        let skill = skills::read("", &files[&SkillPath::skill_md()].bytes);
        skills::is_kebab_case(&skill.name).then_some(skill.name)
    };
    let source_name = || {
        let name = if source.is_dir() { source.file_name() } else { source.file_stem() };
        name.and_then(OsStr::to_str).filter(|name| portable::trouble(name).is_none()).map(str::to_owned)
    };
    let id = if top.is_empty() && !source.is_dir() {
        said().or_else(source_name)
    } else {
        own().or_else(source_name).or_else(said)
    };
    let id = id.filter(|id| portable::trouble(id).is_none());
    id.ok_or_else(|| Refused("The skill has no name that a folder can have. Give it one in its SKILL.md.".to_owned()))
}

fn no_skill(source: &Path, members: &[Member]) -> String {
    let almost = |member: &&Member| {
        member.path.rsplit('/').next().is_some_and(|name| name != "SKILL.md" && name.eq_ignore_ascii_case("SKILL.md"))
    };
    match members.iter().find(almost) {
        Some(almost) => {
            format!("`{}` must be called SKILL.md, in capitals: clients read no other.", almost.path)
        }
        None => format!("There is no SKILL.md in {}, so there is no skill in it.", source.display()),
    }
}

fn named(paths: &[&str], one: &str, many: &str) -> Option<String> {
    match paths {
        [] => None,
        [path] => Some(format!("`{path}` {one} and stays out.")),
        _ => {
            let some: Vec<_> = paths.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
            let more = if paths.len() > NAMED { format!(" and {} more", paths.len() - NAMED) } else { String::new() };
            Some(format!("{}{more} {many} and stay out.", some.join(", ")))
        }
    }
}

/// How many bytes files hold together, as far as they say: a zip file may say anything.
fn size_of(members: &[&Member]) -> u64 {
    members.iter().fold(0, |sum, member| sum.saturating_add(member.size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(paths: impl Iterator<Item = String>) -> Vec<Member> {
        let member = |(index, path)| Member { path, size: 0, executable: false, link: false, index };
        paths.enumerate().map(member).collect()
    }

    #[test]
    fn the_outermost_folders_are_the_skills() {
        let of = |paths: &[&str]| {
            let members = members(paths.iter().map(|path| (*path).to_owned()));
            tops(&members).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(of(&["a/SKILL.md", "a/b/SKILL.md", "ab/SKILL.md", "c/d/SKILL.md", "e/x.md"]), ["a", "ab", "c/d"]);
        assert_eq!(of(&["SKILL.md", "a/SKILL.md"]), [""]);
    }

    /// Work that grew with the square of their number would not end here.
    #[test]
    fn twenty_thousand_skills_are_told_apart_and_refused() {
        let many = members((0..20_000).map(|number| format!("team-{}/skill-{number}/SKILL.md", number % 100)));
        assert_eq!(tops(&many).len(), 20_000);
        let refused = sort(Path::new("/many.zip"), many, |_| Ok(Vec::new())).unwrap_err();
        assert!(refused.0.starts_with("/many.zip holds more than 4096 files of skills"), "{refused}");
    }
}
