//! Sleuth's sx: the lock beside `sx.toml`.

use serde_json::{Map, Value};

use super::{Digest, Installer, NoRecords, Record, Records, is_commit, owned, text};

const FILE: &str = "sx.lock";

/// Reads the lock.
///
/// # Errors
/// When it is no TOML, or has no assets.
pub fn read(file: &str) -> Result<Records, NoRecords> {
    let value: Value = toml::from_str(file).map_err(|why| NoRecords::of(FILE, &why.message()))?;
    let Some(assets) = value.get("assets").and_then(Value::as_array) else {
        return Err(NoRecords::of(FILE, &"it has no assets"));
    };
    let mut records = Records::default();
    for asset in assets {
        let entry = asset.as_object().and_then(|fields| Some((fields, text(fields, "name")?)));
        let Some((fields, name)) = entry else {
            records.odd.push(format!("{FILE} has an asset without a name."));
            continue;
        };
        // It keeps commands, agents and more as well.
        if text(fields, "type").is_some_and(|kind| kind != "skill") {
            continue;
        }
        records.skills.push(of(name, fields));
    }
    Ok(records)
}

fn of(name: &str, fields: &Map<String, Value>) -> Record {
    let from = |kind: &str| fields.get(kind).and_then(Value::as_object);
    let mut record = Record { version: owned(fields, "version"), ..Record::new(Installer::Sx, name, name) };
    if let Some(git) = from("source-git") {
        record.source = text(git, "url").unwrap_or(name).to_owned();
        record.is_git = true;
        record.follows = owned(git, "ref");
        record.commit = text(git, "ref").filter(|name| is_commit(name)).map(str::to_owned);
        record.inside = text(git, "subdirectory").unwrap_or_default().trim_matches('/').to_owned();
    } else if let Some(http) = from("source-http") {
        record.source = text(http, "url").unwrap_or(name).to_owned();
        let hash = http.get("hashes").and_then(|hashes| hashes.get("sha256")).and_then(Value::as_str);
        record.digest = hash.map(|hash| Digest::Named(format!("sha256:{hash}")));
    } else if let Some(path) = from("source-path") {
        record.source = text(path, "path").unwrap_or(name).to_owned();
    }
    record
}
