//! Sources that are no repositories: a folder or an archive of this computer, a file of the web, and a site that lists its
//! skills. Each is listed, and read as a repository's files are.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, failed};
use fetch::{Cancel, Fetched, Web};
use files::confined;
use library::import::{Bundled, Contents, bundle};
use machine::Machine;
use sha2::{Digest as _, Sha256};
use sources::{
    FileKind, Origin, Source,
    marketplace::Marketplace,
    well_known::{self, Offered, Part},
};

use super::{
    held::{Held, unread},
    opened::{folder, refuse},
};

/// The largest list, in bytes.
const LONGEST_LIST: u64 = 16 << 20;
/// The largest file of a site's skill, in bytes.
const LARGEST: u64 = 64 << 20;
/// The most bytes of all skills of a site.
const TOGETHER: usize = 256 << 20;

/// What was found at such a place.
pub(super) struct Found {
    /// The place, as it is recorded.
    pub(super) address: String,
    pub(super) held: Held,
    /// The skills that a site offers and that cannot come, with the reason.
    pub(super) refused: Vec<(String, String)>,
    /// Where else it says that there are skills.
    pub(super) list: Marketplace,
}

/// The web, with our folder for what is fetched.
pub(super) fn web(machine: &Machine) -> Web {
    Web::new(&folder(machine))
}

/// Finds what a source is that is no repository. What was fetched before with these bytes is not fetched again. Of a
/// site, only the skills in `only` are fetched.
pub(super) fn find(
    machine: &Machine,
    source: &Source,
    known: Option<&str>,
    only: Option<&[String]>,
    cancel: &Cancel,
) -> Result<Found, ActionError> {
    match &source.origin {
        Origin::Local(path) => local(machine, path),
        Origin::File(address, FileKind::Marketplace) => listed(machine, address, cancel),
        Origin::File(address, kind) => {
            let web = web(machine);
            let kept = known.and_then(|sha256| web.kept(address, sha256));
            let fetched = match kept {
                Some(kept) => kept,
                None if *kind == FileKind::Skill => {
                    let bytes = web.bytes(address, LARGEST, cancel).map_err(|error| refuse(&error))?;
                    let file = Bundled { path: "SKILL.md".to_owned(), bytes, ..Bundled::default() };
                    keep(&web, address, &[file])?
                }
                None => web.file(address, cancel).map_err(|error| refuse(&error))?,
            };
            archive(source, fetched)
        }
        Origin::Site(address) => site(machine, (source, address), known, only, cancel),
        Origin::Git(address) => Err(failed(ErrorKind::Input, format!("{address} is a repository."))),
    }
}

/// What was fetched last from an address, if it is still here.
pub(super) fn latest(machine: &Machine, source: &Source) -> Option<Found> {
    let (Origin::File(address, _) | Origin::Site(address)) = &source.origin else { return None };
    archive(source, web(machine).latest(address)?).ok()
}

fn archive(source: &Source, fetched: Fetched) -> Result<Found, ActionError> {
    let (address, contents) = match &source.origin {
        // It is an archive of ours, with a folder for each skill.
        Origin::Site(address) => (address, Contents::of_bundle(&fetched.path, address)),
        Origin::File(address, _) | Origin::Local(address) | Origin::Git(address) => {
            (address, Contents::of_archive(&fetched.path, address))
        }
    };
    let contents = contents.map_err(unread)?;
    let held = Held::Files { contents: contents.into(), sha256: Some(fetched.sha256) };
    Ok(Found { address: address.to_owned(), held, refused: Vec::new(), list: Marketplace::default() })
}

fn keep(web: &Web, address: &str, files: &[Bundled]) -> Result<Fetched, ActionError> {
    let bytes =
        bundle(files).map_err(|error| failed(ErrorKind::Refused, format!("{address} cannot be kept: {error}.")))?;
    web.keep(address, &bytes).map_err(|error| refuse(&error))
}

/// A folder as it lies there, whether or not git keeps it, or an archive.
fn local(machine: &Machine, written: &str) -> Result<Found, ActionError> {
    let home = |rest: &str| machine.home.join(rest.trim_start_matches(['/', '\\']));
    let path = written.strip_prefix('~').map_or_else(|| PathBuf::from(written), home);
    if !path.is_absolute() {
        let message = format!("{written} does not say where it begins. Write the whole path.");
        return Err(failed(ErrorKind::Input, message));
    }
    let missing = |error| failed(ErrorKind::NotFound, format!("{} cannot be read: {error}.", path.display()));
    let real = dunce::canonicalize(&path).map_err(missing)?;
    let address = real.display().to_string();
    if Source::read(&address).map(|read| read.origin) != Ok(Origin::Local(address.clone())) {
        let message = format!("{} has a name that cannot be written down. Rename it, or import it.", real.display());
        return Err(failed(ErrorKind::Input, message));
    }
    let contents = if real.is_dir() {
        if is_bare(&real) {
            let message = format!(
                "{address} is a git repository without its files. Clone it, and write the folder of the clone."
            );
            return Err(failed(ErrorKind::Input, message));
        }
        Contents::of_folder(&real)
    } else if real.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md")) {
        let message = format!("{address} is one file. Write its folder.");
        return Err(failed(ErrorKind::Input, message));
    } else if real.is_file() {
        Contents::of_archive(&real, &address)
    } else {
        return Err(failed(ErrorKind::Input, format!("{address} is neither a folder nor a file.")));
    };
    let held = Held::Files { contents: contents.map_err(unread)?.into(), sha256: None };
    // As the skills are read: no link leads out of the folder, and what never ends is no file.
    let file = confined::open(&real, Path::new(sources::marketplace::MARKETPLACE)).ok();
    let list = file.and_then(|file| confined::read_file(&file, LONGEST_LIST).ok());
    let list = list.and_then(|bytes| Marketplace::read(&String::from_utf8_lossy(&bytes)).ok()).unwrap_or_default();
    Ok(Found { address, held, refused: Vec::new(), list })
}

/// Whether a folder is a repository of git without a work tree.
fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

/// The list of a marketplace, which holds no skill itself.
fn listed(machine: &Machine, address: &str, cancel: &Cancel) -> Result<Found, ActionError> {
    let bytes = web(machine).bytes(address, LONGEST_LIST, cancel).map_err(|error| refuse(&error))?;
    let told = |error: String| failed(ErrorKind::Refused, format!("{address} cannot be read. {error}"));
    let list = Marketplace::read(&String::from_utf8_lossy(&bytes)).map_err(|error| told(error.to_string()))?;
    if list.elsewhere.is_empty() {
        let message = format!("{address} lists only folders beside it. Write the repository that it is in.");
        return Err(failed(ErrorKind::NotFound, message));
    }
    let sha256 = Some(format!("{:x}", Sha256::digest(&bytes)));
    let held = Held::Files { contents: Contents::default().into(), sha256 };
    Ok(Found { address: address.to_owned(), held, refused: Vec::new(), list })
}

/// The skills that a site lists, as an archive of ours with a folder for each.
fn site(
    machine: &Machine,
    (source, address): (&Source, &str),
    known: Option<&str>,
    only: Option<&[String]>,
    cancel: &Cancel,
) -> Result<Found, ActionError> {
    let web = web(machine);
    if let Some(kept) = known.and_then(|sha256| web.kept(address, sha256)) {
        return archive(source, kept);
    }
    let (mut files, mut refused, mut bytes) = (Vec::new(), Vec::new(), 0);
    for Offered { name, parts } in index(&web, address, cancel)? {
        if only.is_some_and(|only| !only.iter().any(|path| path.trim_end_matches('/') == name)) {
            continue;
        }
        match parts.and_then(|parts| skill(&web, address, &name, &parts, cancel)) {
            Ok(found) => {
                bytes += found.iter().map(|file| file.bytes.len()).sum::<usize>();
                files.extend(found);
            }
            Err(_) if cancel.is() => return Err(refuse(&fetch::FetchError::Cancelled)),
            Err(why) => refused.push((name, why)),
        }
        if bytes > TOGETHER {
            let message = format!(
                "The skills of {address} have more than {} MiB together. Name the one that is meant.",
                TOGETHER >> 20
            );
            return Err(failed(ErrorKind::Refused, message));
        }
    }
    if files.is_empty() {
        let message = match refused.first() {
            Some((name, why)) => format!("No skill of {address} can come. {name}: {why}"),
            None => format!("{address} lists no such skill."),
        };
        return Err(failed(ErrorKind::Refused, message));
    }
    let kept = keep(&web, address, &files)?;
    Ok(Found { refused, ..archive(source, kept)? })
}

/// What a site lists, wherever it does.
fn index(web: &Web, address: &str, cancel: &Cancel) -> Result<Vec<Offered>, ActionError> {
    for place in well_known::PLACES {
        let at = format!("{address}{place}");
        match web.bytes(&at, LONGEST_LIST, cancel) {
            Ok(bytes) => {
                let read = well_known::read(&String::from_utf8_lossy(&bytes), &at);
                return read.map_err(|error| failed(ErrorKind::Refused, format!("{at} cannot be read. {error}")));
            }
            Err(fetch::FetchError::NotThere(_)) => {}
            Err(error) => return Err(refuse(&error)),
        }
    }
    let message = format!(
        "{address} lists no skills: nothing is at {}. For a git repository, write its address with .git at its end.",
        well_known::PLACES[0]
    );
    Err(failed(ErrorKind::NotFound, message))
}

/// The files of one skill, each as the list says that it is.
fn skill(web: &Web, site: &str, name: &str, parts: &[Part], cancel: &Cancel) -> Result<Vec<Bundled>, String> {
    let web = web.named_by(site);
    let mut files = Vec::new();
    for Part { address, path, sha256 } in parts {
        let bytes = match sha256 {
            Some(sha256) => web.digested(address, sha256, LARGEST, cancel),
            None => web.bytes(address, LARGEST, cancel),
        };
        let bytes = bytes.map_err(|error| error.to_string())?;
        if sha256.as_ref().is_some_and(|sha256| *sha256 != format!("{:x}", Sha256::digest(&bytes))) {
            return Err(format!("{address} is another file than the list says: its digest differs."));
        }
        match path {
            Some(path) => files.push(Bundled { path: format!("{name}/{path}"), bytes, ..Bundled::default() }),
            None => files.extend(unpacked(name, address, &bytes)?),
        }
    }
    Ok(files)
}

fn unpacked(name: &str, address: &str, bytes: &[u8]) -> Result<Vec<Bundled>, String> {
    let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    std::fs::write(file.path(), bytes).map_err(|error| error.to_string())?;
    let contents = Contents::of_archive(file.path(), address).map_err(|refused| refused.0)?;
    let places = contents.listed().iter().enumerate().filter(|(_, file)| !file.link).map(|(place, _)| place).collect();
    let mut read = contents.read(&places).map_err(|refused| refused.0)?;
    let one = |(place, file): (usize, &library::import::Listed)| Bundled {
        path: format!("{name}/{}", file.path),
        bytes: read.remove(&place).unwrap_or_default(),
        executable: file.executable,
        link: file.link,
    };
    Ok(contents.listed().iter().enumerate().map(one).collect())
}
