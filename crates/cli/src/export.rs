//! `skilltender export`: skills written down as other programs read them.

use std::{
    env,
    path::{Path, PathBuf},
};

use api::{ExportFormat, Exported};
use clap::ValueEnum;
use engine::{Engine, Machine, Mode, actions};
use text::counted;

use crate::{Failure, Text, print, print_json, runtime};

const AFTER: &str = "\
What is written needs no Skilltender: leaving costs nothing.

  skilltender export --format skills-lock                    `npx skills` restores from it
  skilltender export --format claude-marketplace --out team  a marketplace for Claude Code
  skilltender export --format well-known --out public        what a site serves";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The id, the key or the path of each skill; without one, those that are on, of the lock those with a source
    skills: Vec<String>,
    /// Who reads it
    #[arg(long, value_enum)]
    format: Format,
    /// The folder to write to; of the lock also the file
    #[arg(long, value_name = "PATH", default_value = ".")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    replace: bool,
    /// Print JSON: what was written and left out
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// `npx skills`: skills-lock.json
    SkillsLock,
    /// Claude Code: .claude-plugin/marketplace.json, and the skills
    ClaudeMarketplace,
    /// A site: .well-known/agent-skills/index.json, and the skills
    WellKnown,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let to = whole(&env::current_dir()?.join(&command.out));
    let format = match command.format {
        Format::SkillsLock => ExportFormat::SkillsLock,
        Format::ClaudeMarketplace => ExportFormat::ClaudeMarketplace,
        Format::WellKnown => ExportFormat::WellKnown,
    };
    let exported = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        let keys =
            command.skills.iter().map(|skill| actions::find_skill(&engine, skill)).collect::<Result<Vec<_>, _>>()?;
        let keys = (!keys.is_empty()).then_some(&*keys);
        Ok::<_, Failure>(
            actions::export_skills(&engine, keys, format, &to.display().to_string(), command.replace).await?,
        )
    })?;
    if command.json { print_json(&exported) } else { print(words(&exported)) }
}

/// A path without `.` and `..`, as far as it is there: they would give a marketplace its name.
fn whole(path: &Path) -> PathBuf {
    let there = dunce::canonicalize(path);
    there.unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(above), Some(name)) => whole(above).join(name),
        _ => path.to_path_buf(),
    })
}

fn words(exported: &Exported) -> Text {
    let Exported { files, skills, left_out } = exported;
    let skills = counted(*skills, "skill");
    let mut text = match files.as_slice() {
        [file] => Text::from(format!("{file} has {skills}.")),
        _ => Text::from(format!("{skills} in {}:", counted(files.len(), "file"))),
    };
    if files.len() > 1 {
        text.append(files.iter().collect::<Text>().indented());
    }
    text.extend(left_out);
    text
}
