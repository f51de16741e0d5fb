//! The rule about secrets in the text.
//!
//! It looks only for documented key formats: a fixed prefix and a length. Guessing at any long word would be wrong
//! more often than right.

use std::ops::Range;

use super::content::Content;
use crate::{example_key::is_example, problem::Fault};

/// The format of one issuer's keys.
struct Shape {
    starts: &'static str,
    /// The least number of characters that follow the prefix.
    follow: usize,
    /// Allowed characters besides letters and digits.
    also: &'static [u8],
    what: &'static str,
}

const fn shape(starts: &'static str, follow: usize, also: &'static [u8], what: &'static str) -> Shape {
    Shape { starts, follow, also, what }
}

const SHAPES: &[Shape] = &[
    shape("AKIA", 16, b"", "a key of AWS"),
    shape("ASIA", 16, b"", "a key of AWS"),
    shape("ghp_", 36, b"", "a token of GitHub"),
    shape("gho_", 36, b"", "a token of GitHub"),
    shape("ghs_", 36, b"", "a token of GitHub"),
    shape("github_pat_", 40, b"_", "a token of GitHub"),
    shape("glpat-", 20, b"_-", "a token of GitLab"),
    shape("sk-ant-", 40, b"_-", "a key of Anthropic"),
    shape("sk-proj-", 40, b"_-", "a key of OpenAI"),
    shape("sk-", 48, b"", "a key of OpenAI"),
    shape("AIza", 35, b"_-", "a key of Google"),
    shape("xoxb-", 24, b"-", "a token of Slack"),
    shape("xoxp-", 24, b"-", "a token of Slack"),
    shape("xapp-", 24, b"-", "a token of Slack"),
    shape("npm_", 36, b"", "a token of npm"),
    shape("pypi-AgEIcHlwaS5vcmc", 50, b"_-", "a token of PyPI"),
    shape("hf_", 34, b"", "a token of Hugging Face"),
    shape("sk_live_", 24, b"", "a key of Stripe"),
    shape("rk_live_", 24, b"", "a key of Stripe"),
    shape("SG.", 60, b"._-", "a key of SendGrid"),
    shape("dop_v1_", 64, b"", "a token of DigitalOcean"),
];

/// The longest key looked at: no issuer makes longer ones, and a hostile text may consist of prefixes.
const LONGEST: usize = 512;
/// How far before `PRIVATE KEY-----` its line may begin.
const LABEL: usize = 64;

pub(super) fn literal(content: &mut Content<'_>) -> Vec<Fault> {
    credentials(content.text())
        .into_iter()
        .map(|(span, what)| {
            let message = format!(
                "This looks like {what}. Everybody with the skill can read and use it. Revoke it, and let the skill \
                 ask each person for their own, as a parameter of `requires-mcp-servers` or in the environment."
            );
            Fault::new("credential", span, message)
        })
        .collect()
}

/// The literal keys in a text: where each is, and what it looks like: `a token of GitHub`.
pub fn credentials(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = keys(text);
    found.extend(private_keys(text));
    found.sort_by_key(|(span, _)| span.start);
    found
}

/// Whether a text holds a key of one of these formats.
pub(crate) fn holds_key(text: &str) -> bool {
    !keys(text).is_empty() || private_keys(text).next().is_some()
}

/// The keys in a text; each starts at the start of a word.
fn keys(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let (mut found, mut inside_a_word) = (Vec::new(), false);
    for (at, byte) in bytes.iter().enumerate() {
        let is_start = !inside_a_word;
        inside_a_word = byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        if is_start && inside_a_word {
            found.extend(
                SHAPES
                    .iter()
                    .filter(|shape| shape.starts.as_bytes()[0] == *byte)
                    .find_map(|shape| key(text, at, shape)),
            );
        }
    }
    found
}

fn key(text: &str, start: usize, shape: &Shape) -> Option<(Range<usize>, &'static str)> {
    let rest = text[start..].strip_prefix(shape.starts)?;
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || shape.also.contains(byte);
    let length = rest.bytes().take(LONGEST).take_while(fits).count();
    let is_key = length >= shape.follow && !is_example(&rest[..length]);
    is_key.then(|| (start..start + shape.starts.len() + length, shape.what))
}

/// Private key blocks that hold more than their label.
fn private_keys(text: &str) -> impl Iterator<Item = (Range<usize>, &'static str)> + '_ {
    const BEGIN: &[u8] = b"-----BEGIN ";
    text.match_indices("PRIVATE KEY-----").filter_map(|(at, mark)| {
        let before = &text.as_bytes()[at.saturating_sub(LABEL)..at];
        let start = at - before.len() + before.windows(BEGIN.len()).rposition(|bytes| bytes == BEGIN)?;
        let key = text[at + mark.len()..].trim_start().split(char::is_whitespace).next()?;
        let is_key =
            key.len() >= 40 && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='));
        (is_key && !text[start..at].contains('\n')).then(|| (start..at + mark.len(), "a private key"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key in its issuer's format. It is assembled here, so that this file contains no whole key.
    fn made(shape: &Shape) -> String {
        let letters = b"q7Rk2ZpX9sLm4VtB8nWc3JhY6dGf5TaUe1oKi0QzPvMxNbCrSwEyDgHjFlA7";
        let follow = letters.iter().cycle().take(shape.follow).map(|&byte| char::from(byte));
        shape.starts.chars().chain(follow).collect()
    }

    #[test]
    fn every_shape_of_key_is_found_as_a_whole() {
        for shape in SHAPES {
            let key = made(shape);
            let text = format!("Set TOKEN={key} and go.");
            assert_eq!(keys(&text), [(10..10 + key.len(), shape.what)]);
        }
    }

    #[test]
    fn examples_and_parts_of_words_are_no_keys() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "sk-learn-is-a-library-for-machine-learning-in-python-3",
            "ghp_short",
            "XAKIAQ7RK2ZPX9SLM4VTB",
        ] {
            assert_eq!(keys(text), [], "{text}");
        }
    }

    #[test]
    fn a_text_of_nothing_but_starts_takes_no_longer_than_others() {
        // This once took minutes; the test passes by finishing.
        for text in ["xoxb-", "glpat-", "sk-ant-", "SG.", "é PRIVATE KEY-----"] {
            let text = text.repeat((1 << 18) / text.len());
            keys(&text);
            assert_eq!(private_keys(&text).count(), 0);
        }
    }

    #[test]
    fn a_private_key_is_more_than_its_first_line() {
        let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n", "MIIEpAIBAAKCAQEA7x".repeat(4));
        assert_eq!(private_keys(&key).count(), 1);
        assert_eq!(private_keys("-----BEGIN PRIVATE KEY-----\n...\n").count(), 0);
        assert_eq!(private_keys("PRIVATE KEY-----").count(), 0);
    }
}
