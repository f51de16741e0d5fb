//! Templates that several clients share.

use crate::{Part, Template};

/// The header that carries our token.
pub(super) const BEARER: Part = Part::Map(&[("Authorization", Part::Bearer)]);

/// A program and its arguments: the entry that most clients share.
pub(super) const PROGRAM: Template = &[("command", Part::Command), ("args", Part::Args)];

/// The same with the field `type`.
pub(super) const STDIO_PROGRAM: Template =
    &[("type", Part::Text("stdio")), ("command", Part::Command), ("args", Part::Args)];

/// An address and its headers.
pub(super) const ADDRESS: Template = &[("url", Part::Url), ("headers", BEARER)];

/// The same with the field `type`.
pub(super) const HTTP_ADDRESS: Template = &[("type", Part::Text("http")), ("url", Part::Url), ("headers", BEARER)];

/// An address whose field name distinguishes it from server-sent events.
pub(super) const HTTP_URL: Template = &[("httpUrl", Part::Url), ("headers", BEARER)];

/// The same under another field name.
pub(super) const SERVER_URL: Template = &[("serverUrl", Part::Url), ("headers", BEARER)];
