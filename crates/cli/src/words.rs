//! Words that several commands take.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use engine::Machine;

use crate::Failure;

/// What a command takes that has commands below it and lists where none is named.
#[derive(Debug, clap::Args)]
pub(crate) struct Acts<A: Subcommand> {
    #[command(subcommand)]
    pub(crate) act: Option<A>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// How a skill is packed into one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Archives {
    /// A .tar.gz
    Gzip,
}

/// The folders of a plain server: those that were named, else those that the environment names.
pub(crate) fn skills_dirs(named: Vec<PathBuf>, machine: &Machine) -> Result<Vec<PathBuf>, Failure> {
    if !named.is_empty() {
        return Ok(named);
    }
    match machine.skills_dirs.iter().find(|folder| !folder.is_absolute()) {
        Some(relative) => Err(Failure::usage(format!(
            "SKILLTENDER_SKILLS_DIR names {}: it must be an absolute path, one that begins at the root.",
            relative.display()
        ))),
        None => Ok(machine.skills_dirs.clone()),
    }
}

/// A client starts us in a folder that nobody knows, so a relative path would mean anything.
pub(crate) fn absolute(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err("it must be an absolute path, one that begins at the root".to_owned())
    }
}
