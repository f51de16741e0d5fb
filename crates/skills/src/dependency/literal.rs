//! Keys, tokens and passwords that are written into a declaration. `check/credentials` finds known key formats in the
//! whole file; this module recognises a secret by its place.

use super::{Way, forms::Block, parameter::is_secret, template::holds_password};
use crate::{
    check::holds_key,
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

/// The places of a way that hold what looks like a secret that is written out: `args[1]`, `url`. It is stricter than the
/// faults of a declaration, because it is asked before a file is written for others.
pub fn written_out(way: &Way) -> Vec<String> {
    let (mut places, none) = (Vec::new(), [].as_slice());
    let mut look = |place: String, text: &str, is_named: bool| {
        if is_named && is_written_out(text) || looks_secret(text) {
            places.push(place);
        }
    };
    let (command, url, args, values, (kind, others)) = match way {
        Way::Http { url, headers } => (None, Some(url), none, ("headers", headers), ("", none)),
        Way::Stdio { command, args, env, cwd } => {
            (Some(command), None, args.as_slice(), ("env", env), ("cwd", cwd.as_slice()))
        }
        Way::Docker { args, env, mounts, .. } => {
            (None, None, args.as_slice(), ("env", env), ("mounts", mounts.as_slice()))
        }
    };
    command.into_iter().for_each(|command| look("command".to_owned(), command, false));
    others.iter().for_each(|text| look(kind.to_owned(), text, false));
    let mut option = false;
    for (index, text) in args.iter().enumerate() {
        let (name, value) = match text.strip_prefix('-').map(|rest| rest.trim_start_matches('-')) {
            Some(rest) => rest.split_once('=').map_or((Some(rest), None), |(name, value)| (Some(name), Some(value))),
            None => text.split_once('=').map_or((None, Some(text.as_str())), |(name, value)| (Some(name), Some(value))),
        };
        let is_named = name.map_or(option, is_secret);
        look(format!("args[{index}]"), value.unwrap_or_default(), is_named);
        look(format!("args[{index}]"), text, false);
        url_parts(text).into_iter().for_each(|(part, named)| look(format!("args[{index}]"), part, named));
        option = value.is_none() && name.is_some_and(is_secret);
    }
    let (kind, values) = values;
    for (name, text) in values {
        look(format!("{kind}.{name}"), text, is_secret(name));
        url_parts(text).into_iter().for_each(|(part, named)| look(format!("{kind}.{name}"), part, named));
    }
    if let Some(url) = url {
        look("url".to_owned(), url, false);
        url_parts(url).into_iter().for_each(|(part, named)| look("url".to_owned(), part, named));
    }
    places.dedup();
    places
}

/// Whether a text holds a key of a known format, a password, or what follows `Bearer`.
pub fn looks_secret(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let bearer = ["bearer ", "basic "].iter().any(|scheme| {
        let word = lower.split_once(scheme).map(|(_, rest)| rest.split_whitespace().next().unwrap_or_default());
        word.is_some_and(|word| word.len() >= 8 && is_written_out(word))
    });
    bearer || holds_key(text) || holds_password(text)
}

/// The parts of an address in which services put secrets: the values of its query, each with whether it is called like
/// one, and what no person would write as a name in its path.
fn url_parts(text: &str) -> Vec<(&str, bool)> {
    let Some((_, rest)) = text.split_once("://") else { return Vec::new() };
    let (place, query) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
    let pairs = query.split(['&', '#', ';']).filter_map(|pair| pair.split_once('='));
    let queried =
        pairs.map(|(name, value)| (value, is_secret(name) || name.eq_ignore_ascii_case("key") || is_random(value)));
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let user = host.rsplit_once('@').map(|(user, _)| (user, true));
    user.into_iter()
        .chain(queried)
        .chain(path.split('/').filter(|part| is_random(part)).map(|part| (part, true)))
        .collect()
}

/// Whether a word is long and mixed as only a program makes it.
fn is_random(word: &str) -> bool {
    let count = |is: fn(&char) -> bool| word.chars().filter(is).count();
    let digits = count(char::is_ascii_digit);
    let letters = count(char::is_ascii_alphabetic);
    word.len() >= 20 && !word.contains("${") && digits >= 4 && letters >= 4 && !word.contains(['.', '@'])
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

#[cfg(test)]
mod tests {
    use super::*;

    fn program(args: &[&str], env: &[(&str, &str)]) -> Way {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Way::Stdio { command: "npx".to_owned(), args, env: env.iter().map(owned).collect(), cwd: None }
    }

    fn address(url: &str) -> Way {
        Way::Http { url: url.to_owned(), headers: Default::default() }
    }

    #[test]
    fn what_looks_like_a_secret_is_named_by_its_place() {
        let github = format!("ghp_{}", "q7Rk2ZpX9sLm4VtB8nWc3JhY6dGf5TaUe1oKi0Qz");
        for (way, place) in [
            (program(&["-y", "--token=hunter2"], &[]), "args[1]"),
            (program(&["--api-key", "hunter2"], &[]), "args[1]"),
            (program(&["TOKEN=hunter2"], &[]), "args[0]"),
            (program(&["--header", "Authorization: Bearer hunter2hunter2"], &[]), "args[1]"),
            (program(&["postgres://u:pw@h/x"], &[]), "args[0]"),
            (program(&[&github], &[]), "args[0]"),
            (program(&["https://h.example/mcp?token=hunter2"], &[]), "args[0]"),
            (program(&[], &[("API_TOKEN", "hunter2")]), "env.API_TOKEN"),
            (program(&[], &[("ENDPOINT", "https://h.example/?api_key=hunter2")]), "env.ENDPOINT"),
            (address("https://h.example/mcp?key=hunter2"), "url"),
            (address("https://hunter2@h.example/mcp"), "url"),
            (address("https://h.example/s/q7Rk2ZpX9sLm4VtB8nWc3J/mcp"), "url"),
        ] {
            assert_eq!(written_out(&way), [place], "{way:?}");
        }
    }

    #[test]
    fn what_stands_for_a_value_or_names_something_is_no_secret() {
        for way in [
            program(&["-y", "@modelcontextprotocol/server-postgres@0.6.2", "${DATABASE_URL}"], &[]),
            program(&["--token", "${TOKEN}", "--port=8080", "--verbose"], &[("API_TOKEN", "${API_TOKEN}")]),
            program(&["--token-file", "/srv/tea"], &[("REGION", "north")]),
            address("https://h.example:8443/mcp/v1?region=north&token=${TOKEN}"),
            address("https://h.example/teams/the-team-of-the-cellar/mcp"),
        ] {
            assert_eq!(written_out(&way), [] as [&str; 0], "{way:?}");
        }
    }
}
