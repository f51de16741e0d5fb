//! The words of the command line. What a command takes stands beside what it does.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use engine::Machine;

use crate::{
    Failure, check, clients, completions, connect, direct, doctor, fix, folders, import, install, instructions, list,
    man, mcp, new, pack, schema, secrets, sees, serve, servers, sets, settings, show, switch, token, trash, values,
};

/// Skilltender tends your agent skills: one place for all of them, and one local MCP endpoint that
/// serves them to every client.
#[derive(Debug, Parser)]
#[command(name = "skilltender", version, arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Arguments {
    /// Skilltender's own folder, in place of the usual one
    #[arg(long, global = true, value_name = "FOLDER", value_parser = absolute, hide_short_help = true)]
    pub(crate) home: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
A skill is named by its id (the name of its folder), by its key in `skilltender list`, or by the path of its folder.

Exit codes: 0 fine, 1 problems were found, 2 wrong use, 3 refused or failed.

  skilltender list                      what is there, and what is on
  skilltender check ./skills            what is wrong with the skills of a folder
  skilltender connect claude-code       add Skilltender to a client
  skilltender serve                     the endpoint without a window
  skilltender mcp --skills-dir /skills  what a client's MCP config runs";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the skills
    List(list::Arguments),
    /// Show one skill: what it is, what is wrong, what it needs
    Show(show::Arguments),
    /// Say what is wrong with skills, for people, for programs and for CI
    Check(check::Arguments),
    /// Put right what can be put right without asking
    Fix(fix::Arguments),
    /// Switch skills on, for every client
    Enable(switch::Arguments),
    /// Switch skills off, for every client
    Disable(switch::Arguments),
    /// Begin a skill from a template
    New(new::Arguments),
    /// Begin a skill from another one
    Duplicate(new::DuplicateArguments),
    /// Take skills in from a folder or a zip file
    Import(import::Arguments),
    /// Take a skill in with the servers that it needs, and switch it on
    Install(install::Arguments),
    /// Make a zip file of a skill that an upload takes
    Pack(pack::Arguments),
    /// Throw a skill away, for 30 days
    Trash(trash::Arguments),
    /// Bring a skill back from the trash
    Restore(trash::RestoreArguments),
    /// List the MCP clients of this computer, and how each stands
    Clients(clients::Arguments),
    /// Add Skilltender to a client: show the change of its file, ask, and make it
    Connect(connect::Arguments),
    /// Take Skilltender out of a client's file again
    Disconnect(connect::DisconnectArguments),
    /// Take back the last change of a client's file that stands; the one before it comes next
    Undo(connect::UndoArguments),
    /// Make the change again that was taken back last
    Redo(connect::UndoArguments),
    /// Serve skills to one MCP client over standard input and output
    Mcp(mcp::Arguments),
    /// Run the engine without a window, until Ctrl-C
    Serve(serve::Arguments),
    /// Become one server that was agreed to: the command of a client's own entry for it
    Run(direct::Arguments),
    /// List the MCP servers that skills need, agree to them, and tend them
    Servers(servers::Arguments),
    /// List, store and forget the secrets that servers get
    Secrets(secrets::Arguments),
    /// List, set and take away the values of servers that are no secrets
    Values(values::Arguments),
    /// Show or switch the parts of the server that clients may use
    Settings(settings::Arguments),
    /// Show, make or give sets of skills to clients
    Sets(sets::Arguments),
    /// Show, fill or clear the folders in which clients look for skills by themselves
    Folders(folders::Arguments),
    /// Look at everything that can be wrong, and explain it
    Doctor(doctor::Arguments),
    /// Show the skills as one client sees them, and what they cost its model
    Sees(sees::Arguments),
    /// Print or replace what a client shows to be let in over HTTP
    Token(token::Arguments),
    /// Print the usage guide for agents, to stand in a file such as AGENTS.md
    Instructions(instructions::Arguments),
    /// Print the JSON Schema of a skill's frontmatter, for editors
    Schema(schema::Arguments),
    /// Print what makes a shell complete these words
    Completions(completions::Arguments),
    /// Print the manual page
    Man(man::Arguments),
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn every_command_is_put_together_well() {
        super::Arguments::command().debug_assert();
    }
}
