//! A form: exactly what would be started or spoken to, as the person is shown it and as it is remembered.
//!
//! It holds no secret, only which secret goes where. Two forms are the same server when they are equal, and an agreement
//! is to one form: the found program, every argument, the names and plain values of the environment, the folder, and the
//! content of files of the skill that the command line names (security.md, R5).

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use skills::{Container, Launch, Remote, Start};

use super::{
    containers::{self, Containers},
    wanted::Unfilled,
};
use crate::state::Parameter;

/// A file of a skill that is part of what is agreed to may have so many bytes.
const LARGEST: u64 = 64 << 20;

/// What would be started or spoken to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Form {
    /// The server's name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) kind: Kind,
    /// Names of variables or headers and of the secret that each one gets, after a text of its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) secrets: BTreeMap<String, SecretUse>,
}

/// What a server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A program of this computer; a container is the program that runs it.
    Program {
        /// Where the program was found.
        program: PathBuf,
        /// The program as it was written, and its arguments.
        argv: Vec<String>,
        /// Its environment without secrets.
        env: BTreeMap<String, String>,
        /// The folder that it runs in.
        cwd: PathBuf,
        /// Files of the skill that the command line names, and the SHA-256 of each.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        files: BTreeMap<PathBuf, String>,
        /// The port inside a container on which it speaks HTTP.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
    },
    /// A server that runs elsewhere.
    Address {
        /// Its address.
        url: String,
        /// The headers without secrets.
        headers: BTreeMap<String, String>,
    },
}

/// Where a secret goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SecretUse {
    /// What stands before it: `Bearer `.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) before: String,
    /// Which secret.
    #[serde(flatten)]
    pub(crate) parameter: Parameter,
}

/// Where forms are made from: the disk, as far as one has to look at it.
pub(crate) struct FormSource<'m> {
    /// The user's home.
    pub(crate) home: &'m Path,
    /// Our data folder.
    pub(crate) data: &'m Path,
    /// Where programs are looked for.
    pub(crate) search: &'m [PathBuf],
    /// What runs containers.
    pub(crate) containers: Containers,
}

impl Form {
    /// Names this form among all: the SHA-256 of all that it says.
    pub(crate) fn digest(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        crate::random::hex(&Sha256::digest(json))
    }

    /// Whether the files of the skill that it names still are what they were: a file can change without anybody having
    /// noticed yet. Blocks for as long as they are read.
    pub(crate) fn is_as_it_was(&self) -> bool {
        let Kind::Program { files, .. } = &self.kind else { return true };
        files.iter().all(|(file, was)| digest(file).is_ok_and(|now| now == *was))
    }
}

impl FormSource<'_> {
    /// The form of what a skill asks to be started: as `name`, with the secrets of what the skill calls `declared`.
    pub(crate) fn form(
        &self,
        name: &str,
        declared: &str,
        owner: &str,
        skill: &Path,
        start: Start,
    ) -> Result<Form, Unfilled> {
        let parameter =
            |parameter: String| Parameter { key: owner.to_owned(), server: declared.to_owned(), name: parameter };
        let whole = |secrets: BTreeMap<String, String>| {
            let uses = secrets.into_iter().map(|(variable, secret)| {
                (variable, SecretUse { before: String::new(), parameter: parameter(secret) })
            });
            uses.collect()
        };
        let (kind, secrets) = match start {
            Start::Program(Launch { argv, env, secrets, cwd }) => {
                (self.program(name, skill, argv, env, cwd, None)?, whole(secrets))
            }
            Start::Address(Remote { url, headers, secrets }) => {
                let uses = secrets.into_iter().map(|(header, secret)| {
                    (header, SecretUse { before: secret.before, parameter: parameter(secret.parameter) })
                });
                (Kind::Address { url, headers }, uses.collect())
            }
            Start::Container(container) => {
                let argv = containers::argv(&container, name, self.containers, self.search)?;
                let Container { env, secrets, port, .. } = container;
                (self.program(name, skill, argv, env, None, port)?, whole(secrets))
            }
        };
        Ok(Form { name: name.to_owned(), kind, secrets })
    }

    fn program(
        &self,
        name: &str,
        skill: &Path,
        argv: Vec<String>,
        env: BTreeMap<String, String>,
        cwd: Option<String>,
        port: Option<u16>,
    ) -> Result<Kind, Unfilled> {
        let command = argv.first().cloned().unwrap_or_default();
        let program = self.find(&command, skill).ok_or_else(|| Unfilled::NoProgram(command.clone()))?;
        let named = |word: &String| {
            let path = skill.join(word);
            // A word that is no path joins to one that nobody has.
            (!word.is_empty() && path.starts_with(skill) && path.is_file()).then_some(path)
        };
        let of_skill = program.starts_with(skill).then(|| program.clone());
        let mut files = BTreeMap::new();
        for file in argv.iter().skip(1).filter_map(named).chain(of_skill) {
            let digest = digest(&file).map_err(|error| {
                Unfilled::Refused(format!(
                    "{} is part of the server {name} and cannot be read: {error}.",
                    file.display()
                ))
            })?;
            files.insert(file, digest);
        }
        let cwd = match cwd {
            Some(cwd) => skill.join(cwd),
            // A program of the skill finds what lies beside it; any other has a folder of its own, where nobody has put
            // a setting for it.
            None if !files.is_empty() => skill.to_path_buf(),
            None => self.data.join("servers").join(name),
        };
        Ok(Kind::Program { program, argv, env, cwd, files, port })
    }

    /// The file that a command names: a path, of the skill where it is a relative one, or a program of this computer.
    pub(super) fn find(&self, command: &str, skill: &Path) -> Option<PathBuf> {
        if command.contains('/') || cfg!(windows) && command.contains('\\') {
            return Some(skill.join(command)).filter(|path| is_program(path));
        }
        find_program(command, self.search)
    }
}

/// The first program of this name in these folders.
pub(crate) fn find_program(name: &str, search: &[PathBuf]) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    let named = |folder: &PathBuf| {
        endings.iter().map(|ending| folder.join(format!("{name}{ending}"))).find(|path| is_program(path))
    };
    search.iter().find_map(named)
}

fn is_program(path: &Path) -> bool {
    let Ok(found) = fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = {
        use std::os::unix::fs::PermissionsExt as _;
        found.permissions().mode() & 0o111 != 0
    };
    #[cfg(not(unix))]
    let may_run = true;
    found.is_file() && may_run
}

fn digest(path: &Path) -> io::Result<String> {
    use io::Read as _;

    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 64 MiB"));
    }
    Ok(crate::random::hex(&Sha256::digest(bytes)))
}
