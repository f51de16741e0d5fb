//! What `requires-mcp-servers` may hold, for the schema: the spellings of decision 35, out of the
//! types that read them.

use serde_json::{Value, json};

use super::{parameter, read::KEYS, start};
use crate::schema::{PARAMETER, Package, ServerName, of, or_null};

/// The whole block: a list of servers, or a mapping from their names.
pub(crate) fn schema() -> Value {
    let mut full = entry();
    full["anyOf"] = json!([
        { "required": ["name"] },
        { "required": ["package"] },
        { "required": ["config-reference"] },
    ]);
    let named = json!({ "anyOf": [of::<Option<Package>>(), entry()] });
    let name = of::<ServerName>();
    json!({
        "type": ["array", "object", "null"],
        "items": {
            "type": ["object", "string", "integer", "boolean"],
            "pattern": name["pattern"],
            "minimum": 0,
            // A mapping of one unknown key is a server's name and what it is.
            "if": { "type": "object", "minProperties": 1, "maxProperties": 1, "propertyNames": { "not": { "enum": KEYS } } },
            "then": { "propertyNames": { "pattern": name["pattern"] }, "additionalProperties": named },
            "else": { "if": { "type": "object" }, "then": full },
        },
        "propertyNames": { "pattern": name["pattern"] },
        "additionalProperties": named,
    })
}

/// One server, as a mapping.
fn entry() -> Value {
    let mut entry = of::<start::Written>();
    let started = json!({ "type": "object", "required": ["command"] });
    let mut container = or_null(of::<start::Docker>());
    container["required"] = json!(["image"]);
    let mut program = of::<start::Written>();
    program["properties"]["parameters"] = parameters();
    entry["properties"]["parameters"] = parameters();
    entry["properties"]["stdio"] = json!({ "if": started, "then": program });
    entry["properties"]["docker"] = container;
    let template = entry.clone();
    let says_how = json!({
        "type": "object",
        "anyOf": [
            { "required": ["command"] },
            { "required": ["url"] },
            { "required": ["stdio"], "properties": { "stdio": started } },
            { "required": ["docker"], "properties": { "docker": { "type": "object", "required": ["image"] } } },
        ],
    });
    entry["properties"]["template-args"] = parameters();
    entry["properties"]["config-template"] = json!({ "if": says_how, "then": template, "else": parameters() });
    entry
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
