//! The parameters of a declaration, in all their spellings.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Parameter,
    template::{HOME, Piece, is_name, pieces},
};
use crate::{
    problem::Fault,
    schema::words::{ParameterName, Text},
    typed,
    yaml::{Content, Node},
};

/// Folders that only a person can know; the app asks for each once.
pub(super) const FOLDERS: &[&str] = &["WORKSPACE", "CWD", "PROJECT_ROOT"];

/// A parameter as written.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Written {
    /// Its name in a list.
    #[schemars(with = "Option<ParameterName>")]
    name: Option<String>,
    /// What it is for, as people read it.
    #[schemars(with = "Option<Text>")]
    description: Option<String>,
    /// Whether the server cannot do without it.
    required: Option<bool>,
    /// Whether it is a secret: kept in the keychain and passed in the environment only.
    sensitive: Option<bool>,
    /// The value when nobody gives one.
    #[schemars(with = "Option<Text>")]
    default: Option<String>,
    /// A value to show as an example.
    #[schemars(with = "Option<Text>")]
    example: Option<String>,
}

/// A folder parameter, created when a declaration uses one of [`FOLDERS`] without declaring it.
pub(super) fn folder(name: &str) -> Parameter {
    Parameter {
        name: name.to_owned(),
        description: Some("The folder that the server works in.".to_owned()),
        required: true,
        sensitive: false,
        default: None,
        example: None,
        folder: true,
    }
}

/// An undeclared parameter, created when the environment or a header names it (decision 55).
pub(super) fn implied(name: &str) -> Parameter {
    Parameter {
        sensitive: sounds_secret(name) || holds_address(name),
        folder: false,
        description: None,
        ..folder(name)
    }
}

/// Words in a name that mark a secret.
const SECRETS: &[&str] =
    &["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "APIKEY", "PAT"];

/// First words of variables that hold a database's address, which usually includes a password.
const DATABASES: &[&str] =
    &["DATABASE", "DB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL", "MONGO", "MONGODB", "REDIS", "AMQP"];

/// Whether a name sounds like that of a secret.
pub(super) fn sounds_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.ends_with("_KEY") || name == "PGPASSWORD" || name.split('_').any(|word| SECRETS.contains(&word))
}

/// Whether a variable of this name can only hold a secret: `TOKEN_FILE` sounds like one but names a file.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase().replace(['-', '.'], "_");
    let last = name.rsplit('_').next().unwrap_or(&name);
    let key = name.ends_with("_KEY") && !name.ends_with("PUBLIC_KEY");
    key || name == "PGPASSWORD" || SECRETS.contains(&last)
}

fn holds_address(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let starts = name.split('_').next().is_some_and(|word| DATABASES.contains(&word));
    let ends = ["_URL", "_URI"].iter().any(|end| name.ends_with(end));
    starts && ends || name.ends_with("DSN") || name.ends_with("CONNECTION_STRING")
}

/// The parameters in `node`: a mapping of names, or a list of mappings with a `name`.
pub(super) fn read(file: &[u8], node: &Node, field: &str, faults: &mut Vec<Fault>) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    match &node.content {
        Content::Map(entries) => {
            for (key, value) in entries {
                let name = key.text().unwrap_or_default();
                parameters.extend(parameter(file, Some(name), value, &format!("{field}.{name}"), faults));
            }
        }
        Content::List(items) => {
            for (index, item) in items.iter().enumerate().filter(|(_, item)| item.text().is_none()) {
                parameters.extend(parameter(file, None, item, &format!("{field}[{index}]"), faults));
            }
        }
        Content::Scalar(..) => {}
    }
    parameters
}

fn parameter(file: &[u8], key: Option<&str>, node: &Node, field: &str, faults: &mut Vec<Fault>) -> Option<Parameter> {
    let mut fault =
        |rule, span: &Node, message: String| faults.push(Fault::new(rule, span.span.clone(), message).about(field));
    let written = match &node.content {
        Content::Scalar(text, _) => {
            Written { description: Some(text.clone()).filter(|text| !text.is_empty()), ..Written::default() }
        }
        _ => match typed::read::<Written>("server-block", file, node, field) {
            Ok(written) => written,
            Err(wrong) => {
                faults.push(wrong);
                return None;
            }
        },
    };
    let name = key.map(str::to_owned).or(written.name).unwrap_or_default();
    if !is_name(&name) {
        fault("server-block", node, format!("`{field}` must be named by letters, digits and `_`, as in `${{NAME}}`."));
        return None;
    }
    let sensitive = written.sensitive.unwrap_or_default();
    let mut folder = FOLDERS.contains(&&*name) && !sensitive;
    let place = node.get("default").unwrap_or(node);
    let default = match written.default.as_deref().map(default) {
        Some(_) if sensitive => {
            fault(
                "server-secret",
                place,
                format!("`{field}` is a secret and must not have a default; SKILL.md is no place for it."),
            );
            None
        }
        Some(Default::Text(text)) => Some(text.to_owned()),
        Some(Default::Unknown(placeholder)) => {
            let message =
                format!("The default of `{field}` uses `{placeholder}`; only `${{HOME}}` is allowed in a default.");
            fault("server-placeholder", place, message);
            None
        }
        Some(Default::Folder) => {
            folder = true;
            None
        }
        None => None,
    };
    Some(Parameter {
        required: written.required.unwrap_or(default.is_none()),
        name,
        description: written.description,
        sensitive,
        default,
        example: written.example,
        folder,
    })
}

enum Default<'t> {
    Text(&'t str),
    /// A folder that only a person can know: it gets no default.
    Folder,
    Unknown(&'t str),
}

fn default(text: &str) -> Default<'_> {
    let Ok(pieces) = pieces(text) else { return Default::Unknown(text) };
    let mut names = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Placeholder(name) => Some(name),
        Piece::Text(_) => None,
    });
    match names.find(|name| *name != HOME) {
        None => Default::Text(text),
        Some(name) if FOLDERS.contains(&name) => Default::Folder,
        Some(_) => Default::Unknown(text),
    }
}
