//! Servers and variables that a skill seems to need, read from other programs' forms.
//!
//! Skills written for other programs say what they need in those programs' own keys. Those do not name a program to
//! run, so they are only suggestions for an author's `requires-mcp-servers`; what that block already says is left
//! out.

use serde_json::{Map, Value};

use super::{Way, start::is_safe_address, template::is_name, well_known};
use crate::{
    Skill,
    yaml::{self, Node},
};

/// Something that a skill seems to need.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Suggestion {
    /// The server.
    pub server: Option<String>,
    /// The environment variable.
    pub variable: Option<String>,
    /// The address at which the server runs, according to the skill. Never an unsafe one.
    pub url: Option<String>,
    /// The key that it was read from.
    pub from: &'static str,
    /// Whether the server is well known, or a well-known server asks for the variable.
    pub known: bool,
}

/// Keys below `metadata` in which one program, under its four names, lists its needs.
const VARIABLES: &[(&str, &str, &str)] = &[
    ("openclaw", "metadata.openclaw.requires.env", "metadata.openclaw.primaryEnv"),
    ("clawdbot", "metadata.clawdbot.requires.env", "metadata.clawdbot.primaryEnv"),
    ("moltbot", "metadata.moltbot.requires.env", "metadata.moltbot.primaryEnv"),
    ("clawdis", "metadata.clawdis.requires.env", "metadata.clawdis.primaryEnv"),
];

/// The suggestions from a skill's frontmatter: `requires.mcp`, the variables below `metadata`, and the servers of the
/// tools in `allowed-tools`.
pub fn suggestions(skill: &Skill) -> Vec<Suggestion> {
    let frontmatter = skill.frontmatter();
    let mut found = Found { skill, suggestions: Vec::new() };
    let requires = frontmatter.get("requires").and_then(|requires| requires.get("mcp"));
    for name in requires.into_iter().flat_map(words) {
        found.server(name, "requires.mcp");
    }
    for (name, env, primary) in VARIABLES {
        let Some(block) = frontmatter.get("metadata").and_then(|metadata| metadata.get(name)) else { continue };
        // The specification wants text in `metadata`, so some write the block as JSON in a string.
        let parsed = block.as_str().and_then(|text| serde_json::from_str::<Map<String, Value>>(text).ok());
        let Some(block) = parsed.as_ref().or(block.as_object()) else { continue };
        let required = block.get("requires").and_then(|requires| requires.get("env"));
        for variable in required.into_iter().flat_map(words) {
            found.variable(variable, env);
        }
        if let Some(variable) = block.get("primaryEnv").and_then(Value::as_str) {
            found.variable(variable, primary);
        }
    }
    for tool in frontmatter.get("allowed-tools").into_iter().flat_map(words) {
        if let Some(rest) = tool.strip_prefix("mcp__") {
            found.server(rest.split("__").next().unwrap_or(rest), "allowed-tools");
        }
    }
    found.suggestions
}

/// The suggestions from Codex's `agents/openai.yaml` of a skill: the MCP servers in `dependencies.tools`. A file that
/// cannot be read suggests nothing.
pub fn suggestions_of_codex(openai_yaml: &[u8]) -> Vec<Suggestion> {
    const FROM: &str = "dependencies.tools";
    let tree = str::from_utf8(openai_yaml).ok().and_then(|text| yaml::read(text, &|offset| offset).ok());
    let root = tree.and_then(|tree| tree.root);
    let tools = root.as_ref().and_then(|root| root.get("dependencies")?.get("tools"));
    let mut suggestions = Vec::new();
    for tool in tools.map(Node::items).unwrap_or_default() {
        let text = |key: &str| tool.get(key).and_then(Node::string);
        let Some(name) = text("value").filter(|name| text("type") == Some("mcp") && is_server(name)) else { continue };
        let url = text("url").filter(|url| is_safe_address(url)).map(str::to_owned);
        keep(&mut suggestions, server(name, FROM, url));
    }
    suggestions
}

struct Found<'s> {
    skill: &'s Skill,
    suggestions: Vec<Suggestion>,
}

impl Found<'_> {
    fn server(&mut self, name: &str, from: &'static str) {
        // Tools that the gateway passes on are prefixed with `skilltender`.
        if !is_server(name) || name == "skilltender" || self.skill.servers.iter().any(|server| server.name == name) {
            return;
        }
        keep(&mut self.suggestions, server(name, from, None));
    }

    fn variable(&mut self, name: &str, from: &'static str) {
        let sets = |way: &Way| match way {
            Way::Stdio { env, .. } | Way::Docker { env, .. } => env.contains_key(name),
            Way::Http { .. } => false,
        };
        let is_declared = self.skill.servers.iter().any(|server| {
            server.ways.iter().any(sets) || server.parameters.iter().any(|parameter| parameter.name == name)
        });
        if is_declared || !is_name(name) || name.len() > MOST_BYTES {
            return;
        }
        let (variable, known) = (Some(name.to_owned()), well_known::asks_for(name));
        keep(&mut self.suggestions, Suggestion { server: None, variable, url: None, from, known });
    }
}

/// The longest name, in bytes.
const MOST_BYTES: usize = 64;

fn is_server(name: &str) -> bool {
    name.len() <= MOST_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

fn server(name: &str, from: &'static str, url: Option<String>) -> Suggestion {
    Suggestion { server: Some(name.to_owned()), variable: None, url, from, known: well_known::find(name).is_some() }
}

/// Adds a suggestion that no other key has made yet.
fn keep(suggestions: &mut Vec<Suggestion>, new: Suggestion) {
    let is_same = |other: &Suggestion| (&other.server, &other.variable) == (&new.server, &new.variable);
    if !suggestions.iter().any(is_same) {
        suggestions.push(new);
    }
}

/// The words of a text, or the texts of a list; authors use both for all of these keys.
fn words(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).collect(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
