//! `skilltender lock` and `skilltender sync`: the lock of skills with a source, and making the library what it says.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use api::{AgreedUpdate, LockComparison, LockRow, LockState, LockText, SourcePlan};
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::json;
use text::counted;

use crate::{Failure, Text, ask, import, order, print, print_json, review, runtime, say, whole_file};

/// The file's name.
const FILE: &str = "skilltender.lock";

const AFTER: &str = "\
The lock names each skill with a source, its commit and the digest of every file. It is the same on every computer, so it \
belongs into git.

  skilltender lock
  skilltender lock tea ale --out ~/project/skilltender.lock";

const AFTER_SYNC: &str = "\
Skills that are missing come, off; those at another version get the locked one, after a look at what that changes. What the \
repository gives must be what the lock says, byte for byte.

  skilltender sync
  skilltender sync --check     changes nothing; 1 if a file differs, and says which
  skilltender sync --frozen    asks nothing, and fails where a skill was changed here";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct LockArguments {
    /// The id, the key or the path of each skill; without one, all that have a source
    skills: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "PATH", default_value = FILE)]
    out: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_SYNC)]
pub(crate) struct SyncArguments {
    /// The lock; without it, the next skilltender.lock from here upwards
    #[arg(long, value_name = "PATH")]
    lock: Option<PathBuf>,
    /// The library folder for skills that come, by its path or its id
    #[arg(long = "in", value_name = "FOLDER", default_value = "own")]
    folder: String,
    /// Only compare
    #[arg(long, conflicts_with_all = ["frozen", "yes"])]
    check: bool,
    /// Ask nothing, and change no skill that was changed here
    #[arg(long)]
    frozen: bool,
    /// Make the changes without asking
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn lock(command: &LockArguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let LockText { text, left_out } = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        let keys =
            command.skills.iter().map(|skill| actions::find_skill(&engine, skill)).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, Failure>(actions::lock_text(&engine, (!keys.is_empty()).then_some(&*keys)).await?)
    })?;
    let path = &command.out;
    whole_file::write(path, &text)
        .map_err(|error| Failure::refused(format!("{} cannot be written: {error}.", path.display())))?;
    let skills = text.lines().filter(|line| *line == "[[skill]]").count();
    let mut said = Text::from(format!("{} has {}.", path.display(), counted(skills, "skill")));
    let why = "came from this computer, which no other one has, so it is not locked";
    said.extend(left_out.iter().map(|id| format!("{id} {why}.")));
    print(said)
}

/// The text of the lock: the named one, or the next from a folder upwards.
pub(crate) fn read(named: Option<&Path>, from: &Path) -> Result<(PathBuf, String), Failure> {
    let found = match named {
        Some(path) => path.to_path_buf(),
        None => {
            let found = from.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file());
            found.ok_or_else(|| Failure::usage(format!("There is no {FILE} in {} or above it.", from.display())))?
        }
    };
    let text = fs::read_to_string(&found);
    let text = text.map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", found.display())))?;
    Ok((found, text))
}

/// The differences between skills and a lock, as lines. `whole`: what the lock does not name is one, too.
pub(crate) fn differences(compared: &LockComparison, whole: bool) -> Text {
    let mut text = Text::new();
    for row in &compared.rows {
        match &row.state {
            LockState::Same => {}
            LockState::Missing => text.line(format!("{} is missing.", row.name)),
            LockState::Differs { files } => text.extend(files.iter().map(|file| format!("{}: {file}", row.name))),
        }
    }
    if whole {
        text.extend(compared.unlocked.iter().map(|id| format!("{id} is not in the lock.")));
    }
    text
}

fn compare(text: &str, home: Option<&Path>) -> Result<LockComparison, Failure> {
    let machine = Machine::here(home)?;
    runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok(actions::compare_with_lock(&engine, text).await?)
    })
}

pub(crate) fn sync(command: &SyncArguments, home: Option<&Path>) -> Result<(), Failure> {
    let (path, text) = read(command.lock.as_deref(), &env::current_dir()?)?;
    let before = compare(&text, home)?;
    let differs = |row: &&LockRow| row.state != LockState::Same;
    let asks = !command.check && !command.yes && !command.frozen && before.rows.iter().any(|row| differs(&row));
    if asks && !ask::somebody_is_there() {
        let message = "There is nobody to ask: `--yes` makes the changes, `--check` only compares.";
        return Err(Failure::usage(message.to_owned()));
    }
    if !command.check {
        for row in before.rows.iter().filter(differs) {
            let done = match &row.key {
                None => add(command, &text, row, home),
                Some(key) => put(command, &text, row, key, home),
            };
            // The others may come all the same.
            if let Err(failure) = done {
                say(failure.message);
            }
        }
    }
    let after = if command.check { before } else { compare(&text, home)? };
    let left = differences(&after, false);
    let is_same = left.is_empty();
    if command.json {
        print_json(&json!({"lock": path, "rows": after.rows, "same": is_same}))?;
    } else if is_same {
        print(format!("Every skill of {} is here, byte for byte.", path.display()))?;
    } else {
        print(left)?;
    }
    if is_same { Ok(()) } else { Err(Failure::problems(Text::new())) }
}

/// Adds a skill that is missing, at its locked commit.
fn add(command: &SyncArguments, text: &str, row: &LockRow, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let seen: SourcePlan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::look_at_locked(&engine, text, &row.name).await?)
    })?;
    let shown = seen.plan.skills.iter().map(import::skill).collect::<Text>();
    if !agreed(command, &shown, &format!("Add {}?", row.name))? {
        return Ok(());
    }
    let folder = order::library_folder(&command.folder)?;
    let (SourcePlan { commit, plan, .. }, source) = (seen, row.source.clone());
    let only = Some(plan.skills.iter().map(|skill| skill.path.clone()).collect());
    order::give(home, Order::AddSource { source, commit, plan: plan.id, folder, only }).map(drop)
}

/// Puts the locked version of a skill in place.
fn put(command: &SyncArguments, text: &str, row: &LockRow, key: &str, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let plan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::plan_locked(&engine, key, text, &row.name).await?)
    })?;
    if plan.edited && (command.frozen || plan.conflicts > 0) {
        say(format!("{} was changed here, so it stays. `skilltender update` merges it.", row.name));
        return Ok(());
    }
    if agreed(command, &review::words(&plan), &format!("Change {}?", row.name))? {
        let (key, commit, answers) = (key.to_owned(), plan.to.clone(), Default::default());
        let updates = vec![AgreedUpdate { key, commit, plan: plan.id, answers }];
        order::give(home, Order::UpdateSkills { updates })?;
    }
    Ok(())
}

fn agreed(command: &SyncArguments, shown: &Text, question: &str) -> Result<bool, Failure> {
    Ok(command.yes || command.frozen || ask::agreed(shown, question)?)
}
