//! `skilltender mcp`: one client's stdio, connected to the running engine or answered here.

use std::{
    io,
    path::{Path, PathBuf},
};

use api::SkillRow;
use engine::{Engine, Machine, Mode, actions, bridge};
use tokio::runtime::Builder;

use crate::{
    Failure, Text, say, stdio,
    words::{Archives, absolute, skills_dirs},
};

const AFTER: &str = "\
A client's MCP config runs this command. Without a folder, it connects to the running Skilltender; if none runs, it serves \
the same skills read-only. With --skills-dir, it serves those folders alone, without any state, and reports on standard error \
what it leaves out. SKILLTENDER_SKILLS_DIR (separated as in PATH) names folders if neither --skills-dir nor --client is given.

  {\"command\": \"skilltender\", \"args\": [\"mcp\", \"--skills-dir\", \"/home/me/skills\"]}";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The id of the client that starts this; without it, the connection counts as made by hand
    #[arg(long, value_name = "ID", conflicts_with = "skills_dir")]
    client: Option<String>,
    /// Serve this folder instead of the library (may be repeated)
    #[arg(long, value_name = "FOLDER", value_parser = absolute)]
    skills_dir: Vec<PathBuf>,
    /// The folder that the client works in, unless it gives one itself (default: where this is started)
    #[arg(long = "folder", value_name = "FOLDER", value_parser = absolute, conflicts_with = "skills_dir")]
    at: Option<PathBuf>,
    /// Also offer each skill as a packed file
    #[arg(long, value_name = "FORM")]
    archives: Option<Archives>,
    /// Exit with code 2 if a skill has errors or is left out, or a folder was not searched
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(command: Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    // The lines of one client need no second thread.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let stop = engine::asked_to_stop()?;
        tokio::select! {
            done = serve(command, machine) => done,
            () = stop => Ok(()),
        }
    });
    // A read of standard input cannot be cancelled, so it is not waited for.
    runtime.shutdown_background();
    done
}

async fn serve(command: Arguments, machine: Machine) -> Result<(), Failure> {
    let Arguments { client, at, skills_dir, archives, strict } = command;
    let skills_dir = if client.is_some() { Vec::new() } else { skills_dirs(skills_dir, &machine)? };
    if skills_dir.is_empty() {
        if strict || archives.is_some() {
            let message = "--strict and --archives are for a server of its own: name its folders with --skills-dir.";
            return Err(Failure::usage(message.to_owned()));
        }
        bridge::refuse_newer(&machine).await?;
        // Where this is started is where the client works, for those that start it in a project.
        let folder = at.or_else(|| std::env::current_dir().ok());
        let (input, output) = stdio::open();
        return bridge::carry(machine, client.as_deref(), folder, input, output).await.map_err(broken);
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

/// The plain server of the skills server specification. It reports the skills it leaves out; with `strict` it then does
/// not start.
pub(crate) async fn plain(machine: Machine, folders: Vec<PathBuf>, strict: bool) -> Result<Engine, Failure> {
    let engine = Engine::start(machine, Mode::Plain { folders }).await?;
    let mut left_out = actions::left_out(&engine);
    if strict {
        let broken = broken_rules(&engine, &left_out).await?;
        left_out.extend(broken);
        if !left_out.is_empty() {
            return Err(Failure::usage(left_out.into_iter().collect::<Text>()));
        }
    }
    say(left_out.into_iter().collect::<Text>());
    Ok(engine)
}

/// The errors of skills that are served all the same (the frontmatter contract).
async fn broken_rules(engine: &Engine, left_out: &[String]) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let is_said = |skill: &SkillRow| left_out.iter().any(|said| said.starts_with(&skill.place));
    for skill in engine.snapshot().skills.iter().filter(|skill| skill.problems.error > 0 && !is_said(skill)) {
        let problems = actions::check_skill(engine, &skill.key).await?;
        for problem in problems.iter().filter(|problem| problem.is_error()) {
            lines.push(format!("{}:{}:{}: {}", skill.place, problem.line, problem.column, problem.message));
        }
    }
    Ok(lines)
}
