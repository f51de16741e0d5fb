//! The schema of `requires-mcp-servers`: the spellings of decision 35, from the types that read them.

use serde_json::{Value, json};

use super::{parameter, read::KEYS, start};
use crate::schema::{PARAMETER, Package, ServerName, of, or_null};

/// The whole block: a list of servers, or a mapping from their names.
pub(crate) fn schema() -> Value {
    let name = of::<ServerName>();
    let named = json!({ "anyOf": [of::<Option<Package>>(), part("server")] });
    let said = ["name", "package", "config-reference"].map(|key| json!({ "required": [key] }));
    json!({
        "type": ["array", "object", "null"],
        "items": {
            "type": ["object", "string", "integer", "boolean"],
            "pattern": name["pattern"],
            "minimum": 0,
            // A mapping with one unknown key is a server's name and its description.
            "if": { "type": "object", "minProperties": 1, "maxProperties": 1, "propertyNames": { "not": { "enum": KEYS } } },
            "then": { "propertyNames": { "pattern": name["pattern"] }, "additionalProperties": named },
            "else": { "if": { "type": "object" }, "then": { "allOf": [part("server"), { "anyOf": said }] } },
        },
        "propertyNames": { "pattern": name["pattern"] },
        "additionalProperties": named,
        "$defs": { "server": server(), "described": described(), "program": program(), "container": container(), "parameters": parameters() },
    })
}

/// A part that is used in several places, and defined once in the schema.
fn part(name: &str) -> Value {
    json!({ "$ref": format!("#/properties/requires-mcp-servers/$defs/{name}") })
}

/// One server, as a mapping.
fn server() -> Value {
    let mut server = described();
    let program = json!({ "type": "object", "required": ["command"] });
    let says_how = json!({
        "type": "object",
        "anyOf": [
            { "required": ["command"] },
            { "required": ["url"] },
            { "required": ["stdio"], "properties": { "stdio": program } },
            { "required": ["docker"], "properties": { "docker": { "type": "object", "required": ["image"] } } },
        ],
    });
    server["properties"]["template-args"] = part("parameters");
    server["properties"]["config-template"] =
        json!({ "if": says_how, "then": part("described"), "else": part("parameters") });
    server
}

/// The keys that an entry and its `config-template` share.
fn described() -> Value {
    let mut described = program();
    let is_program = json!({ "type": "object", "required": ["command"] });
    described["properties"]["stdio"] = json!({ "if": is_program, "then": part("program") });
    described["properties"]["docker"] = part("container");
    described
}

fn program() -> Value {
    let mut program = of::<start::Written>();
    program["properties"]["parameters"] = part("parameters");
    program
}

fn container() -> Value {
    let mut container = or_null(of::<start::Docker>());
    container["required"] = json!(["image"]);
    container
}

/// Parameters: by their names, or as a list in which a text is an argument.
fn parameters() -> Value {
    let written = of::<parameter::Written>();
    let mut listed = written.clone();
    listed["required"] = json!(["name"]);
    let texts = json!({ "type": ["string", "number", "boolean", "null"] });
    json!({
        "type": ["object", "array", "string", "number", "boolean", "null"],
        "propertyNames": { "pattern": PARAMETER },
        "additionalProperties": { "anyOf": [texts, written] },
        "items": { "anyOf": [texts, listed] },
    })
}
