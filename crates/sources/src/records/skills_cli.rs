//! The two files of `npx skills`: `skills-lock.json` in a project, and `.skill-lock.json` of the user, which lies in
//! `$XDG_STATE_HOME/skills` or `~/.agents`.
//!
//! The second is written for what came from a host that the program knows, not for folders and other repositories
//! (seen with version 1.5.18). That program throws older versions of both away when it reads them.

use serde_json::{Map, Value};

use super::{Digest, Installer, NoRecords, Record, Records, folder_of, json, owned, text};

/// Reads `skills-lock.json`.
///
/// # Errors
/// When it is no JSON, or has no skills.
pub fn project(file: &str) -> Result<Records, NoRecords> {
    read("skills-lock.json", file, |fields| text(fields, "computedHash").map(|hash| Digest::PathsAndBytes(hash.into())))
}

/// Reads `.skill-lock.json`.
///
/// # Errors
/// When it is no JSON, or has no skills.
pub fn global(file: &str) -> Result<Records, NoRecords> {
    let digest = |fields: &Map<String, Value>| {
        let hash = text(fields, "skillFolderHash")?.to_owned();
        // For repositories that GitHub does not show, it is the other kind.
        Some(if hash.len() == 40 { Digest::GitTree(hash) } else { Digest::PathsAndBytes(hash) })
    };
    read(".skill-lock.json", file, digest)
}

fn read(name: &str, file: &str, digest: impl Fn(&Map<String, Value>) -> Option<Digest>) -> Result<Records, NoRecords> {
    let value = json(name, file)?;
    let Some(skills) = value.get("skills").and_then(Value::as_object) else {
        return Err(NoRecords::of(name, &"it has no skills"));
    };
    let mut records = Records::default();
    for (skill, entry) in skills {
        let Some((fields, source)) = entry.as_object().and_then(|fields| Some((fields, text(fields, "source")?)))
        else {
            records.odd.push(format!("{name} does not say where {skill} came from."));
            continue;
        };
        let (address, kind) = (text(fields, "sourceUrl"), text(fields, "sourceType"));
        records.skills.push(Record {
            // The address says which host; the short name is of GitHub.
            source: address.unwrap_or(source).to_owned(),
            is_git: match kind {
                None | Some("github" | "git") => true,
                Some("gitlab") => address.is_some() || source.contains("://"),
                Some(_) => false,
            },
            follows: owned(fields, "ref"),
            inside: text(fields, "skillPath").map(folder_of).unwrap_or_default(),
            digest: digest(fields),
            ..Record::new(Installer::SkillsCli, skill, source)
        });
    }
    Ok(records)
}
