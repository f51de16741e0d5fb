//! The files of skills as resources under `skill://` (SEP-2640): what is listed, and their bytes.
//! A skill is published here only when it passes strictly (decision 10); the tools serve the others
//! too. The extension's own methods and `resource://` are not part of this module.

use base64::{Engine as _, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::DateTime;
use rmcp::{
    ErrorData,
    model::{Annotations, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role},
};
use serde_json::json;
use skills::{Catalog, Entry, File, SkillPath, address};

use crate::{Caller, Host};

/// Resources on one page of a list.
const PAGE: usize = 200;

/// One page of the files of every published skill: sorted by id, SKILL.md before the other files.
pub(crate) fn list(catalog: &Catalog, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let last = cursor.map(read_cursor).transpose()?;
    let mut rest = files(catalog).filter(|(entry, file)| {
        last.as_ref().is_none_or(|(id, path)| order(&entry.skill.id, &file.path) > order(id, path))
    });
    let page: Vec<_> = rest.by_ref().take(PAGE).collect();
    let mut result = ListResourcesResult::default();
    if rest.next().is_some() {
        result.next_cursor = page.last().map(|(entry, file)| cursor_after(entry, file));
    }
    result.resources = page.into_iter().map(|(entry, file)| resource(entry, file)).collect();
    Ok(result)
}

/// The one template, for clients that know a path but do not list.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("skill://{+path}", "skill_file")
            .with_title("A file of a skill")
            .with_description("Any file of an enabled skill: its path begins with that of the skill."),
    ]
}

/// The present bytes of one file: as text, unchanged, where they are UTF-8, else as a blob.
pub(crate) async fn read<H: Host>(host: &H, caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let catalog = host.catalog(caller).await;
    let (entry, path) = address::find_skill_file(&catalog, uri).ok_or_else(|| not_found(uri))?;
    let bytes = host.read(entry, &path).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => not_found(uri),
        kind => ErrorData::internal_error(format!("The file behind {uri} cannot be read: {kind}."), None),
    })?;
    let known = mime(&path);
    let contents = match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri).with_mime_type(known.unwrap_or("text/plain")),
        Err(binary) => ResourceContents::blob(BASE64_STANDARD.encode(binary.as_bytes()), uri)
            .with_mime_type(known.unwrap_or("application/octet-stream")),
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

/// What a client hears that asks for something that is not there.
pub(crate) fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("No enabled skill has this file.", Some(json!({"uri": uri})))
}

/// Every listed file. One that belongs to a published skill further in is listed there.
fn files(catalog: &Catalog) -> impl Iterator<Item = (&Entry, &File)> {
    catalog.published().flat_map(move |entry| {
        let inner: Vec<&str> = entry
            .files
            .iter()
            .filter_map(|file| file.path.as_str().strip_suffix("SKILL.md").filter(|folder| !folder.is_empty()))
            .filter(|folder| catalog.at(&format!("{}/{}", entry.skill_path(), folder.trim_end_matches('/'))).is_some())
            .collect();
        let own = move |file: &&File| !inner.iter().any(|folder| file.path.as_str().starts_with(folder));
        let (first, others): (Vec<_>, Vec<_>) =
            entry.files.iter().filter(own).partition(|file| file.path == SkillPath::skill_md());
        first.into_iter().chain(others).map(move |file| (&**entry, file))
    })
}

fn resource(entry: &Entry, file: &File) -> Resource {
    let is_skill_md = file.path == SkillPath::skill_md();
    let shown = file.path.as_str().replace(char::is_control, "");
    let mut annotations =
        Annotations::default().with_audience(vec![Role::Assistant]).with_priority(if is_skill_md { 0.8 } else { 0.3 });
    if let Some(time) = i64::try_from(file.modified).ok().and_then(DateTime::from_timestamp_millis) {
        annotations = annotations.with_timestamp(time);
    }
    let name = if is_skill_md { entry.skill.name.clone() } else { shown.clone() };
    let mut resource = Resource::new(address::skill_uri(entry, &file.path), name)
        .with_title(format!("{}/{shown}", entry.skill.id))
        .with_size(file.size)
        .with_annotations(annotations);
    if is_skill_md {
        resource = resource.with_description(&entry.skill.description);
    }
    resource.mime_type = mime(&file.path).map(str::to_owned);
    resource
}

/// What the name says about the content. Where it says nothing, only reading tells (decision 16).
fn mime(path: &SkillPath) -> Option<&'static str> {
    let extension = path.as_str().rsplit('/').next()?.rsplit_once('.')?.1;
    if extension.eq_ignore_ascii_case("md") {
        return Some("text/markdown");
    }
    mime_guess::from_ext(extension).first_raw()
}

fn order<'a>(id: &'a str, path: &'a SkillPath) -> (&'a str, bool, &'a SkillPath) {
    (id, *path != SkillPath::skill_md(), path)
}

/// A cursor names the last file of a page, so that a page still begins at the right place when
/// skills came or went in between.
fn cursor_after(entry: &Entry, file: &File) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{}/{}", entry.skill.id, file.path))
}

fn read_cursor(cursor: &str) -> Result<(String, SkillPath), ErrorData> {
    let text = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.as_deref()
        .and_then(|text| text.split_once('/'))
        .and_then(|(id, path)| Some((id.to_owned(), SkillPath::new(path)?)))
        .ok_or_else(|| ErrorData::invalid_params("This cursor was not given out by this list.", None))
}
