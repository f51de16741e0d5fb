//! Advice about a readable declaration: unknown keys, unused parameters, secrets that are not marked as such.

use super::{Parameter, Server, Way, forms::Forms, parameter::sounds_secret, read::KEYS};
use crate::{
    problem::Fault,
    typed,
    yaml::{Content, Node, grow},
};

/// The keys of a parameter.
const PARAMETER_KEYS: &[&str] = &["name", "description", "required", "sensitive", "default", "example"];

/// The keys of a container.
const CONTAINER_KEYS: &[&str] = &["image", "port", "args", "env", "mounts"];

/// Advice about the server that `node` describes.
pub(super) fn about(file: &[u8], server: &Server, node: &Node, field: &str) -> Vec<Fault> {
    let mut faults = unknown(node, KEYS, field);
    let forms = Forms::of(node, field);
    for block in [&forms.template, &forms.stdio].into_iter().flatten() {
        faults.extend(unknown(block.node, KEYS, &block.field));
    }
    if let Some(block) = &forms.docker {
        faults.extend(unknown(block.node, CONTAINER_KEYS, &block.field));
    }
    faults.extend(undescribed(server, node, field));
    for declared in ordered(node, &forms, field) {
        faults.extend(unknown(declared.node, PARAMETER_KEYS, &declared.field));
    }
    for declared in declared(node, &forms, field) {
        faults.extend(unknown(declared.node, PARAMETER_KEYS, &declared.field));
        if let Some(parameter) = server.parameters.iter().find(|parameter| parameter.name == declared.name) {
            faults.extend(unused(server, parameter, &declared));
            faults.extend(open_secret(file, server, parameter, &declared));
        }
    }
    faults
}

fn unknown(node: &Node, known: &[&str], field: &str) -> Vec<Fault> {
    typed::unknown_keys("server-key", node, known, field)
}

fn undescribed(server: &Server, node: &Node, field: &str) -> Option<Fault> {
    let is_mapping = matches!(node.content, Content::Map(_));
    let message =
        format!("`{}` does not say what it is for. People read it before they let the server run.", server.name);
    let place = node.get("name").or_else(|| node.get("package")).unwrap_or(node);
    (is_mapping && server.description.is_none())
        .then(|| Fault::new("server-description", place.span.clone(), message).about(field))
}

/// A parameter as its author declared it.
struct Declared<'n> {
    name: &'n str,
    /// Its name when that is a key, else the whole declaration.
    place: &'n Node,
    node: &'n Node,
    field: String,
}

fn declared<'n>(node: &'n Node, forms: &Forms<'n>, field: &str) -> Vec<Declared<'n>> {
    let mut holders = vec![(node.get("parameters"), format!("{field}.parameters"))];
    let within = [&forms.template, &forms.stdio].into_iter().flatten();
    holders.extend(within.map(|block| (block.node.get("parameters"), format!("{}.parameters", block.field))));
    holders.into_iter().flat_map(|(holder, field)| declared_in(holder, &field)).collect()
}

/// The positional parameters: those of a template with nothing else, and of `template-args`. They are always used.
fn ordered<'n>(node: &'n Node, forms: &Forms<'n>, field: &str) -> Vec<Declared<'n>> {
    let own = declared_in(node.get("template-args"), &format!("{field}.template-args"));
    let unplaced = forms.unplaced.iter().flat_map(|block| declared_in(Some(block.node), &block.field));
    own.into_iter().chain(unplaced).collect()
}

fn declared_in<'n>(holder: Option<&'n Node>, field: &str) -> Vec<Declared<'n>> {
    let Some(holder) = holder else { return Vec::new() };
    let named = holder.entries().iter().filter_map(|(key, node)| {
        let name = key.text()?;
        Some(Declared { name, place: key, node, field: format!("{field}.{name}") })
    });
    let listed = holder.items().iter().enumerate().filter_map(|(index, node)| {
        let name = node.get("name")?;
        Some(Declared { name: name.text()?, place: name, node, field: format!("{field}[{index}]") })
    });
    named.chain(listed).collect()
}

fn unused(server: &Server, parameter: &Parameter, declared: &Declared<'_>) -> Option<Fault> {
    let message = format!(
        "`{}` is asked for but never used. Use it as `${{{0}}}` in `args`, `env` or `headers`, or remove it.",
        parameter.name
    );
    let is_used = server.ways.is_empty() || server.ways.iter().any(|way| way.uses(&parameter.name));
    (!is_used)
        .then(|| Fault::new("server-parameter-unused", declared.place.span.clone(), message).about(&declared.field))
}

fn open_secret(file: &[u8], server: &Server, parameter: &Parameter, declared: &Declared<'_>) -> Option<Fault> {
    if parameter.sensitive || declared.node.get("sensitive").is_some() || !sounds_secret(&parameter.name) {
        return None;
    }
    let message = format!(
        "`{}` sounds like a secret and is not declared as one, so it would be kept and shown as plain text. \
         Add `sensitive: true`, or `sensitive: false` where it is none.",
        parameter.name
    );
    let fault = Fault::new("server-sensitive", declared.place.span.clone(), message).about(&declared.field);
    let is_kept_apart =
        parameter.default.is_none() && server.ways.iter().all(|way: &Way| way.keeps_apart(&parameter.name));
    let fix = grow::entry(file, declared.node, "sensitive", "true").filter(|_| is_kept_apart);
    Some(match fix {
        Some(splice) => fault.fixed_by("Declare it as a secret", vec![splice]),
        None => fault,
    })
}
