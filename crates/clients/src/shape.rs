//! The form of an entry in a client's file: a template in the client's row, filled with our values.

use crate::{Entry, node::Node};

/// The fields of an entry, in the order in which they are written.
pub type Template = &'static [(&'static str, Part)];

/// The value of a field in a [`Template`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The name of our entry.
    Name,
    /// The path of our program.
    Command,
    /// The list of its arguments.
    Args,
    /// The list of the path and the arguments.
    CommandLine,
    /// The address of our endpoint.
    Url,
    /// `Bearer` and the token.
    Bearer,
    /// A text that is the same for every entry.
    Text(&'static str),
    /// A switch that is the same for every entry.
    Bool(bool),
    /// A number that is the same for every entry.
    Number(i64),
    /// A list of texts that is the same for every entry.
    List(&'static [&'static str]),
    /// A map of parts.
    Map(Template),
}

/// The entry called `name` in the form of this template; `None` if the template is for another kind of entry.
pub(crate) fn filled(template: Template, name: &str, entry: &Entry) -> Option<Node> {
    let members = template.iter().map(|(field, part)| Some(((*field).to_owned(), part.filled(name, entry)?)));
    members.collect::<Option<_>>().map(Node::Map)
}

/// Whether the value in a file leads to us as `entry` does; other fields may differ. Clients keep their own settings in
/// the entry, such as `disabled` and `autoApprove`.
pub(crate) fn leads_to(template: Template, entry: &Entry, there: &Node) -> bool {
    template.iter().all(|(name, part)| match (part, there.get(name)) {
        (Part::Map(template), Some(there)) => leads_to(template, entry, there),
        (part, there) if part.varies() => there == part.filled("", entry).as_ref(),
        _ => true,
    })
}

/// Our entry with the settings of the client and its user: the fields that none of the `known` templates has, and their
/// values for the fields that are the same for every entry.
pub(crate) fn merged(template: Template, known: &[Option<Template>], ours: &Node, there: &Node) -> Node {
    let is_known = |name: &str| knows(known, name);
    let is_set = |name: &str| template.iter().any(|(known, part)| *known == name && part.is_setting());
    let kept = ours.members().iter().map(|(name, value)| {
        let value = there.get(name).filter(|_| is_set(name)).unwrap_or(value);
        (name.clone(), value.clone())
    });
    let beside = there.members().iter().filter(|(name, _)| !is_known(name)).cloned();
    Node::Map(kept.chain(beside).collect())
}

/// Whether one of these templates has a field of this name.
pub(crate) fn knows(templates: &[Option<Template>], name: &str) -> bool {
    templates.iter().flatten().any(|template| template.iter().any(|(known, _)| *known == name))
}

impl Part {
    pub(crate) fn filled(&self, name: &str, entry: &Entry) -> Option<Node> {
        Some(match (self, entry) {
            (Self::Name, _) => Node::Text(name.to_owned()),
            (Self::Command, Entry::Stdio { command, .. }) => Node::Text(command.clone()),
            (Self::Args, Entry::Stdio { args, .. }) => list(args),
            (Self::CommandLine, Entry::Stdio { command, args }) => list([command].into_iter().chain(args)),
            (Self::Url, Entry::Http { url, .. }) => Node::Text(url.clone()),
            (Self::Bearer, Entry::Http { token, .. }) => Node::Text(format!("Bearer {token}")),
            (Self::Text(text), _) => Node::Text((*text).to_owned()),
            (Self::Bool(on), _) => Node::Bool(*on),
            (Self::Number(number), _) => Node::Number(*number),
            (Self::List(items), _) => list(items.iter()),
            (Self::Map(template), _) => filled(template, name, entry)?,
            _ => return None,
        })
    }

    /// Whether a client or its user may choose another value, unlike the kind of the entry.
    fn is_setting(&self) -> bool {
        !self.varies() && !matches!(self, Self::Name | Self::Text(_))
    }

    /// Whether the value differs from entry to entry.
    pub(crate) fn varies(&self) -> bool {
        match self {
            Self::Name | Self::Text(_) | Self::Bool(_) | Self::Number(_) | Self::List(_) => false,
            Self::Command | Self::Args | Self::CommandLine | Self::Url | Self::Bearer => true,
            Self::Map(template) => template.iter().any(|(_, part)| part.varies()),
        }
    }
}

fn list(texts: impl IntoIterator<Item = impl ToString>) -> Node {
    Node::List(texts.into_iter().map(|text| Node::Text(text.to_string())).collect())
}
