//! Which files of a work tree belong to which skill of a library folder, and what a change of them means.

use std::collections::{BTreeMap, BTreeSet};

use api::{ChangedSkill, SkillChange, UpdatePlan};
use choices::SHARED;
use fetch::{How, Kept, Kind, Status, TreeFile};
use library::import::skill_folders;
use sources::update::{FileBytes, FileSet, merge};

use crate::actions::sources::{Reviewed, review};

/// Files that hold secrets by their names.
const SECRET_FILES: &[&str] =
    &[".env", ".netrc", ".git-credentials", ".pypirc", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// The skills of a library folder in a work tree.
pub(super) struct Skills {
    /// The library folder's path in the work tree, empty or with `/` at its end.
    inside: String,
    /// The skills' folders, by their paths in the library folder; the empty one is the folder itself.
    folders: BTreeSet<String>,
}

impl Skills {
    /// The skills among these files of the work tree, and among those that are new in a status.
    pub(super) fn of<'p>(inside: &str, paths: impl Iterator<Item = &'p str>, status: &'p Status) -> Self {
        let new = status.entries.iter().filter(|entry| entry.how != How::Removed).map(|entry| entry.path.as_str());
        let below = paths.chain(new).filter_map(|path| path.strip_prefix(inside));
        let folders = skill_folders(below).into_iter().map(str::to_owned).collect();
        Self { inside: inside.to_owned(), folders }
    }

    /// The skill that a file of the work tree belongs to: the innermost. The files of machines belong to none.
    pub(super) fn of_path(&self, path: &str) -> Option<&str> {
        let below = path.strip_prefix(&self.inside)?;
        if below.starts_with(SHARED) && below[SHARED.len()..].starts_with('/') {
            return None;
        }
        let above = below.match_indices('/').map(|(at, _)| &below[..at]).rev().chain([""]);
        above.filter_map(|folder| self.folders.get(folder)).map(String::as_str).next()
    }

    /// What happened to each skill that changed, and how many other files of the folder changed.
    pub(super) fn changed(&self, status: &Status, committed: &[TreeFile]) -> (Vec<ChangedSkill>, u32) {
        let (mut skills, mut others) = (BTreeSet::new(), 0);
        for entry in &status.entries {
            match self.of_path(&entry.path) {
                Some(skill) if !entry.is_submodule && !entry.path.ends_with('/') => drop(skills.insert(skill)),
                _ => others += 1,
            }
        }
        let skill_md = |skill: &str| match skill {
            "" => format!("{}SKILL.md", self.inside),
            skill => format!("{}{skill}/SKILL.md", self.inside),
        };
        let change = |skill: &str| {
            let skill_md = skill_md(skill);
            let is_gone = status.entries.iter().any(|entry| entry.path == skill_md && entry.how == How::Removed);
            match committed.iter().any(|file| file.path == skill_md) {
                false => SkillChange::Added,
                true if is_gone => SkillChange::Removed,
                true => SkillChange::Changed,
            }
        };
        let one = |skill: &str| ChangedSkill { path: skill.to_owned(), how: change(skill) };
        (skills.into_iter().map(one).collect(), others)
    }

    /// What a change of these files means for each skill with one of them.
    pub(super) fn plans(
        &self,
        folder: &str,
        changed: &[&str],
        (before, after): (&[TreeFile], &[TreeFile]),
        bytes: &BTreeMap<String, Vec<u8>>,
        (source, from, to): (&str, &str, &str),
    ) -> Vec<UpdatePlan> {
        let skills: BTreeSet<_> = changed.iter().filter_map(|path| self.of_path(path)).collect();
        let one = |skill: &str| {
            let (mine, theirs) = (self.files(skill, before, bytes), self.files(skill, after, bytes));
            let id = skill.rsplit('/').next().unwrap_or(skill);
            let changes = merge(&mine, &mine, &theirs);
            let Reviewed { files, gains, losses, findings, text_only, conflicts } =
                review(id, &mine, &theirs, &theirs, &changes);
            let name = [&theirs, &mine].into_iter().find_map(|files| {
                let name = ::skills::read(id, &files.get("SKILL.md")?.bytes).name;
                (!name.is_empty()).then_some(name)
            });
            UpdatePlan {
                id: String::new(),
                key: format!("{folder}/{skill}"),
                name: name.unwrap_or_else(|| id.to_owned()),
                source: source.to_owned(),
                from: from.to_owned(),
                to: to.to_owned(),
                notes: self.links(skill, after),
                files,
                gains,
                losses,
                findings,
                text_only,
                edited: false,
                conflicts,
            }
        };
        skills.into_iter().map(one).collect()
    }

    /// The files of a skill. One whose bytes were not read is told from another by its id.
    fn files(&self, skill: &str, all: &[TreeFile], bytes: &BTreeMap<String, Vec<u8>>) -> FileSet {
        let ours = all.iter().filter(|file| file.kind != Kind::Submodule && self.of_path(&file.path) == Some(skill));
        let one = |file: &TreeFile| {
            let read = bytes.get(&file.id).cloned().unwrap_or_else(|| format!("\0{}", file.id).into_bytes());
            (
                self.below(skill, &file.path).to_owned(),
                FileBytes { bytes: read, executable: file.kind == Kind::Executable },
            )
        };
        ours.map(one).collect()
    }

    /// A file's path in its skill.
    fn below<'p>(&self, skill: &str, path: &'p str) -> &'p str {
        path[self.inside.len()..].strip_prefix(skill).map_or(path, |below| below.trim_start_matches('/'))
    }

    /// Links in a skill, as sentences: git makes them as they are.
    fn links(&self, skill: &str, after: &[TreeFile]) -> Vec<String> {
        let links = after.iter().filter(|file| file.kind == Kind::Link && self.of_path(&file.path) == Some(skill));
        links.map(|file| format!("{} is a link.", self.below(skill, &file.path))).collect()
    }
}

/// The folders of skills below `inside` among all paths of a work tree: their files are read as a whole.
pub(super) fn wholes(inside: &str) -> impl Fn(&BTreeSet<&str>) -> BTreeSet<String> {
    move |paths| {
        let below = paths.iter().filter_map(|path| path.strip_prefix(inside));
        skill_folders(below)
            .into_iter()
            .map(|folder| format!("{inside}{folder}").trim_end_matches('/').to_owned())
            .collect()
    }
}

/// A message that says what happened to the skills, and whether switches and sets go along.
pub(super) fn message(skills: &[ChangedSkill], switches: bool) -> String {
    /// How many are named of each kind.
    const NAMED: usize = 4;
    let of = |how: SkillChange, verb: &str| {
        let names: Vec<_> = skills.iter().filter(|skill| skill.how == how).map(|skill| last(&skill.path)).collect();
        let more = names.len().saturating_sub(NAMED);
        match names.as_slice() {
            [] => None,
            names if more == 0 => Some(format!("{verb} {}", names.join(", "))),
            names => Some(format!("{verb} {} and {more} more", names[..NAMED].join(", "))),
        }
    };
    let parts: Vec<_> =
        [(SkillChange::Changed, "change"), (SkillChange::Added, "add"), (SkillChange::Removed, "remove")]
            .into_iter()
            .filter_map(|(how, verb)| of(how, verb))
            .collect();
    match (parts.is_empty(), switches) {
        (true, true) => "Switches and sets".to_owned(),
        (true, false) => "Skills".to_owned(),
        (false, true) => format!("Skills: {}; switches and sets", parts.join(", ")),
        (false, false) => format!("Skills: {}", parts.join(", ")),
    }
}

fn last(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.is_empty() { "the folder's own" } else { name }
}

/// What looks like a secret in the files that would be committed, and is in none that was. The lines of such a file are not
/// shown. `said`: the path and the text of this machine's file.
pub(super) fn secrets(
    plans: &mut [UpdatePlan],
    skills: &Skills,
    kept: &Kept,
    said: Option<(&str, &str)>,
) -> Vec<String> {
    let line = |text: &str, at: usize| text[..at].matches('\n').count() + 1;
    let told =
        |text: &str, path: &str, at: usize, what: &str| format!("Line {} of {path} looks like {what}.", line(text, at));
    // A set may be called like one.
    let in_said = |(file, said): (&str, &str)| {
        let keys = ::skills::credentials(said);
        keys.iter().map(|(span, what)| told(said, file, span.start, what)).collect()
    };
    let mut found: Vec<String> = said.map(in_said).unwrap_or_default();
    let bytes = |files: &[TreeFile], path: &str| {
        let file = files.iter().find(|file| file.path == path)?;
        kept.bytes.get(&file.id).cloned()
    };
    for path in &kept.paths {
        let Some(now) = bytes(&kept.after, path) else { continue };
        let before = bytes(&kept.before, path).unwrap_or_default();
        let (now, before) = (String::from_utf8_lossy(&now), String::from_utf8_lossy(&before));
        let name = last(path);
        let is_secret = SECRET_FILES.contains(&name) && before.is_empty() && !now.trim().is_empty();
        let keys = ::skills::credentials(&now);
        let new: Vec<_> = keys.iter().filter(|(span, _)| !before.contains(&now[span.clone()])).collect();
        found.extend(new.iter().map(|(span, what)| told(&now, path, span.start, what)));
        if is_secret {
            found.push(format!("{path} is a file for secrets."));
        }
        if is_secret || !new.is_empty() {
            hide(plans, skills, path);
        }
    }
    found
}

fn hide(plans: &mut [UpdatePlan], skills: &Skills, path: &str) {
    let Some(skill) = skills.of_path(path) else { return };
    let below = skills.below(skill, path);
    let ours = plans.iter_mut().filter(|plan| plan.key.split_once('/').is_some_and(|(_, key)| key == skill));
    ours.flat_map(|plan| &mut plan.files).filter(|file| file.path == below).for_each(|file| file.lines.clear());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(path: &str, how: SkillChange) -> ChangedSkill {
        ChangedSkill { path: path.to_owned(), how }
    }

    #[test]
    fn a_message_says_what_happened_to_which_skills() {
        let some = [
            changed("deep/tea", SkillChange::Changed),
            changed("coffee", SkillChange::Added),
            changed("ale", SkillChange::Removed),
        ];
        assert_eq!(message(&some, false), "Skills: change tea, add coffee, remove ale");
        let many: Vec<_> = (0..9).map(|number| changed(&format!("s{number}"), SkillChange::Changed)).collect();
        assert_eq!(message(&many, false), "Skills: change s0, s1, s2, s3 and 5 more");
        assert_eq!(message(&[], false), "Skills");
        assert_eq!(message(&[], true), "Switches and sets");
        assert_eq!(message(&some[..1], true), "Skills: change tea; switches and sets");
    }

    #[test]
    fn a_file_belongs_to_the_innermost_skill_of_its_folder() {
        let paths = [
            "lib/tea/SKILL.md",
            "lib/tea/inner/SKILL.md",
            "lib/tea/inner/x",
            "lib/teapot/y",
            "SKILL.md",
            "other/SKILL.md",
        ];
        let skills = Skills::of("lib/", paths.into_iter(), &Status::default());
        let of = |path| skills.of_path(path);
        assert_eq!(of("lib/tea/notes/a.md"), Some("tea"));
        assert_eq!(of("lib/tea/inner/x"), Some("tea/inner"));
        assert_eq!(of("lib/teapot/y"), None);
        assert_eq!(of("other/SKILL.md"), None);
        assert_eq!(of("SKILL.md"), None);
        assert_eq!(skills.below("tea/inner", "lib/tea/inner/x"), "x");
        let own = Skills::of("", ["SKILL.md", "a/b"].into_iter(), &Status::default());
        assert_eq!((own.of_path("a/b"), own.below("", "a/b")), (Some(""), "a/b"));
    }
}
