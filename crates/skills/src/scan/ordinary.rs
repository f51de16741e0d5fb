//! Harmless matches that a pattern alone cannot exclude: addresses of this computer and its network; a key in a
//! request's header; a key sent to the service that issued it; and data that is read by a program given on the
//! command line.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::parts::Part;

/// How much of the text around a key is searched for its address, in bytes.
const NEAR: usize = 400;

const LOCAL: &[&str] = &["127.", "0.0.0.0", "10.", "192.168.", "169.254.", "172.16."];

/// Where packages usually come from.
const PACKAGES: &[&str] = &[
    "://github.com/",
    "://pypi.org/",
    "://registry.npmjs.org",
    "://download.pytorch.org",
    "://localhost",
    "://127.0.0.1",
];

/// Words before a key that show its normal use in a request.
const HEADS: &[&str] = &["bearer", "authorization", "-h ", "-u ", "api-key", "token:"];

/// An interpreter at the end of a pipe with its own program, so that its input is data.
static OWN_PROGRAM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\|\s*(?:python[\d.]*|perl|ruby|node|php)\b[^|\n]{0,60}?\s-(?:\w{0,8}[cemnpr]\b|m\s)")
        .expect("the pattern is fixed")
});

/// A program that runs its input.
static RUNS_INPUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:exec|eval|compile|system|popen|spawn|run|instance_eval)\b\s*\(?").expect("the pattern is fixed")
});

/// A variable that holds a key.
static KEY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"([a-z][a-z\d]{2,})(?:_[a-z\d]+)*_(?:api_)?(?:secret_key|token|key|secret)")
        .expect("the pattern is fixed")
});

/// Whether a match of a part is harmless. The text is in lower case.
pub(super) fn is_ordinary(part: Part, text: &str, place: &Range<usize>) -> bool {
    let text = text.as_bytes();
    let said = |range: Range<usize>| {
        String::from_utf8_lossy(&text[range.start.min(text.len())..range.end.min(text.len())]).into_owned()
    };
    let found = said(place.clone());
    match part {
        Part::RawAddress => LOCAL.iter().any(|local| found.split(['/', '\'', '"']).any(|host| host.starts_with(local))),
        Part::Environment => {
            let before = said(place.start.saturating_sub(40)..place.start);
            let around = said(place.start.saturating_sub(NEAR)..place.end + NEAR);
            HEADS.iter().any(|word| before.contains(word)) || goes_home(&found, &around)
        }
        Part::PackageAddress => PACKAGES.iter().any(|host| found.contains(host)),
        Part::PipedDownload => {
            let line = said(place.start..place.end + NEAR);
            let line = line.split('\n').next().unwrap_or_default();
            let own = OWN_PROGRAM.find(line);
            own.is_some_and(|own| !RUNS_INPUT.is_match(&line[own.end()..]))
        }
        Part::MailAddress => found.contains("@example."),
        _ => false,
    }
}

/// Whether every address near a key belongs to the service in the key's name: `openai_api_key` and `api.openai.com`,
/// but not `openai.elsewhere.com`.
fn goes_home(key: &str, around: &str) -> bool {
    let Some(service) = KEY.captures(key).and_then(|found| found.get(1)) else { return false };
    let mut hosts = around
        .split("://")
        .skip(1)
        .filter_map(|rest| rest.split(['/', ':', '"', '\'', '`', ' ', '\n', '?']).next())
        .peekable();
    hosts.peek().is_some() && hosts.all(|host| host.rsplit('.').nth(1) == Some(service.as_str()))
}
