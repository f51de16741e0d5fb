//! Typed reading of Skilltender's own blocks, through `serde_yaml`.
//!
//! The tree of `yaml` has every value and its place, but checking by hand that a version is text and tags are a list
//! would repeat serde's work. So a block's source is read a second time, straight into its type, with options that
//! refuse what does not belong in a block that starts programs: anchors, aliases, merge keys, booleans spelt `yes`.
//! Rules about a single field find its place in the tree.

use serde::de::DeserializeOwned;
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy};
use text::Splice;

use crate::{
    nearest::nearest,
    problem::Fault,
    yaml::{Content, Node},
};

/// Reads `node` of `file` into its type. `field` is its path in the frontmatter.
pub(crate) fn read<T: DeserializeOwned>(rule: &'static str, file: &[u8], node: &Node, field: &str) -> Result<T, Fault> {
    let column = column(file, node.span.start);
    // A block keeps its meaning only when its first line is indented like the others.
    let source = " ".repeat(column) + &String::from_utf8_lossy(&file[node.span.clone()]);
    serde_yaml::from_str_with_options(&source, options()).map_err(|error| {
        let offset = error.location().and_then(|location| location.span().byte_offset()).unwrap_or_default();
        let offset = usize::try_from(offset).unwrap_or_default().saturating_sub(column);
        let at = (node.span.start + offset).min(node.span.end);
        let (path, wrong) = innermost(node, at, field.to_owned());
        let kind = match &wrong.content {
            Content::Scalar(..) => "a single value",
            Content::List(_) => "a list",
            Content::Map(_) => "a mapping",
        };
        let message = format!(
            "`{path}` is {kind}, which does not belong there. Such a block also allows no anchors (`&`, `*`) \
             and no duplicate keys."
        );
        Fault::new(rule, wrong.span.clone(), message).about(path)
    })
}

fn options() -> serde_yaml::Options {
    serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_aliases: 0,
            max_anchors: 0,
            max_depth: 16,
            max_nodes: 5_000,
            max_events: 20_000,
            max_total_scalar_bytes: 262_144,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
    }
}

fn column(file: &[u8], start: usize) -> usize {
    file[..start].iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count()
}

/// The smallest value that holds the byte `at`, and its path.
fn innermost(node: &Node, at: usize, path: String) -> (String, &Node) {
    let holds = |node: &Node| node.span.contains(&at);
    match &node.content {
        Content::Map(entries) => {
            let entry = entries.iter().find(|(key, value)| holds(key) || holds(value));
            entry.map_or((path.clone(), node), |(key, value)| {
                innermost(value, at, format!("{path}.{}", key.text().unwrap_or_default()))
            })
        }
        Content::List(items) => {
            let item = items.iter().enumerate().find(|(_, item)| holds(item));
            item.map_or((path.clone(), node), |(index, item)| innermost(item, at, format!("{path}[{index}]")))
        }
        Content::Scalar(..) => (path, node),
    }
}

/// Faults for unknown keys of a block, whose values would be silently ignored. `known` are the keys that are read.
pub(crate) fn unknown_keys(rule: &'static str, node: &Node, known: &[&str], field: &str) -> Vec<Fault> {
    let unknown = node.entries().iter().filter_map(|(key, _)| {
        let name = key.text().filter(|name| !known.contains(name))?;
        let meant = nearest(name, known.iter().copied()).filter(|meant| node.get(meant).is_none());
        let message = match meant {
            Some(meant) => format!("`{field}` has no key `{name}`. Did you mean `{meant}`?"),
            None => format!("`{field}` has no key `{name}`, so it is ignored. The keys are {}.", listed(known)),
        };
        let fault = Fault::new(rule, key.span.clone(), message).about(format!("{field}.{name}"));
        Some(match meant {
            Some(meant) => fault.fixed_by(format!("Rename to {meant}"), vec![Splice::new(key.span.clone(), meant)]),
            None => fault,
        })
    });
    unknown.collect()
}

/// Keys as a part of a sentence.
fn listed(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}
