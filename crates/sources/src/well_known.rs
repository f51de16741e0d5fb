//! What a site says about the skills that it offers, at `/.well-known/agent-skills/index.json`.
//!
//! The format is the draft 0.2.0 of *Agent Skills Discovery* (cloudflare/agent-skills-discovery-rfc, of 12 March 2026): each
//! skill is one SKILL.md or one archive, with its address and the sha256 of its bytes. The draft before it lists the files
//! of each skill, without digests, at `/.well-known/skills/index.json`. Fetching is left to others.

use serde::{Deserialize, Serialize};
use url::Url;

/// Where a site lists its skills, the newest draft first.
pub const PLACES: [&str; 2] = ["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"];
/// What names the draft 0.2.0.
pub const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/// The most skills of one list that are read.
const MOST: usize = 1_000;
/// The most files of one skill.
const MOST_FILES: usize = 512;

/// A skill that a site offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// Its name, which is the name of its folder.
    pub name: String,
    /// What is fetched for it; or why it cannot come, as a sentence.
    pub parts: Result<Vec<Part>, String>,
}

/// A file that is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its address.
    pub address: String,
    /// Where it belongs in the skill's folder; `None` for an archive of the whole folder.
    pub path: Option<String>,
    /// The sha256 of its bytes, in 64 lower-case hexadecimal digits; `None` where the draft has none.
    pub sha256: Option<String>,
}

/// It is no list of skills.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("It is no list of skills: {0}.")]
pub struct NoIndex(pub String);

#[derive(Deserialize)]
struct Index {
    #[serde(rename = "$schema")]
    schema: Option<String>,
    skills: Vec<serde_json::Value>,
}

/// One entry of the draft 0.2.0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The skill's name.
    pub name: String,
    /// `skill-md` or `archive`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Where it is, seen from the list.
    pub url: String,
    /// `sha256:` and 64 lower-case hexadecimal digits.
    pub digest: String,
}

/// One entry of the draft before.
#[derive(Deserialize)]
struct Older {
    name: String,
    files: Vec<String>,
}

/// Reads the list that is at this address.
///
/// # Errors
/// When it is no list of a draft that is known. A skill that cannot be understood is listed with the reason.
pub fn read(text: &str, address: &str) -> Result<Vec<Offered>, NoIndex> {
    let broken = |error: &dyn std::fmt::Display| NoIndex(error.to_string());
    let at = Url::parse(address).map_err(|error| broken(&error))?;
    let index: Index = serde_json::from_str(text).map_err(|error| broken(&error))?;
    if index.skills.len() > MOST {
        return Err(NoIndex(format!("it has more than {MOST} skills")));
    }
    match index.schema.as_deref() {
        Some(SCHEMA) => Ok(index.skills.iter().map(|entry| offered(entry, &at)).collect()),
        None => Ok(index.skills.iter().map(|entry| older(entry, &at)).collect()),
        Some(other) => {
            let other: String = other.chars().take(100).collect();
            Err(NoIndex(format!("its draft is {}, which is not known", other.escape_debug())))
        }
    }
}

fn name(entry: &serde_json::Value) -> String {
    let name = entry.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
    name.chars().take(64).flat_map(char::escape_debug).collect()
}

/// A name as both drafts want it: it becomes the name of a folder.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let edges = name.starts_with('-') || name.ends_with('-') || name.contains("--");
    (1..=64).contains(&name.len()) && name.chars().all(plain) && !edges
}

fn offered(entry: &serde_json::Value, at: &Url) -> Offered {
    let part = || {
        let entry: Entry =
            serde_json::from_value(entry.clone()).map_err(|error| format!("It is listed wrongly: {error}."))?;
        if !is_name(&entry.name) {
            return Err("Its name is none that a skill may have.".to_owned());
        }
        let path = match entry.kind.as_str() {
            "skill-md" => Some("SKILL.md".to_owned()),
            "archive" => None,
            other => {
                let other: String = other.chars().take(100).collect();
                return Err(format!("It is of the kind {other:?}, which is not known."));
            }
        };
        let sha256 = entry.digest.strip_prefix("sha256:").filter(|digits| is_digest(digits));
        let sha256 = Some(sha256.ok_or("Its digest is none: it must be sha256: and 64 digits.")?.to_owned());
        let address = at.join(&entry.url).map_err(|error| format!("Its address is none: {error}."))?;
        Ok(vec![Part { address: address.into(), path, sha256 }])
    };
    Offered { name: name(entry), parts: part() }
}

fn older(entry: &serde_json::Value, at: &Url) -> Offered {
    let parts = || {
        let Older { name, files } =
            serde_json::from_value(entry.clone()).map_err(|error| format!("It is listed wrongly: {error}."))?;
        if !is_name(&name) {
            return Err("Its name is none that a skill may have.".to_owned());
        }
        if files.len() > MOST_FILES {
            return Err(format!("It has more than {MOST_FILES} files."));
        }
        let part = |path: String| {
            let odd = |part: &str| matches!(part, "" | "." | "..");
            if path.len() > 1_000
                || path.split('/').any(odd)
                || path.contains(|c: char| c.is_control() || "\\:?#%".contains(c))
            {
                let path: String = path.chars().take(200).collect();
                return Err(format!("`{}` is no name for a file of a skill.", path.escape_debug()));
            }
            let address =
                at.join(&format!("{name}/{path}")).map_err(|error| format!("Its address is none: {error}."))?;
            Ok(Part { address: address.into(), path: Some(path), sha256: None })
        };
        files.into_iter().map(part).collect()
    };
    Offered { name: name(entry), parts: parts() }
}

fn is_digest(digits: &str) -> bool {
    digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The text of a list with these skills.
pub fn written(skills: &[Entry]) -> String {
    let index = serde_json::json!({ "$schema": SCHEMA, "skills": skills });
    format!("{}\n", serde_json::to_string_pretty(&index).unwrap_or_default())
}
