//! Plugins that Claude Code installed: `installed_plugins.json` in `~/.claude/plugins`, with the marketplaces that they
//! came from in `known_marketplaces.json` beside it.
//!
//! A plugin brings whole folders: every skill below its folder is its own.

use serde_json::{Map, Value};

use super::{Installer, NoRecords, Plugin, Record, json, owned, text};

const FILE: &str = "installed_plugins.json";

/// Reads the installed plugins; the name of each is `<plugin>@<marketplace>`. `marketplaces` is the text of `known_marketplaces.json`, empty if it is not there.
///
/// # Errors
/// When the first file is no JSON, or has no plugins.
pub fn read(installed: &str, marketplaces: &str) -> Result<Vec<Plugin>, NoRecords> {
    let value = json(FILE, installed)?;
    let Some(plugins) = value.get("plugins").and_then(Value::as_object) else {
        return Err(NoRecords::of(FILE, &"it has no plugins"));
    };
    // Without it, the marketplace's name has to do.
    let marketplaces = json("known_marketplaces.json", marketplaces).unwrap_or_default();
    let mut found = Vec::new();
    for (name, entry) in plugins {
        // Version 1 of the file has one entry for each plugin, version 2 one for each scope.
        let entries = entry.as_array().map_or_else(|| std::slice::from_ref(entry), Vec::as_slice);
        for fields in entries.iter().filter_map(Value::as_object) {
            let Some(folder) = owned(fields, "installPath") else { continue };
            let marketplace = name.rsplit_once('@').map_or(name.as_str(), |(_, marketplace)| marketplace);
            let (source, is_git) =
                source(&marketplaces, marketplace).unwrap_or_else(|| (marketplace.to_owned(), false));
            let record = Record {
                is_git,
                commit: owned(fields, "gitCommitSha"),
                version: text(fields, "version").filter(|version| *version != "unknown").map(str::to_owned),
                ..Record::new(Installer::ClaudePlugins, name, &source)
            };
            found.push(Plugin { folder, record });
        }
    }
    Ok(found)
}

/// Where a marketplace is, and whether that is a git repository.
fn source(marketplaces: &Value, name: &str) -> Option<(String, bool)> {
    let source: &Map<String, Value> = marketplaces.get(name)?.get("source")?.as_object()?;
    let place = ["repo", "url", "path", "package"].iter().find_map(|field| owned(source, field))?;
    Some((place, matches!(text(source, "source"), Some("github" | "git" | "git-subdir"))))
}
