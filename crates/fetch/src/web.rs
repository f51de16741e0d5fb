//! Files at addresses of the web, over https, and over http with this computer. The system's certificates and proxies
//! apply; no credential is sent.
//!
//! Whoever answers may send on to another https address, but into this computer or a private network only from there:
//! names are looked up here, and what was judged is what is asked. A file has a largest size, a slowest pace and an end.

mod asking;
mod refusal;

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use machine::waiting;
use sha2::{Digest as _, Sha256};

use self::asking::Wanted;
use crate::{
    Cancel, FetchError, kept,
    running::{LARGEST, SILENCE},
};

/// The web, and the folder for what is fetched from it.
#[derive(Debug, Clone)]
pub struct Web {
    folder: PathBuf,
    patience: Duration,
    /// Who named what is fetched, where it was no person.
    by: Option<String>,
}

/// A file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it is kept.
    pub path: PathBuf,
    /// The sha256 of its bytes, in 64 lower-case hexadecimal digits.
    pub sha256: String,
}

impl Web {
    /// `folder` is where fetched files are kept.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), patience: SILENCE, by: None }
    }

    /// The same with less patience for who sends nothing.
    #[must_use]
    pub fn patient(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The same for what somebody at this address names: it may lead only where they may send on to.
    #[must_use]
    pub fn named_by(&self, address: &str) -> Self {
        Self { by: Some(address.to_owned()), ..self.clone() }
    }

    /// Fetches a file, and keeps it for a week.
    ///
    /// # Errors
    /// When it cannot be fetched, or is larger than a source may be; then nothing is left.
    pub fn file(&self, address: &str, cancel: &Cancel) -> Result<Fetched, FetchError> {
        let disk = |error| FetchError::Disk(self.folder.clone(), error);
        machine::make_private(&self.folder).map_err(disk)?;
        kept::sweep(&self.folder);
        let mut fresh = tempfile::Builder::new().prefix("coming-").tempfile_in(&self.folder).map_err(disk)?;
        let mut digest = Sha256::new();
        self.ask(address, LARGEST << 20, cancel, &mut |piece| {
            digest.update(piece);
            fresh.write_all(piece).map_err(disk)
        })?;
        let sha256 = format!("{:x}", digest.finalize());
        let path = self.place(address, &sha256);
        fresh.persist(&path).map_err(|error| disk(error.error))?;
        Ok(Fetched { path, sha256 })
    }

    /// Fetches a small file, such as a list, without keeping it.
    ///
    /// # Errors
    /// When it cannot be fetched, or has more than `most` bytes.
    pub fn bytes(&self, address: &str, most: u64, cancel: &Cancel) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        self.ask(address, most, cancel, &mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Keeps what was made of several fetched files, as one file of this address.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, address: &str, bytes: &[u8]) -> Result<Fetched, FetchError> {
        let disk = |error| FetchError::Disk(self.folder.clone(), error);
        machine::make_private(&self.folder).map_err(disk)?;
        let sha256 = format!("{:x}", Sha256::digest(bytes));
        let path = self.place(address, &sha256);
        let mut fresh = tempfile::Builder::new().prefix("coming-").tempfile_in(&self.folder).map_err(disk)?;
        fresh.write_all(bytes).map_err(disk)?;
        fresh.persist(&path).map_err(|error| disk(error.error))?;
        Ok(Fetched { path, sha256 })
    }

    /// A file that was fetched from this address before, if its bytes are still these.
    pub fn kept(&self, address: &str, sha256: &str) -> Option<Fetched> {
        // It becomes part of a path.
        if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let path = self.place(address, sha256);
        let (mut file, mut digest, mut part) = (File::open(&path).ok()?, Sha256::new(), vec![0; 64 << 10]);
        loop {
            match file.read(&mut part).ok()? {
                0 => break,
                read => digest.update(&part[..read]),
            }
        }
        if format!("{:x}", digest.finalize()) != sha256 {
            drop(fs::remove_file(&path));
            return None;
        }
        kept::touch(&path);
        Some(Fetched { path, sha256: sha256.to_owned() })
    }

    /// The file that was fetched last from this address, if it is still here.
    pub fn latest(&self, address: &str) -> Option<Fetched> {
        let name = format!("{:x}-", Sha256::digest(address))[..16].to_owned();
        let one = |entry: fs::DirEntry| {
            let file = entry.file_name();
            let sha256 = file.to_str()?.strip_prefix(&name)?.strip_prefix('-')?.strip_suffix(".file")?.to_owned();
            Some((entry.metadata().ok()?.modified().ok()?, sha256))
        };
        let newest = fs::read_dir(&self.folder).ok()?.flatten().filter_map(one).max()?;
        self.kept(address, &newest.1)
    }

    /// Asks for a file, and hands its bytes on as they come.
    fn ask(
        &self,
        address: &str,
        most: u64,
        cancel: &Cancel,
        take: &mut dyn FnMut(&[u8]) -> Result<(), FetchError>,
    ) -> Result<(), FetchError> {
        waiting::for_person();
        if cancel.is() {
            return Err(FetchError::Cancelled);
        }
        asking::ask(&Wanted { address, by: self.by.as_deref(), most, patience: self.patience }, cancel, take)
    }

    fn place(&self, address: &str, sha256: &str) -> PathBuf {
        let name = format!("{:x}", Sha256::digest(address));
        self.folder.join(format!("{}-{sha256}.file", &name[..16]))
    }
}
