//! The files and folders of a published skill as resources under `skill://`. They have no `_meta`: the author's fields
//! are in the frontmatter of `skills/list` (docs/wire-contract.md, "Addresses of a skill's files").

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

/// The audience of a file, its priority, and the time of its last change.
pub(super) fn annotations(file: &File, priority: f32) -> Annotations {
    let annotations = Annotations::default().with_audience(vec![Role::Assistant]).with_priority(priority);
    match i64::try_from(file.modified).ok().and_then(DateTime::from_timestamp_millis) {
        Some(time) => annotations.with_timestamp(time),
        None => annotations,
    }
}

/// A path without characters that a client cannot show on a line.
fn printable(path: &str) -> String {
    path.replace(char::is_control, "")
}
