//! A launch spec: exactly what would be started or connected to, as the person is shown it and as it is remembered.
//!
//! It holds no secret, only which secret goes where. Two launch specs are the same server when they are equal, and an
//! approval covers one launch spec. It contains the program with its link target and content, every argument, the
//! names and plain values of the environment, the folder, and the content of the skill's files that the command
//! line names. If any part of it leads into the skill's folder, it contains all of that folder (decision 60;
//! security rule 5).

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use files::Digests;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use skills::{Container, Launch, Remote, Slot, Start, Way};

use super::{
    containers::{self, Containers},
    held::Held,
    paths::{find_program, is_program},
    reaches::Reaches,
    runners,
    unfilled::Unfilled,
};

/// Size limits in bytes: for a file of a skill that the command line names, and for a program.
const LARGEST: u64 = 64 << 20;
const LARGEST_PROGRAM: u64 = 2 << 30;
/// Python writes compiled files next to the sources, so running the skill would change it.
const WRITES_NOTHING: &str = "PYTHONDONTWRITEBYTECODE";

/// What would be started or connected to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The server's name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Names of variables or headers, each with the secret that it gets and the text before it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, SecretUse>,
}

/// The kind of server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A program of this computer; for a container, the program that runs it.
    Program {
        /// Where the program was found.
        program: PathBuf,
        /// The target of `program`, if that is a link.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        real: Option<PathBuf>,
        /// The SHA-256 of that file; none for a program that only runs other code and is updated with the
        /// system (`npx`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<String>,
        /// The program as it was written, and its arguments.
        argv: Vec<String>,
        /// Its environment without secrets.
        env: BTreeMap<String, String>,
        /// The folder that it runs in.
        cwd: PathBuf,
        /// Files of the skill that the command line names, with the SHA-256 of each.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        files: BTreeMap<PathBuf, String>,
        /// The skill's folder, if anything here leads into it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held: Option<Box<Held>>,
        /// The image of the container that it runs in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        image: Option<String>,
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
pub struct SecretUse {
    /// The text before it: `Bearer `.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// Which secret.
    #[serde(flatten)]
    pub parameter: Slot,
}

/// The sources of launch specs, including the parts of the disk that they depend on.
pub struct SpecSource<'m> {
    /// The user's home.
    pub home: &'m Path,
    /// Skilltender's data folder.
    pub data: &'m Path,
    /// The folders to search for programs.
    pub search: &'m [PathBuf],
    /// What runs containers.
    pub containers: Containers,
    /// The current digests of files.
    pub digests: &'m Digests,
}

impl LaunchSpec {
    /// Identifies this launch spec: the SHA-256 of its whole content.
    pub fn digest(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        machine::random::hex(&Sha256::digest(json))
    }

    /// Whether every file still has the content that the launch spec says; a file can change before any watch notices.
    /// Blocks while it reads them.
    pub fn is_as_it_was(&self, digests: &Digests) -> bool {
        let Kind::Program { program, real, content, files, held, .. } = &self.kind else { return true };
        let is = |file: &Path, was: &str, largest| digests.of_file(file, largest).is_ok_and(|now| now == was);
        leads_to(program) == *real
            && content.as_ref().is_none_or(|was| is(program, was, LARGEST_PROGRAM))
            && files.iter().all(|(file, was)| is(file, was, LARGEST))
            && held.as_ref().is_none_or(|was| Held::of(&was.folder, files, digests).is_ok_and(|now| now == **was))
    }
}

impl SpecSource<'_> {
    /// The launch spec of a server that a skill declares: named `name`, with the secrets of what the skill calls
    /// `declared`.
    ///
    /// # Errors
    /// What is missing before it can be started.
    pub fn spec(
        &self,
        name: &str,
        declared: &str,
        owner: &str,
        skill: &Path,
        start: Start,
    ) -> Result<LaunchSpec, Unfilled> {
        let parameter =
            |parameter: String| Slot { key: owner.to_owned(), server: declared.to_owned(), name: parameter };
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
                let Container { image, env, secrets, port, .. } = container;
                let mut kind = self.program(name, skill, argv, env, None, port)?;
                if let Kind::Program { image: of, .. } = &mut kind {
                    *of = Some(image);
                }
                (kind, whole(secrets))
            }
        };
        Ok(LaunchSpec { name: name.to_owned(), kind, secrets })
    }

    /// The program that runs a way of starting a server, if it is not on this computer.
    pub(crate) fn absent_runtime(&self, way: &Way, skill: &Path) -> Option<String> {
        match way {
            Way::Http { .. } => None,
            Way::Stdio { command, .. } => find_command(command, skill, self.search).is_none().then(|| command.clone()),
            Way::Docker { .. } => containers::absent(self.containers, self.search).map(str::to_owned),
        }
    }

    fn program(
        &self,
        name: &str,
        skill: &Path,
        argv: Vec<String>,
        mut env: BTreeMap<String, String>,
        cwd: Option<String>,
        port: Option<u16>,
    ) -> Result<Kind, Unfilled> {
        let command = argv.first().cloned().unwrap_or_default();
        let program = find_command(&command, skill, self.search).ok_or_else(|| Unfilled::NoProgram(command.clone()))?;
        let unreadable = |what: &Path, error: io::Error| {
            Unfilled::Refused(format!("{} is part of the server {name} and cannot be read: {error}.", what.display()))
        };
        let mut files = BTreeMap::new();
        for file in named(&argv, &program, skill) {
            let digest = self.digests.of_file(&file, LARGEST).map_err(|error| unreadable(&file, error))?;
            files.insert(file, digest);
        }
        let cwd = match cwd {
            Some(cwd) => skill.join(cwd),
            // A program of the skill finds the files next to it; any other has a folder of its own, where no
            // file can configure it.
            None if !files.is_empty() => skill.to_path_buf(),
            None => self.data.join("servers").join(name),
        };
        let (real, content) = self.content(&command, &program).map_err(|error| unreadable(&program, error))?;
        // Only a UTF-8 path can be recorded, and so approved.
        let odd = [skill, &program, &cwd].into_iter().chain(real.as_deref()).find(|path| path.to_str().is_none());
        if let Some(odd) = odd {
            return Err(unreadable(odd, io::Error::other("its name is not UTF-8")));
        }
        let touched = !files.is_empty() || {
            let places = [cwd.as_path(), &program].into_iter().chain(real.as_deref());
            let reaches = Reaches { skill, home: self.home, cwd: &cwd };
            reaches.any(places, argv.iter().skip(1).chain(env.values()))
        };
        let held = touched.then(|| Held::of(skill, &files, self.digests)).transpose();
        let held = held.map_err(|error| unreadable(skill, error))?.map(Box::new);
        if held.as_ref().is_some_and(|held| held.files.keys().any(|file| file.ends_with(".py"))) {
            env.entry(WRITES_NOTHING.to_owned()).or_insert_with(|| "1".to_owned());
        }
        Ok(Kind::Program { program, real, content, argv, env, cwd, files, held, image: None, port })
    }

    /// A program's link target, and its content where that is part of the approval.
    ///
    /// # Errors
    /// When the program cannot be read.
    pub fn content(&self, command: &str, program: &Path) -> io::Result<(Option<PathBuf>, Option<String>)> {
        let real = leads_to(program);
        let is_of_system =
            !is_path(command) || program.parent().is_some_and(|at| self.search.iter().any(|of| of == at));
        let content = if is_of_system && runners::is(program) {
            None
        } else {
            Some(self.digests.of_file(program, LARGEST_PROGRAM)?)
        };
        Ok((real, content))
    }
}

/// The files of the skill that a command line names: its program, and words that are paths below the skill's
/// folder.
fn named(argv: &[String], program: &Path, skill: &Path) -> Vec<PathBuf> {
    let word = |word: &String| {
        let path = skill.join(word);
        // A word that is not a path joins to one that does not exist.
        (!word.is_empty() && path.starts_with(skill) && path.is_file()).then_some(path)
    };
    let of_skill = program.starts_with(skill).then(|| program.to_path_buf());
    argv.iter().skip(1).filter_map(word).chain(of_skill).collect()
}

/// The file that a command names: a path, relative to the skill's folder, or a program in the folders of `search`.
pub fn find_command(command: &str, skill: &Path, search: &[PathBuf]) -> Option<PathBuf> {
    if is_path(command) {
        let path = skill.join(command);
        // On Windows a command with `./` would stay in the middle of the path, with its own kind of slash.
        let path = if cfg!(windows) { path.components().collect() } else { path };
        return Some(path).filter(|path| is_program(path));
    }
    find_program(command, search)
}

/// Whether a command is a path rather than the name of a program.
pub fn is_path(command: &str) -> bool {
    command.contains('/') || cfg!(windows) && command.contains('\\')
}

/// The target of a path, if that is another file.
fn leads_to(path: &Path) -> Option<PathBuf> {
    dunce::canonicalize(path).ok().filter(|real| real != path)
}
