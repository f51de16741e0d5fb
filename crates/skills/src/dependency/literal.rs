//! Keys, tokens and passwords that are written into a declaration. `check/credentials` finds known key formats in the
//! whole file; this module recognises a secret by its place.

use super::{forms::Block, parameter::is_secret, template::holds_password};
use crate::{
    example_key::is_example,
    problem::Fault,
    yaml::{Content, Node},
};

/// Words in the place of a secret that are not secrets.
const DULL: &[&str] = &["", "password", "pass", "secret", "token", "changeme", "none", "null", "true", "false"];

/// Faults for values that are written out in a declaration and should be asked for.
pub(super) fn about(parts: &[Block<'_>]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for part in parts {
        named(part, "env", &mut faults);
        named(part, "headers", &mut faults);
        arguments(part, &mut faults);
        for key in ["command", "url", "cwd"] {
            faults.extend(part.node.get(key).and_then(|node| anywhere(node, &format!("{}.{key}", part.field))));
        }
        for (name, parameter) in part.node.get("parameters").map(Node::entries).unwrap_or_default() {
            let name = name.text().unwrap_or_default();
            for key in ["default", "example"] {
                let field = format!("{}.parameters.{name}.{key}", part.field);
                faults.extend(parameter.get(key).and_then(|node| anywhere(node, &field)));
            }
        }
    }
    faults
}

/// Checks the values of variables or headers.
fn named(part: &Block<'_>, key: &str, faults: &mut Vec<Fault>) {
    for (name, node) in part.node.get(key).map(Node::entries).unwrap_or_default() {
        let name = name.text().unwrap_or_default();
        let field = format!("{}.{key}.{name}", part.field);
        match is_secret(name) && node.text().is_some_and(is_written_out) {
            true => faults.push(fault(node, &field)),
            false => faults.extend(anywhere(node, &field)),
        }
    }
}

/// Checks arguments: `--token=abc` and `--token abc`.
fn arguments(part: &Block<'_>, faults: &mut Vec<Fault>) {
    let mut option = None;
    for (index, node) in part.node.get("args").map(Node::items).unwrap_or_default().iter().enumerate() {
        let text = node.text().unwrap_or_default();
        let field = format!("{}.args[{index}]", part.field);
        let (name, value) = match text.strip_prefix('-').map(|rest| rest.trim_start_matches('-')) {
            Some(rest) => rest.split_once('=').map_or((Some(rest), None), |(name, value)| (Some(name), Some(value))),
            None => (None, None),
        };
        let given = value.or(option.filter(|_| name.is_none()).map(|()| text));
        let is_named = name.map_or(option.is_some(), is_secret);
        match is_named && given.is_some_and(is_written_out) {
            true => faults.push(fault(node, &field)),
            false => faults.extend(anywhere(node, &field)),
        }
        option = name.filter(|name| value.is_none() && is_secret(name)).map(|_| ());
    }
}

/// Text that is a secret in any place: `user:password@`, and what follows `Bearer`.
fn anywhere(node: &Node, field: &str) -> Option<Fault> {
    let Content::Scalar(text, _) = &node.content else { return None };
    let bearer = ["bearer ", "basic "].iter().find_map(|scheme| {
        let at = text.to_ascii_lowercase().find(scheme)?;
        let starts = text[..at].ends_with([' ', ':', '=', '"', '\'']) || at == 0;
        let word = text.get(at + scheme.len()..)?.split([' ', '"', '\'', ',']).next().unwrap_or_default();
        // `basic auth` in a sentence is not a secret: a token is at the end.
        let ends =
            text.get(at + scheme.len() + word.len()..).is_none_or(|rest| rest.trim_matches(['"', '\'']).is_empty());
        Some(starts && ends && is_written_out(word))
    });
    let password = holds_password(text) && !says_password(text);
    (bearer == Some(true) || password).then(|| fault(node, field))
}

/// Whether the password in a text is just a word for password, as in an example.
fn says_password(text: &str) -> bool {
    let word = text.rsplit_once('@').and_then(|(before, _)| before.rsplit_once(':')).map(|(_, word)| word);
    word.is_some_and(|word| !is_written_out(word))
}

/// Whether a text is a literal value, not a placeholder or a word that describes the value.
fn is_written_out(text: &str) -> bool {
    let text = text.trim();
    let stands_for = text.starts_with(['$', '<', '%', '{', '*']) || text.contains("${");
    !stands_for && !DULL.contains(&&*text.to_ascii_lowercase()) && !is_example(text)
}

fn fault(node: &Node, field: &str) -> Fault {
    let message = format!(
        "`{field}` holds a secret that is written out, and everybody who has the skill can read it. Withdraw it where it \
         was made, and ask for it: `${{NAME}}` with a parameter that is `sensitive: true`."
    );
    Fault::new("server-credential", node.span.clone(), message).about(field)
}
