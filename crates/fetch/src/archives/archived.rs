//! A commit that came as an archive: read from its beginning to its end, once for the list of its files and once for the
//! bytes of those that are wanted.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::File,
    io::{self, BufReader, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use files::tar_headers::{Headers, Names};
use flate2::bufread::GzDecoder;
use tar::{Archive, Entry, EntryType};

use crate::{
    Cancel, FetchError, Kind, TreeFile,
    commit::{self, MOST_FILES, TOGETHER},
    running::LARGEST,
};

/// The most bytes that are read of a file that says something about others.
const LONGEST_NOTE: u64 = 1 << 20;
/// The most bytes of the paths of all files.
const LONGEST_LIST: usize = 64 << 20;
/// Attributes with which git writes a file into an archive otherwise than it lies in the commit, or not at all.
const CHANGING: [&str; 5] = ["export-ignore", "export-subst", "eol=crlf", "ident", "working-tree-encoding="];

/// A commit that came as an archive. Clones share the list of its files.
#[derive(Debug, Clone)]
pub struct Archived {
    address: String,
    id: String,
    path: PathBuf,
    made: u64,
    /// With their sizes. The id of a file is its place in the archive.
    files: Arc<Vec<(TreeFile, u64)>>,
}

impl Archived {
    /// Reads the list of files, and whether the archive is this commit as it is.
    pub(super) fn read(address: &str, id: &str, path: &Path, cancel: &Cancel) -> Result<Self, FetchError> {
        let only_git = |why| FetchError::OnlyGit(address.to_owned(), why);
        let mut list = List::default();
        each(address, path, cancel, &mut |place, names, entry| list.take(place, names, entry))?;
        if list.is_too_long() {
            return Err(FetchError::TooMany(address.to_owned(), MOST_FILES));
        }
        match list.commit {
            Some(named) if named == id => {}
            Some(_) => return Err(only_git("its archive is of another commit")),
            None => return Err(only_git("its archive does not say which commit it is")),
        }
        if list.changes {
            return Err(only_git("its archives are not what its commits hold, as its .gitattributes says"));
        }
        let (address, id) = (address.to_owned(), id.to_owned());
        Ok(Self { address, id, path: path.to_path_buf(), made: list.made, files: list.files.into() })
    }

    #[cfg(test)]
    pub(super) fn of(address: &str, files: usize) -> Self {
        let file = |place: usize| (TreeFile { path: "a".repeat(1 << 10), kind: Kind::Plain, id: place.to_string() }, 0);
        let (address, files) = (address.to_owned(), (0..files).map(file).collect::<Vec<_>>().into());
        Self { address, id: String::new(), path: PathBuf::new(), made: 0, files }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Nearly how many bytes of memory it takes.
    pub(super) fn weight(&self) -> usize {
        let one = size_of::<(TreeFile, u64)>();
        self.files.iter().map(|(file, _)| one + file.path.len() + file.id.len()).sum()
    }

    pub(crate) fn files(&self) -> Vec<TreeFile> {
        self.files.iter().map(|(file, _)| file.clone()).collect()
    }

    pub(crate) fn sizes<'i>(&self, ids: impl IntoIterator<Item = &'i str>) -> HashMap<String, u64> {
        let known: HashMap<_, _> = self.files.iter().map(|(file, size)| (file.id.as_str(), *size)).collect();
        ids.into_iter().filter_map(|id| Some((id.to_owned(), *known.get(id)?))).collect()
    }

    pub(crate) fn bytes<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, Vec<u8>>, FetchError> {
        let sizes = self.sizes(ids);
        let wanted: BTreeSet<_> =
            sizes.iter().filter(|(_, size)| **size <= commit::LARGEST).map(|(id, _)| id.as_str()).collect();
        if wanted.iter().map(|id| sizes[*id]).sum::<u64>() > TOGETHER as u64 {
            return Err(FetchError::TooLarge(self.address.clone(), (TOGETHER >> 20) as u64));
        }
        let mut found = BTreeMap::new();
        if wanted.is_empty() {
            return Ok(found);
        }
        each(&self.address, &self.path, cancel, &mut |place, names, entry| {
            let id = place.to_string();
            if wanted.contains(id.as_str()) {
                found.insert(id, bytes(names, entry)?);
            }
            Ok(())
        })?;
        Ok(found)
    }
}

type Stream = io::Take<GzDecoder<BufReader<File>>>;
type Take<'t> = &'t mut dyn FnMut(usize, Names, &mut Entry<'_, Stream>) -> io::Result<()>;

/// Reads every entry, with its place and its names.
fn each(address: &str, path: &Path, cancel: &Cancel, take: Take<'_>) -> Result<(), FetchError> {
    let broken = |error: io::Error| FetchError::Archive(address.to_owned(), error.to_string());
    let file = File::open(path).map_err(|error| FetchError::Disk(path.to_path_buf(), error))?;
    let stream = GzDecoder::new(BufReader::new(file));
    let mut archive = Archive::new(stream.take((LARGEST << 20) + 1));
    let (mut headers, mut place) = (Headers::default(), 0);
    for entry in archive.entries().map_err(broken)?.raw(true) {
        if cancel.is() {
            return Err(FetchError::Cancelled);
        }
        let mut entry = entry.map_err(broken)?;
        if entry.raw_file_position().saturating_add(entry.size()) > LARGEST << 20 || place > 2 * MOST_FILES {
            return Err(FetchError::TooLarge(address.to_owned(), LARGEST));
        }
        if headers.take(&mut entry).map_err(broken)? {
            continue;
        }
        let names = headers.names(&entry).map_err(broken)?;
        take(place, names, &mut entry).map_err(broken)?;
        place += 1;
    }
    headers.end().map_err(broken)
}

/// What is read of an archive.
#[derive(Default)]
struct List {
    commit: Option<String>,
    made: u64,
    files: Vec<(TreeFile, u64)>,
    /// The bytes of their paths.
    length: usize,
    /// Whether git writes some of its files otherwise than they are.
    changes: bool,
}

impl List {
    /// Whether it has more than a commit may have; then nothing more is added.
    fn is_too_long(&self) -> bool {
        self.files.len() > MOST_FILES || self.length > LONGEST_LIST
    }

    fn add(&mut self, file: TreeFile, size: u64) {
        if !self.is_too_long() {
            self.length += file.path.len();
            self.files.push((file, size));
        }
    }

    fn take(&mut self, place: usize, names: Names, entry: &mut Entry<'_, Stream>) -> io::Result<()> {
        let kind = match entry.header().entry_type() {
            EntryType::XGlobalHeader => {
                let named = commit_in(&note(entry)?);
                self.commit = self.commit.take().or(named);
                return Ok(());
            }
            EntryType::Directory => return Ok(()),
            EntryType::Symlink => Kind::Link,
            EntryType::Regular if entry.header().mode()? & 0o100 != 0 => Kind::Executable,
            EntryType::Regular => Kind::Plain,
            _ => return Err(io::Error::other("it holds what git does not")),
        };
        let path = String::from_utf8_lossy(&names.path).into_owned();
        // All is in one folder, which is named after the repository.
        let Some((_, path)) = path.split_once('/') else { return Err(io::Error::other("it is not as git makes them")) };
        let size = match kind {
            Kind::Link => names.target.map_or(0, |target| target.len() as u64),
            _ => entry.size(),
        };
        self.made = self.made.max(entry.header().mtime()?);
        self.add(TreeFile { path: path.to_owned(), kind, id: place.to_string() }, size);
        if kind == Kind::Link {
            return Ok(());
        }
        match path.rsplit('/').next() {
            Some(".gitattributes") => self.changes |= changes_files(&note(entry)?),
            // An archive has an empty folder in the place of another repository.
            Some(".gitmodules") if !path.contains('/') => {
                let module = |path: &str| TreeFile { path: path.to_owned(), kind: Kind::Submodule, id: String::new() };
                submodules(&note(entry)?).for_each(|path| self.add(module(path), 0));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The bytes of an entry; those of a link are its target.
fn bytes(names: Names, entry: &mut Entry<'_, Stream>) -> io::Result<Vec<u8>> {
    if let (EntryType::Symlink, Some(target)) = (entry.header().entry_type(), names.target) {
        return Ok(target);
    }
    let mut bytes = Vec::new();
    entry.take(commit::LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The beginning of an entry as a text.
fn note(entry: &mut Entry<'_, Stream>) -> io::Result<String> {
    let mut bytes = Vec::new();
    entry.take(LONGEST_NOTE).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The commit that git names in a header for the whole archive: `52 comment=<commit>`.
fn commit_in(header: &str) -> Option<String> {
    let comment = |line: &str| Some(line.split_once(' ')?.1.strip_prefix("comment=")?.to_owned());
    header.lines().find_map(comment)
}

/// Whether attributes change what is in an archive. One that is taken off (`-ident`) does not; one that a macro or a
/// pattern hides counts, wherever it applies.
fn changes_files(attributes: &str) -> bool {
    let words = attributes.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(str::split_whitespace);
    words.into_iter().any(|word| CHANGING.iter().any(|one| word == *one || one.ends_with('=') && word.starts_with(one)))
}

/// The folders that `.gitmodules` says hold other repositories.
fn submodules(modules: &str) -> impl Iterator<Item = &str> {
    let settings = modules.lines().filter_map(|line| line.split_once('='));
    settings.filter(|(key, _)| key.trim() == "path").map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_change_an_archive_are_told_from_those_that_do_not() {
        for changing in ["tests export-ignore", "* text eol=crlf", "a ident", "b working-tree-encoding=UTF-16"] {
            assert!(changes_files(changing), "{changing}");
        }
        for harmless in ["# export-ignore", "* text=auto eol=lf", "*.png binary", "a -ident", "*.bin filter=lfs"] {
            assert!(!changes_files(harmless), "{harmless}");
        }
    }

    #[test]
    fn a_header_of_the_archive_names_its_commit() {
        let id = "a".repeat(40);
        assert_eq!(commit_in(&format!("52 comment={id}\n")), Some(id));
        assert_eq!(commit_in("20 mtime=1\n"), None);
        assert_eq!(submodules("[submodule \"a\"]\n\tpath = lib/a\n\turl = x\n").collect::<Vec<_>>(), ["lib/a"]);
    }
}
