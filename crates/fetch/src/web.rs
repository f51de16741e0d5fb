//! Files at addresses of the web, over https, and over http with this computer. The system's certificates and proxies
//! apply; no credential is sent.
//!
//! Whoever answers may send on to another https address, but into this computer or a private network only from there:
//! names are looked up here, and what was judged is what is asked. A file has a largest size, a slowest pace and an end.

mod asking;
mod refusal;
mod validator;

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use machine::waiting;
use sha2::{Digest as _, Sha256};

use self::{
    asking::{Answer, Wanted},
    validator::Validator,
};
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

    /// Fetches a file, and keeps it for a week. One that is here already, and that its host says is the same, is not sent
    /// again.
    ///
    /// # Errors
    /// When it cannot be fetched, or is larger than a source may be; then nothing is left.
    pub fn file(&self, address: &str, cancel: &Cancel) -> Result<Fetched, FetchError> {
        self.fetched(address, address, LARGEST << 20, cancel)
    }

    /// Fetches a small file, such as a list, and keeps it in the same way.
    ///
    /// # Errors
    /// When it cannot be fetched, or has more than `most` bytes.
    pub fn bytes(&self, address: &str, most: u64, cancel: &Cancel) -> Result<Vec<u8>, FetchError> {
        self.read(&self.fetched(address, &part(address), most, cancel)?)
    }

    /// Fetches a small file that has this digest. If it is here, nobody is asked; one that comes may be another.
    ///
    /// # Errors
    /// As for [`bytes`](Self::bytes).
    pub fn digested(&self, address: &str, sha256: &str, most: u64, cancel: &Cancel) -> Result<Vec<u8>, FetchError> {
        let name = part(address);
        if let Some(here) = self.kept(&name, sha256) {
            return self.read(&here);
        }
        // What is here is another one: a host that says it is the same says nothing.
        drop(fs::remove_file(self.validator_place(&name)));
        self.read(&self.fetched(address, &name, most, cancel)?)
    }

    fn read(&self, fetched: &Fetched) -> Result<Vec<u8>, FetchError> {
        fs::read(&fetched.path).map_err(|error| FetchError::Disk(self.folder.clone(), error))
    }

    /// Fetches a file, or finds it where it is kept under this name.
    fn fetched(&self, address: &str, name: &str, most: u64, cancel: &Cancel) -> Result<Fetched, FetchError> {
        let disk = |error| FetchError::Disk(self.folder.clone(), error);
        machine::make_private(&self.folder).map_err(disk)?;
        kept::sweep(&self.folder);
        let here = self.validated(name).filter(|(_, here)| here.path.metadata().is_ok_and(|file| file.len() <= most));
        let mut fresh = tempfile::Builder::new().prefix("coming-").tempfile_in(&self.folder).map_err(disk)?;
        let mut digest = Sha256::new();
        let known = here.as_ref().map(|(validator, _)| validator);
        let answer = self.ask(address, most, known, cancel, &mut |piece| {
            digest.update(piece);
            fresh.write_all(piece).map_err(disk)
        })?;
        let validator = match (answer, here) {
            (Answer::Unchanged, Some((_, here))) => return Ok(here),
            (Answer::Came(validator), _) => validator,
            (Answer::Unchanged, None) => return Err(FetchError::Odd(address.to_owned(), 304)),
        };
        let sha256 = format!("{:x}", digest.finalize());
        let path = self.place(name, &sha256);
        fresh.persist(&path).map_err(|error| disk(error.error))?;
        let place = self.validator_place(name);
        match validator {
            Some(validator) => fs::write(&place, validator.text(&sha256)).map_err(disk)?,
            None => drop(fs::remove_file(&place)),
        }
        Ok(Fetched { path, sha256 })
    }

    /// The file that is kept under this name, with what its host said of it.
    fn validated(&self, name: &str) -> Option<(Validator, Fetched)> {
        let place = self.validator_place(name);
        let (sha256, validator) = Validator::read(&fs::read_to_string(&place).ok()?)?;
        let here = self.kept(name, &sha256)?;
        kept::touch(&place);
        Some((validator, here))
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
        here: Option<&Validator>,
        cancel: &Cancel,
        take: &mut dyn FnMut(&[u8]) -> Result<(), FetchError>,
    ) -> Result<Answer, FetchError> {
        waiting::for_person();
        if cancel.is() {
            return Err(FetchError::Cancelled);
        }
        let wanted = Wanted { address, by: self.by.as_deref(), most, patience: self.patience, here };
        asking::ask(&wanted, cancel, take)
    }

    fn place(&self, address: &str, sha256: &str) -> PathBuf {
        let name = format!("{:x}", Sha256::digest(address));
        self.folder.join(format!("{}-{sha256}.file", &name[..16]))
    }

    /// Where it is kept what a host said of a file.
    fn validator_place(&self, address: &str) -> PathBuf {
        let name = format!("{:x}", Sha256::digest(address));
        self.folder.join(format!("{}.said", &name[..16]))
    }
}

/// The name of a small file: what is made of several, of the same address, has another.
fn part(address: &str) -> String {
    format!("{address}#")
}
