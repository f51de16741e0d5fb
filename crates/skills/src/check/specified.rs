//! Rules about the specification's optional keys: `compatibility` and `metadata`.

use text::Splice;

use super::Draft;
use crate::{problem::Fault, repair::quoted, specified::MOST_CHARACTERS, specified::unspecified, yaml::Content};

/// Prefix of the `metadata` keys that MCP reserves (SEP-2640).
const RESERVED: &str = "io.modelcontextprotocol/";

pub(super) fn compatibility(draft: &Draft<'_>) -> Vec<Fault> {
    let Some(value) = draft.frontmatter.get("compatibility") else { return Vec::new() };
    let count = value.text().map_or(0, |text| text.trim().chars().count());
    if count <= MOST_CHARACTERS {
        return Vec::new();
    }
    let message = format!("`compatibility` has {count} characters; the specification allows {MOST_CHARACTERS}.");
    vec![Fault::new("compatibility-length", value.span.clone(), message).about("compatibility")]
}

/// One problem for the skill, at the first of these values.
pub(super) fn unlisted(draft: &Draft<'_>) -> Vec<Fault> {
    const MOST_NAMED: usize = 3;

    let others = unspecified(draft.frontmatter);
    let Some((field, value)) = others.first() else { return Vec::new() };
    let named: Vec<_> = others.iter().take(MOST_NAMED).map(|(field, _)| format!("`{field}`")).collect();
    let more =
        if others.len() > MOST_NAMED { format!(" and {} more", others.len() - MOST_NAMED) } else { String::new() };
    let message = format!(
        "The skill is left out of `skills/list`, because {}{more} {} not what the specification says, and some hosts drop the \
         whole list because of one such value. Tools, prompts, resources and `skills/get` have the skill.",
        named.join(", "),
        if others.len() == 1 { "is" } else { "are" }
    );
    vec![Fault::new("skill-unlisted", value.span.clone(), message).about(field.clone())]
}

pub(super) fn metadata(draft: &Draft<'_>) -> Vec<Fault> {
    let entries = draft.frontmatter.get("metadata").map(|metadata| metadata.entries()).unwrap_or_default();
    let others = entries.iter().filter(|(_, value)| value.string().is_none());
    others
        .map(|(key, value)| {
            let field = format!("metadata.{}", key.text().unwrap_or_default());
            let what = match &value.content {
                Content::Scalar(..) if value.is_null() => "is empty",
                Content::Scalar(..) => "is a number or a truth value",
                Content::List(_) => "is a list",
                Content::Map(_) => "is a mapping",
            };
            let message =
                format!("`{field}` {what}; the specification requires text, and a strict host may refuse the skill.");
            let fault = Fault::new("metadata-value", value.span.clone(), message).about(field);
            match value.text().filter(|_| !value.is_null()) {
                Some(text) => fault.fixed_by("Quote the value", vec![Splice::new(value.span.clone(), quoted(text))]),
                None => fault,
            }
        })
        .collect()
}

pub(super) fn reserved(draft: &Draft<'_>) -> Vec<Fault> {
    let entries = draft.frontmatter.get("metadata").map(|metadata| metadata.entries()).unwrap_or_default();
    let reserved = entries.iter().filter_map(|(key, _)| Some((key, key.text()?.strip_prefix(RESERVED)?)));
    reserved
        .map(|(key, name)| {
            let message = format!("Keys that start with `{RESERVED}` are reserved for MCP; call it `{name}` or give it a prefix of your own.");
            Fault::new("metadata-reserved", key.span.clone(), message).about(format!("metadata.{RESERVED}{name}"))
        })
        .collect()
}
