//! Extensions that Gemini CLI installed: in the folder of each, `.gemini-extension-install.json` says where it came from and
//! `gemini-extension.json` its version.

use serde_json::{Map, Value};

use super::{Installer, NoRecords, Plugin, Record, is_commit, json, owned, text};

const FILE: &str = ".gemini-extension-install.json";

/// Reads what is recorded of the extension in a folder. `manifest` is the text of `gemini-extension.json`, empty if it is not
/// there. Of an extension that is linked, the folder is the one that it is linked to.
///
/// # Errors
/// When the first file is no JSON, or does not say where the extension came from.
pub fn read(folder: &str, installed: &str, manifest: &str) -> Result<Plugin, NoRecords> {
    let value = json(FILE, installed)?;
    let fields = value.as_object().and_then(|fields| Some((fields, text(fields, "source")?)));
    let Some((fields, source)) = fields else {
        return Err(NoRecords::of(FILE, &"it does not say where the extension came from"));
    };
    let manifest = json("gemini-extension.json", manifest).unwrap_or_default();
    let of_manifest = |name: &str| manifest.as_object().and_then(|fields| owned(fields, name));
    let name = of_manifest("name").unwrap_or_else(|| last(folder).to_owned());
    let kind = text(fields, "type");
    let record = Record {
        is_git: matches!(kind, Some("git" | "github-release")),
        follows: follows(fields),
        commit: owned(fields, "ref").filter(|name| is_commit(name)),
        version: of_manifest("version"),
        ..Record::new(Installer::GeminiExtensions, &name, source)
    };
    Ok(Plugin { folder: if kind == Some("link") { source } else { folder }.to_owned(), record })
}

/// The branch, tag or commit; of a release, its tag.
fn follows(fields: &Map<String, Value>) -> Option<String> {
    owned(fields, "ref").or_else(|| owned(fields, "releaseTag"))
}

fn last(folder: &str) -> &str {
    folder.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(folder)
}
