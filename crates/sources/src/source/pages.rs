//! Addresses that people copy from the pages of a host of repositories, and those of files and sites.

use url::{Host, Url};

use super::{FileKind, Origin, Source, SourceError, checked_reference, cleaned_path, decoded};

/// Reads an address over http or https.
pub(super) fn read(url: &Url) -> Result<Source, SourceError> {
    if url.scheme() == "http" && !is_this_computer(url) {
        return Err(SourceError::NotEncrypted(url.to_string()));
    }
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
    let azure = url.path().contains("/_git/");
    // The name of the organisation stands in the addresses that Azure shows, and says nothing.
    if url.password().is_some() || !(url.username().is_empty() || azure) {
        return Err(SourceError::Password);
    }
    let parts: Vec<_> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    if let Some(file) = file(url, &parts) {
        return Ok(file);
    }
    match host {
        "github.com" => return on_github(&parts),
        "raw.githubusercontent.com" => return raw(&parts),
        "gist.github.com" => {
            let id = parts.last().ok_or_else(|| SourceError::Unknown(url.to_string()))?;
            let id = id.strip_suffix(".git").unwrap_or(id);
            return Ok(Source::git(format!("https://gist.github.com/{id}.git")));
        }
        _ => {}
    }
    let base = base(url);
    if let Some((project, after)) = url.path().split_once("/-/") {
        let repository = Source::git(format!("{base}{}.git", without_git(project)));
        return match after.split_once('/') {
            Some(("tree" | "blob" | "raw", tree)) => repository.tree(tree),
            _ => Err(SourceError::OtherPage(repository.to_string())),
        };
    }
    if azure {
        return on_azure(url, &base, &parts);
    }
    // A folder behind the address of a repository.
    if let Some((repository, inside)) = url.path().split_once(".git/").filter(|(_, inside)| !inside.is_empty()) {
        let inside = cleaned_path(inside)?;
        return Ok(Source { inside, ..Source::git(format!("{base}{repository}.git")) });
    }
    if let ["src", kind @ ("branch" | "tag" | "commit"), tree @ ..] = parts.get(2..).unwrap_or_default() {
        // Gitea, Forgejo and Codeberg say what the name is, but not where it ends.
        let repository = Source::git(format!("{base}/{}/{}.git", parts[0], parts[1]));
        let mut source = repository.tree(&tree.join("/"))?;
        source.guessed &= *kind != "commit";
        return Ok(source);
    }
    if host == "bitbucket.org"
        && let [owner, name, rest @ ..] = parts.as_slice()
    {
        let repository = Source::git(format!("{base}/{owner}/{}.git", without_git(name)));
        return match rest {
            [] => Ok(repository),
            ["src", tree @ ..] if !tree.is_empty() => repository.tree(&tree.join("/")),
            _ => Err(SourceError::OtherPage(repository.to_string())),
        };
    }
    let path = url.path().trim_end_matches('/');
    if path.ends_with(".git") || (matches!(host, "gitlab.com" | "codeberg.org") && parts.len() > 1) {
        return Ok(Source::git(format!("{base}{}.git", without_git(path))));
    }
    Ok(Source::of(Origin::Site(site(url))))
}

/// A repository on GitHub by its owner and name, if these can be names there.
pub(super) fn github(owner: &str, name: &str) -> Option<Source> {
    let name = without_git(name);
    let word = |text: &str, also: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || also.contains(c))
    };
    let is = word(owner, "_") && !owner.starts_with('-') && word(name, "._") && !matches!(name, "." | "..");
    is.then(|| Source::git(format!("https://github.com/{owner}/{name}.git")))
}

/// A file at an address, known by its name.
fn file(url: &Url, parts: &[&str]) -> Option<Source> {
    let name = parts.last()?.to_ascii_lowercase();
    let archive = [".zip", ".skill", ".tar", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending));
    let on_a_host = matches!(url.host_str(), Some("github.com" | "raw.githubusercontent.com"))
        || url.path().contains("/-/")
        || url.path().contains("/_git/")
        || url.path().contains("/src/");
    let kind = match name.as_str() {
        _ if archive => FileKind::Archive,
        // On the page of a repository it stands for its folder, with what belongs to it.
        "skill.md" if !on_a_host => FileKind::Skill,
        "marketplace.json" if !on_a_host => FileKind::Marketplace,
        _ => return None,
    };
    Some(Source::of(Origin::File(url.to_string(), kind)))
}

fn on_github(parts: &[&str]) -> Result<Source, SourceError> {
    let [owner, name, rest @ ..] = parts else {
        return Err(SourceError::Unknown(format!("https://github.com/{}", parts.join("/"))));
    };
    let unknown = || SourceError::Unknown(format!("https://github.com/{owner}/{name}"));
    let repository = github(owner, name).ok_or_else(unknown)?;
    match rest {
        [] => Ok(repository),
        ["tree" | "blob" | "raw", tree @ ..] if !tree.is_empty() => repository.tree(&tree.join("/")),
        _ => Err(SourceError::OtherPage(repository.to_string())),
    }
}

/// A file as GitHub gives it: `owner/repository/<branch>/<path>`, or with `refs/heads/` before the branch.
fn raw(parts: &[&str]) -> Result<Source, SourceError> {
    let unknown = || SourceError::Unknown(format!("https://raw.githubusercontent.com/{}", parts.join("/")));
    let [owner, name, tree @ ..] = parts else { return Err(unknown()) };
    let tree = match tree {
        ["refs", "heads" | "tags", tree @ ..] => tree,
        tree => tree,
    };
    if tree.is_empty() {
        return Err(unknown());
    }
    github(owner, name).ok_or_else(unknown)?.tree(&tree.join("/"))
}

/// `…/_git/<repository>?path=/folder&version=GBbranch`, with `GT` before a tag and `GC` before a commit.
fn on_azure(url: &Url, base: &str, parts: &[&str]) -> Result<Source, SourceError> {
    let unknown = || SourceError::Unknown(url.to_string());
    let at = parts.iter().position(|part| *part == "_git").ok_or_else(unknown)?;
    let name = parts.get(at + 1).ok_or_else(unknown)?;
    let mut source = Source::git(format!("{base}/{}/_git/{name}", parts[..at].join("/")));
    for (key, value) in url.query_pairs() {
        match (&*key, value.get(..2), value.get(2..)) {
            ("path", ..) => source.inside = cleaned_path(&value)?,
            ("version", Some("GB" | "GT" | "GC"), Some(name)) => source.follows = Some(checked_reference(name)?),
            _ => {}
        }
    }
    Ok(source)
}

/// The address of a site, without the path at which it lists its skills.
fn site(url: &Url) -> String {
    let path = url.path();
    let listed = ["/.well-known/agent-skills", "/.well-known/skills"].iter().find_map(|folder| path.find(folder));
    let path = listed.map_or(path, |at| &path[..at]);
    format!("{}{}", base(url), decoded(path).trim_end_matches('/'))
}

fn without_git(name: &str) -> &str {
    let name = name.trim_end_matches('/');
    name.strip_suffix(".git").unwrap_or(name)
}

/// Scheme, host and port.
fn base(url: &Url) -> String {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
}

/// Whether an address leads to this computer, where nobody is on the way.
fn is_this_computer(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
