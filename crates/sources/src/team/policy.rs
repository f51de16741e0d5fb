//! What a team refuses. A policy has no word that permits: what it does not refuse is judged as everywhere.

use std::{collections::BTreeSet, fmt};

use url::{Host, Url};

use super::{Form, TeamServer};
use crate::{Repository, Source};

/// What a team refuses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// The only sources that skills may come from; `None` for any.
    pub sources: Option<BTreeSet<Pattern>>,
    /// Whether servers are refused whose package has no fixed version.
    pub no_unpinned_servers: bool,
    /// Whether servers are refused that run elsewhere.
    pub no_remote_servers: bool,
}

/// Repositories, by their host and path: `acme/*` on GitHub, `git.example.net/tea/**` elsewhere. `*` stands for anything
/// but a `/`, `**` for anything.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    written: String,
    host: String,
    path: String,
}

/// What a team's policy refuses, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// A source that is none of those allowed.
    #[error("The team's policy refuses the source {of} of {skill}: it allows {allowed}.")]
    Source {
        /// The source.
        of: String,
        /// The skill.
        skill: String,
        /// The patterns.
        allowed: String,
    },
    /// A server whose package is of no fixed version.
    #[error("The team's policy refuses the server {server}: it fetches {package} without a fixed version.")]
    Unpinned {
        /// The server.
        server: String,
        /// The package.
        package: String,
    },
    /// A server that runs elsewhere.
    #[error("The team's policy refuses the server {server}: it runs elsewhere, at {address}.")]
    Remote {
        /// The server.
        server: String,
        /// Its address.
        address: String,
    },
}

impl Policy {
    /// Refuses a source that is none of those allowed.
    ///
    /// # Errors
    /// When it is none of them.
    pub fn judge_source(&self, source: &str, skill: &str) -> Result<(), PolicyError> {
        let Some(allowed) = &self.sources else { return Ok(()) };
        let repository = Source::read(source).ok().and_then(|source| source.repository());
        if repository.is_some_and(|repository| allowed.iter().any(|pattern| pattern.holds(&repository))) {
            return Ok(());
        }
        let allowed: Vec<_> = allowed.iter().map(ToString::to_string).collect();
        let allowed = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
        Err(PolicyError::Source { of: source.to_owned(), skill: skill.to_owned(), allowed })
    }
}

impl Policy {
    /// Refuses a server that runs elsewhere, or fetches this package without a fixed version.
    ///
    /// # Errors
    /// When the team does not want that.
    pub fn judge_server(&self, server: &TeamServer, unpinned: Option<String>) -> Result<(), PolicyError> {
        let name = server.name.clone();
        match (&server.form, unpinned) {
            (Form::Address { url, .. }, _) if self.no_remote_servers && !is_here(url) => {
                Err(PolicyError::Remote { server: name, address: url.clone() })
            }
            (_, Some(package)) if self.no_unpinned_servers => Err(PolicyError::Unpinned { server: name, package }),
            _ => Ok(()),
        }
    }
}

/// Whether an address is of this computer. One whose host a person gives is not.
fn is_here(url: &str) -> bool {
    match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

impl Pattern {
    /// Reads a pattern; `None` for what is none. A host is never a pattern: who has a name below one is not known.
    pub fn read(written: &str) -> Option<Self> {
        let (first, rest) = written.split_once('/')?;
        let is_host = first.contains(['.', ':']) || first == "localhost";
        let (host, path) =
            if is_host { (first.to_ascii_lowercase(), rest) } else { ("github.com".to_owned(), written) };
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.~*/+%@".contains(c);
        let parts_fit = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if written.len() > 200 || host.contains('*') || !path.chars().all(fits) || !parts_fit {
            return None;
        }
        // There, names are the same in upper and lower case.
        let path = if host == "github.com" { path.to_ascii_lowercase() } else { path.to_owned() };
        Some(Self { written: written.to_owned(), host, path })
    }

    fn holds(&self, repository: &Repository) -> bool {
        self.host == repository.host && fits(self.path.as_bytes(), repository.path.as_bytes())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Whether a text is of a pattern. Takes time of the product of their lengths, whatever they hold.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    // Which beginnings of the text the pattern so far is; `at[0]` is the empty one.
    let mut at = vec![false; text.len() + 1];
    at[0] = true;
    let mut rest = pattern;
    while let Some((&first, after)) = rest.split_first() {
        let crosses = first == b'*' && after.first() == Some(&b'*');
        rest = if crosses { &after[1..] } else { after };
        let mut next = vec![false; at.len()];
        for end in 0..at.len() {
            let before = end.checked_sub(1);
            next[end] = match first {
                b'*' => at[end] || before.is_some_and(|before| next[before] && (crosses || text[before] != b'/')),
                byte => before.is_some_and(|before| at[before] && text[before] == byte),
            };
        }
        at = next;
    }
    at[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_holds_what_is_below_it_and_nothing_beside_it() {
        for (pattern, source, holds) in [
            ("acme/*", "acme/skills", true),
            ("acme/*", "ACME/Skills", true),
            ("acme/*", "https://github.com/acme/skills.git", true),
            ("acme/*", "git@github.com:acme/skills.git", true),
            ("acme/*", "acme-evil/skills", false),
            ("acme/*", "https://gitlab.com/acme/skills", false),
            ("acme/*", "https://github.com.evil.example/acme/skills", false),
            ("acme/*", "https://acme@evil.example/acme/skills.git", false),
            ("acme/skills", "acme/skills-2", false),
            ("acme/s*s", "acme/skills", true),
            ("gitlab.com/acme/*", "https://gitlab.com/acme/below/skills", false),
            ("gitlab.com/acme/**", "https://gitlab.com/acme/below/skills", true),
            ("gitlab.com/acme/**", "https://gitlab.com/acmeskills/x", false),
            ("git.example.net:8443/**", "https://git.example.net:8443/a/b.git", true),
            ("git.example.net/**", "https://git.example.net:8443/a/b.git", false),
        ] {
            let sources = Some([Pattern::read(pattern).unwrap()].into());
            let policy = Policy { sources, ..Policy::default() };
            assert_eq!(policy.judge_source(source, "tea").is_ok(), holds, "{pattern} and {source}");
        }
    }

    #[test]
    fn no_pattern_is_a_host_alone_or_leads_elsewhere() {
        for text in
            ["", "acme", "*", "*/skills/..", "*.example.net/x", "git.example.net/", "acme//x", "a b/c", "acme/\n"]
        {
            assert_eq!(Pattern::read(text), None, "{text:?}");
        }
        let policy = Policy { sources: Some(BTreeSet::new()), ..Policy::default() };
        let error = policy.judge_source("acme/skills", "tea").unwrap_err();
        assert_eq!(error.to_string(), "The team's policy refuses the source acme/skills of tea: it allows none.");
        assert_eq!(Policy::default().judge_source("acme/skills", "tea"), Ok(()));
    }

    #[test]
    fn a_server_elsewhere_or_of_no_version_is_refused_in_a_sentence() {
        let policy = Policy { no_remote_servers: true, no_unpinned_servers: true, sources: None };
        let at = |url: &str| TeamServer {
            name: "shop".to_owned(),
            skills: ["tea".to_owned()].into(),
            form: Form::Address { url: url.to_owned(), headers: Default::default() },
            version: None,
            secrets: Default::default(),
        };
        for url in ["http://localhost:3001/mcp", "http://127.0.0.1/mcp", "http://[::1]:80/mcp"] {
            assert_eq!(policy.judge_server(&at(url), None), Ok(()), "{url}");
        }
        for url in ["https://localhost.evil.example/", "https://127.0.0.1.evil.example/", "https://${HOST}/mcp", "x"] {
            let error = policy.judge_server(&at(url), None).unwrap_err().to_string();
            assert_eq!(error, format!("The team's policy refuses the server shop: it runs elsewhere, at {url}."));
            assert_eq!(Policy::default().judge_server(&at(url), None), Ok(()));
        }
        let error = policy.judge_server(&at("http://localhost/"), Some("@acme/stock".to_owned())).unwrap_err();
        assert!(error.to_string().contains("it fetches @acme/stock without a fixed version"), "{error}");
    }

    #[test]
    fn a_pattern_of_stars_takes_no_time() {
        let pattern = format!("a/{}b", "*c**".repeat(45));
        let policy = Policy { sources: Some([Pattern::read(&pattern).unwrap()].into()), ..Policy::default() };
        assert!(policy.judge_source(&format!("a/{}", "c".repeat(90)), "tea").is_err());
    }
}
