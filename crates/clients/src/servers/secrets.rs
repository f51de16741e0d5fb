//! Which values of an entry look like secrets: by what they are called, or by how they look.
//!
//! A guess too many costs a look; so this guesses more freely than the rule about keys in skills.

use super::{PlainSecret, SecretKind};

/// What stands for a value that is not shown.
const HIDDEN: &str = "…";
/// Words in names of secrets.
const SECRET_WORDS: &[&str] =
    &["key", "token", "secret", "password", "passwd", "pwd", "pat", "auth", "authorization", "credential", "cookie"];
/// A shorter value is no secret worth the name.
const SHORTEST: usize = 8;
/// A run of letters and digits of this length is no word.
const RANDOM: usize = 16;

/// Whether the value of a variable, a header or an option is a secret in plain text.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    !is_reference(value) && (value.len() >= SHORTEST && is_named_so(name) || is_random(value))
}

/// The arguments as they may be shown.
pub(super) fn args<'a>(args: impl Iterator<Item = &'a str>, secrets: &mut Vec<PlainSecret>) -> Vec<String> {
    let mut option = "";
    let mut found = |name: &str| {
        let name = name.trim_start_matches('-').to_owned();
        secrets.push(PlainSecret { kind: SecretKind::Argument, name });
    };
    args.map(|arg| {
        let before = std::mem::take(&mut option);
        if let Some((name, value)) = arg.split_once('=') {
            if is_secret(name, value) {
                found(name);
                return format!("{name}={HIDDEN}");
            }
        } else if arg.starts_with('-') {
            option = arg;
        } else if is_secret(before, arg) {
            found(before);
            return HIDDEN.to_owned();
        }
        arg.to_owned()
    })
    .collect()
}

/// The address as it may be shown.
pub(super) fn address(url: &str, secrets: &mut Vec<PlainSecret>) -> String {
    let mut found = |name: &str| secrets.push(PlainSecret { kind: SecretKind::Address, name: name.to_owned() });
    let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
    let (scheme, rest) = path.split_once("://").map_or(("", path), |(scheme, rest)| (scheme, rest));
    let mut parts: Vec<_> = rest.split('/').map(str::to_owned).collect();
    if let Some((user, host)) = parts[0].rsplit_once('@') {
        let name = user.split(':').next().unwrap_or_default();
        if !is_reference(user) {
            found(name);
        }
        parts[0] = format!("{HIDDEN}@{host}");
    }
    for part in parts.iter_mut().skip(1).filter(|part| !is_reference(part) && is_random(part)) {
        found("");
        HIDDEN.clone_into(part);
    }
    let mut shown = if scheme.is_empty() { parts.join("/") } else { format!("{scheme}://{}", parts.join("/")) };
    if let Some(query) = query {
        let values = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, value)) if is_secret(name, value) => {
                found(name);
                format!("{name}={HIDDEN}")
            }
            _ => pair.to_owned(),
        });
        shown = format!("{shown}?{}", values.collect::<Vec<_>>().join("&"));
    }
    shown
}

/// Whether one of the words of a name is one for secrets: `GITHUB_TOKEN`, `--api-key`, `apiKey`, `X-Api-Key`.
fn is_named_so(name: &str) -> bool {
    let mut words = String::with_capacity(name.len() + 4);
    let mut small_before = false;
    for c in name.chars() {
        if small_before && c.is_ascii_uppercase() {
            words.push(' ');
        }
        small_before = c.is_ascii_lowercase();
        words.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    }
    words
        .split_whitespace()
        .any(|word| SECRET_WORDS.iter().any(|secret| *secret == word || word == format!("{secret}s")))
        || words.contains("apikey")
}

/// Whether the client fills in the value from elsewhere: `${VAR}`, `$VAR`, `{env:VAR}`, `%VAR%`, `<your key>`.
fn is_reference(value: &str) -> bool {
    let value = value.trim_start_matches("Bearer ").trim();
    value.is_empty()
        || value.contains("${")
        || value.starts_with('$')
        || value.contains("{env:")
        || value.contains("{file:")
        || value.starts_with('%') && value.ends_with('%')
        || value.starts_with('<') && value.ends_with('>')
}

/// Whether a part of it is a long run of letters and digits in no order. A digest of a program's image is one, and
/// no secret.
fn is_random(value: &str) -> bool {
    let mixed = |run: &str| {
        run.len() >= RANDOM
            && run.bytes().any(|byte| byte.is_ascii_digit())
            && run.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    !value.contains("sha256:") && value.split(|c: char| !c.is_ascii_alphanumeric()).any(mixed)
}
