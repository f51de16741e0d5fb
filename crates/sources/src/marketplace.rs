//! `.claude-plugin/marketplace.json`: the list of plugins that a repository offers. Plugins in the repository itself are
//! folders of it, and their skills are found with all others; what is read here is where the other ones are.
//!
//! The format is that of Claude Code (`plugin-marketplaces` in its documentation). A plugin elsewhere is pinned to a commit
//! where the list does so.

use serde_json::{Map, Value};

use crate::{
    Source,
    source::{checked_reference, cleaned_path},
};

/// Where the file is in a repository.
pub const MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// The most plugins of one list that are read.
const MOST: usize = 5_000;
/// The most characters of a text in it.
const LONGEST: usize = 300;

/// A plugin of a marketplace that is not in the marketplace's own repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    /// Its name.
    pub name: String,
    /// What it is for, as its author says.
    pub description: String,
    /// Its source as [`Source::read`] takes it, with the commit behind `#`; or why it is none, as a sentence.
    pub source: Result<String, String>,
}

/// What a marketplace lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marketplace {
    /// The plugins elsewhere, in their order.
    pub elsewhere: Vec<Plugin>,
    /// How many plugins are folders beside the list.
    pub beside: usize,
}

/// It is no marketplace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("It is no list of plugins: {0}.")]
pub struct NoMarketplace(pub String);

impl Marketplace {
    /// Reads the text of the file. Plugins that cannot be understood are listed with the reason.
    ///
    /// # Errors
    /// When it is no JSON, or has no list of plugins.
    pub fn read(text: &str) -> Result<Self, NoMarketplace> {
        let value: Value = serde_json::from_str(text).map_err(|error| NoMarketplace(error.to_string()))?;
        let plugins = value.get("plugins").and_then(Value::as_array);
        let plugins = plugins.ok_or_else(|| NoMarketplace("it has no `plugins`".to_owned()))?;
        if plugins.len() > MOST {
            return Err(NoMarketplace(format!("it has more than {MOST} plugins")));
        }
        let mut found = Self::default();
        for plugin in plugins {
            let word = |field: &str| shortened(plugin.get(field).and_then(Value::as_str).unwrap_or_default());
            match plugin.get("source") {
                None | Some(Value::String(_)) => found.beside += 1,
                Some(source) => found.elsewhere.push(Plugin {
                    name: word("name"),
                    description: word("description"),
                    source: elsewhere(source),
                }),
            }
        }
        Ok(found)
    }
}

/// Enough of somebody's text to know it again.
fn shortened(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// The source of a plugin that is not beside the list.
fn elsewhere(source: &Value) -> Result<String, String> {
    let fields = source.as_object().ok_or("Its source is none.")?;
    let word = |field: &str| fields.get(field).and_then(Value::as_str).filter(|word| !word.is_empty());
    let repository = match word("source") {
        Some("github") => word("repo"),
        Some("url" | "git" | "git-subdir" | "gitlab") => word("url").or(word("repo")),
        Some("npm" | "pip") => return Err("It is a package of a registry, which is not fetched.".to_owned()),
        Some(other) => {
            let other = shortened(other);
            return Err(format!("Its source is of the kind {other:?}, which is not known."));
        }
        None => return Err("Its source does not say of which kind it is.".to_owned()),
    };
    let repository = repository.ok_or("Its source names no repository.")?;
    let told = |error: crate::SourceError| error.to_string();
    let read = Source::read(repository).map_err(told)?;
    if read.repository().is_none() || !read.inside.is_empty() || read.follows.is_some() || read.skill.is_some() {
        return Err(format!("{} is no git repository.", shortened(repository).escape_debug()));
    }
    let follows = follows(fields).map(|follows| checked_reference(follows).map_err(told)).transpose()?;
    let inside = cleaned_path(word("path").unwrap_or_default()).map_err(told)?;
    let written = read.written(follows, inside);
    written
        .ok_or_else(|| format!("Its folder in {} cannot be written as a source.", shortened(repository).escape_debug()))
}

/// The commit that the list is pinned to, else the branch or tag.
fn follows(fields: &Map<String, Value>) -> Option<&str> {
    ["sha", "ref"].into_iter().find_map(|field| fields.get(field)?.as_str().filter(|word| !word.is_empty()))
}
