//! A commit that git fetched, bare and without its history.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
};

use crate::{
    Cancel, FetchError, Git, Kind, TreeFile,
    commit::{LARGEST, MOST_FILES, TOGETHER},
    kept,
    running::{Watch, run},
    tips::is_commit,
};

/// The most bytes of the list of files.
const LONGEST_LIST: usize = 64 << 20;

/// A commit that git fetched.
#[derive(Debug, Clone)]
pub struct Bare {
    git: Git,
    address: String,
    id: String,
    folder: PathBuf,
}

impl Bare {
    pub(crate) fn new(git: Git, address: &str, id: &str, folder: PathBuf) -> Self {
        // Whoever asks for it keeps it.
        kept::touch(&folder);
        Self { git, address: address.to_owned(), id: id.to_owned(), folder }
    }

    /// The commit, 40 or 64 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The repository's address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// When it was made, as its author's computer said, in seconds since 1970.
    ///
    /// # Errors
    /// When git fails.
    pub fn made(&self, cancel: &Cancel) -> Result<u64, FetchError> {
        let words = ["log", "-1", "--format=%ct", &self.id];
        let printed = self.git.ours(&self.address, &self.folder, &words, cancel)?;
        Ok(String::from_utf8_lossy(&printed).trim().parse().unwrap_or_default())
    }

    /// All files, in git's order. Names that are not UTF-8 are spelled with replacement characters.
    ///
    /// # Errors
    /// When there are too many, or git fails.
    pub fn files(&self, cancel: &Cancel) -> Result<Vec<TreeFile>, FetchError> {
        let mut command = self.git.at(&self.address, &self.folder);
        command.env("GIT_NO_LAZY_FETCH", "1").args(["ls-tree", "-r", "-z", "--full-tree", &self.id]);
        let too_many = || FetchError::TooMany(self.address.clone(), MOST_FILES);
        let printed = run(command, Vec::new(), LONGEST_LIST, &self.watch(cancel)).map_err(|error| match error {
            FetchError::TooLarge(..) => too_many(),
            other => other,
        })?;
        let files: Vec<_> = printed.split(|byte| *byte == 0).filter_map(file).collect();
        if files.len() > MOST_FILES { Err(too_many()) } else { Ok(files) }
    }

    /// The sizes in bytes of these files, by their ids; those that were not fetched yet are fetched first, in one
    /// request.
    ///
    /// # Errors
    /// When they cannot be fetched.
    pub fn sizes<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<HashMap<String, u64>, FetchError> {
        let ids: BTreeSet<_> = ids.into_iter().filter(|id| is_commit(id)).collect();
        self.complete(&ids, cancel)?;
        let mut command = self.git.at(&self.address, &self.folder);
        command.env("GIT_NO_LAZY_FETCH", "1");
        command.args(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"]);
        let printed = run(command, lines(&ids), LONGEST_LIST, &self.watch(cancel))?;
        let size = |line: &str| {
            let mut words = line.split(' ');
            let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
            (kind == "blob").then(|| Some((id.to_owned(), size.parse().ok()?)))?
        };
        Ok(String::from_utf8_lossy(&printed).lines().filter_map(size).collect())
    }

    /// The bytes of these files, by their ids. Those of more than 16 MiB are left out.
    ///
    /// # Errors
    /// When they cannot be fetched, or are too large together.
    pub fn bytes<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, Vec<u8>>, FetchError> {
        let sizes = self.sizes(ids, cancel)?;
        let wanted: BTreeSet<_> =
            sizes.iter().filter(|(_, size)| **size <= LARGEST).map(|(id, _)| id.as_str()).collect();
        let mut command = self.git.at(&self.address, &self.folder);
        command.env("GIT_NO_LAZY_FETCH", "1").args(["cat-file", "--batch"]);
        let printed = run(command, lines(&wanted), TOGETHER, &self.watch(cancel))?;
        contents(&printed).ok_or_else(|| FetchError::Other(self.address.clone(), "its files are broken".to_owned()))
    }

    /// Fetches those of these files that did not come with the commit.
    fn complete(&self, ids: &BTreeSet<&str>, cancel: &Cancel) -> Result<(), FetchError> {
        let words = ["rev-list", "--objects", "--missing=print", "--no-object-names", "--max-count=1", &self.id];
        let printed = self.git.ours(&self.address, &self.folder, &words, cancel)?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let missing: BTreeSet<_> = printed.lines().filter_map(|line| line.strip_prefix('?')).collect();
        let missing: BTreeSet<_> = missing.intersection(ids).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let fetch = |how: &[&str], input: Vec<u8>| {
            let mut command = self.git.fetching(&self.address, &self.folder);
            command.args(how);
            let watch = Watch { fills: Some(&self.folder), ..self.watch(cancel) };
            run(command, input, LONGEST_LIST, &watch).map(drop)
        };
        // The way of git itself when it lacks a file. A server that gives no single files gives them all.
        match fetch(&["--filter=blob:none", "--stdin", "origin"], lines(&missing)) {
            Err(FetchError::Other(..) | FetchError::NoRepository(_)) => {
                fetch(&["--refetch", "--no-filter", "--depth=1", "origin", &self.id], Vec::new())
            }
            done => done,
        }
    }

    fn watch<'w>(&'w self, cancel: &'w Cancel) -> Watch<'w> {
        Watch { address: &self.address, cancel, fills: None, is_silent: false }
    }
}

fn lines(ids: &BTreeSet<&str>) -> Vec<u8> {
    ids.iter().flat_map(|id| id.bytes().chain([b'\n'])).collect()
}

/// One line of `git ls-tree -z`: `<mode> <type> <id>\t<path>`.
pub(crate) fn file(line: &[u8]) -> Option<TreeFile> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let head = str::from_utf8(&line[..tab]).ok()?;
    let mut words = head.split(' ');
    let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
    let kind = match mode {
        "120000" => Kind::Link,
        "160000" => Kind::Submodule,
        "100755" => Kind::Executable,
        _ => Kind::Plain,
    };
    Some(TreeFile { path: String::from_utf8_lossy(&line[tab + 1..]).into_owned(), kind, id: id.to_owned() })
}

/// What `git cat-file --batch` prints: for each, `<id> blob <size>`, a line end, the bytes, a line end.
pub(crate) fn contents(mut printed: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    while let Some(end) = printed.iter().position(|byte| *byte == b'\n') {
        let head = str::from_utf8(&printed[..end]).ok()?;
        let mut words = head.split(' ');
        let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
        let (size, from) = (size.parse::<usize>().ok()?, end + 1);
        let bytes = printed.get(from..from.checked_add(size)?)?;
        if kind == "blob" {
            found.insert(id.to_owned(), bytes.to_vec());
        }
        printed = printed.get(from + size + 1..)?;
    }
    printed.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_modes_and_names_may_be_anything() {
        let id = "a".repeat(40);
        let of = |mode: &str, path: &str| file(format!("{mode} blob {id}\t{path}").as_bytes()).unwrap();
        assert_eq!(of("100644", "a\tb/SKILL.md").path, "a\tb/SKILL.md");
        assert_eq!(of("100755", "run").kind, Kind::Executable);
        assert_eq!(of("120000", "link").kind, Kind::Link);
        assert_eq!(of("160000", "sub").kind, Kind::Submodule);
        assert_eq!(file(b"broken"), None);
    }

    #[test]
    fn contents_that_hold_what_looks_like_a_head_are_read_by_their_size() {
        let printed = b"aa blob 10\nbb blob 3\n\ncc blob 0\n\n";
        let found = contents(printed).unwrap();
        assert_eq!(found["aa"], b"bb blob 3\n");
        assert_eq!(found["cc"], b"");
        assert_eq!(contents(b"aa blob 10\nshort\n"), None);
    }
}
