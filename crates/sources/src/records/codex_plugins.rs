//! Plugins that Codex installed: a folder `plugins/cache/<marketplace>/<plugin>/<version>` in `~/.codex` for each, and the
//! marketplaces that they came from in its `config.toml`.
//!
//! A plugin's commit is recorded nowhere: `last_revision` is the marketplace's, which moves on without the plugin.

use serde_json::Value;

use super::{Installer, Plugin, Record, owned, text};

/// What is known of installed plugins by their folders. `config` is the text of `config.toml`, empty if it is not there.
pub fn read(config: &str, folders: Vec<String>) -> Vec<Plugin> {
    // Without it, the marketplace's name has to do.
    let config: Value = toml::from_str(config).unwrap_or_default();
    folders.into_iter().filter_map(|folder| of(&config, folder)).collect()
}

fn of(config: &Value, folder: String) -> Option<Plugin> {
    let mut parts = folder.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    let (version, plugin, marketplace) = (parts.next()?, parts.next()?, parts.next()?);
    let fields = config.get("marketplaces").and_then(|all| all.get(marketplace)).and_then(Value::as_object);
    let source = fields.and_then(|fields| owned(fields, "source")).unwrap_or_else(|| marketplace.to_owned());
    let record = Record {
        is_git: fields.is_some_and(|fields| text(fields, "source_type") == Some("git")),
        follows: fields.and_then(|fields| owned(fields, "ref")),
        version: Some(version.to_owned()).filter(|version| version != "local"),
        ..Record::new(Installer::CodexPlugins, &format!("{plugin}@{marketplace}"), &source)
    };
    Some(Plugin { folder, record })
}
