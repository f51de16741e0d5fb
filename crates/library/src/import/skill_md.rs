//! A SKILL.md that is named by itself, because it was dropped or lies in a folder of downloads: it means the skill whose
//! folder it is in. Where it lies among things that are no part of it, only the file comes.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File},
    path::Path,
};

use files::{confined, file_names, ignored, staged_dir::is_executable};
use skills::{Skill, SkillPath};

use super::{Incoming, IncomingFile, IncomingSkill, Refused, folder, judge::MOST_BYTES};

/// The folders and files that skills have besides their SKILL.md.
const USUAL: &[&str] =
    &["scripts", "references", "assets", "templates", "examples", "resources", "README.md", "LICENSE", "LICENSE.txt"];

/// Whether a file is to be read as a SKILL.md: any text of Markdown, so that a wrong name is told.
pub(super) fn is_one(source: &Path) -> bool {
    source.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

pub(super) fn read(source: &Path) -> Result<Incoming, Refused> {
    let unreadable = |error| Refused(format!("{} cannot be read: {error}.", source.display()));
    let real = dunce::canonicalize(source).map_err(unreadable)?;
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    if real.file_name() != Some(OsStr::new("SKILL.md")) {
        let is_link = real.file_name().is_some_and(|to| !to.eq_ignore_ascii_case(&*name));
        return Err(Refused(if is_link {
            format!("`{name}` is a link to {}, which is no SKILL.md.", real.display())
        } else {
            super::misnamed(&name)
        }));
    }
    let Some(above) = real.parent() else { return Err(unreadable(std::io::ErrorKind::NotFound.into())) };
    let file = File::open(&real).map_err(unreadable)?;
    let bytes = confined::read_file(&file, MOST_BYTES).map_err(unreadable)?;
    let skill = skills::read("", &bytes);
    let beside = beside(above).map_err(unreadable)?;
    if is_its_folder(above, &skill, &bytes, &beside) {
        let mut incoming = folder::read(above, None)?;
        // If the skill is refused, those inside it are not what was named.
        incoming.skills.retain(|skill| skill.path.is_empty());
        return Ok(incoming);
    }
    let id = Some(skill.name.clone()).filter(|name| skills::is_kebab_case(name)).or_else(|| folder_name(above));
    let id = id.filter(|id| file_names::trouble(id).is_none()).ok_or_else(super::nameless)?;
    let only = IncomingFile { bytes, executable: is_executable(&file) };
    let left_out = (!beside.is_empty()).then(|| {
        format!(
            "Only `SKILL.md` comes: what else is in {} does not look like a part of the skill. To import all of it, choose the folder.",
            above.display()
        )
    });
    Ok(Incoming {
        archive: false,
        skills: vec![IncomingSkill { path: String::new(), id, files: BTreeMap::from([(SkillPath::skill_md(), only)]) }],
        refused: Vec::new(),
        left_out: left_out.into_iter().collect(),
    })
}

/// The names of what lies beside a SKILL.md, without the leftovers of tools.
fn beside(folder: &Path) -> std::io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
    let is_beside = |name: &std::ffi::OsString| {
        name != "SKILL.md" && !ignored::is_ignored(name) && !ignored::is_ignored_folder(name)
    };
    let names: Result<Vec<_>, std::io::Error> = names.collect();
    Ok(names?.into_iter().filter(is_beside).map(|name| name.to_string_lossy().into_owned()).collect())
}

/// Whether a folder is the skill: it has the skill's name, or holds nothing but what skills usually have and what the
/// text names.
fn is_its_folder(folder: &Path, skill: &Skill, text: &[u8], beside: &[String]) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_named = |name: &str| {
        let ends = |at: Option<char>| at.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        text.match_indices(name)
            .any(|(at, _)| ends(text[..at].chars().next_back()) && ends(text[at + name.len()..].chars().next()))
    };
    folder_name(folder).is_some_and(|name| file_names::folded(&name) == file_names::folded(&skill.name))
        || !beside.is_empty()
            && beside.iter().all(|name| USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(name)) || is_named(name))
}

fn folder_name(folder: &Path) -> Option<String> {
    folder.file_name().and_then(OsStr::to_str).map(str::to_owned)
}
