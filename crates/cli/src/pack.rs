//! `skilltender pack`: a skill as a zip file for uploads.

use std::{
    env,
    path::{Path, PathBuf},
};

use api::{PackOptions, Packed};
use clap::ValueEnum;
use engine::{Machine, actions};
use text::counted;

use crate::{Failure, Text, order, print, print_json, runtime};

const AFTER: &str = "\
The frontmatter keeps its standard fields; x-personal-mcp and requires-mcp-servers become JSON under metadata. The same skill \
always gives the same bytes.

  skilltender pack my-skill
  skilltender pack ./skills/my-skill --out dist/ --layout flat";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder
    skill: String,
    /// The zip file, or the folder for it
    #[arg(long, value_name = "PATH", default_value = ".")]
    out: PathBuf,
    /// The top level of the zip file
    #[arg(long, value_enum, default_value_t = Layout::Folder)]
    layout: Layout,
    /// Keep the keys that only Claude Code knows
    #[arg(long)]
    keep_claude_code: bool,
    /// Replace an existing file
    #[arg(long)]
    replace: bool,
    /// Print JSON: what was written, dropped and moved
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// One folder of the skill's name
    Folder,
    /// The skill's files
    Flat,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let to = target(&command.out)?;
    let options = PackOptions {
        flat: command.layout == Layout::Flat,
        keep_claude_code: command.keep_claude_code,
        replace: command.replace,
    };
    let packed = runtime()?.block_on(async {
        let (engine, key) = order::open(machine, &command.skill).await?;
        Ok::<_, Failure>(actions::pack_skill(&engine, &key, &to.display().to_string(), options).await?)
    })?;
    if command.json { print_json(&packed) } else { print(words(&packed)) }
}

/// The file or folder to write to, absolute and normalized.
fn target(out: &Path) -> Result<PathBuf, Failure> {
    let to = env::current_dir()?.join(out);
    let (folder, name) = match (to.is_dir(), to.parent(), to.file_name()) {
        (false, Some(folder), Some(name)) => (folder, Some(name)),
        _ => (to.as_path(), None),
    };
    let there = dunce::canonicalize(folder)
        .map_err(|error| Failure::usage(format!("{} cannot be written to: {error}.", folder.display())))?;
    Ok(name.map_or(there.clone(), |name| there.join(name)))
}

fn words(packed: &Packed) -> Text {
    let Packed { path, files, size, dropped, moved, left_behind, .. } = packed;
    let mut text = Text::from(format!("{path}: {}, {}.", counted(*files, "file"), counted(*size, "byte")));
    if !dropped.is_empty() {
        text.line(format!("Left out, because an upload does not take it: {}.", dropped.join(", ")));
    }
    if !moved.is_empty() {
        text.line(format!("Moved below metadata: {}.", moved.join(", ")));
    }
    text.extend(left_behind);
    text
}
