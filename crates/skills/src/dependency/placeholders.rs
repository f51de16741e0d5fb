//! Rules about where a declaration puts its values.

use std::ops::Range;

use super::{
    Server,
    environment::{is_refused, is_refused_in_containers, is_variable, redirects},
    header,
    parameter::{self, FOLDERS},
    template::{HOME, Piece, after_literal, only_placeholder, pieces},
};
use crate::{problem::Fault, yaml::Node};

/// Checks every text of `holder` that may hold placeholders, and gives the server a parameter for
/// each folder that they ask for.
pub(super) fn check(server: &mut Server, holder: &Node, field: &str, faults: &mut Vec<Fault>) {
    for key in ["command", "cwd", "url"] {
        if let Some(node) = holder.get(key) {
            template(server, node, &format!("{field}.{key}"), Where::Open, faults);
        }
    }
    for (index, node) in holder.get("args").map(Node::items).unwrap_or_default().iter().enumerate() {
        template(server, node, &format!("{field}.args[{index}]"), Where::Open, faults);
    }
    for (key, node) in holder.get("env").map(Node::entries).unwrap_or_default() {
        let name = key.text().unwrap_or_default();
        let inside = format!("{field}.env.{name}");
        let fault = match field.ends_with(".docker") && is_refused_in_containers(name) {
            true => Some(refused(key.span.clone(), &inside)),
            false => variable(name, key.span.clone(), &inside),
        };
        faults.extend(fault);
        template(server, node, &inside, Where::Environment, faults);
    }
    headers(server, holder.get("headers").map(Node::entries).unwrap_or_default(), field, faults);
}

fn headers(server: &mut Server, entries: &[(Node, Node)], field: &str, faults: &mut Vec<Fault>) {
    for (index, (key, node)) in entries.iter().enumerate() {
        let name = key.text().unwrap_or_default();
        let field = format!("{field}.headers.{name}");
        let is_same = |(other, _): &(Node, Node)| other.text().is_some_and(|other| other.eq_ignore_ascii_case(name));
        let wrong = match header::wrong_name(name) {
            None if entries[..index].iter().any(is_same) => Some("stands here already, spelt otherwise"),
            wrong => wrong,
        };
        if let Some(what) = wrong {
            faults.push(Fault::new("server-header", key.span.clone(), format!("`{field}` {what}.")).about(&field));
        }
        if !header::is_value(node.text().unwrap_or_default()) {
            let message = format!("`{field}` must be one line of plain characters; a header holds nothing else.");
            faults.push(Fault::new("server-header", node.span.clone(), message).about(&field));
        }
        template(server, node, &field, Where::Header, faults);
    }
}

/// What is to be said of a variable that a skill sets: that none may, or that it leads a program
/// elsewhere (security.md, R7).
pub(super) fn variable(name: &str, span: Range<usize>, field: &str) -> Option<Fault> {
    if is_refused(name) {
        return Some(refused(span, field));
    }
    if !is_variable(name) {
        let message = format!("`{field}` is no name of a variable.");
        return Some(Fault::new("server-environment", span, message).about(field));
    }
    let message =
        || format!("`{field}` changes where a program connects or what it loads. People are asked for it by itself.");
    redirects(name).then(|| Fault::new("server-redirect", span, message()).about(field))
}

fn refused(span: Range<usize>, field: &str) -> Fault {
    let message = format!("`{field}` decides which programs are found and what they load; a skill may not set it.");
    Fault::new("server-environment", span, message).about(field)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Arguments, addresses, folders: other programs can read them.
    Open,
    Environment,
    Header,
}

impl Where {
    /// Whether the secret `name` may stand in it like this.
    fn keeps(self, template: &str, name: &str) -> bool {
        match self {
            Self::Open => false,
            Self::Environment => only_placeholder(template) == Some(name),
            Self::Header => after_literal(template).is_some_and(|(_, secret)| secret == name),
        }
    }
}

fn template(server: &mut Server, node: &Node, field: &str, place: Where, faults: &mut Vec<Fault>) {
    let text = node.text().unwrap_or_default();
    let undeclared = |placeholder: &str| {
        let message = format!("`{placeholder}` is not declared; add it to the `parameters` of the server.");
        Fault::new("server-placeholder", node.span.clone(), message).about(field)
    };
    let pieces = match pieces(text) {
        Ok(pieces) => pieces,
        Err(rest) => return faults.push(undeclared(rest)),
    };
    for piece in pieces {
        let Piece::Placeholder(name) = piece else { continue };
        if field.ends_with(".command") {
            let message = format!("`{field}` must be written out; a value cannot choose which program is started.");
            faults.push(Fault::new("server-placeholder", node.span.clone(), message).about(field));
            continue;
        }
        match server.parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) if parameter.sensitive => {
                if !place.keeps(text, name) {
                    let message = match place {
                        Where::Header => format!(
                            "The secret `{name}` must be all of the header or its end, after text that ends in a \
                             blank: `Authorization: \"Bearer ${{{name}}}\"`."
                        ),
                        Where::Open if field.ends_with(".url") => format!(
                            "The secret `{name}` stands in an address, which others can read. Pass it in `headers`: \
                             `Authorization: \"Bearer ${{{name}}}\"`."
                        ),
                        Where::Open | Where::Environment => format!(
                            "The secret `{name}` stands where other programs can read it. \
                             Pass it in `env`, as a whole value: `NAME: \"${{{name}}}\"`."
                        ),
                    };
                    faults.push(Fault::new("server-secret", node.span.clone(), message).about(field));
                }
            }
            Some(_) => {}
            None if name == HOME => {}
            None if FOLDERS.contains(&name) => server.parameters.push(parameter::folder(name)),
            None => faults.push(undeclared(&format!("${{{name}}}"))),
        }
    }
}
