//! Which values of an entry look like secrets, by their name or by their form.
//!
//! A false positive only costs a look, so this guesses more freely than the rule about keys in skills.

use std::ops::Range;

use super::{PlainSecret, SecretKind};

/// Replaces a value that is not shown.
const HIDDEN: &str = "…";
/// Words in the names of secrets.
const SECRET_WORDS: &[&str] =
    &["key", "token", "secret", "password", "passwd", "pwd", "pat", "auth", "authorization", "credential", "cookie"];
/// The minimum length of a secret.
const SHORTEST: usize = 8;
/// The length from which a run of letters and digits is not a word.
const RANDOM: usize = 16;

/// Prefixes that identify the keys of widely used services.
const SHAPES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "npm_",
    "pypi-",
    "hf_",
    "ntn_",
    "lin_api_",
    "sk_live_",
    "rk_live_",
];

/// A value that looks like a secret, and the facts about it that may be shown. Only those leave this crate.
pub(super) struct Seen {
    pub(super) secret: PlainSecret,
    pub(super) value: String,
}

impl Seen {
    pub(super) fn new(kind: SecretKind, name: &str, value: &str) -> Self {
        Self { secret: PlainSecret { kind, name: name.to_owned() }, value: value.to_owned() }
    }
}

/// Whether the value of a variable, a header or an option is a secret in plain text.
pub(crate) fn is_secret(name: &str, value: &str) -> bool {
    let shape = || SHAPES.iter().any(|shape| value.starts_with(shape)) && value.len() >= SHORTEST + 4;
    let named = || value.len() >= SHORTEST && is_named_so(name) && !is_setting(value);
    !is_reference(value) && (named() || shape() || is_random(value))
}

/// The values of a settings file that are secrets by their names or their form, wherever they stand: what follows a name
/// and `:` or `=` in quotes on the same line.
pub fn named_secrets(bytes: &[u8]) -> Vec<Range<usize>> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let mut begin = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        found.extend(of_line(line).into_iter().map(|range| begin + range.start..begin + range.end));
        begin += line.len();
    }
    found
}

fn of_line(line: &str) -> Vec<Range<usize>> {
    let (mut found, mut name, mut at) = (Vec::new(), "", 0);
    while let Some(open) = line[at..].find(['"', '\'']).map(|open| at + open) {
        let Some(close) = ending(&line[open + 1..], &line[open..=open]).map(|length| open + 1 + length) else { break };
        let (between, value) = (line[at..open].trim(), &line[open + 1..close]);
        let named = match between.trim_end_matches([':', '=']).rsplit([' ', '.', '{', ',']).next() {
            // In TOML a name may stand without quotes.
            Some(bare) if between.ends_with('=') && !bare.is_empty() => Some(bare),
            _ => between.ends_with([':', '=']).then_some(name),
        };
        // The switch of a skill that is called like a secret.
        let is_switch = ["name-only", "user-invocable-only"].contains(&value);
        if named.is_some_and(|name| !is_switch && is_secret(name.trim(), value)) {
            found.push(open + 1..close);
        }
        (name, at) = (value, close + 1);
    }
    found
}

/// Where a quoted text ends.
fn ending(text: &str, quote: &str) -> Option<usize> {
    let mut escaped = false;
    let ends = |(at, letter): (usize, char)| {
        let ends = !escaped && quote.starts_with(letter);
        escaped = !escaped && letter == '\\' && quote == "\"";
        ends.then_some(at)
    };
    text.char_indices().find_map(ends)
}

/// Whether a value's form shows that it is not a secret: a path, or an address without a password in it.
fn is_setting(value: &str) -> bool {
    let address =
        value.split_once("://").is_some_and(|(_, rest)| !rest.split('/').next().is_some_and(|host| host.contains('@')));
    let path =
        value.starts_with('/') || value.starts_with("./") || value.starts_with("~/") || value.get(1..3) == Some(":\\");
    address || path
}

/// The arguments in the form that may be shown.
pub(super) fn args<'a>(args: impl Iterator<Item = &'a str>, seen: &mut Vec<Seen>) -> Vec<String> {
    let mut option = "";
    let mut found =
        |name: &str, value: &str| seen.push(Seen::new(SecretKind::Argument, name.trim_start_matches('-'), value));
    args.map(|arg| {
        let before = std::mem::take(&mut option);
        if let Some((name, value)) = arg.split_once('=') {
            if is_secret(name, value) {
                found(name, value);
                return format!("{name}={HIDDEN}");
            }
        } else if arg.starts_with('-') {
            option = arg;
        } else if is_secret(before, arg) {
            found(before, arg);
            return HIDDEN.to_owned();
        }
        arg.to_owned()
    })
    .collect()
}

/// The address in the form that may be shown.
pub(super) fn address(url: &str, seen: &mut Vec<Seen>) -> String {
    let mut found = |name: &str, value: &str| seen.push(Seen::new(SecretKind::Address, name, value));
    let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
    let (scheme, rest) = path.split_once("://").map_or(("", path), |(scheme, rest)| (scheme, rest));
    let mut parts: Vec<_> = rest.split('/').map(str::to_owned).collect();
    if let Some((user, host)) = parts[0].rsplit_once('@') {
        let name = user.split(':').next().unwrap_or_default();
        if !is_reference(user) {
            found(name, user);
        }
        parts[0] = format!("{HIDDEN}@{host}");
    }
    for part in parts.iter_mut().skip(1).filter(|part| !is_reference(part) && is_random(part)) {
        found("", part);
        HIDDEN.clone_into(part);
    }
    let mut shown = if scheme.is_empty() { parts.join("/") } else { format!("{scheme}://{}", parts.join("/")) };
    if let Some(query) = query {
        let values = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, value)) if is_secret(name, value) => {
                found(name, value);
                format!("{name}={HIDDEN}")
            }
            _ => pair.to_owned(),
        });
        shown = format!("{shown}?{}", values.collect::<Vec<_>>().join("&"));
    }
    shown
}

/// Whether a name contains one of the words for secrets: `GITHUB_TOKEN`, `--api-key`, `apiKey`, `X-Api-Key`.
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

/// Whether the value comes from elsewhere or is a placeholder: `${VAR}`, `$VAR`, `$(pass show x)`, `{env:VAR}`,
/// `env:VAR`, `%VAR%`, `op://vault/item`, `<your key>`, `YOUR_API_KEY`, `xxxxxxxx`.
pub(crate) fn is_reference(value: &str) -> bool {
    let value = value.trim_start_matches("Bearer ").trim();
    let small = value.to_ascii_lowercase();
    let placeholder = ["your_", "your-", "your ", "changeme", "replace_", "replace-", "insert_", "insert-", "example"];
    let alike = value.chars().all(|c| matches!(c, 'x' | 'X' | '*' | '.' | '-' | '_' | '…' | '•'));
    alike
        || placeholder.iter().any(|start| small.starts_with(start))
        || ["op://", "env:", "keychain:", "file:", "input:"].iter().any(|start| small.starts_with(start))
        || value.contains("${")
        || value.starts_with('$')
        || value.contains("{env:")
        || value.contains("{file:")
        || value.starts_with('%') && value.ends_with('%')
        || value.starts_with('<') && value.ends_with('>')
}

/// Whether a part of the value is a long random run of letters and digits. The digest of a program's image is one, but
/// not a secret.
fn is_random(value: &str) -> bool {
    let mixed = |run: &str| {
        run.len() >= RANDOM
            && run.bytes().any(|byte| byte.is_ascii_digit())
            && run.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    !value.contains("sha256:") && value.split(|c: char| !c.is_ascii_alphanumeric()).any(mixed)
}

#[cfg(test)]
mod tests {
    use super::named_secrets;

    #[test]
    fn the_values_of_settings_that_are_called_like_secrets_are_found_and_no_others() {
        for (text, secrets) in [
            (
                "{\n  \"env\": { \"ANTHROPIC_AUTH_TOKEN\": \"abcdefgh12345678\", \"LANG\": \"C.UTF-8\" }\n}",
                &["abcdefgh12345678"][..],
            ),
            ("# it's mine\napi_key = 'abcdefgh12345678' # don't\nmodel = \"o4\"\n", &["abcdefgh12345678"]),
            ("a.token=\"abc\\\"defgh123456\"\n", &["abc\\\"defgh123456"]),
            ("\"skillOverrides\": { \"secret-keys\": \"off\", \"token\": \"name-only\" }", &[]),
            ("\"x\": \"sk-ant-api03-abcdefghijklmnop\"", &["sk-ant-api03-abcdefghijklmnop"]),
            ("\"KEY\": \"${KEY_OF_MINE}\", \"open\": \"", &[]),
        ] {
            let found: Vec<_> = named_secrets(text.as_bytes()).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, secrets, "{text}");
        }
    }
}
