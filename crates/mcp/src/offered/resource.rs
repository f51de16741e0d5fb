//! The resources of one other server, under the URIs that clients know: the server's own, with `<server>+` before those
//! that are also ours or an earlier server's (decision 33).

use std::collections::{BTreeSet, HashSet};

use regex::Regex;
use rmcp::model::{Resource, ResourceTemplate};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Listed, ListedResources};

/// The prefixes of URIs that are always ours.
const OURS: [&str; 4] = ["skill:", "resource://catalog/", "resource://skills/", "resource://docs/"];
/// The maximum length of a template that is matched against a URI.
const LONGEST_TEMPLATE: usize = 2 << 10;

/// The resources of one server.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OfferedResources {
    listed: Vec<Resource>,
    templates: Vec<ResourceTemplate>,
    /// The server's own URIs and templates for these.
    own: HashSet<String>,
    own_templates: Vec<String>,
}

/// The URIs and templates of earlier servers.
#[derive(Debug, Default)]
pub struct Taken(HashSet<String>);

impl OfferedResources {
    /// The resources that a server lists in a form clients can read. Duplicates count once.
    pub fn new(server: &str, said: &ListedResources, taken: &mut Taken) -> Self {
        let mut before = BTreeSet::new();
        let mut of = |listed: &Listed| {
            let odd = listed.name.is_empty() || listed.name.chars().any(char::is_control);
            (!odd && before.insert(listed.name.clone())).then(|| taken.outward(server, &listed.name)).flatten()
        };
        let mut offered = Self::default();
        for listed in &said.resources {
            if let Some(resource) = of(listed).and_then(|outward| read(listed, "uri", &outward)) {
                offered.listed.push(resource);
                offered.own.insert(listed.name.clone());
            }
        }
        for listed in &said.templates {
            if let Some(template) = of(listed).and_then(|outward| read(listed, "uriTemplate", &outward)) {
                offered.templates.push(template);
                offered.own_templates.push(listed.name.clone());
            }
        }
        offered
    }

    /// The number of listed resources.
    pub fn count(&self) -> usize {
        self.listed.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.templates.is_empty()
    }

    /// The listed resources, by the URIs that clients know.
    pub(crate) fn listed(&self) -> &[Resource] {
        &self.listed
    }

    pub(crate) fn templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    /// Whether this URI is in the list that clients see.
    pub(super) fn lists(&self, outward: &str) -> bool {
        self.listed.iter().any(|resource| resource.uri == outward)
    }

    /// Whether the server has this URI of its own: its list contains it, or one of its templates produces it.
    pub(super) fn has(&self, own: &str) -> bool {
        self.own.contains(own) || self.own_templates.iter().any(|template| makes(template, own))
    }

    /// Whether one of the templates that clients see produces this URI.
    pub(super) fn makes(&self, outward: &str) -> bool {
        self.templates.iter().any(|template| makes(&template.uri_template, outward))
    }
}

impl Taken {
    /// Assigns the URI by which clients know a server's own URI; `None` if even the prefixed one is taken.
    fn outward(&mut self, server: &str, own: &str) -> Option<String> {
        let behind = || format!("{server}+{own}");
        let outward = if is_ours(own) || self.0.contains(own) { behind() } else { own.to_owned() };
        self.0.insert(outward.clone()).then_some(outward)
    }
}

/// Whether this URI is always ours and never another server's.
pub(super) fn is_ours(uri: &str) -> bool {
    OURS.iter().any(|ours| uri.get(..ours.len()).is_some_and(|start| start.eq_ignore_ascii_case(ours)))
}

fn read<T: DeserializeOwned>(listed: &Listed, key: &str, outward: &str) -> Option<T> {
    let mut described: Value = serde_json::from_str(listed.json.get()).ok()?;
    described[key] = outward.into();
    serde_json::from_value(described).ok()
}

/// Whether a template (RFC 6570) can produce this URI.
fn makes(template: &str, uri: &str) -> bool {
    if template.len() > LONGEST_TEMPLATE {
        return false;
    }
    let mut pattern = "^".to_owned();
    let mut rest = template;
    while let Some((before, (expression, after))) =
        rest.split_once('{').and_then(|(before, inside)| Some((before, inside.split_once('}')?)))
    {
        pattern.push_str(&regex::escape(before));
        // An expression without an operator produces no slash, unless it lists the parts of a path.
        let is_path = expression.starts_with(['+', '#', '/', ';', '?', '&']) || expression.ends_with('*');
        pattern.push_str(if is_path { ".*" } else { "[^/]+" });
        rest = after;
    }
    pattern.push_str(&regex::escape(rest));
    pattern.push('$');
    Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(uri))
}

#[cfg(test)]
mod tests {
    use serde_json::{json, value::RawValue};

    use super::*;

    fn listed(key: &str, uris: &[&str]) -> Vec<Listed> {
        let json = |uri: &str| RawValue::from_string(json!({key: uri, "name": "n"}).to_string()).unwrap();
        uris.iter().map(|uri| Listed { name: (*uri).to_owned(), json: json(uri) }).collect()
    }

    fn said(uris: &[&str], templates: &[&str]) -> ListedResources {
        ListedResources { resources: listed("uri", uris), templates: listed("uriTemplate", templates) }
    }

    fn seen(offered: &OfferedResources) -> Vec<&str> {
        let templates = offered.templates().iter().map(|template| template.uri_template.as_str());
        offered.listed().iter().map(|resource| resource.uri.as_str()).chain(templates).collect()
    }

    #[test]
    fn what_is_ours_or_an_earlier_servers_stands_behind_the_servers_name() {
        let mut taken = Taken::default();
        let said = said(&["leaf://a", "leaf://a", "skill://tea/SKILL.md", "a\nb", ""], &["resource://docs/{x}"]);
        let first = OfferedResources::new("pot", &said, &mut taken);
        assert_eq!(seen(&first), ["leaf://a", "pot+skill://tea/SKILL.md", "pot+resource://docs/{x}"]);
        let second = OfferedResources::new("urn", &said, &mut taken);
        assert_eq!(seen(&second), ["urn+leaf://a", "urn+skill://tea/SKILL.md", "urn+resource://docs/{x}"]);
        assert!(second.has("leaf://a") && second.has("resource://docs/1") && !second.has("leaf://b"));
    }

    #[test]
    fn a_template_makes_what_its_expressions_can_stand_for() {
        for (template, uri, made) in [
            ("leaf://{name}", "leaf://green", true),
            ("leaf://{name}", "leaf://green/tea", false),
            ("leaf://{name}", "leaf://", false),
            ("leaf://{name}/of/{year}", "leaf://a.b/of/2026", true),
            ("file:///{+path}", "file:///a/b", true),
            ("docs://{path*}", "docs://a/b", true),
            ("find://leaf{?q,page}", "find://leaf?q=1", true),
            ("find://leaf{?q,page}", "find://leaf", true),
            ("a.c://{x", "a.c://{x", true),
            ("a.c://{x}", "abc://1", false),
        ] {
            assert_eq!(makes(template, uri), made, "{template} {uri}");
        }
    }
}
