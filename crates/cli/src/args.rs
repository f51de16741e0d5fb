//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Skilltender tends your agent skills: one place for all of them, and one local MCP endpoint that
/// serves them to every client.
#[derive(Debug, Parser)]
#[command(name = "skilltender", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Skilltender's own folder, in place of the usual one
    #[arg(long, global = true, value_name = "FOLDER", value_parser = absolute)]
    pub(crate) home: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve skills to one MCP client over standard input and output
    Mcp(Mcp),
    /// Run the engine without a window, until Ctrl-C
    Serve(Serve),
    /// List the skills
    List(List),
    /// Print the usage guide for agents, to stand in a file such as AGENTS.md
    Instructions(Instructions),
}

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Which client this is; without it, a connection made by hand
    #[arg(long, value_name = "ID", conflicts_with = "skills_dir")]
    pub(crate) client: Option<String>,
    /// Serve the skills of this folder alone, without the library (may be repeated)
    #[arg(long, value_name = "FOLDER", value_parser = absolute)]
    pub(crate) skills_dir: Vec<PathBuf>,
    /// Do not start when a skill breaks the rules
    #[arg(long, requires = "skills_dir")]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Serve the skills of this folder, in place of the library (may be repeated)
    #[arg(long, value_name = "FOLDER", value_parser = absolute)]
    pub(crate) skills_dir: Vec<PathBuf>,
    /// Let in requests that name this Origin, such as http://localhost:5173 (may be repeated)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// Print one line of JSON: the address and the token
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Instructions {
    /// Leave out the tags around the guide
    #[arg(long)]
    pub(crate) no_xml: bool,
}

/// A client starts us in a folder that nobody knows, so a relative path would mean anything.
fn absolute(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err("it must be an absolute path, one that begins at the root".to_owned())
    }
}
