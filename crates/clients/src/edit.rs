//! One editor per file format: text in, one splice out, every other byte kept.
//!
//! - A comment stays where it is. Where one stands behind the last entry and no comma does, ours comes first: the comma
//!   that ours would need behind the last one would be a second change, or move the comment.
//! - Who finds the place does not also vouch for the result: JSON with comments is judged by `jsonc-parser`. Places in
//!   TOML and YAML come from the events of `toml_parser` and `granit-parser`; what a file means, `toml` and `serde_yaml` say.
//!   Their printers, and `toml_edit`'s, change line ends, the byte order mark or the end of a file.
//! - The next entry is written as the last one is: a table, dotted keys, a line in curly brackets, a block of YAML with
//!   its dashes where the file has them.
//! - An entry in several places goes in one splice, which puts back what others wrote between them
//!   (`[mcp_servers.skilltender.env]` far below its table).
//! - A YAML list or map that we empty stays as `[]` or `{}`: nothing behind the name would be null, which Goose takes and
//!   Continue does not. With the undo record what we made goes whole.

mod flow;
pub(crate) mod json;
mod lines;
pub(crate) mod toml;
pub(crate) mod yaml;

use text::{Lines, Place, Splice};

use crate::{
    Client, Format, Refusal,
    node::{Found, Node},
};

/// A file, read for what we need of it: where the servers stand and where our entry does.
#[derive(Debug)]
pub(crate) enum Outline<'a> {
    Json(json::Outline<'a>),
    Toml(toml::Outline<'a>),
    Yaml(yaml::Outline<'a>),
}

/// Calls the same method of whichever editor it is.
macro_rules! each {
    ($self:ident, $outline:ident => $call:expr) => {
        match $self {
            Self::Json($outline) => $call,
            Self::Toml($outline) => $call,
            Self::Yaml($outline) => $call,
        }
    };
}

impl<'a> Outline<'a> {
    /// Judges a file of this client, for the entry of this name: ours.
    ///
    /// # Errors
    /// When the client could not read it, or it is ambiguous or of another shape on our path.
    pub(crate) fn of(bytes: &'a [u8], client: &Client, name: &'a str) -> Result<Self, Refusal> {
        match client.format {
            Format::Json | Format::Jsonc => json::Outline::of(bytes, client, name).map(Self::Json),
            Format::Toml => toml::Outline::of(bytes, client, name).map(Self::Toml),
            Format::Yaml => yaml::Outline::of(bytes, client, name).map(Self::Yaml),
        }
    }

    /// Whether the file is no document: blanks alone where the format wants a value. An empty file of TOML
    /// or YAML is a document.
    pub(crate) fn is_blank(&self) -> bool {
        each!(self, outline => outline.is_blank())
    }

    /// Our entry, as it stands there.
    pub(crate) fn ours(&self) -> Option<Found> {
        each!(self, outline => outline.ours())
    }

    /// Every entry below our client's key, ours too, in the order of the file.
    pub(crate) fn servers(&self) -> Vec<Found> {
        each!(self, outline => outline.servers())
    }

    /// The insertion that adds our entry, for a file that holds none of our name. It removes nothing.
    pub(crate) fn insertion(&self, ours: &Node) -> Splice {
        each!(self, outline => outline.insertion(ours))
    }

    /// The splice that makes our entry say `ours`, within the bytes of [`Outline::ours`].
    pub(crate) fn replacement(&self, ours: &Node) -> Option<Splice> {
        each!(self, outline => outline.replacement(ours))
    }

    /// The next splice on the way to an entry of ours that says `ours`, where values that stay keep their bytes and
    /// their comments; nothing where it says that already or cannot be led there.
    pub(crate) fn step(&self, ours: &Node) -> Option<Splice> {
        match self {
            Self::Json(outline) => outline.step(ours),
            Self::Toml(_) | Self::Yaml(_) if self.ours().is_none_or(|there| there.node == *ours) => None,
            Self::Toml(outline) => outline.replacement(ours),
            Self::Yaml(outline) => outline.replacement(ours),
        }
    }

    /// The splice that takes our entry out, with what it alone needs: a comma, a header. It inserts nothing but
    /// what it keeps of the bytes that it removes, such as a comment between two values.
    pub(crate) fn removal(&self) -> Option<Splice> {
        each!(self, outline => outline.removal())
    }

    /// Whether the other file says the same, bytes of every value included, but for our entry. The key that
    /// held nothing else may be in one of them alone.
    pub(crate) fn same_but_ours(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(one), Self::Json(two)) => one.same_but_ours(two),
            (Self::Toml(one), Self::Toml(two)) => one.same_but_ours(two),
            (Self::Yaml(one), Self::Yaml(two)) => one.same_but_ours(two),
            _ => false,
        }
    }

    /// Whether a parser that is not ours reads the file too.
    pub(crate) fn is_read_by_another(&self) -> bool {
        each!(self, outline => outline.is_read_by_another())
    }
}

/// The byte order mark, which editors of the last century put before a text.
pub(crate) const BOM: &str = "\u{feff}";

/// A file as text.
///
/// # Errors
/// When it is no UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(bytes).map_err(|error| Refusal::NotUtf8 { place: place(bytes, error.valid_up_to()) })
}

/// The place of a byte.
pub(crate) fn place(bytes: &[u8], at: usize) -> Place {
    Lines::new(bytes).place(at)
}
