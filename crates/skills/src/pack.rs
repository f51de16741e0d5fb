//! Packs a skill for an upload: a zip file with standard frontmatter only (the frontmatter contract, decision 19).
//!
//! Skilltender's two blocks are moved to `metadata` as JSON text, other keys are dropped, and all other bytes stay
//! unchanged. The same skill always gives the same bytes. A skill that an upload would refuse is refused here, with
//! the reason.

mod archive;
mod projection;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::{Disk, File, Found, Problem, Severity, Skill, SkillPath, check, examine_on_disk, read};

/// The most bytes of an upload, all files together (Anthropic's Skills API).
const MOST_BYTES: usize = 30_000_000;

/// The rules about files that the recipient of the zip file would miss.
const LINKS: &[&str] = &["link-outside", "link-broken", "reference-link", "file-missing"];

/// How a skill is packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackOptions {
    /// Put the files at the top of the zip file, not in a folder with the skill's name.
    pub flat: bool,
    /// Keep the keys that only Claude Code knows.
    pub keep_claude_code: bool,
}

/// One file of a skill to pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFile {
    /// Its path in the skill.
    pub path: SkillPath,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it is executable.
    pub executable: bool,
}

/// A packed skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The skill's name: the folder in the zip file, and usually the name of the zip file itself.
    pub name: String,
    /// The zip file.
    pub bytes: Vec<u8>,
    /// The keys that are dropped.
    pub dropped: Vec<String>,
    /// The keys that are moved to `metadata` as JSON.
    pub moved: Vec<String>,
    /// The link targets that the recipient of the zip file misses, as sentences.
    pub left_behind: Vec<String>,
}

/// Why a skill is not packed: every reason, as sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PackRefused(pub Vec<String>);

impl fmt::Display for PackRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Packs the skill of the folder `id`. `files` are all files to pack, SKILL.md among them. `links_out` are the
/// symbolic links that lead out of its folder, which are not packed.
///
/// # Errors
/// When an upload would refuse the skill.
pub fn pack(id: &str, files: &[PackFile], links_out: &[String], options: PackOptions) -> Result<Packed, PackRefused> {
    let refused = |reason: &str| PackRefused(vec![reason.to_owned()]);
    let skill_md = SkillPath::skill_md();
    let file = files.iter().find(|file| file.path == skill_md).ok_or_else(|| refused("There is no SKILL.md."))?;
    let skill = read(id, &file.bytes);
    let problems = content(&skill, &file.bytes, files, links_out);
    let secrets = problems.iter().filter(|problem| problem.severity == Severity::Error).map(said);
    let reasons: Vec<_> = reasons(&skill, files).into_iter().chain(secrets).collect();
    if !reasons.is_empty() {
        return Err(PackRefused(reasons));
    }
    let projection = projection::project(&skill, &file.bytes, options.keep_claude_code)
        .ok_or_else(|| refused("`metadata` is not a mapping, so there is no place for the skill's own keys."))?;
    let name = skill.name.trim().to_owned();
    let folder = if options.flat { String::new() } else { format!("{name}/") };
    let mut entries: Vec<_> = files
        .iter()
        .map(|file| {
            let bytes = if file.path == skill_md { &projection.bytes } else { &file.bytes };
            (format!("{folder}{}", file.path), bytes.as_slice(), file.executable)
        })
        .collect();
    entries.sort();
    let bytes =
        archive::zip(&entries).map_err(|error| refused(&format!("The zip file could not be made: {error}.")))?;
    let links = problems.iter().filter(|problem| LINKS.contains(&problem.rule));
    let left_behind = links.map(|problem| problem.message.clone()).collect();
    Ok(Packed { name, bytes, dropped: projection.dropped, moved: projection.moved, left_behind })
}

/// The SKILL.md as [`pack`] puts it into the zip file.
///
/// # Errors
/// When an upload would refuse the skill.
pub fn project(id: &str, file: &[u8], options: PackOptions) -> Result<Vec<u8>, PackRefused> {
    let skill = read(id, file);
    let reasons = reasons(&skill, &[]);
    let projection = projection::project(&skill, file, options.keep_claude_code).filter(|_| reasons.is_empty());
    projection.map(|projection| projection.bytes).ok_or(PackRefused(reasons))
}

/// Problems of the packed content, such as a literal credential or a link that leads out of the skill.
fn content(skill: &Skill, file: &[u8], files: &[PackFile], links_out: &[String]) -> Vec<Problem> {
    let listed: Vec<_> =
        files.iter().map(|file| File { path: file.path.clone(), size: file.bytes.len() as u64, modified: 0 }).collect();
    let mut text_of = |path: &SkillPath| {
        let file = files.iter().find(|file| file.path == *path)?;
        String::from_utf8(file.bytes.clone()).ok()
    };
    let is_out = |path: &SkillPath| {
        let path = path.as_str();
        links_out
            .iter()
            .any(|link| path.strip_prefix(link.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    };
    let find = |path: &SkillPath| if is_out(path) { Found::Outside } else { Found::Nothing };
    examine_on_disk(skill, file, &listed, &mut text_of, &Disk { find: &find, links_out })
}

fn said(problem: &Problem) -> String {
    format!("Line {}: {}", problem.place.line, problem.message)
}

/// Why an upload would refuse the skill. A folder with another name does not matter: in the zip file it has the
/// skill's name.
fn reasons(skill: &Skill, files: &[PackFile]) -> Vec<String> {
    const UPLOAD: &[&str] = &["name-reserved", "description-tag"];
    let counts = |rule: &str| rule != "name-folder" && check::find(rule).is_some_and(|rule| rule.specified);
    let harms = skill
        .problems
        .iter()
        .filter(|one| one.severity == Severity::Error || counts(one.rule) || UPLOAD.contains(&one.rule));
    let mut reasons: Vec<_> = harms.map(said).collect();
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    if bytes > MOST_BYTES {
        reasons.push(format!("Its files have {bytes} bytes in total; an upload accepts {MOST_BYTES}."));
    }
    reasons
}
