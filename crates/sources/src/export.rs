//! Skills written down as other programs read them: the lock of `npx skills`, and the list of a marketplace for Claude Code.
//! The list of a site is in [`well_known`](crate::well_known).
//!
//! The rules of the lock are those of `skills` 1.7.4 from npm: the file's fields, and `computedHash` as
//! `computeSkillFolderHash` makes it of the skill's folder in the source.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::{FileKind, Origin, Source, update::FileSet};

/// The folders that program does not hash.
const LEFT: [&str; 2] = [".git", "node_modules"];
/// The order in which `localeCompare` has the characters of ASCII that are neither digits nor letters.
const MARKS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// A skill with where it came from.
#[derive(Debug, Clone)]
pub struct Sourced<'s> {
    /// Its name, as its author has it.
    pub name: &'s str,
    /// What is fetched, as [`Source::read`] takes it.
    pub address: &'s str,
    /// The branch or tag that is followed.
    pub follows: Option<&'s str>,
    /// Its folder there; empty for all of it.
    pub inside: &'s str,
    /// Its files.
    pub files: &'s FileSet,
}

/// `skills-lock.json`, and the skills that it cannot hold, each with the reason as a sentence.
pub fn skills_lock(skills: &[Sourced<'_>]) -> (String, Vec<String>) {
    let (mut entries, mut left_out) = (Map::new(), Vec::new());
    let mut sorted: Vec<_> = skills.iter().collect();
    sorted.sort_by_key(|skill| skill.name.encode_utf16().collect::<Vec<_>>());
    for skill in sorted {
        match entry(skill) {
            Ok(entry) => drop(entries.insert(skill.name.to_owned(), entry)),
            Err(why) => left_out.push(format!("{} is left out. {why}", skill.name)),
        }
    }
    let lock = json!({ "version": 1, "skills": entries });
    (format!("{}\n", serde_json::to_string_pretty(&lock).unwrap_or_default()), left_out)
}

/// One entry, with its fields in the order in which that program writes them.
fn entry(skill: &Sourced<'_>) -> Result<Value, String> {
    let hash =
        computed_hash(skill.files).ok_or("A name of its files has letters that are not sorted alike everywhere.")?;
    let source = Source::read(skill.address).map_err(|error| error.to_string())?;
    let mut fields = Map::new();
    let mut put = |field: &str, value: Option<&str>| {
        if let Some(value) = value {
            fields.insert(field.to_owned(), value.into());
        }
    };
    let folder = if skill.inside.is_empty() { String::new() } else { format!("{}/", skill.inside) };
    let skill_path = format!("{folder}SKILL.md");
    match &source.origin {
        Origin::Git(address) => {
            let short = source.to_string();
            let kind = match source.repository().map(|repository| repository.host).as_deref() {
                Some("github.com") => "github",
                Some("gitlab.com") => "gitlab",
                _ => "git",
            };
            let is_short = kind == "github" && address.starts_with("https://");
            put("source", Some(if is_short { &short } else { address }));
            put("sourceUrl", Some(address.as_str()).filter(|_| kind != "github"));
            put("ref", skill.follows);
            put("sourceType", Some(kind));
            put("skillPath", Some(&skill_path));
        }
        Origin::Site(address) => {
            let host = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
            put("source", host.split(['/', ':']).next());
            put("sourceUrl", Some(address));
            put("sourceType", Some("well-known"));
        }
        Origin::File(_, FileKind::Archive | FileKind::Skill | FileKind::Marketplace) => {
            return Err("`npx skills` locks no archive and no single file.".to_owned());
        }
        Origin::Local(_) => return Err("It came from this computer, which no other one has.".to_owned()),
    }
    put("computedHash", Some(&hash));
    Ok(Value::Object(fields))
}

/// The hash of a skill as that program computes it: the sha256 of each path and its bytes, in the order of
/// `localeCompare`. `None`: a path has characters beyond ASCII, whose order hangs on the program's version. ICU for Rust
/// was tried: it sorts 4,000 odd names as Node 24 does, and others with Chinese characters otherwise.
pub fn computed_hash(files: &FileSet) -> Option<String> {
    let mut sorted = Vec::new();
    for (path, file) in files {
        let (folders, _) = path.rsplit_once('/').unwrap_or_default();
        if !folders.split('/').any(|folder| LEFT.contains(&folder)) {
            sorted.push((path, keys(path)?, file));
        }
    }
    sorted.sort_by(|(_, one, _), (_, other, _)| compared(one, other));
    let mut digest = Sha256::new();
    for (path, _, file) in sorted {
        digest.update(path);
        digest.update(&file.bytes);
    }
    Some(format!("{:x}", digest.finalize()))
}

/// For each character its place, and whether it is a capital.
fn keys(path: &str) -> Option<Vec<(usize, bool)>> {
    let key = |c: char| match c {
        '0'..='9' => Some((MARKS.len() + (c as usize - '0' as usize), false)),
        'a'..='z' => Some((MARKS.len() + 10 + (c as usize - 'a' as usize), false)),
        'A'..='Z' => Some((MARKS.len() + 10 + (c as usize - 'A' as usize), true)),
        mark => Some((MARKS.find(mark)?, false)),
    };
    path.chars().map(key).collect()
}

/// All places first; where they are the same, small letters before capitals.
fn compared(one: &[(usize, bool)], other: &[(usize, bool)]) -> Ordering {
    let places = |keys: &[(usize, bool)]| keys.iter().map(|key| key.0).collect::<Vec<_>>();
    let capitals = |keys: &[(usize, bool)]| keys.iter().map(|key| key.1).collect::<Vec<_>>();
    places(one).cmp(&places(other)).then_with(|| capitals(one).cmp(&capitals(other)))
}

/// `.claude-plugin/marketplace.json` of a folder in which each of these skills, by id and description, is in
/// `skills/<id>`: each is a plugin of its own, so that people choose.
pub fn marketplace(name: &str, skills: &[(&str, &str)]) -> String {
    let plugin = |(id, description): &(&str, &str)| {
        json!({
            "name": id,
            "source": "./",
            "description": description,
            "strict": false,
            "skills": [format!("./skills/{id}")],
        })
    };
    let plugins: Vec<_> = skills.iter().map(plugin).collect();
    let list = json!({ "name": name, "owner": { "name": name }, "plugins": plugins });
    format!("{}\n", serde_json::to_string_pretty(&list).unwrap_or_default())
}
