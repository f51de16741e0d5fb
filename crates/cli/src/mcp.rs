//! `skilltender mcp`: one client's stdio, carried to the running engine or answered here.

use std::{
    io,
    path::{Path, PathBuf},
};

use engine::{Engine, Machine, Mode, actions, bridge};
use tokio::runtime::Builder;

use crate::{
    Failure, Text,
    args::{Archives, absolute},
    stdio,
};

const AFTER: &str = "\
What a client's MCP config runs. Without a folder it is carried to the Skilltender that runs, or answered from its choices \
where none does; with folders it is a server of its own that keeps nothing.

  {\"command\": \"skilltender\", \"args\": [\"mcp\", \"--skills-dir\", \"/home/me/skills\"]}";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Which client this is; without it, a connection made by hand
    #[arg(long, value_name = "ID", conflicts_with = "skills_dir")]
    client: Option<String>,
    /// Serve the skills of this folder alone, without the library (may be repeated)
    #[arg(long, value_name = "FOLDER", value_parser = absolute)]
    skills_dir: Vec<PathBuf>,
    /// Offer every skill as a packed file too
    #[arg(long, value_name = "FORM", requires = "skills_dir")]
    archives: Option<Archives>,
    /// Do not start when a skill breaks the rules
    #[arg(long, requires = "skills_dir")]
    strict: bool,
}

pub(crate) fn run(command: Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    // One client's lines: they need not go from one thread to another.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let stop = engine::asked_to_stop()?;
        tokio::select! {
            done = serve(command, machine) => done,
            () = stop => Ok(()),
        }
    });
    // A read of standard input cannot be called back: it is not waited for.
    runtime.shutdown_background();
    done
}

async fn serve(command: Arguments, machine: Machine) -> Result<(), Failure> {
    let Arguments { client, skills_dir, archives, strict } = command;
    if skills_dir.is_empty() {
        let (input, output) = stdio::open();
        return bridge::carry(machine, client.as_deref(), input, output).await.map_err(broken);
    }
    let engine = plain(machine, skills_dir, strict).await?;
    if let Some(Archives::Gzip) = archives {
        engine.offer_archives().await;
    }
    let (input, output) = stdio::open();
    bridge::answer(&engine, input, output).await.map_err(broken)
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands it over")]
fn broken(error: io::Error) -> Failure {
    Failure::refused(format!("The connection to the client broke: {error}."))
}

/// The plain server of seed 003.
async fn plain(machine: Machine, folders: Vec<PathBuf>, strict: bool) -> Result<Engine, Failure> {
    let engine = Engine::start(machine, Mode::Plain { folders }).await?;
    if strict {
        refuse_problems(&engine).await?;
    }
    Ok(engine)
}

/// Seed 000: with hard violations a strict server does not start.
async fn refuse_problems(engine: &Engine) -> Result<(), Failure> {
    let mut lines = Text::new();
    for skill in engine.snapshot().skills.iter().filter(|skill| skill.problems.error > 0) {
        let page = actions::read_skill(engine, &skill.key).await?;
        for problem in page.problems.iter().filter(|problem| problem.is_error()) {
            lines.line(format!("{}:{}:{}: {}", skill.place, problem.line, problem.column, problem.message));
        }
    }
    if lines.is_empty() { Ok(()) } else { Err(Failure::problems(lines)) }
}
