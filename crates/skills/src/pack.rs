//! A skill as an upload takes it: a zip file with standard frontmatter only (seed 000, decision 19).
//!
//! Our two blocks travel as JSON text under `metadata`, other keys stay at home, and every byte that
//! needs no change has none. The same skill always gives the same bytes. What an upload would refuse
//! is refused here, with the reason.

mod archive;
mod projection;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::{File, Problem, Severity, Skill, SkillPath, check, examine, read};

/// The most bytes of an upload, all files together (Anthropic's Skills API).
const MOST_BYTES: usize = 30_000_000;

/// How a skill is packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackOptions {
    /// Files at the top of the zip file, instead of in a folder of the skill's name.
    pub flat: bool,
    /// Keep the keys that only Claude Code knows.
    pub keep_claude_code: bool,
}

/// One file of a skill that is packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFile {
    /// Where it stands in the skill.
    pub path: SkillPath,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Whether it is a program.
    pub executable: bool,
}

/// A packed skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The skill's name: that of the folder in the zip file, and usually of the file itself.
    pub name: String,
    /// The zip file.
    pub bytes: Vec<u8>,
    /// The keys that stay at home.
    pub dropped: Vec<String>,
    /// The keys that travel as JSON under `metadata`.
    pub moved: Vec<String>,
}

/// Why a skill is not packed: every reason, as sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PackRefused(pub Vec<String>);

impl fmt::Display for PackRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Packs the skill of the folder `id`. `files` are all that come along; one is SKILL.md.
///
/// # Errors
/// When an upload would refuse the skill.
pub fn pack(id: &str, files: &[PackFile], options: PackOptions) -> Result<Packed, PackRefused> {
    let refused = |reason: &str| PackRefused(vec![reason.to_owned()]);
    let skill_md = SkillPath::skill_md();
    let file = files.iter().find(|file| file.path == skill_md).ok_or_else(|| refused("There is no SKILL.md."))?;
    let skill = read(id, &file.bytes);
    let reasons = [reasons(&skill, files), secrets(&skill, &file.bytes, files)].concat();
    if !reasons.is_empty() {
        return Err(PackRefused(reasons));
    }
    let projection = projection::project(&skill, &file.bytes, options.keep_claude_code).ok_or_else(|| {
        refused("`metadata` is not a mapping, so there is no place for what the skill says of itself.")
    })?;
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
    Ok(Packed { name, bytes, dropped: projection.dropped, moved: projection.moved })
}

/// The SKILL.md as it travels: what [`pack`] puts into the zip file.
///
/// # Errors
/// When an upload would refuse the skill.
pub fn project(id: &str, file: &[u8], options: PackOptions) -> Result<Vec<u8>, PackRefused> {
    let skill = read(id, file);
    let reasons = reasons(&skill, &[]);
    let projection = projection::project(&skill, file, options.keep_claude_code).filter(|_| reasons.is_empty());
    projection.map(|projection| projection.bytes).ok_or(PackRefused(reasons))
}

/// What an upload would carry that must not leave the house, such as a literal credential.
fn secrets(skill: &Skill, file: &[u8], files: &[PackFile]) -> Vec<String> {
    let listed: Vec<_> =
        files.iter().map(|file| File { path: file.path.clone(), size: file.bytes.len() as u64, modified: 0 }).collect();
    let mut text_of = |path: &SkillPath| {
        let file = files.iter().find(|file| file.path == *path)?;
        String::from_utf8(file.bytes.clone()).ok()
    };
    let problems = examine(skill, file, &listed, &mut text_of);
    problems.iter().filter(|problem| problem.severity == Severity::Error).map(said).collect()
}

fn said(problem: &Problem) -> String {
    format!("Line {}: {}", problem.place.line, problem.message)
}

/// Why an upload would refuse the skill. That its folder is called otherwise does not matter: in the
/// zip file it has the skill's name.
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
        reasons.push(format!("Its files hold {bytes} bytes together; an upload takes {MOST_BYTES}."));
    }
    reasons
}
