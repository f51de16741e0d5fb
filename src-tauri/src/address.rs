//! Addresses of our own scheme, `skilltender://install?source=…`, which a web page or another program opens. An address
//! opens a review and does nothing else: what it names is shown first, and a person decides. It is anybody's text, so it
//! names files of this computer, none that is elsewhere under a local name, or a source of the public network, of which
//! nothing is asked before a person says so.

use std::path::{Path, PathBuf};

use engine::actions;
use url::Url;

/// The scheme, as the system knows it.
const SCHEME: &str = "skilltender";

/// Whether an argument of a start is one of our addresses.
pub(crate) fn is_one(argument: &str) -> bool {
    argument.get(..=SCHEME.len()).is_some_and(|head| head.eq_ignore_ascii_case("skilltender:"))
}

/// What an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// A folder or file of this computer, whose import is to be reviewed.
    Here(PathBuf),
    /// A source elsewhere, as a person would write it.
    Source(String),
}

/// What is to be reviewed.
///
/// # Errors
/// The address means nothing to us, or names something that nobody else may name, as a sentence.
pub(crate) fn source(address: &str) -> Result<Named, String> {
    let unknown = || format!("{} is no address that Skilltender knows.", shortened(address));
    let url = Url::parse(address).map_err(|_| unknown())?;
    if url.scheme() != SCHEME || url.host_str() != Some("install") || !matches!(url.path(), "" | "/") {
        return Err(unknown());
    }
    let mut sources = url.query_pairs().filter(|(name, _)| name == "source").map(|(_, source)| source);
    let (Some(source), None) = (sources.next(), sources.next()) else {
        return Err("The address names no folder and no file: it has no `source`, or several.".to_owned());
    };
    let path = match Url::parse(&source) {
        Ok(file) if file.scheme() == "file" => file.to_file_path().map_err(|()| elsewhere(&source))?,
        _ if is_path(&source) => PathBuf::from(source.as_ref()),
        _ => return actions::source_named(&source).map(Named::Source).map_err(|error| error.message),
    };
    if !path.is_absolute() || is_elsewhere(&path) {
        return Err(elsewhere(&source));
    }
    // A device or a pipe would hold up who reads it.
    let known = path.metadata().is_ok_and(|facts| facts.is_dir() || facts.is_file());
    known.then_some(Named::Here(path)).ok_or_else(|| format!("There is no folder and no file {}.", shortened(&source)))
}

/// Whether a path is written, and no source elsewhere.
fn is_path(source: &str) -> bool {
    source.is_empty() || source.starts_with(['/', '\\', '.', '~']) || Path::new(source).is_absolute()
}

/// Whether reading a path would ask another computer (`\\host\share`, also spelled `//host/share`) or a device.
fn is_elsewhere(path: &Path) -> bool {
    let spelled = path.to_string_lossy();
    let is_slash = |at: usize| matches!(spelled.as_bytes().get(at), Some(b'/' | b'\\'));
    is_slash(0) && is_slash(1)
}

fn elsewhere(source: &str) -> String {
    format!("{} is not the path of a folder or a file of this computer.", shortened(source))
}

/// Enough of somebody's text to know it again, without line ends.
fn shortened(text: &str) -> String {
    crate::menu::cut(text, 120)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn named(source: &str) -> Result<Named, String> {
        let mut url = Url::parse("skilltender://install").unwrap();
        url.query_pairs_mut().append_pair("source", source);
        super::source(url.as_str())
    }

    fn install(source: &str) -> Result<PathBuf, String> {
        match named(source)? {
            Named::Here(path) => Ok(path),
            Named::Source(source) => panic!("{source} is elsewhere"),
        }
    }

    #[test]
    fn a_folder_or_a_file_of_this_computer_is_reviewed() {
        let folder = tempfile::tempdir().unwrap();
        let zip = folder.path().join("my skills & more.zip");
        fs::write(&zip, "zip").unwrap();
        assert_eq!(install(folder.path().to_str().unwrap()).as_deref(), Ok(folder.path()));
        assert_eq!(install(zip.to_str().unwrap()).as_deref(), Ok(zip.as_path()));
        assert_eq!(install(Url::from_file_path(&zip).unwrap().as_str()).as_deref(), Ok(zip.as_path()));
        let skill = folder.path().join("SKILL.md");
        fs::write(&skill, "# Tea").unwrap();
        assert_eq!(
            install(skill.to_str().unwrap()).as_deref(),
            Ok(skill.as_path()),
            "its folder is found in the review"
        );
    }

    #[test]
    fn what_is_elsewhere_relative_a_device_or_missing_is_not() {
        let none = "There is no folder";
        let not_here = "is not the path";
        for (source, why) in [
            ("//host/share/skills", not_here),
            ("\\\\host\\share", not_here),
            ("file://host/share", not_here),
            ("~/skills", not_here),
            ("../skills", not_here),
            ("", not_here),
            ("/no/such/folder", none),
            #[cfg(unix)]
            ("/dev/zero", none),
        ] {
            let said = install(source).unwrap_err();
            assert!(said.contains(why), "{source}: {said}");
        }
    }

    #[test]
    fn a_source_of_the_public_network_is_looked_at_when_a_person_says_so_and_no_other() {
        for source in
            ["acme/skills", "acme/skills@tea", "https://example.org/skills.zip", "git@git.example.net:a/b.git"]
        {
            assert_eq!(named(source), Ok(Named::Source(source.to_owned())));
        }
        let long = format!("https://example.org/{}", "x".repeat(600));
        for (source, why) in [
            ("skills", "is no source"),
            ("javascript:alert(1)", "so it is not opened"),
            ("ext::sh -c touch", "is no source"),
            ("--upload-pack=x/y", "begins with a hyphen"),
            ("http://example.org/a.git", "is not encrypted"),
            ("https://127.0.0.1/a.git", "is not on the public network"),
            ("https://user:word@example.org/a.git", "password"),
            ("https://ex\u{430}mple.org/a.git", "look like others"),
            ("acme/skills\u{202e}", "look like others"),
            (&long, "is too long"),
        ] {
            let said = named(source).unwrap_err();
            assert!(said.contains(why), "{source}: {said}");
        }
    }

    #[test]
    fn another_address_means_nothing() {
        for address in [
            "skilltender:",
            "skilltender://",
            "skilltender://install",
            "skilltender://install?source=/a&source=/b",
            "skilltender://install/deeper?source=/tmp",
            "skilltender://remove?source=/tmp",
            "skilltender:install?source=/tmp",
            "https://install?source=/tmp",
        ] {
            assert!(super::source(address).is_err(), "{address}");
        }
    }

    #[test]
    fn an_argument_is_an_address_by_its_scheme() {
        assert!(is_one("skilltender://install?source=/a") && is_one("SkillTender:x"));
        for argument in ["--background", "skilltender", "https://skilltender:", "", "skilltende\u{301}r:"] {
            assert!(!is_one(argument), "{argument}");
        }
    }
}
