//! The program `skilltender`: the command line, a client's stdio, and the engine without a window.
//!
//! Every command is one file, with the words that it takes, and does its work through `engine`. What it says is a
//! [`Text`] of lines or JSON, and only `output` writes either: whatever skills, servers, files and paths put into a line
//! stays on it and obeys no terminal.
//!
//! Standard output carries what was asked for, and nothing but protocol lines in `mcp`; everything
//! else goes to standard error. Exit codes: 0 done, 1 problems found, 2 wrong use, 3 refused or failed.

mod activity;
mod args;
mod ask;
mod check;
mod clients;
mod completions;
mod connect;
mod direct;
mod doctor;
mod fix;
mod folders;
mod import;
mod install;
mod instructions;
mod kept;
mod library;
mod list;
mod man;
mod mcp;
mod new;
mod order;
mod output;
mod pack;
mod schema;
mod secrets;
mod sees;
mod serve;
mod servers;
mod sets;
mod settings;
mod show;
mod stdio;
mod switch;
mod token;
mod trash;
mod values;

use std::{io, ops::Deref, process::ExitCode, time::Duration};

use args::{Arguments, Command};
use clap::{FromArgMatches as _, Parser as _};
use engine::view::{ActionError, ErrorKind};
use output::{Text, print, print_json, prose, say};

/// Why a command did not do what it was asked for: a sentence, unless all is said, and the exit code.
struct Failure {
    message: Text,
    code: u8,
}

fn main() -> ExitCode {
    // A supervisor lives as long as its server: it is no command, and has nothing of what commands need.
    #[cfg(unix)]
    if std::env::args_os().nth(1).is_some_and(|word| word == engine::SUPERVISE) {
        return engine::supervise();
    }
    // Secrets pass through most commands. A system that refuses this lets us do less than anybody may.
    drop(engine::keep_memory_to_ourselves());
    let read = args::command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let Arguments { home, command } = match read {
        Ok(arguments) => arguments,
        Err(error) => return misread(&error),
    };
    engine::start_log();
    let home = home.as_deref();
    say_what_is_broken(&command, home);
    let done = match command {
        Command::List(command) => list::run(&command, home),
        Command::Library(command) => library::run(&command, home),
        Command::Activity(command) => activity::run(&command, home),
        Command::Kept(command) => kept::run(&command, home),
        Command::Show(command) => show::run(&command, home),
        Command::Check(command) => check::run(&command, home),
        Command::Fix(command) => fix::run(&command, home),
        Command::New(command) => new::run(&command, home),
        Command::Duplicate(command) => new::duplicate(&command, home),
        Command::Import(command) => import::run(&command, home),
        Command::Install(command) => install::run(&command, home),
        Command::Pack(command) => pack::run(&command, home),
        Command::Trash(command) => trash::run(&command, home),
        Command::Restore(command) => trash::restore(&command, home),
        Command::Enable(command) => switch::run(&command, home, true),
        Command::Disable(command) => switch::run(&command, home, false),
        Command::Clients(command) => clients::run(&command, home),
        Command::Connect(command) => connect::run(&command, home),
        Command::Disconnect(command) => connect::disconnect(&command, home),
        Command::Undo(command) => connect::undo(&command, home),
        Command::Redo(command) => connect::redo(&command, home),
        Command::Mcp(command) => mcp::run(command, home),
        Command::Serve(command) => serve::run(command, home),
        Command::Run(command) => direct::run(&command, home),
        Command::Servers(command) => servers::run(&command, home),
        Command::Secrets(command) => secrets::run(&command, home),
        Command::Values(command) => values::run(&command, home),
        Command::Settings(command) => settings::run(&command, home),
        Command::Sets(command) => sets::run(&command, home),
        Command::Folders(command) => folders::run(&command, home),
        Command::Doctor(command) => doctor::run(&command, home),
        Command::Sees(command) => sees::run(&command, home),
        Command::Token(command) => token::run(&command, home),
        Command::Instructions(command) => instructions::run(&command),
        Command::Schema(command) => schema::run(&command),
        Command::Completions(command) => completions::run(&command),
        Command::Man(command) => man::run(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            if wants_json() && !message.is_empty() {
                say(failed(&message.to_string(), code));
            } else {
                say(message);
            }
            ExitCode::from(code)
        }
    }
}

/// An error for programs.
fn failed(message: &str, code: u8) -> Text {
    Text::json(&serde_json::json!({"error": {"message": message, "code": code}}))
}

/// Whether a program reads what comes: then it reads errors, too.
fn wants_json() -> bool {
    let words = std::env::args_os().skip(1).take_while(|word| word != "--");
    let mut last = None;
    for word in words {
        if word == "--json" || word == "--format=json" || word == "json" && last.is_some_and(|last| last == "--format")
        {
            return true;
        }
        last = Some(word);
    }
    false
}

/// Choices that cannot be read are said by every command that looks at them; an engine that writes says it by itself.
fn say_what_is_broken(command: &Command, home: Option<&std::path::Path>) {
    let looks = !matches!(
        command,
        Command::Serve(_) | Command::Instructions(_) | Command::Schema(_) | Command::Completions(_) | Command::Man(_)
    );
    if looks
        && let Some(trouble) =
            engine::Machine::here(home).ok().and_then(|machine| engine::trouble_with_choices(&machine))
    {
        say(trouble);
    }
}

/// Help that was asked for is ours; what is wrong with the words repeats them.
fn misread(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};

    match error.kind() {
        DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand => drop(error.print()),
        _ if wants_json() => say(failed(&shown(error).to_string(), 2)),
        _ => say(Text::page(&shown(error).to_string())),
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// What is wrong, said of the words as a person sees them: clap repeats them, line ends and all.
fn shown(error: &clap::Error) -> clap::Error {
    let words = std::env::args_os().map(|word| skills::visible_line(&word.to_string_lossy()));
    let again = Arguments::try_parse_from(words).err();
    again.unwrap_or_else(|| clap::Error::raw(error.kind(), "A word of the command line cannot be shown.\n"))
}

/// How long what still waits for a disk or for a keychain's person may take to end when a command is done.
const ENDING: Duration = Duration::from_secs(1);

/// What runs the commands that serve; the others, and `--version`, do without its threads. Dropping it does not wait for
/// what hangs.
struct Runtime(Option<tokio::runtime::Runtime>);

fn runtime() -> io::Result<Runtime> {
    Ok(Runtime(Some(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)))
}

impl Runtime {
    /// Ends it without waiting at all: a read of standard input cannot be called back.
    fn leave(mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Deref for Runtime {
    type Target = tokio::runtime::Runtime;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref().expect("it is taken only when this is dropped")
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_timeout(ENDING);
        }
    }
}

impl Failure {
    /// Exit code 1: there are problems in what we looked at.
    fn problems(message: impl Into<Text>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// Exit code 2: it was asked for in a wrong way.
    fn usage(message: impl Into<Text>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// Exit code 3: it was refused, or it failed.
    fn refused(message: impl Into<Text>) -> Self {
        Self { message: message.into(), code: 3 }
    }
}

/// An action says what happened, and then what to do. A name that nothing has is wrong use.
impl From<ActionError> for Failure {
    fn from(error: ActionError) -> Self {
        let unknown = error.kind == ErrorKind::Unknown;
        let said = order::sentences(error);
        if unknown { Self::usage(said) } else { Self::refused(said) }
    }
}

macro_rules! refused {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::refused(error.to_string())
            }
        })*
    };
}

refused!(io::Error, engine::StartError, engine::MachineError, engine::LockError);
