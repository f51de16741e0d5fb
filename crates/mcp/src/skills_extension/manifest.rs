//! A skill as `skills/list` and `skills/get` show it: its frontmatter as authored, and every file
//! with the digest of the bytes that it holds at this moment. Hosts check both against what they
//! read, so a skill of which one of them cannot be told is not shown at all.

use std::sync::Arc;

use rmcp::model::{JsonObject, Skill, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::Value;
use skills::{Entry, SkillPath, address};

use crate::{FileDigest, Host, Manifest, Part};

/// What is shown of each of these skills, if it can be shown.
pub(super) async fn entries<H: Host>(host: &H, entries: &[Arc<Entry>]) -> Vec<Option<Skill>> {
    let manifests = host.manifests(entries.to_vec(), Part::Everything).await;
    let mut shown = Vec::with_capacity(entries.len());
    for (entry, manifest) in entries.iter().zip(manifests) {
        shown.push(match manifest {
            Ok(manifest) => skill(host, entry, manifest).await,
            Err(_) => None,
        });
    }
    shown
}

async fn skill<H: Host>(host: &H, entry: &Entry, mut manifest: Manifest) -> Option<Skill> {
    let skill_md = manifest.iter_mut().find(|(path, _)| *path == SkillPath::skill_md())?;
    let frontmatter = if is_as_read(entry, &skill_md.1) {
        frontmatter(&entry.skill.frontmatter)?
    } else {
        // Written since the catalogue was made: frontmatter and digest have to be of the same bytes.
        let bytes = host.read(entry, &skill_md.0).await.ok()?;
        skill_md.1 = FileDigest::of(&bytes, skill_md.1.executable);
        let skill = skills::read(&entry.skill.id, &bytes);
        if !skill.is_strict() {
            return None;
        }
        frontmatter(&skill.frontmatter)?
    };
    if !skills::within_limits(manifest.iter().map(|(_, digest)| digest.size)) {
        return None;
    }
    let files = manifest
        .iter()
        .map(|(path, digest)| SkillResource::new(address::skill_uri(entry, path), digest.to_string(), digest.size));
    let uri = address::skill_uri(entry, &SkillPath::skill_md());
    let skill = Skill::new(uri, frontmatter, SkillResources::Files(files.collect()));
    skill.validate().is_ok().then_some(skill)
}

fn is_as_read(entry: &Entry, digest: &FileDigest) -> bool {
    digest.to_string().strip_prefix("sha256:") == Some(entry.digest.as_str())
}

/// The frontmatter with every field as authored; `None` without a name and a description as text.
fn frontmatter(authored: &JsonObject) -> Option<SkillFrontmatter> {
    let text = |key| authored.get(key).and_then(Value::as_str);
    let mut frontmatter = SkillFrontmatter::new(text("name")?, text("description")?);
    let others = authored.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description"));
    frontmatter.extra = others.map(|(key, value)| (key.clone(), value.clone())).collect();
    Some(frontmatter)
}
