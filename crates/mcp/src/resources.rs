//! Everything that a client lists and reads as a resource. From one catalogue: the files of published skills under
//! `skill://` (SEP-2640) with the index and the packed files of its draft (the draft of the skills extension), and the
//! family `resource://` (the frontmatter contract and the URI contract). In addition: the resources of other servers.
//! `skills_extension` answers the extension's own methods.

mod archive;
mod family;
mod file;
mod index_json;
mod list;
mod mime;
mod state;

use std::io;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use machine::open_files::is_shortage;
use rmcp::{
    ErrorData,
    model::{ReadResourceResult, ResourceContents, ResourceTemplate, ResultType},
};
use serde_json::json;
use skills::{Address, Catalog, Entry, SkillPath, Target, address};

pub(crate) use self::{
    family::references,
    file::{folder as skill_folder, resource as skill_file},
    list::page as list,
    state::{of_record, state},
};
use crate::{
    CallContext, Caller, Host, Offered, UpstreamRequest,
    forwarded::{Forwarded, ODD},
    memory_budget::{self, Reader},
};

/// Our templates: the family's four, and one for clients that know a path but do not list.
fn our_templates() -> Vec<ResourceTemplate> {
    let mut templates = family::templates();
    templates.push(
        ResourceTemplate::new("skill://{+path}", "skill_file")
            .with_title("A file of a skill")
            .with_description("Any file of an enabled skill: its path begins with that of the skill."),
    );
    templates
}

/// All templates that a client sees, ours first.
pub(crate) fn templates(offered: &Offered) -> Vec<ResourceTemplate> {
    let theirs = offered.listed_servers().flat_map(|server| server.resources.templates().iter().cloned());
    our_templates().into_iter().chain(theirs).collect()
}

/// Whether `uri` is one of our templates and has this parameter.
pub(crate) fn is_template(uri: &str, parameter: &str) -> bool {
    let named = |template: &ResourceTemplate| template.uri_template == uri;
    uri.contains(&format!("{{{parameter}}}")) && our_templates().iter().any(named)
}

/// The current contents of a URI.
pub(crate) async fn read<H: Host>(
    host: &H,
    reader: &Reader,
    caller: &Caller,
    uri: &str,
    meanwhile: CallContext,
) -> Result<ReadResourceResult, ErrorData> {
    let known = host.known(caller).await;
    if let Some(Target::File(entry, path)) = address::resolve(&known, uri)
        && let Ok(bytes) = reader.read(host, entry, &path).await
    {
        return Ok(ReadResourceResult::new(vec![contents(uri, bytes, mime::of(&path))]));
    }
    let catalog = host.catalog(caller).await;
    let Some(target) = address::resolve(&catalog, uri) else {
        let given = read_theirs(host, caller, uri, meanwhile).await?;
        let mut read: ReadResourceResult = given.read().ok_or_else(|| ErrorData::internal_error(ODD, None))?;
        read.result_type = Some(ResultType::COMPLETE);
        return Ok(read);
    };
    let contents = match target {
        Target::File(entry, path) => contents(uri, bytes(host, reader, entry, &path, uri).await?, mime::of(&path)),
        Target::Folder(..) => return Err(ErrorData::invalid_params(FOLDER, Some(json!({"uri": uri})))),
        Target::SkillIndex => {
            let index = index_json::read(host, &catalog).await.map_err(|error| unreadable(uri, &error))?;
            contents(uri, index.into_bytes(), Some(JSON))
        }
        Target::Archive(entry) if host.archives() && archive::fits(entry) => {
            let packed = archive::read(host, reader, entry).await.map_err(|error| unreadable(uri, &error))?;
            ResourceContents::blob(BASE64_STANDARD.encode(packed), uri).with_mime_type(archive::MIME)
        }
        Target::Archive(_) => return Err(not_found(uri)),
        target => family::read(host, reader, caller, &catalog, target, uri).await?,
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

/// The contents of another server's URI, as that server answers.
pub(crate) async fn read_theirs<H: Host>(
    host: &H,
    caller: &Caller,
    uri: &str,
    meanwhile: CallContext,
) -> Result<Forwarded, ErrorData> {
    if host.offered(caller).resource(uri).is_none() {
        return Err(missing(host, caller, uri));
    }
    let result = host.ask(caller, UpstreamRequest::Resource { uri }, meanwhile).await?;
    let given = Forwarded::of(result).map_err(|sentence| ErrorData::internal_error(sentence, None))?;
    Ok(given.kept())
}

/// Whether this URI is another server's.
pub(crate) fn is_theirs<H: Host>(host: &H, caller: &Caller, catalog: &Catalog, uri: &str) -> bool {
    address::resolve(catalog, uri).is_none() && host.offered(caller).resource(uri).is_some()
}

/// The size of the files read for a URI in bytes, according to this catalog.
pub(crate) fn reads(catalog: &Catalog, uri: &str) -> u64 {
    match address::resolve(catalog, uri) {
        Some(Target::File(entry, path) | Target::DocsFile(entry, path)) => memory_budget::size(entry, &path),
        Some(Target::Document(entry)) => memory_budget::size(entry, &SkillPath::skill_md()),
        Some(Target::Reference(entry, _, reference)) => memory_budget::size(entry, &reference.path),
        Some(Target::Archive(entry)) => entry.files.iter().map(|file| file.size).sum(),
        Some(
            Target::SkillIndex
            | Target::Folder(..)
            | Target::Catalog
            | Target::Record(_)
            | Target::DocsIndex
            | Target::DocsUsage,
        )
        | None => 0,
    }
}

/// The error for a URI without contents.
pub(crate) fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("No enabled skill or server has anything at this URI.", Some(json!({"uri": uri})))
}

/// The error for a URI that is not in the client's catalogue: the skill it names may be unknown because it cannot be
/// read. The error does not reveal paths of this computer.
pub(crate) fn missing<H: Host>(host: &H, caller: &Caller, uri: &str) -> ErrorData {
    match is_unread(host, caller, uri) {
        true => ErrorData::internal_error(UNREAD, Some(json!({"uri": uri}))),
        false => not_found(uri),
    }
}

/// Whether this URI may name a skill that cannot be read.
pub(crate) fn is_unread<H: Host>(host: &H, caller: &Caller, uri: &str) -> bool {
    skills(uri).iter().any(|id| host.unread(caller, id).is_some())
}

/// The possible skill ids in one of our URIs.
fn skills(uri: &str) -> Vec<String> {
    let ids = |path: &SkillPath| path.as_str().split('/').map(str::to_owned).collect();
    match Address::parse(uri) {
        Some(Address::Skill(path) | Address::Docs(path)) => ids(&path),
        Some(Address::Record(id) | Address::Document(id) | Address::Reference(id, _)) => vec![id],
        Some(Address::SkillIndex | Address::Catalog) | None => Vec::new(),
    }
}

pub(crate) const UNREAD: &str =
    "Skilltender cannot open the files of this skill now, or find out whether it is there. Its window says why.";
const JSON: &str = "application/json";
const FOLDER: &str = "This is a folder. Call resources/directory/read to see what it holds.";

/// The current bytes of one file.
async fn bytes<H: Host>(
    host: &H,
    reader: &Reader,
    entry: &Entry,
    path: &SkillPath,
    uri: &str,
) -> Result<Vec<u8>, ErrorData> {
    reader.read(host, entry, path).await.map_err(|error| unreadable(uri, &error))
}

/// The error for a file that cannot be read. It does not reveal the file's path on this computer.
fn unreadable(uri: &str, error: &io::Error) -> ErrorData {
    match error.kind() {
        io::ErrorKind::NotFound => not_found(uri),
        // A link that leaves the skill is not one of its files; this error is our own, not the system's.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => not_found(uri),
        _ if is_shortage(error) => ErrorData::internal_error(UNREAD, Some(json!({"uri": uri}))),
        kind => ErrorData::internal_error(format!("What is behind {uri} cannot be read: {kind}."), None),
    }
}

/// Bytes as sent to a client: UTF-8 as unchanged text, anything else as a blob. The type follows from the file name, or
/// from the bytes if the name has none (decision 16).
fn contents(uri: &str, bytes: Vec<u8>, mime: Option<&str>) -> ResourceContents {
    match String::from_utf8(bytes) {
        Ok(text) if !swells(&text) => ResourceContents::text(text, uri).with_mime_type(mime.unwrap_or("text/plain")),
        Ok(text) => {
            ResourceContents::blob(BASE64_STANDARD.encode(text), uri).with_mime_type(mime.unwrap_or("text/plain"))
        }
        Err(binary) => ResourceContents::blob(BASE64_STANDARD.encode(binary.as_bytes()), uri)
            .with_mime_type(mime.unwrap_or("application/octet-stream")),
    }
}

/// Whether a large text would more than double in JSON, where a control character takes six bytes.
fn swells(text: &str) -> bool {
    const LARGE: usize = 1 << 20;
    let controls =
        || text.bytes().filter(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t')).count();
    text.len() > LARGE && controls() > text.len() / 6
}
