//! What is odd about a declaration that can be read: misspelt keys, parameters that go nowhere,
//! secrets that are not called so.

use std::collections::BTreeMap;

use text::Splice;

use super::{
    Choice, Parameter, Server,
    read::KEYS,
    template::{Piece, only_placeholder, pieces},
};
use crate::{
    check::nearest,
    problem::Fault,
    yaml::{Content, Node, grow},
};

/// The keys of a parameter.
const PARAMETER_KEYS: &[&str] = &["name", "description", "required", "sensitive", "default", "example"];

/// Words in a parameter's name that say that it is a secret.
const SECRETS: &[&str] =
    &["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "APIKEY"];

/// Advice about the server that `node` describes.
pub(super) fn about(file: &[u8], server: &Server, node: &Node, field: &str) -> Vec<Fault> {
    let mut faults = misspelt(node, KEYS, field);
    for key in ["config-template", "stdio"] {
        // A `config-template` may be nothing but parameters, whose names are free.
        if let Some(inner) = node.get(key).filter(|inner| inner.get("command").or(inner.get("url")).is_some()) {
            faults.extend(misspelt(inner, KEYS, &format!("{field}.{key}")));
        }
    }
    faults.extend(undescribed(server, node, field));
    for declared in declared(node, field) {
        faults.extend(misspelt(declared.node, PARAMETER_KEYS, &declared.field));
        if let Some(parameter) = server.parameters.iter().find(|parameter| parameter.name == declared.name) {
            faults.extend(unused(server, parameter, &declared));
            faults.extend(open_secret(file, server, parameter, &declared));
        }
    }
    faults
}

fn misspelt(node: &Node, known: &[&str], field: &str) -> Vec<Fault> {
    let unknown = node.entries().iter().filter_map(|(key, _)| {
        let name = key.text().filter(|name| !known.contains(name))?;
        let meant = nearest(name, known.iter().copied()).filter(|meant| node.get(meant).is_none())?;
        let message = format!("`{field}` knows no `{name}`. Did you mean `{meant}`?");
        let fault = Fault::new("server-key", key.span.clone(), message).about(format!("{field}.{name}"));
        Some(fault.fixed_by(format!("Rename to {meant}"), vec![Splice::new(key.span.clone(), meant)]))
    });
    unknown.collect()
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
    /// Its name where that is a key, else all of it.
    place: &'n Node,
    node: &'n Node,
    field: String,
}

fn declared<'n>(node: &'n Node, field: &str) -> Vec<Declared<'n>> {
    let template = node.get("config-template");
    let holders = [
        (node.get("parameters"), format!("{field}.parameters")),
        (template.and_then(|inner| inner.get("parameters")), format!("{field}.config-template.parameters")),
        (node.get("stdio").and_then(|inner| inner.get("parameters")), format!("{field}.stdio.parameters")),
    ];
    let mut found = Vec::new();
    for (holder, field) in holders {
        let Some(holder) = holder else { continue };
        found.extend(holder.entries().iter().filter_map(|(key, node)| {
            let name = key.text()?;
            Some(Declared { name, place: key, node, field: format!("{field}.{name}") })
        }));
        found.extend(holder.items().iter().enumerate().filter_map(|(index, node)| {
            let name = node.get("name")?;
            Some(Declared { name: name.text()?, place: name, node, field: format!("{field}[{index}]") })
        }));
    }
    found
}

fn unused(server: &Server, parameter: &Parameter, declared: &Declared<'_>) -> Option<Fault> {
    let choice = server.choice.as_ref()?;
    let message = format!(
        "`{}` is asked for and goes nowhere. Use it as `${{{0}}}` in `args` or `env`, or take it out.",
        parameter.name
    );
    let is_used = texts(choice).any(|text| mentions(text, &parameter.name));
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
    let is_kept_apart = parameter.default.is_none() && only_in_environment(server, &parameter.name);
    let fix = grow::entry(file, declared.node, "sensitive", "true").filter(|_| is_kept_apart);
    Some(match fix {
        Some(splice) => fault.fixed_by("Declare it as a secret", vec![splice]),
        None => fault,
    })
}

fn sounds_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.ends_with("_KEY") || name.split('_').any(|word| SECRETS.contains(&word))
}

/// Whether a value would stand where a secret may.
fn only_in_environment(server: &Server, name: &str) -> bool {
    match &server.choice {
        Some(Choice::Stdio { command, args, env, cwd }) => {
            let open = args.iter().chain(cwd).chain([command]);
            !open.into_iter().any(|text| mentions(text, name)) && whole(env, name)
        }
        Some(Choice::Http { url }) => !mentions(url, name),
        None => true,
    }
}

fn whole(env: &BTreeMap<String, String>, name: &str) -> bool {
    env.values().all(|text| !mentions(text, name) || only_placeholder(text) == Some(name))
}

fn texts(choice: &Choice) -> Box<dyn Iterator<Item = &String> + '_> {
    match choice {
        Choice::Stdio { command, args, env, cwd } => {
            Box::new([command].into_iter().chain(args).chain(env.values()).chain(cwd))
        }
        Choice::Http { url } => Box::new([url].into_iter()),
    }
}

fn mentions(text: &str, name: &str) -> bool {
    pieces(text).is_ok_and(|pieces| pieces.contains(&Piece::Placeholder(name)))
}
