//! SKILL.md of a published skill at this moment: frontmatter and digest of the same bytes, because
//! hosts hold the one against the other (SEP-2640).

use std::borrow::Cow;

use rmcp::model::JsonObject;
use skills::{Entry, SkillPath};

use crate::{FileDigest, Host};

/// The frontmatter that goes with `digest`, which is brought up to date where the file was written
/// since the catalogue was made. `None` when the skill is not fit to be published any more.
pub(crate) async fn frontmatter<'e, H: Host>(
    host: &H,
    entry: &'e Entry,
    digest: &mut FileDigest,
) -> Option<Cow<'e, JsonObject>> {
    if digest.is(&entry.digest) {
        return Some(Cow::Borrowed(&entry.skill.frontmatter));
    }
    let bytes = host.read(entry, &SkillPath::skill_md()).await.ok()?;
    *digest = FileDigest::of(&bytes, digest.executable);
    let skill = skills::read(&entry.skill.id, &bytes);
    skill.is_strict().then_some(Cow::Owned(skill.frontmatter))
}
