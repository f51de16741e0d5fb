//! Addresses of our own scheme, `skilltender://install?source=…`, which a web page or another program opens. An address
//! opens the review of an import and does nothing else: what it names is shown first, and a person decides. It is
//! anybody's text, so it names files of this computer only, and none that is elsewhere under a local name.

use std::path::{Path, PathBuf};

use url::Url;

/// The scheme, as the system knows it.
const SCHEME: &str = "skilltender";

/// Whether an argument of a start is one of our addresses.
pub(crate) fn is_one(argument: &str) -> bool {
    argument.get(..=SCHEME.len()).is_some_and(|head| head.eq_ignore_ascii_case("skilltender:"))
}

/// The folder or file whose import is to be reviewed.
///
/// # Errors
/// The address means nothing to us, or names something that is not on this computer, as a sentence.
pub(crate) fn source(address: &str) -> Result<PathBuf, String> {
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
        Ok(web) if matches!(web.scheme(), "http" | "https") => {
            return Err(format!(
                "Skilltender takes skills from this computer. Download {}, then drop the file on the window.",
                shortened(&source)
            ));
        }
        Ok(file) if file.scheme() == "file" => file.to_file_path().map_err(|()| elsewhere(&source))?,
        _ => PathBuf::from(source.as_ref()),
    };
    if !path.is_absolute() || is_elsewhere(&path) {
        return Err(elsewhere(&source));
    }
    // A device or a pipe would hold up who reads it.
    let known = path.metadata().is_ok_and(|facts| facts.is_dir() || facts.is_file());
    known.then_some(path).ok_or_else(|| format!("There is no folder and no file {}.", shortened(&source)))
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

    fn install(source: &str) -> Result<PathBuf, String> {
        let mut url = Url::parse("skilltender://install").unwrap();
        url.query_pairs_mut().append_pair("source", source);
        super::source(url.as_str())
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
            ("skills", not_here),
            ("~/skills", not_here),
            ("../skills", not_here),
            ("", not_here),
            ("javascript:alert(1)", not_here),
            ("/no/such/folder", none),
            #[cfg(unix)]
            ("/dev/zero", none),
            ("https://example.org/skills.zip", "Download https://example.org/skills.zip"),
        ] {
            let said = install(source).unwrap_err();
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
