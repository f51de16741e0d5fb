//! The files and folders of a published skill as resources under `skill://`. They carry no `_meta`:
//! what the author wrote is in the frontmatter of `skills/list` (mcp-contract 2.2).

use chrono::DateTime;
use rmcp::model::{Annotations, DIRECTORY_MIME_TYPE, Resource, Role};
use skills::{Entry, File, SkillPath, address};

use super::mime;

/// One file.
pub(crate) fn resource(entry: &Entry, file: &File) -> Resource {
    let is_skill_md = file.path == SkillPath::skill_md();
    let shown = printable(file.path.as_str());
    let name = if is_skill_md { entry.skill.name.clone() } else { shown.clone() };
    let mut resource = Resource::new(address::skill_uri(entry, &file.path), name)
        .with_title(format!("{}/{shown}", entry.skill.id))
        .with_size(file.size)
        .with_annotations(annotations(file, if is_skill_md { 0.8 } else { 0.3 }));
    if is_skill_md {
        resource = resource.with_description(&entry.skill.description);
    }
    resource.mime_type = mime::of(&file.path).map(str::to_owned);
    resource
}

/// One folder inside a skill.
pub(crate) fn folder(entry: &Entry, path: &SkillPath) -> Resource {
    let shown = printable(path.as_str());
    Resource::new(address::folder_uri(entry, Some(path)), shown.clone())
        .with_title(format!("{}/{shown}", entry.skill.id))
        .with_mime_type(DIRECTORY_MIME_TYPE)
}

/// For whom a file is, how much it matters, and when it was last changed.
pub(super) fn annotations(file: &File, priority: f32) -> Annotations {
    let annotations = Annotations::default().with_audience(vec![Role::Assistant]).with_priority(priority);
    match i64::try_from(file.modified).ok().and_then(DateTime::from_timestamp_millis) {
        Some(time) => annotations.with_timestamp(time),
        None => annotations,
    }
}

/// A path without what no line of a client can show.
fn printable(path: &str) -> String {
    path.replace(char::is_control, "")
}
