//! From `requires-mcp-servers` as written to servers (decision 35).
//!
//! The spellings differ too much for one type, so this reads the tree and leaves only the parts
//! that look alike everywhere to `serde_yaml`. What is wrong is said per field; a server with an
//! error stays in the list, so that people see what the skill wants.

use serde::de::{DeserializeOwned, IgnoredAny};

use super::{Parameter, Server, advice, package, parameter, placeholders, start::Written};
use crate::{
    problem::Fault,
    typed,
    yaml::{Content, Node},
};

const BLOCK: &str = "requires-mcp-servers";
/// The keys of one entry; another key alone is a server's name.
pub(super) const KEYS: &[&str] = &[
    "name",
    "package",
    "version",
    "description",
    "purpose",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "transport",
    "parameters",
    "config-template",
    "config-reference",
    "template-args",
    "stdio",
    "docker",
];

/// What is said of a server that is described as a container and in no other way.
const CONTAINER: &str = "is described as a container only, and Skilltender starts no containers: say how to run it, by \
                         `package:`, `command:` or `url:`";

pub(crate) fn read(file: &[u8], frontmatter: &Node, faults: &mut Vec<Fault>) -> Vec<Server> {
    let Some(block) = frontmatter.get(BLOCK).filter(|block| !block.is_null()) else { return Vec::new() };
    // Refuses anchors and the like before anything is believed.
    if let Err(fault) = typed::read::<IgnoredAny>("server-block", file, block, BLOCK) {
        faults.push(fault);
        return Vec::new();
    }
    let mut reader = Reader { file, faults, servers: Vec::new() };
    match &block.content {
        Content::List(items) => {
            for (index, item) in items.iter().enumerate() {
                reader.item(item, &format!("{BLOCK}[{index}]"));
            }
        }
        Content::Map(entries) => {
            for (name, value) in entries {
                reader.named(name, value, &format!("{BLOCK}.{}", name.text().unwrap_or_default()));
            }
        }
        Content::Scalar(..) => reader.wrong(block, BLOCK, "must be a list of servers"),
    }
    reader.servers
}

struct Reader<'a> {
    file: &'a [u8],
    faults: &'a mut Vec<Fault>,
    servers: Vec<Server>,
}

impl Reader<'_> {
    fn item(&mut self, item: &Node, field: &str) {
        match &item.content {
            Content::Scalar(..) if item.is_null() => {
                self.wrong(item, field, "must be a server's name or a mapping that describes it");
            }
            Content::Scalar(name, _) => self.keep(name, item, field, item, Written::default()),
            Content::Map(entries) => match &entries[..] {
                [(name, value)] if !KEYS.contains(&name.text().unwrap_or_default()) => self.named(name, value, field),
                _ => self.full(item, None, field),
            },
            Content::List(_) => self.wrong(item, field, "must be a server's name or a mapping that describes it"),
        }
    }

    /// `postgres: "@modelcontextprotocol/server-postgres"`, or a name and a mapping.
    fn named(&mut self, name: &Node, value: &Node, field: &str) {
        match &value.content {
            Content::Scalar(..) if value.is_null() => {
                self.keep(name.text().unwrap_or_default(), name, field, value, Written::default());
            }
            Content::Scalar(package, _) => {
                self.keep(name.text().unwrap_or_default(), name, field, value, Written::package(package));
            }
            Content::Map(_) => self.full(value, Some(name), field),
            Content::List(_) => self.wrong(value, field, "must be a package or a mapping that describes the server"),
        }
    }

    fn full(&mut self, node: &Node, key: Option<&Node>, field: &str) {
        let Some(written) = self.typed::<Written>(node, field) else { return };
        let package = written.package.as_ref().or(written.config_reference.as_ref());
        let name = key.and_then(Node::text).map(str::to_owned).or_else(|| written.name.clone());
        let Some(name) = name.or_else(|| package.map(|package| package::server_name(package))) else {
            return self.wrong(node, field, "must have a `name`");
        };
        let place = key.or_else(|| node.get("name")).or_else(|| node.get("package")).unwrap_or(node);
        self.keep(&name, place, field, node, written);
    }

    /// Adds the server that `node` describes, and says what is wrong with it.
    fn keep(&mut self, name: &str, place: &Node, field: &str, node: &Node, written: Written) {
        if !is_server_name(name) {
            return self.wrong(
                place,
                field,
                "must have a name of at most 32 of a-z, 0-9, `_` and `-`, the first one a letter or digit",
            );
        }
        if self.servers.iter().any(|server| server.name == name) {
            return self.wrong(place, field, "has the name of an earlier server");
        }
        let template = node.get("config-template");
        let form = if template.is_some() { "config-template" } else { "stdio" };
        let inside = format!("{field}.{form}");
        // A `config-template` says how to start the server, or it is nothing but parameters.
        let starts = |template: &&Node| ["command", "url"].iter().any(|key| template.get(key).is_some());
        let start = node.get(form).filter(starts);
        let unplaced = self.unplaced(template.filter(|_| start.is_none()), &inside);
        let environment: Vec<_> =
            unplaced.iter().map(|parameter| (parameter.name.clone(), format!("${{{}}}", parameter.name))).collect();

        let mut parameters = self.parameters(node.get("parameters"), &format!("{field}.parameters"));
        parameters.extend(self.parameters(node.get("template-args"), &format!("{field}.template-args")));
        let beside_start = start.and_then(|start| start.get("parameters"));
        parameters.extend(self.parameters(beside_start, &format!("{inside}.parameters")));
        parameters.extend(unplaced);

        let description = written.description();
        let written = match start {
            Some(start) => match self.typed(start, &inside) {
                Some(template) => written.with_template(template),
                None => return,
            },
            None => written,
        };
        let is_container = node.get("docker").is_some();
        let choice = written.choice(positional(node), environment).map_err(|(rule, what)| {
            let what = if rule == "server-unknown" && is_container { CONTAINER } else { what };
            let place = start.unwrap_or(node).get("url").unwrap_or(place);
            self.faults.push(Fault::new(rule, place.span.clone(), format!("`{name}` {what}.")).about(field));
        });
        let mut server = Server { name: name.to_owned(), description, choice: choice.ok(), parameters };
        placeholders::check(&mut server, node, field, self.faults);
        if let Some(start) = start {
            placeholders::check(&mut server, start, &inside, self.faults);
        }
        self.faults.extend(advice::about(self.file, &server, node, field));
        self.servers.push(server);
    }

    /// The parameters of a `config-template` that does not say where they go. The environment
    /// takes them, under their own names.
    fn unplaced(&mut self, template: Option<&Node>, field: &str) -> Vec<Parameter> {
        for (key, _) in template.map(Node::entries).unwrap_or_default() {
            self.faults.extend(placeholders::variable(key.text().unwrap_or_default(), key.span.clone(), field));
        }
        self.parameters(template, field)
    }

    fn parameters(&mut self, node: Option<&Node>, field: &str) -> Vec<Parameter> {
        node.map(|node| parameter::read(self.file, node, field, self.faults)).unwrap_or_default()
    }

    fn typed<T: DeserializeOwned>(&mut self, node: &Node, field: &str) -> Option<T> {
        typed::read("server-block", self.file, node, field).map_err(|fault| self.faults.push(fault)).ok()
    }

    fn wrong(&mut self, node: &Node, field: &str, what: &str) {
        self.faults.push(Fault::new("server-block", node.span.clone(), format!("`{field}` {what}.")).about(field));
    }
}

/// Arguments that follow a package: plain texts in `parameters`, and each of `template-args`.
fn positional(node: &Node) -> Vec<String> {
    let texts = node.get("parameters").map(Node::items).unwrap_or_default().iter();
    let texts = texts.filter_map(|item| item.text().map(str::to_owned));
    let templates = node.get("template-args").map(Node::items).unwrap_or_default().iter();
    let templates = templates.filter_map(|item| Some(format!("${{{}}}", item.get("name")?.text()?)));
    texts.chain(templates).collect()
}

/// Decision 33.
fn is_server_name(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    name.len() <= 32 && name.bytes().next().is_some_and(fits) && name.bytes().all(|b| fits(b) || b == b'_' || b == b'-')
}
