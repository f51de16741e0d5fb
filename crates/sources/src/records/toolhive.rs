//! Stacklok's ToolHive: `toolhive.lock.yaml` in a project.

use serde_json::Value;

use super::{Digest, Installer, NoRecords, Record, Records, owned, text, yaml};

const FILE: &str = "toolhive.lock.yaml";

/// Reads `toolhive.lock.yaml`.
///
/// # Errors
/// When it is no YAML, or has no skills.
pub fn read(file: &str) -> Result<Records, NoRecords> {
    let value = yaml(FILE, file)?;
    let Some(skills) = value.get("skills").and_then(Value::as_array) else {
        return Err(NoRecords::of(FILE, &"it has no skills"));
    };
    let mut records = Records::default();
    for skill in skills {
        let entry = skill.as_object().and_then(|fields| Some((fields, text(fields, "name")?)));
        let Some((fields, name)) = entry else {
            records.odd.push(format!("{FILE} has a skill without a name."));
            continue;
        };
        let source = text(fields, "source").or_else(|| text(fields, "resolvedReference")).unwrap_or(name);
        records.skills.push(Record {
            version: owned(fields, "version"),
            digest: owned(fields, "contentDigest").or_else(|| owned(fields, "digest")).map(Digest::Named),
            ..Record::new(Installer::ToolHive, name, source)
        });
    }
    Ok(records)
}
