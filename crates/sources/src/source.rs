//! How people write a source, and what is fetched for it.
//!
//! The spellings are those of `npx skills` (vercel-labs/skills) and the addresses that people copy from the pages of
//! GitHub, GitLab, Azure, Bitbucket and Gitea. Whether anything is there is left to whoever fetches it.

mod error;
mod pages;
mod parts;

use std::fmt;

use url::Url;

pub use error::SourceError;
use parts::decoded;
pub(crate) use parts::{checked_reference, cleaned_path};

/// A source of skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What is fetched.
    pub origin: Origin,
    /// The branch, tag or commit that is followed; `None` for what the repository shows first.
    pub follows: Option<String>,
    /// The folder in it, with `/`; empty for all of it.
    pub inside: String,
    /// The only skill that is wanted, by its name.
    pub skill: Option<String>,
    /// Whether the border between `follows` and `inside` is a guess: names of branches may hold a `/`, and a copied
    /// address does not say where they end. [`Source::readings`] gives the others.
    guessed: bool,
}

/// What is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A git repository, by an address that git takes. Never a transport that starts a program.
    Git(String),
    /// A folder or a file of this computer, as it was written.
    Local(String),
    /// A file at an address.
    File(String, FileKind),
    /// A site that lists its skills below `/.well-known/agent-skills/`, without that path.
    Site(String),
}

/// What a file at an address holds, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A zip or tar archive of skills.
    Archive,
    /// One SKILL.md.
    Skill,
    /// The list of plugins of a marketplace.
    Marketplace,
}

/// A repository, however its address is written: over https, over ssh, with and without `.git`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Repository {
    /// The host, in lower case, with its port if it has an unusual one.
    pub host: String,
    /// The path on it, without `.git`.
    pub path: String,
}

impl Source {
    /// Reads a source as a person writes or pastes it.
    ///
    /// # Errors
    /// When it is no source, or one that is refused: a transport that starts a program, a password in an address, an
    /// address that is not encrypted, a path that leads out of the repository.
    pub fn read(written: &str) -> Result<Self, SourceError> {
        let written = written.trim();
        if written.is_empty() {
            return Err(SourceError::Empty);
        }
        if written.starts_with('-') {
            return Err(SourceError::Option(written.to_owned()));
        }
        if written.contains(char::is_control) {
            return Err(SourceError::Unknown(written.escape_debug().to_string()));
        }
        if let Some(path) = local(written) {
            return path.map(|path| Self::of(Origin::Local(path)));
        }
        if written.contains(char::is_whitespace) {
            return Err(SourceError::Unknown(written.to_owned()));
        }
        let (address, fragment) = written.split_once('#').map_or((written, ""), |(address, after)| (address, after));
        let mut source = if let Some(shorthand) = address.strip_prefix("github:") {
            of_github(shorthand, written)?
        } else if let Some(path) = address.strip_prefix("gitlab:") {
            pages::read(&parsed(&format!("https://gitlab.com/{path}"))?)?
        } else if address.contains("://") {
            let (scheme, _) = address.split_once("://").unwrap_or_default();
            match scheme.to_ascii_lowercase().as_str() {
                "https" | "http" => pages::read(&parsed(address)?)?,
                "ssh" => over_ssh(address)?,
                "git" => return Err(SourceError::NotEncrypted(address.to_owned())),
                _ => return Err(SourceError::Transport(scheme.to_owned())),
            }
        } else if let Some((transport, _)) = address.split_once("::") {
            return Err(SourceError::Transport(transport.to_owned()));
        } else if let Some((who, path)) = address.split_once(':') {
            over_scp(address, who, path)?
        } else {
            of_github(address, written)?
        };
        source.fragment(fragment)?;
        Ok(source)
    }

    /// All of this origin.
    fn of(origin: Origin) -> Self {
        Self { origin, follows: None, inside: String::new(), skill: None, guessed: false }
    }

    /// A repository at an address that git takes.
    fn git(address: String) -> Self {
        Self::of(Origin::Git(address))
    }

    /// This source with what follows the name of a tree in a copied address: `<branch>/<path>`.
    fn tree(mut self, after: &str) -> Result<Self, SourceError> {
        let (follows, inside) = after.split_once('/').unwrap_or((after, ""));
        self.follows = Some(checked_reference(&decoded(follows))?);
        self.inside = cleaned_path(inside)?;
        self.guessed = !self.inside.is_empty();
        Ok(self)
    }

    /// Takes what stands behind `#`: a branch, tag or commit, and `@` with the name of a skill.
    fn fragment(&mut self, fragment: &str) -> Result<(), SourceError> {
        let (reference, skill) = fragment.split_once('@').unwrap_or((fragment, ""));
        if !reference.is_empty() && self.follows.is_none() {
            self.follows = Some(checked_reference(&decoded(reference))?);
        }
        if !skill.is_empty() {
            self.skill = Some(decoded(skill));
        }
        Ok(())
    }

    /// Each way to tell the branch from the folder in a copied address, the shortest branch first. Whoever knows the
    /// branches takes the first one that is there.
    pub fn readings(&self) -> Vec<Self> {
        let mut readings = vec![self.clone()];
        let Some(follows) = self.follows.as_ref().filter(|_| self.guessed) else { return readings };
        let inside: Vec<_> = self.inside.split('/').collect();
        for at in 1..=inside.len() {
            let (branch, path) = inside.split_at(at);
            let follows = Some(format!("{follows}/{}", branch.join("/")));
            readings.push(Self { follows, inside: path.join("/"), guessed: false, ..self.clone() });
        }
        readings
    }

    /// This folder of a repository at this branch, tag or commit, as [`Source::read`] takes it; `None` where an address of
    /// this kind says no folder.
    pub(crate) fn written(self, follows: Option<String>, inside: String) -> Option<String> {
        let there = Self { follows, inside, guessed: false, ..self };
        let Origin::Git(address) = &there.origin else { return None };
        let short = there.to_string();
        let is_same = |written: &String| Self::read(written).is_ok_and(|read| read == there);
        if is_same(&short) {
            return Some(short);
        }
        let folder = if there.inside.is_empty() { String::new() } else { format!("/{}", there.inside) };
        let behind = there.follows.as_ref().map_or_else(String::new, |follows| format!("#{follows}"));
        Some(format!("{address}{folder}{behind}")).filter(is_same)
    }

    /// The repository, however its address is written; `None` for what is none.
    pub fn repository(&self) -> Option<Repository> {
        let Origin::Git(address) = &self.origin else { return None };
        let (host, path) = match Url::parse(address) {
            Ok(url) => {
                let host = url.host_str()?.to_ascii_lowercase();
                let port = url.port().filter(|port| !(url.scheme() == "ssh" && *port == 22));
                (port.map_or_else(|| host.clone(), |port| format!("{host}:{port}")), url.path().to_owned())
            }
            Err(_) => {
                let (who, path) = address.split_once(':')?;
                let host = who.rsplit_once('@').map_or(who, |(_, host)| host);
                (host.to_ascii_lowercase(), path.to_owned())
            }
        };
        let path = path.trim_matches('/');
        let mut path = path.strip_suffix(".git").unwrap_or(path).to_owned();
        if host == "github.com" {
            // There, names are the same in upper and lower case.
            path.make_ascii_lowercase();
        }
        Some(Repository { host, path })
    }
}

/// The short name of a source for people: `owner/repository` on GitHub, else the address or path.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Git(address) => {
                let address = address.strip_suffix(".git").unwrap_or(address);
                f.write_str(address.strip_prefix("https://github.com/").unwrap_or(address))?;
            }
            Origin::Local(path) => f.write_str(path)?,
            Origin::File(address, _) | Origin::Site(address) => f.write_str(address)?,
        }
        if !self.inside.is_empty() {
            write!(f, "/{}", self.inside)?;
        }
        match (&self.follows, &self.skill) {
            (Some(follows), Some(skill)) => write!(f, "#{follows}@{skill}"),
            (Some(follows), None) => write!(f, "#{follows}"),
            (None, Some(skill)) => write!(f, "@{skill}"),
            (None, None) => Ok(()),
        }
    }
}

/// The path, if a place on this computer is written.
fn local(written: &str) -> Option<Result<String, SourceError>> {
    if let Some((scheme, path)) = written.split_once("://")
        && scheme.eq_ignore_ascii_case("file")
    {
        // `file://host/share` is on another computer.
        return Some(match path.strip_prefix("localhost").unwrap_or(path) {
            path if path.starts_with('/') => Ok(decoded(path)),
            _ => Err(SourceError::Unknown(written.to_owned())),
        });
    }
    let drive = matches!(written.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    let begins = ["/", "./", "../", ".\\", "..\\", "~/", "~\\"].iter().any(|begin| written.starts_with(begin));
    (drive || begins || matches!(written, "." | ".." | "~")).then(|| match written {
        // `\\host` and `//host` name shares of another computer, and reading one shows it who the person is.
        _ if written.starts_with("//") => Err(SourceError::Unknown(written.to_owned())),
        _ => Ok(written.to_owned()),
    })
}

/// `owner/repository`, with `/folder` or `@skill`.
fn of_github(shorthand: &str, written: &str) -> Result<Source, SourceError> {
    let unknown = || SourceError::Unknown(written.to_owned());
    let (path, skill) = shorthand.split_once('@').map_or((shorthand, None), |(path, skill)| (path, Some(skill)));
    let mut parts = path.splitn(3, '/');
    let (owner, repository) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut source = pages::github(owner, repository).ok_or_else(unknown)?;
    source.inside = cleaned_path(parts.next().unwrap_or_default())?;
    source.skill = skill.filter(|skill| !skill.is_empty()).map(decoded);
    Ok(source)
}

/// `git@host:path`, as git reads it for ssh.
fn over_scp(address: &str, who: &str, path: &str) -> Result<Source, SourceError> {
    let (user, host) = who.rsplit_once('@').unwrap_or(("", who));
    // What begins with a hyphen would be an option for ssh or for git at the other end.
    let option = [user, host, path].iter().any(|part| part.starts_with('-'));
    if option || host.is_empty() || host.contains('/') || path.trim_matches('/').is_empty() {
        return Err(SourceError::Unknown(address.to_owned()));
    }
    if user.contains(':') {
        return Err(SourceError::Password);
    }
    Ok(Source::git(address.to_owned()))
}

/// `ssh://user@host/path`.
fn over_ssh(address: &str) -> Result<Source, SourceError> {
    let url = parsed(address)?;
    if url.password().is_some() {
        return Err(SourceError::Password);
    }
    let host = url.host_str().unwrap_or_default();
    let option = [decoded(url.username()), decoded(host), decoded(url.path().trim_start_matches('/'))];
    if host.is_empty() || option[2].is_empty() || option.iter().any(|part| part.starts_with('-')) {
        return Err(SourceError::Unknown(address.to_owned()));
    }
    Ok(Source::git(address.to_owned()))
}

fn parsed(address: &str) -> Result<Url, SourceError> {
    Url::parse(address).map_err(|_| SourceError::Unknown(address.to_owned()))
}
