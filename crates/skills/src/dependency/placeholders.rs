//! Rules about the places of values in a declaration.

use std::{collections::BTreeSet, ops::Range};

use text::Splice;

use super::{
    Server,
    environment::{is_refused, is_refused_in_containers, is_variable, redirects},
    forms::Block,
    header, mount,
    parameter::{self, FOLDERS},
    template::{HOME, Piece, after_literal, only_placeholder, pieces},
};
use crate::{
    problem::Fault,
    yaml::{Content, Node, grow},
};

/// Checks every text of a declaration that may hold placeholders. Adds a parameter for each folder that they name,
/// and for each undeclared value in the environment or the headers (decision 55). `parts` are the entry and the
/// blocks in it.
pub(super) fn check(server: &mut Server, file: &[u8], parts: &[Block<'_>], faults: &mut Vec<Fault>) {
    let texts: Vec<_> = parts.iter().flat_map(texts).collect();
    let open: BTreeSet<String> = texts.iter().filter(|text| text.place == Where::Open).flat_map(Text::names).collect();
    let mut checked = Checked { server, file, parts, open, faults };
    for part in parts {
        variables(part, checked.faults);
        headers(part, checked.faults);
        mounts(part, checked.faults);
    }
    for text in &texts {
        checked.template(text);
    }
}

/// A text that may hold placeholders.
struct Text<'n> {
    node: &'n Node,
    field: String,
    place: Where,
}

impl Text<'_> {
    fn text(&self) -> &str {
        self.node.text().unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        let pieces = pieces(self.text()).unwrap_or_default().into_iter();
        let names = pieces.filter_map(|piece| match piece {
            Piece::Placeholder(name) => Some(name.to_owned()),
            Piece::Text(_) => None,
        });
        names.collect()
    }
}

fn texts<'n>(part: &Block<'n>) -> Vec<Text<'n>> {
    let Block { node: holder, field } = part;
    let mut texts = Vec::new();
    for key in ["command", "cwd", "url"] {
        texts.extend(holder.get(key).map(|node| Text { node, field: format!("{field}.{key}"), place: Where::Open }));
    }
    for key in ["args", "mounts", "parameters"] {
        for (index, node) in holder.get(key).map(Node::items).unwrap_or_default().iter().enumerate() {
            // The texts in `parameters` are arguments after a package.
            texts.push(Text { node, field: format!("{field}.{key}[{index}]"), place: Where::Open });
        }
    }
    for (key, place) in [("env", Where::Environment), ("headers", Where::Header)] {
        for (name, node) in holder.get(key).map(Node::entries).unwrap_or_default() {
            texts.push(Text { node, field: format!("{field}.{key}.{}", name.text().unwrap_or_default()), place });
        }
    }
    texts
}

fn variables(part: &Block<'_>, faults: &mut Vec<Fault>) {
    for (key, _) in part.node.get("env").map(Node::entries).unwrap_or_default() {
        let name = key.text().unwrap_or_default();
        let inside = format!("{}.env.{name}", part.field);
        let fault = match part.field.ends_with(".docker") && is_refused_in_containers(name) {
            true => Some(refused(key.span.clone(), &inside)),
            false => variable(name, key.span.clone(), &inside),
        };
        faults.extend(fault);
    }
}

fn mounts(part: &Block<'_>, faults: &mut Vec<Fault>) {
    for (index, node) in part.node.get("mounts").map(Node::items).unwrap_or_default().iter().enumerate() {
        let field = format!("{}.mounts[{index}]", part.field);
        if let Err(what) = mount::parts(node.text().unwrap_or_default()) {
            faults.push(Fault::new("server-mount", node.span.clone(), format!("`{field}` {what}.")).about(&field));
        }
    }
}

fn headers(part: &Block<'_>, faults: &mut Vec<Fault>) {
    let entries = part.node.get("headers").map(Node::entries).unwrap_or_default();
    for (index, (key, node)) in entries.iter().enumerate() {
        let name = key.text().unwrap_or_default();
        let field = format!("{}.headers.{name}", part.field);
        let is_same = |(other, _): &(Node, Node)| other.text().is_some_and(|other| other.eq_ignore_ascii_case(name));
        let wrong = match header::wrong_name(name) {
            None if entries[..index].iter().any(is_same) => Some("is here already in another spelling"),
            wrong => wrong,
        };
        if let Some(what) = wrong {
            faults.push(Fault::new("server-header", key.span.clone(), format!("`{field}` {what}.")).about(&field));
        }
        if !header::is_value(node.text().unwrap_or_default()) {
            let message = format!("`{field}` must be one line of plain characters; a header holds nothing else.");
            faults.push(Fault::new("server-header", node.span.clone(), message).about(&field));
        }
    }
}

/// The fault of a variable that a skill sets: it is refused, or it redirects a program (security rule 7).
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
    /// Arguments, addresses and folders, which other programs can read.
    Open,
    Environment,
    Header,
}

impl Where {
    /// Whether the secret `name` may be in this place in this form.
    fn keeps(self, template: &str, name: &str) -> bool {
        match self {
            Self::Open => false,
            Self::Environment => only_placeholder(template) == Some(name),
            Self::Header => after_literal(template).is_some_and(|(_, secret)| secret == name),
        }
    }
}

/// State while the texts of a declaration are checked.
struct Checked<'c, 'n> {
    server: &'c mut Server,
    file: &'c [u8],
    parts: &'c [Block<'n>],
    /// Names in places that others can read; only a declaration can make them a parameter.
    open: BTreeSet<String>,
    faults: &'c mut Vec<Fault>,
}

impl Checked<'_, '_> {
    fn template(&mut self, text: &Text<'_>) {
        let pieces = match pieces(text.text()) {
            Ok(pieces) => pieces,
            Err(rest) => return self.undeclared(text, rest),
        };
        for piece in pieces {
            let Piece::Placeholder(name) = piece else { continue };
            if text.place == Where::Open && text.field.ends_with(".command") {
                let what = "must be written out; a value cannot choose which program is started";
                self.fault("server-placeholder", text, format!("`{}` {what}.", text.field));
                continue;
            }
            let declared = self.server.parameters.iter().find(|parameter| parameter.name == name);
            match declared.map(|parameter| parameter.sensitive) {
                Some(true) => self.secret(text, name),
                Some(false) => {}
                None if name == HOME => {}
                None if FOLDERS.contains(&name) => self.server.parameters.push(parameter::folder(name)),
                None if self.open.contains(name) => self.undeclared(text, &format!("${{{name}}}")),
                None => self.implied(text, name),
            }
        }
    }

    /// Adds a parameter for an undeclared value in a place where a secret may be.
    fn implied(&mut self, text: &Text<'_>, name: &str) {
        let parameter = parameter::implied(name);
        let sensitive = parameter.sensitive;
        self.server.parameters.push(parameter);
        let how = if sensitive { "a secret, because it sounds like one" } else { "a value, which is shown as it is" };
        let message =
            format!("`${{{name}}}` is not declared, so it is asked for as {how}. Declare it in `parameters`.");
        let fault = Fault::new("server-undeclared", text.node.span.clone(), message).about(&text.field);
        self.faults.push(match self.declaration(text, name, sensitive) {
            Some(splice) => fault.fixed_by(format!("Declare {name}"), vec![splice]),
            None => fault,
        });
        if sensitive {
            self.secret(text, name);
        }
    }

    /// The splice that declares an undeclared value: with the other parameters, or before its use.
    fn declaration(&self, text: &Text<'_>, name: &str, sensitive: bool) -> Option<Splice> {
        let says = if sensitive { "sensitive: true" } else { "required: true" };
        let holds = self.parts.iter().filter(|part| !part.field.ends_with(".docker"));
        if let Some(parameters) = holds.clone().find_map(|part| part.node.get("parameters")) {
            return match parameters.content {
                Content::List(_) => grow::item(self.file, parameters, &format!("{{name: {name}, {says}}}")),
                _ => grow::entry(self.file, parameters, name, &format!("{{{says}}}")),
            };
        }
        let is_in = |node: &Node| node.span.start <= text.node.span.start && text.node.span.end <= node.span.end;
        let innermost = holds.filter(|part| is_in(part.node)).min_by_key(|part| part.node.span.len())?;
        let (key, _) = innermost.node.entries().iter().find(|(_, value)| is_in(value))?;
        grow::before(self.file, innermost.node, key, "parameters", &format!("{{{name}: {{{says}}}}}"))
    }

    fn secret(&mut self, text: &Text<'_>, name: &str) {
        if text.place.keeps(text.text(), name) {
            return;
        }
        let message = match text.place {
            Where::Header => format!(
                "The secret `{name}` must be all of the header or its end, after text that ends in a blank: \
                 `Authorization: \"Bearer ${{{name}}}\"`."
            ),
            Where::Open if text.field.ends_with(".url") => format!(
                "The secret `{name}` is in an address, which others can read. Pass it in `headers`: \
                 `Authorization: \"Bearer ${{{name}}}\"`."
            ),
            Where::Open | Where::Environment => format!(
                "The secret `{name}` is where other programs can read it. Pass it in `env`, as a whole value: \
                 `NAME: \"${{{name}}}\"`."
            ),
        };
        self.fault("server-secret", text, message);
    }

    fn undeclared(&mut self, text: &Text<'_>, placeholder: &str) {
        let message = format!("`{placeholder}` is not declared; add it to the `parameters` of the server.");
        self.fault("server-placeholder", text, message);
    }

    fn fault(&mut self, rule: &'static str, text: &Text<'_>, message: String) {
        self.faults.push(Fault::new(rule, text.node.span.clone(), message).about(&text.field));
    }
}
