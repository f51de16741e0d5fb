//! The frontmatter as a JSON Schema, for editors and other checkers of skills.
//!
//! It is generated: the known keys come from the table that the checks use, Skilltender's two blocks from the types
//! that read them. The checks cover what a schema cannot know: the folder's name, the rest of the library, the place
//! of a text.

pub(crate) mod words;

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::{
    dependency,
    known_keys::{KNOWN, Key, Kind},
    name::MOST_CHARACTERS,
    personal_mcp,
};

pub(crate) use words::*;

/// The JSON Schema (draft 2020-12) of a skill's frontmatter.
pub fn schema() -> Value {
    let properties: Map<String, Value> = KNOWN.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frontmatter of a SKILL.md",
        "description": "The frontmatter of an agent skill, between the two lines `---`. Other keys are the author's own.",
        "type": "object",
        "required": ["name", "description"],
        "properties": properties,
    })
}

/// What a known key may hold.
fn property(key: &Key) -> Value {
    let mut property = json!({ "title": key.name, "description": key.purpose });
    let held = match key.name {
        "name" => json!({
            "type": "string",
            "minLength": 1,
            "maxLength": MOST_CHARACTERS,
            "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
            "not": { "pattern": "anthropic|claude" },
            "examples": ["release-notes"],
        }),
        "description" => json!({
            "type": "string",
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "\\S",
            "not": { "pattern": "</?[A-Za-z][^<\\n]*>" },
            "examples": ["Writes release notes. Use when a version is about to be published."],
        }),
        "compatibility" => json!({ "type": ["string", "number", "boolean", "null"], "maxLength": 500 }),
        "metadata" => json!({
            "type": ["object", "null"],
            "additionalProperties": { "type": "string" },
            "propertyNames": { "not": { "pattern": "^io\\.modelcontextprotocol/" } },
        }),
        "x-personal-mcp" => or_null(of::<personal_mcp::Written>()),
        "requires-mcp-servers" => dependency::schema(),
        _ => any_of(key.kinds),
    };
    if let (Value::Object(property), Value::Object(held)) = (&mut property, held) {
        property.extend(held.into_iter().filter(|(name, _)| !matches!(name.as_str(), "title" | "description")));
    }
    property
}

/// A value of one of these kinds, or none at all.
fn any_of(kinds: &[Kind]) -> Value {
    let mut types = Vec::new();
    for kind in kinds {
        types.extend_from_slice(match kind {
            Kind::Text => &["string", "number", "boolean"][..],
            Kind::Flag => &["boolean"],
            Kind::Texts => &["array"],
            Kind::Mapping => &["object"],
        });
    }
    if types.is_empty() {
        return json!({});
    }
    types.push("null");
    let mut held = json!({ "type": types });
    if kinds.contains(&Kind::Texts) {
        held["items"] = json!({ "type": ["string", "number", "boolean", "null"] });
    }
    held
}

/// The schema of a type that reads a part of the frontmatter.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value();
    if let Value::Object(root) = &mut schema {
        root.remove("$schema");
        root.remove("title");
    }
    schema
}

/// The schema that also allows a key without a value.
pub(crate) fn or_null(mut schema: Value) -> Value {
    if let Some(held) = schema.get_mut("type") {
        *held = json!([held.take(), "null"]);
    }
    schema
}
