//! `skilltender team`: one file for a team, written from this library, and joined.

mod join;
mod words;

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use clap::Subcommand;
use engine::{Engine, Machine, Mode, actions};
use serde_json::json;
use text::counted;

use crate::{Failure, Text, install::pair, print, print_json, runtime, whole_file};

/// The file's name.
const FILE: &str = "skilltender.team.yaml";
/// More than a team's file may have, in bytes.
const LONGEST: u64 = 2 << 20;

const AFTER: &str = "\
The file names skills at their commits with the digest of every file, the servers that they need in their exact form, the \
names of secrets with how to get each, sets, and clients. It never holds a value. It belongs into a git repository.

  skilltender team export                        writes ./skilltender.team.yaml
  skilltender team join acme/team                shows all that would come and run, and asks once
  skilltender team join ./skilltender.team.yaml";

const AFTER_EXPORT: &str = "\
Skills without a git source are left out and named. A file that is there keeps what people wrote: its name, advice, clients \
and policy, and how to get each secret. Comments are not kept.

  skilltender team export
  skilltender team export tea ale --out ~/team/skilltender.team.yaml";

const AFTER_JOIN: &str = "\
The page shows each skill with what it carries, each server with its exact command, and the secrets. One yes brings the \
skills and lets exactly these servers run; then the missing secrets are asked for, and the clients are connected. Run it again \
at any time: it goes on with what is left.

  skilltender team join acme/team#main
  skilltender team join acme/team --yes               skills and sets; servers still need approval
  skilltender team join acme/team --digest 3f…        a yes to the page with this digest
  skilltender team join acme/team --digest 3f… --secret-from-env TOKEN=STOCK_TOKEN";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Write the file from this library
    #[command(after_help = AFTER_EXPORT)]
    Export(Export),
    /// Show what a team's file brings and runs, ask once, and set it up
    #[command(after_help = AFTER_JOIN)]
    Join(Join),
}

#[derive(Debug, clap::Args)]
struct Export {
    /// The id, the key or the path of each skill; without one, all that have a source
    skills: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "PATH", default_value = FILE)]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct Join {
    /// The file or its folder, or a git repository with it, as for `sources add`
    source: String,
    /// The library folder for skills that come, by its path or its id
    #[arg(long = "in", value_name = "FOLDER", default_value = "own")]
    folder: String,
    /// Bring the skills and connect the clients without asking; servers still need approval
    #[arg(long)]
    yes: bool,
    /// Say yes to the page, with its servers, if it has this digest
    #[arg(long)]
    digest: Option<String>,
    /// Set the plain value of a parameter (may be repeated)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    value: Vec<(String, String)>,
    /// Take a secret from an environment variable (may be repeated)
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = pair)]
    secret_from_env: Vec<(String, String)>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    match &command.act {
        Act::Export(command) => export(command, home),
        Act::Join(command) => join::run(command, home),
    }
}

fn export(command: &Export, home: Option<&Path>) -> Result<(), Failure> {
    let Export { skills, out, json } = command;
    let older = read(out)?;
    let machine = Machine::here(home)?;
    let done = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        actions::list_servers(&engine).await;
        let keys = skills.iter().map(|skill| actions::find_skill(&engine, skill)).collect::<Result<Vec<_>, _>>()?;
        let keys = (!keys.is_empty()).then_some(keys);
        Ok::<_, Failure>(actions::export_team(&engine, keys.as_deref(), older.as_deref()).await?)
    })?;
    whole_file::write(out, &done.text)
        .map_err(|error| Failure::refused(format!("{} cannot be written: {error}.", out.display())))?;
    if *json {
        let (skills, servers, left_out) = (&done.skills, &done.servers, &done.left_out);
        return print_json(&json!({"file": out, "skills": skills, "servers": servers, "leftOut": left_out}));
    }
    let (skills, servers) = (counted(done.skills.len(), "skill"), counted(done.servers.len(), "server"));
    let mut text = Text::from(format!("{} has {skills} and {servers}, and no value of a secret.", out.display()));
    text.extend(done.left_out.iter().map(|one| format!("Not in it: {}", one.why)));
    print(text)
}

/// The text of a file, `None` where there is none. What is longer than such a file may be is cut, and refused when it is
/// understood.
fn read(path: &Path) -> Result<Option<String>, Failure> {
    let refused = |error: io::Error| Failure::usage(format!("{} cannot be read: {error}.", path.display()));
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error)),
    };
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(refused)?;
    Ok(Some(text))
}
