//! One editor per file format: text in, one splice out, every other byte kept.
//!
//! - A comment stays in its place. If one follows the last entry and no comma does, our entry goes before that entry:
//!   adding the missing comma would be a second change, or would move the comment.
//! - Finding a place and checking the result are separate: `jsonc-parser` checks JSON with comments. In TOML and YAML
//!   the places come from the events of `toml_parser` and `granit-parser`, the meaning from `toml` and `serde_yaml`.
//!   Their printers, and `toml_edit`'s, change line ends, the byte order mark or the end of the file.
//! - A new entry is written in the style of the last one: a table, dotted keys, a line in curly brackets, or a block of
//!   YAML with its dashes where the file puts them.
//! - An entry spread over several places is removed in one splice, which writes back the text in between
//!   (`[mcp_servers.skilltender.env]` far below its table).
//! - A YAML list or map that we empty stays as `[]` or `{}`: a name without a value would be null, which Goose accepts
//!   and Continue does not. With the undo record, everything that we created is removed.

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

/// A parsed file: where the servers are and where our entry is.
#[derive(Debug)]
pub(crate) enum Outline<'a> {
    Json(json::Outline<'a>),
    Toml(toml::Outline<'a>),
    Yaml(yaml::Outline<'a>),
}

/// Calls the same method of the format's own outline.
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
    /// Parses a file of this client; our entry is the one called `name`.
    ///
    /// # Errors
    /// If the client could not read the file, or the file is ambiguous or of an unexpected shape on our path.
    pub(crate) fn of(bytes: &'a [u8], client: &Client, name: &'a str) -> Result<Self, Refusal> {
        match client.format {
            Format::Json | Format::Jsonc => json::Outline::of(bytes, client, name).map(Self::Json),
            Format::Toml => toml::Outline::of(bytes, client, name).map(Self::Toml),
            Format::Yaml => yaml::Outline::of(bytes, client, name).map(Self::Yaml),
        }
    }

    /// Whether the file holds only blanks although the format requires a value. An empty TOML or YAML file is a valid
    /// document.
    pub(crate) fn is_blank(&self) -> bool {
        each!(self, outline => outline.is_blank())
    }

    /// Our entry, as it is in the file.
    pub(crate) fn ours(&self) -> Option<Found> {
        each!(self, outline => outline.ours())
    }

    /// Every entry below the client's key, including ours, in the order of the file.
    pub(crate) fn servers(&self) -> Vec<Found> {
        each!(self, outline => outline.servers())
    }

    /// The insertion that adds our entry to a file without one. It removes nothing.
    pub(crate) fn insertion(&self, ours: &Node) -> Splice {
        each!(self, outline => outline.insertion(ours))
    }

    /// The splice that changes our entry into `ours`, within the bytes of [`Outline::ours`].
    pub(crate) fn replacement(&self, ours: &Node) -> Option<Splice> {
        each!(self, outline => outline.replacement(ours))
    }

    /// The next splice towards an entry that equals `ours`; unchanged values keep their bytes and comments. `None` if
    /// the entry already equals `ours` or cannot be changed into it.
    pub(crate) fn step(&self, ours: &Node) -> Option<Splice> {
        match self {
            Self::Json(outline) => outline.step(ours),
            Self::Toml(_) | Self::Yaml(_) if self.ours().is_none_or(|there| there.node == *ours) => None,
            Self::Toml(outline) => outline.replacement(ours),
            Self::Yaml(outline) => outline.replacement(ours),
        }
    }

    /// The splice that removes our entry and whatever only it needs: a comma, a header. It inserts only bytes it also
    /// removes, such as a comment between two values.
    pub(crate) fn removal(&self) -> Option<Splice> {
        each!(self, outline => outline.removal())
    }

    /// Whether the other file has the same content except for our entry, compared by the bytes of every value. A key
    /// that held only our entry may be missing from one of them.
    pub(crate) fn same_but_ours(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(one), Self::Json(two)) => one.same_but_ours(two),
            (Self::Toml(one), Self::Toml(two)) => one.same_but_ours(two),
            (Self::Yaml(one), Self::Yaml(two)) => one.same_but_ours(two),
            _ => false,
        }
    }

    /// Whether an independent parser accepts the file too.
    pub(crate) fn is_read_by_another(&self) -> bool {
        each!(self, outline => outline.is_read_by_another())
    }
}

/// The byte order mark, which older editors put before a text.
pub(crate) const BOM: &str = "\u{feff}";

/// A file as text.
///
/// # Errors
/// If it is not UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(bytes).map_err(|error| Refusal::NotUtf8 { place: place(bytes, error.valid_up_to()) })
}

/// The place of a byte.
pub(crate) fn place(bytes: &[u8], at: usize) -> Place {
    Lines::new(bytes).place(at)
}
