//! Reads `requires-mcp-servers` into servers (decision 35).
//!
//! The spellings differ too much for one type, so this module reads the tree and leaves only the uniform parts to
//! `serde_yaml`. Faults are reported per field; a server with an error stays in the list, so that people see what the
//! skill needs.

use serde::de::{DeserializeOwned, IgnoredAny};

use super::{
    Parameter, Server, advice,
    forms::{Block, Forms},
    literal, package, parameter, placeholders,
    start::{Docker, Written},
    template, well_known,
};
use crate::{
    problem::Fault,
    typed,
    yaml::{Content, Node},
};

const BLOCK: &str = "requires-mcp-servers";
/// The keys of one entry. A single other key is a server's name.
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
    "headers",
    "transport",
    "parameters",
    "config-template",
    "config-reference",
    "template-args",
    "stdio",
    "docker",
];

/// The keys with which an entry still counts as a bare well-known name.
const SAID: &[&str] = &["name", "description", "purpose"];

/// The keys that say how a package's program is run. Without them, a well-known package runs as its row says.
const SAYS_HOW: &[&str] = &["command", "args", "env", "parameters", "config-template", "template-args", "stdio", "url"];

pub(crate) fn read(file: &[u8], frontmatter: &Node, faults: &mut Vec<Fault>) -> Vec<Server> {
    let Some(block) = frontmatter.get(BLOCK).filter(|block| !block.is_null()) else { return Vec::new() };
    // Refuses anchors and the like before anything else is read.
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

/// The parameters of a `config-template` with nothing else, and where they go.
#[derive(Default)]
struct Unplaced {
    parameters: Vec<Parameter>,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
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

    /// Adds the server that `node` describes, and its faults.
    fn keep(&mut self, name: &str, place: &Node, field: &str, node: &Node, written: Written) {
        if !is_server_name(name) {
            return self.wrong(
                place,
                field,
                "must have a name of at most 32 of a-z, 0-9, `_` and `-`, the first one a letter or digit, without `__` and without `_` at its end",
            );
        }
        if self.servers.iter().any(|server| server.name == name) {
            return self.wrong(place, field, "has the name of an earlier server");
        }
        let is_bare = written.package.is_none()
            && node.entries().iter().all(|(key, _)| key.text().is_some_and(|key| SAID.contains(&key)));
        let server = match well_known::find(name).filter(|_| is_bare) {
            Some(row) => row.server(written.description()),
            None => match self.declared(name, place, field, node, written) {
                Some(server) => server,
                None => return,
            },
        };
        self.faults.extend(advice::about(self.file, &server, node, field));
        self.servers.push(server);
    }

    /// The server as its author describes it; `None` when a part cannot be read.
    fn declared(&mut self, name: &str, place: &Node, field: &str, node: &Node, written: Written) -> Option<Server> {
        let forms = Forms::of(node, field);
        let unplaced = self.unplaced(&forms, node);
        let mut parameters = self.parameters(node.get("parameters"), &format!("{field}.parameters"));
        parameters.extend(self.parameters(node.get("template-args"), &format!("{field}.template-args")));
        for block in [&forms.template, &forms.stdio].into_iter().flatten() {
            parameters.extend(self.parameters(block.node.get("parameters"), &format!("{}.parameters", block.field)));
        }
        parameters.extend(unplaced.parameters);
        let description = written.description();
        let row = written.package_name().and_then(well_known::of_package);
        let row = row.filter(|_| !SAYS_HOW.iter().any(|key| says(node, key)));
        let written = match &forms.template {
            Some(block) => written.with_template(self.typed(block.node, &block.field)?),
            None => written,
        };
        let written = match &forms.stdio {
            Some(block) => written.with_program(self.typed(block.node, &block.field)?),
            None => written,
        };
        let written = match row {
            Some(row) => {
                parameters.extend(row.parameters());
                written.run_as(row.arguments(), row.environment())
            }
            None => written,
        };
        let docker = match &forms.docker {
            Some(block) => Some(self.typed::<Docker>(block.node, &block.field)?),
            None => None,
        };
        let parts = forms.parts(node, field);
        let arguments = positional(node, &parts).into_iter().chain(unplaced.arguments).collect();
        let ways = written.ways(docker, arguments, &unplaced.environment).map_err(|wrong| {
            let template = forms.template.as_ref().map(|block| block.node);
            let key = [template, Some(node)].into_iter().flatten().find_map(|holder| holder.get(wrong.key));
            let place = if wrong.key == "package" { place } else { key.unwrap_or(place) };
            let message = format!("`{name}` {}.", wrong.what);
            self.faults.push(Fault::new(wrong.rule, place.span.clone(), message).about(field));
        });
        let (name, ways) = (name.to_owned(), ways.unwrap_or_default());
        let known = row.map(well_known::Row::source);
        let mut server = Server { name, description, ways, parameters, known };
        placeholders::check(&mut server, self.file, &parts, self.faults);
        self.faults.extend(literal::about(&parts));
        server.find_folders();
        Some(server)
    }

    /// The parameters of a `config-template` that gives them no place: arguments in order, as those of
    /// `template-args`. A secret cannot be an argument; one with the name of a variable becomes that variable.
    fn unplaced(&mut self, forms: &Forms<'_>, entry: &Node) -> Unplaced {
        let mut unplaced = Unplaced::default();
        let Some(Block { node, field }) = &forms.unplaced else { return unplaced };
        let parts = forms.parts(entry, "");
        for parameter in self.parameters(Some(node), field) {
            let (name, placeholder) = (&parameter.name, format!("${{{}}}", parameter.name));
            let key = node.entries().iter().map(|(key, _)| key).find(|key| key.text() == Some(name)).unwrap_or(node);
            if parts.iter().any(|part| template::uses(part.node, name)) {
                // It already has a place.
            } else if !parameter.sensitive {
                unplaced.arguments.push(placeholder);
            } else if name.bytes().any(|b| b.is_ascii_lowercase()) {
                let message = format!(
                    "The secret `{name}` has no place: an argument can be read by every program. Say which variable \
                     takes it: `env: {{NAME: \"${{{name}}}\"}}`."
                );
                self.faults
                    .push(Fault::new("server-secret", key.span.clone(), message).about(format!("{field}.{name}")));
            } else {
                self.faults.extend(placeholders::variable(name, key.span.clone(), field));
                unplaced.environment.push((name.clone(), placeholder));
            }
            unplaced.parameters.push(parameter);
        }
        unplaced
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

/// Arguments that follow the others: plain texts in `parameters`, and each of `template-args` that has no other place.
fn positional(node: &Node, parts: &[Block<'_>]) -> Vec<String> {
    let texts = node.get("parameters").map(Node::items).unwrap_or_default().iter();
    let texts = texts.filter_map(|item| item.text().map(str::to_owned));
    let names = node.get("template-args").map(Node::items).unwrap_or_default().iter();
    let names = names.filter_map(|item| item.get("name")?.text());
    let templates = names.filter(|name| !parts.iter().any(|part| template::uses(part.node, name)));
    texts.chain(templates.map(|name| format!("${{{name}}}"))).collect()
}

/// Whether an entry says something by this key.
fn says(node: &Node, key: &str) -> bool {
    node.get(key).is_some_and(|value| !value.is_null())
}

/// Whether the text is a server name (decision 33). Clients see a tool as `<server>__<tool>`, so no name contains
/// `__` or ends with `_`.
fn is_server_name(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    name.len() <= 32
        && name.bytes().next().is_some_and(fits)
        && name.bytes().all(|b| fits(b) || b == b'_' || b == b'-')
        && !name.contains("__")
        && !name.ends_with('_')
}
