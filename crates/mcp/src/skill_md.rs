//! The current SKILL.md of a published skill: frontmatter and digest of the same bytes, because hosts compare the two
//! (SEP-2640).

use std::{borrow::Cow, io};

use rmcp::model::JsonObject;
use skills::{Entry, Skill, SkillPath};

use crate::{FileDigest, Host};

/// The skill in these bytes of an entry's SKILL.md, which usually equal those that were parsed before.
pub(crate) fn skill<'e>(entry: &'e Entry, bytes: &[u8]) -> Cow<'e, Skill> {
    if FileDigest::of(bytes, false).is(&entry.digest) {
        Cow::Borrowed(&entry.skill)
    } else {
        Cow::Owned(skills::read(&entry.skill.id, bytes))
    }
}

/// The frontmatter for `digest`, which is updated if the file was written after the catalogue was made. `None` if the
/// skill can no longer be published.
///
/// # Errors
/// If the file cannot be read.
pub(crate) async fn frontmatter<H: Host>(
    host: &H,
    entry: &Entry,
    digest: &mut FileDigest,
) -> io::Result<Option<JsonObject>> {
    if digest.is(&entry.digest) {
        return Ok(Some(entry.skill.frontmatter()));
    }
    let bytes = host.read(entry, &SkillPath::skill_md()).await?;
    *digest = FileDigest::of(&bytes, digest.executable);
    let skill = skills::read(&entry.skill.id, &bytes);
    Ok(skill.is_strict().then(|| skill.frontmatter()))
}
