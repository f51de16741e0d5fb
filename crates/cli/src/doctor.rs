//! `skilltender doctor`: checks everything that can be wrong in one run.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
};

use api::{Check, CheckState, Checkup};
use engine::{Engine, Machine, Mode, actions};

use crate::{Failure, Text, print, print_json, runtime};

const AFTER: &str = "\
Exit codes: 0 nothing is wrong, 1 something is. A report contains no secret, no token, and neither your name nor your home \
folder. Still, read it before you attach it to an issue.

  skilltender doctor
  skilltender doctor --report report.txt";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a report into a new file, to attach to an issue
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let (checkup, report) = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        let checkup = actions::doctor(&engine).await?;
        let report = actions::doctors_report(&engine, &checkup);
        Ok::<_, Failure>((checkup, report))
    })?;
    if let Some(path) = &command.report {
        let unwritten = |error| Failure::refused(format!("{} could not be written: {error}.", path.display()));
        let mut file = File::create_new(path).map_err(unwritten)?;
        file.write_all(report.as_bytes()).map_err(unwritten)?;
    }
    if command.json {
        print_json(&checkup)?;
    } else {
        print(words(&checkup))?;
    }
    let wrong = checkup.checks.iter().any(|check| check.state == CheckState::Problem);
    if wrong { Err(Failure::problems(Text::new())) } else { Ok(()) }
}

fn words(checkup: &Checkup) -> Text {
    let mut text = Text::from(format!("Skilltender {} on {}", checkup.version, checkup.system));
    text.line("");
    checkup.checks.iter().for_each(|check| text.append(line(check)));
    text
}

fn line(check: &Check) -> Text {
    let sign = match check.state {
        CheckState::Fine => "fine",
        CheckState::Unknown => "unknown",
        CheckState::Attention => "look",
        CheckState::Problem => "problem",
    };
    let mut text = Text::from(format!("{sign:8} {}", check.what));
    text.extend(check.place.iter().map(|place| format!("         {place}")));
    text.extend(check.todo.iter().map(|todo| format!("         {todo}")));
    text.extend(check.command.iter().map(|command| format!("         On the command line: {command}")));
    text
}
