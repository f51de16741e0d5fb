//! The named value types of the schema. Types of the frontmatter refer to them, so that each pattern is defined once.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// Defines a named value type and its schema.
macro_rules! words {
    ($($(#[$doc:meta])* $word:ident = $schema:tt;)*) => {$(
        $(#[$doc])*
        pub(crate) enum $word {}

        impl JsonSchema for $word {
            fn schema_name() -> Cow<'static, str> {
                stringify!($word).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

words! {
    /// Text. YAML may take a single value for a number or a truth value; it is read as its text.
    Text = { "type": ["string", "number", "boolean"] };
    /// A label: lowercase words joined by hyphens.
    Label = { "type": ["string", "integer", "boolean"], "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 64, "minimum": 0 };
    /// The id of a skill or a reference.
    Id = { "type": "string", "pattern": ID, "maxLength": 64 };
    /// A semantic version.
    Version = {
        "type": "string",
        "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)([-+][0-9A-Za-z.+-]+)?$",
        "examples": ["1.2.0"]
    };
    /// The URIs of a skill, the one of its document among them.
    Capabilities = {
        "type": "array",
        "items": { "type": ["string", "number", "boolean"] },
        "contains": { "type": "string", "pattern": "^resource://skills/[^/]+/document$" },
        "examples": [["resource://skills/my-skill/document"]]
    };
    /// The path of a Markdown file below `references/`, without a segment that leads out of it.
    ReferencePath = {
        "type": "string",
        "pattern": "^references/((?!\\.{1,2}/)[^/\\\\:]+/)*[^/\\\\:]*\\.[mM][dD]$",
        "examples": ["references/guide.md"]
    };
    /// The name of a server.
    ServerName = { "type": ["string", "integer", "boolean"], "pattern": "^(?!.*(__|_$))[a-z0-9][a-z0-9_-]{0,31}$", "minimum": 0 };
    /// A package of npm or PyPI.
    Package = {
        "type": ["string", "number", "boolean"],
        "pattern": "^((npm|pypi):)?[A-Za-z0-9@][A-Za-z0-9@/._=~^<>+\\[\\]-]*$",
        "minimum": 0,
        "examples": ["@modelcontextprotocol/server-github", "pypi:mcp-server-git"]
    };
    /// The image of a container.
    Image = {
        "type": ["string", "number", "boolean"],
        "pattern": IMAGE,
        "maxLength": 512,
        "minimum": 0,
        "examples": ["ghcr.io/github/github-mcp-server:1.0.0"]
    };
    /// A port.
    Port = { "type": "integer", "minimum": 1, "maximum": 65535 };
    /// The name of a parameter.
    ParameterName = { "type": ["string", "boolean"], "pattern": PARAMETER };
}

/// What an id looks like.
pub(crate) const ID: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";
/// What a parameter's name looks like.
pub(crate) const PARAMETER: &str = "^[A-Za-z_][A-Za-z0-9_]*$";
/// What the name of an image looks like.
const IMAGE: &str = "^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*(:[1-9][0-9]{0,4})?/)?\
[a-z0-9]([a-z0-9._-]*[a-z0-9])?(/[a-z0-9]([a-z0-9._-]*[a-z0-9])?)*\
(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(@sha256:[0-9a-f]{64})?$";
