//! Microsoft's apm: `apm.lock.yaml` in a project.
//!
//! One dependency may bring several skills; its files say which. Fields as in apm-cli 0.35.

use serde_json::{Map, Value};

use super::{Digest, Installer, NoRecords, Record, Records, owned, text, yaml};

const FILE: &str = "apm.lock.yaml";

/// Reads `apm.lock.yaml`.
///
/// # Errors
/// When it is no YAML, or has no dependencies.
pub fn read(file: &str) -> Result<Records, NoRecords> {
    let value = yaml(FILE, file)?;
    let Some(dependencies) = value.get("dependencies").and_then(Value::as_array) else {
        return Err(NoRecords::of(FILE, &"it has no dependencies"));
    };
    let mut records = Records::default();
    for dependency in dependencies {
        let Some(fields) = dependency.as_object() else {
            records.odd.push(format!("{FILE} has a dependency that is no mapping."));
            continue;
        };
        let Some(source) = source(fields) else {
            records.odd.push(format!("{FILE} has a dependency without `repo_url`."));
            continue;
        };
        let files = fields.get("deployed_files").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let files: Vec<_> =
            files.iter().filter_map(Value::as_str).map(|path| path.trim_end_matches('/').to_owned()).collect();
        let inside = text(fields, "virtual_path").unwrap_or_default().trim_matches('/').to_owned();
        let mut names: Vec<_> = files.iter().filter_map(|path| skill_of(path)).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            records.skills.push(Record {
                is_git: text(fields, "source") != Some("local"),
                follows: owned(fields, "constraint").or_else(|| owned(fields, "resolved_ref")),
                commit: owned(fields, "resolved_commit"),
                version: text(fields, "version").filter(|version| *version != "unknown").map(str::to_owned),
                inside: inside.clone(),
                digest: text(fields, "content_hash").map(digest),
                files: files.iter().filter(|path| skill_of(path) == Some(name)).cloned().collect(),
                ..Record::new(Installer::Apm, name, &source)
            });
        }
    }
    Ok(records)
}

/// Where a dependency came from; `github.com` is left unsaid there.
fn source(fields: &Map<String, Value>) -> Option<String> {
    if text(fields, "source") == Some("local") {
        return owned(fields, "local_path");
    }
    let path = text(fields, "repo_url")?;
    Some(match text(fields, "host").filter(|host| *host != "github.com" && !path.contains("://")) {
        Some(host) => format!("https://{host}/{path}"),
        None => path.to_owned(),
    })
}

/// It computes what `npx skills` computes (seen on the same folder with both).
fn digest(hash: &str) -> Digest {
    match hash.strip_prefix("sha256:") {
        Some(hash) => Digest::PathsAndBytes(hash.to_owned()),
        None => Digest::Named(hash.to_owned()),
    }
}

/// The skill that a path belongs to: the folder below `skills`.
fn skill_of(path: &str) -> Option<&str> {
    let (_, below) = path.rsplit_once("skills/")?;
    below.split('/').next().filter(|name| !name.is_empty())
}
