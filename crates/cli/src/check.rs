//! `skilltender check`: problems of the library's skills or of given folders, for people, for programs and for code
//! scanning. The reports define the formats.

mod report;
mod sarif;

use std::{
    env,
    path::{Path, PathBuf},
};

use api::{Finding, Problem, SkillRow, Snapshot};
use clap::ValueEnum;
use engine::{Engine, Machine, Mode, actions, folders_away};
use skills::{Danger, SIGNS, Severity};
use text::some_of;

use crate::{Failure, Text, locks, order, print, print_json, runtime, say};

const AFTER: &str = "\
A PATH is a folder of skills, the folder of one skill, or a SKILL.md. Without one, the library is checked. Standard error \
names the places that were not searched: deeper than 8 folders, hidden folders (except directly in PATH, in a folder `skills`, \
and around one), and beyond 40,000 folders. Folders of tools, such as node_modules, are skipped silently.

Exit codes: 0 no errors, 1 errors (with --strict, also warnings), 2 wrong use, or a PATH does not exist, 3 a PATH could not \
be read, or contains no skill (0 with --allow-empty).

  skilltender check ./skills
  skilltender check --strict --format sarif ./skills > skills.sarif";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The skills to check (may be repeated)
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Also report signs of harm in all files, as advice; always on with --format sarif
    #[arg(long)]
    signs: bool,
    /// Compare the skills with the next skilltender.lock from there upwards, byte for byte, and nothing more
    #[arg(long, conflicts_with_all = ["signs", "strict", "format"])]
    frozen: bool,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Accept a PATH without skills
    #[arg(long)]
    allow_empty: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: one line for each problem
    Human,
    /// For programs: one JSON object
    Json,
    /// For code scanning, SARIF 2.1.0
    Sarif,
}

/// The result of a check.
pub(crate) struct Checked {
    /// The number of checked skills.
    skills: usize,
    pub(crate) found: Vec<Found>,
    /// The places that were not checked, as sentences.
    left_out: Vec<String>,
    /// The folders without a skill.
    empty: Vec<String>,
}

/// One problem and its file.
pub(crate) struct Found {
    /// The skill.
    pub(crate) key: String,
    /// For people and programs alike, relative to the current folder if the file is below it.
    pub(crate) path: String,
    pub(crate) problem: Problem,
}

impl Checked {
    fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|found| found.problem.severity == severity).count()
    }
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let given = !command.paths.is_empty();
    let folders = command.paths.iter().map(|path| order::folder(path)).collect::<Result<Vec<_>, _>>()?;
    let mode = if given { Mode::Plain { folders } } else { Mode::Reading };
    if !given {
        folders_away(&machine).into_iter().for_each(say);
    }
    if command.frozen {
        let from = command.paths.first().map_or_else(env::current_dir, dunce::canonicalize)?;
        return frozen(machine, mode, &from, command.json);
    }
    let checked = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, mode).await?;
        // A library folder may be missing; one that the user named must exist.
        let trouble = engine.snapshot().folders.iter().filter(|_| given).find_map(|folder| folder.trouble.clone());
        if let Some(trouble) = trouble {
            return Err(Failure::refused(trouble));
        }
        check(&engine, command.signs || command.format == Format::Sarif).await
    })?;
    match if command.json { Format::Json } else { command.format } {
        Format::Human => print(report::human(&checked, &command.paths)),
        Format::Json => print_json(&report::json(&checked)),
        Format::Sarif => print_json(&sarif::report(&checked)),
    }?;
    say(checked.left_out.iter().collect::<Text>());
    let warnings = if command.strict { checked.count(Severity::Warning) } else { 0 };
    match checked.count(Severity::Error) + warnings {
        0 if given && !command.allow_empty && !checked.empty.is_empty() => Err(no_skill(&checked.empty)),
        0 => Ok(()),
        _ => Err(Failure::problems(Text::new())),
    }
}

/// Compares skills with the lock beside them.
fn frozen(machine: Machine, mode: Mode, from: &Path, json: bool) -> Result<(), Failure> {
    let whole = matches!(mode, Mode::Plain { .. });
    let (_, text) = locks::read(None, from)?;
    let compared = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, mode).await?;
        Ok::<_, Failure>(actions::compare_with_lock(&engine, &text).await?)
    })?;
    let differs = locks::differences(&compared, whole);
    let same = differs.is_empty();
    if json {
        print_json(&compared)?;
    } else if same {
        print("Every skill is as the lock says, byte for byte.")?;
    } else {
        print(differs)?;
    }
    if same { Ok(()) } else { Err(Failure::problems(Text::new())) }
}

/// Checks every skill of the engine's library; with `signs`, also for signs of harmful intent.
pub(crate) async fn check(engine: &Engine, signs: bool) -> Result<Checked, Failure> {
    let snapshot = engine.snapshot();
    let mut found = Vec::new();
    for row in &snapshot.skills {
        let path = shown(&location(&snapshot, row).join("SKILL.md"));
        let problems = actions::check_skill(engine, &row.key).await?;
        found.extend(problems.into_iter().map(|problem| Found { key: row.key.clone(), path: path.clone(), problem }));
        if signs {
            let trust = actions::look_at_skill(engine, &row.key).await?.trust;
            found.extend(trust.findings.into_iter().map(|finding| Found {
                key: row.key.clone(),
                path: shown(&location(&snapshot, row).join(&finding.path)),
                problem: sign(finding),
            }));
        }
    }
    found.sort_by(|a, b| (&a.path, a.problem.line, a.problem.column).cmp(&(&b.path, b.problem.line, b.problem.column)));
    let left_out = snapshot.folders.iter().flat_map(|folder| folder.remarks.iter().cloned()).collect();
    let empty = snapshot.folders.iter().filter(|folder| folder.skills == 0).map(|folder| folder.path.clone()).collect();
    Ok(Checked { skills: snapshot.skills.len(), found, left_out, empty })
}

/// A check without any skill has not passed.
fn no_skill(folders: &[String]) -> Failure {
    Failure::refused(format!(
        "There is no skill in {}: no folder with a SKILL.md where clients look. `skilltender check --help` says where that is; \
         --allow-empty lets it be.",
        some_of(folders)
    ))
}

/// Advice, because only a person can judge the intent.
fn sign(finding: Finding) -> Problem {
    let Finding { rule, severity, message, path: _, line, column } = finding;
    let severity = match severity {
        Danger::High => "high",
        Danger::Medium => "medium",
        Danger::Low => "low",
    };
    let why = SIGNS.iter().find(|sign| sign.id == rule).map_or("", |sign| sign.why);
    Problem {
        rule,
        severity: Severity::Advice,
        message: format!("It looks as if it meant harm ({severity}): {message}"),
        field: None,
        line,
        column,
        from: 0,
        to: 0,
        fix: None,
        demands: "Nothing in a skill looks as if it meant harm.",
        why,
        clients: &[],
    }
}

/// The path of a skill on the disk.
fn location(snapshot: &Snapshot, row: &SkillRow) -> PathBuf {
    let folder = snapshot.folders.iter().find(|folder| folder.id == row.folder);
    let root = folder.map(|folder| PathBuf::from(&folder.path)).unwrap_or_default();
    match row.key.split_once('/') {
        Some((_, below)) => root.join(below),
        None => root,
    }
}

fn shown(path: &Path) -> String {
    let below = env::current_dir().ok().and_then(|here| path.strip_prefix(dunce::canonicalize(here).ok()?).ok());
    below.unwrap_or(path).display().to_string()
}
