//! Which skills of its folders a client shows, where its settings say so one skill at a time: which file, and the change
//! that switches some off and others on. Each skill is one splice, proven like that of our entry; everything else in the
//! file stays as it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use text::{Splice, apply};

use crate::{
    Client, Format, Key, Refusal,
    client::{ROW, Takes},
    node::Node,
    plan::outline_of,
};

const ON: &str = "on";
const OFF: &str = "off";

/// Where and how a client's settings switch single skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillSwitches {
    /// The file in a project; `None` if they are in the client's own file and count everywhere.
    pub project: Option<&'static str>,
    /// The format of that file.
    pub format: Format,
    /// The key that holds them.
    pub key: Key,
    /// How one is written, and how a skill is called in it.
    pub form: SwitchForm,
    /// Which skills of its folders the client shows.
    pub shows: Shows,
    /// The source of this.
    pub source: &'static str,
}

/// How one switch is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchForm {
    /// `"name": "off"`, by the name of the skill's folder. Other words hide a part of it and are left alone.
    Word,
    /// A table with `name` and `enabled`, by the name in the frontmatter. The last that fits a skill counts, and one may
    /// have the `path` of its SKILL.md instead of a name.
    Enabled,
}

/// Which skills of its folders a client shows, without a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shows {
    /// How many folders deep it finds a SKILL.md; 1 is the skills folder's own folders.
    pub depth: usize,
    /// Whether those in a folder whose name starts with a dot, too.
    pub hidden: bool,
    /// Whether those of the folders above the project, too, up to the one with `.git`.
    pub above: bool,
}

/// What a client is to show of the skills of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillWanted {
    /// Whether it is to show them.
    pub on: bool,
    /// Their SKILL.md files, each in all the ways that the client may write its path.
    pub files: Vec<Vec<String>>,
}

/// A switch as it was before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switched {
    /// The skill, as the client calls it.
    pub name: String,
    /// What the file said: `on`, `off`, or another word of the client; `None` if it said nothing.
    pub was: Option<String>,
    /// What it says.
    pub now: Option<String>,
}

/// The settings with these skills on or off, and what changed. A skill that is to be on is named only if the file says
/// that it is off.
///
/// # Errors
/// If the client could not read the file, it is ambiguous on our path, or [`Refusal::Already`] if nothing changes.
pub fn switch_skills(
    switches: &SkillSwitches,
    current: Option<&[u8]>,
    wanted: &BTreeMap<String, SkillWanted>,
) -> Result<(Vec<u8>, Vec<Switched>), Refusal> {
    let (row, mut bytes, mut changed) = (row(switches), current.unwrap_or_default().to_vec(), Vec::new());
    for (name, skill) in wanted {
        if shown(switches, &row, &bytes, name, &skill.files)? == Some(skill.on) {
            continue;
        }
        let was = said(switches, &row, &bytes, name)?;
        let now = if skill.on { ON } else { OFF };
        if was.as_deref() != Some(now) {
            bytes = put(switches, &row, &bytes, name, Some(now))?;
        }
        // A switch by path that comes later counts more: ours moves behind it.
        if shown(switches, &row, &bytes, name, &skill.files)? != Some(skill.on) {
            bytes = put(switches, &row, &bytes, name, None)?;
            bytes = put(switches, &row, &bytes, name, Some(now))?;
        }
        changed.push(Switched { name: name.clone(), was, now: Some(now.to_owned()) });
    }
    if changed.is_empty() { Err(Refusal::Already) } else { Ok((bytes, changed)) }
}

/// The settings with each of these switches as it was, in a file that was edited since. One that says something else by
/// now is left alone.
///
/// # Errors
/// As for [`switch_skills`].
pub fn switch_back(switches: &SkillSwitches, current: &[u8], changed: &[Switched]) -> Result<Vec<u8>, Refusal> {
    let (row, mut bytes) = (row(switches), current.to_vec());
    for Switched { name, was, now } in changed.iter().rev() {
        if said(switches, &row, &bytes, name)? == *now {
            bytes = put(switches, &row, &bytes, name, was.as_deref())?;
        }
    }
    if bytes == current { Err(Refusal::Already) } else { Ok(bytes) }
}

/// The file as a row of the table: its switches are the entries.
fn row(switches: &SkillSwitches) -> Client {
    let takes = Takes { trailing_commas: false, byte_order_mark: true, empty_file: true };
    Client { format: switches.format, key: switches.key, takes, ..ROW }
}

/// Whether the client shows the skills of this name; `None` if it shows some of them.
fn shown(
    switches: &SkillSwitches,
    row: &Client,
    bytes: &[u8],
    name: &str,
    files: &[Vec<String>],
) -> Result<Option<bool>, Refusal> {
    let Some((first, others)) = files.split_first().filter(|_| switches.form == SwitchForm::Enabled) else {
        return Ok(Some(said(switches, row, bytes, name)?.as_deref() != Some(OFF)));
    };
    let rules = outline_of(row, bytes, name)?.servers();
    let on = |paths: &Vec<String>| {
        let text = |rule: &Node, key| rule.get(key).and_then(Node::text).map(str::to_owned);
        let fits = |rule: &&Node| match (text(rule, "name"), text(rule, "path")) {
            (Some(said), None) => said.trim() == name,
            (None, Some(path)) => paths.contains(&path),
            _ => false,
        };
        let last = rules.iter().map(|found| &found.node).rfind(fits);
        last.is_none_or(|rule| rule.get("enabled") != Some(&Node::Bool(false)))
    };
    let first = on(first);
    Ok(others.iter().all(|paths| on(paths) == first).then_some(first))
}

/// What the file says of a skill's name.
fn said(switches: &SkillSwitches, row: &Client, bytes: &[u8], name: &str) -> Result<Option<String>, Refusal> {
    let found = outline_of(row, bytes, name)?.ours();
    let word = found.map(|found| match switches.form {
        SwitchForm::Word => found.node.text().unwrap_or(ON).to_owned(),
        SwitchForm::Enabled if found.node.get("enabled") == Some(&Node::Bool(false)) => OFF.to_owned(),
        SwitchForm::Enabled => ON.to_owned(),
    });
    Ok(word)
}

/// The file with this switch, or without it.
fn put(
    switches: &SkillSwitches,
    row: &Client,
    bytes: &[u8],
    name: &str,
    word: Option<&str>,
) -> Result<Vec<u8>, Refusal> {
    let before = outline_of(row, bytes, name)?;
    let wanted = word.map(|word| match switches.form {
        SwitchForm::Word => Node::Text(word.to_owned()),
        SwitchForm::Enabled => {
            let name = ("name".to_owned(), Node::Text(name.to_owned()));
            Node::Map(vec![name, ("enabled".to_owned(), Node::Bool(word == ON))])
        }
    });
    let splice: Option<Splice> = match (&wanted, before.ours()) {
        (Some(wanted), None) => Some(before.insertion(wanted)),
        (Some(wanted), Some(_)) => before.replacement(wanted),
        (None, _) => before.removal(),
    };
    let after = apply(bytes, &[splice.ok_or(Refusal::Unproven)?]).map_err(|_| Refusal::Unproven)?;
    let read = outline_of(row, &after, name).map_err(|_| Refusal::Unproven)?;
    let proven = (before.is_blank() || before.is_read_by_another())
        && (read.is_blank() || read.is_read_by_another())
        && read.ours().map(|found| found.node) == wanted
        && before.same_but_ours(&read);
    if proven { Ok(after) } else { Err(Refusal::Unproven) }
}

#[cfg(test)]
mod tests;
