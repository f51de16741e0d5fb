//! The program `skilltender`: the command line, a client's stdio, and the engine without a window.
//!
//! Every command is one file with its arguments, and does its work through `engine`. Its output is a [`Text`] of lines
//! or JSON, and only `output` writes either: text from skills, servers, files and paths stays on its line and cannot
//! control the terminal.
//!
//! Standard output carries the result, and nothing but protocol lines in `mcp`; everything else goes to standard error,
//! as JSON if JSON was requested. Exit codes: 0 done, 1 problems found, 2 wrong use, 3 refused or failed.

mod activity;
mod adopt;
mod args;
mod ask;
mod check;
mod client_folders;
mod clients;
mod complete;
mod completions;
mod connect;
mod direct;
mod doctor;
mod export;
mod fix;
mod go_back;
// The image's paths are those of Linux.
#[cfg(test)]
#[cfg(unix)]
mod image;
mod import;
mod install;
mod instructions;
mod kept;
mod library;
mod list;
mod locks;
mod man;
mod mcp;
mod new;
mod order;
mod ours;
mod output;
mod pack;
mod review;
#[cfg(test)]
mod said;
mod schema;
mod secrets;
mod sees;
mod serve;
mod servers;
mod sets;
mod settings;
mod show;
mod sources;
mod stdio;
mod switch;
mod tag;
mod team;
mod token;
mod trash;
mod uninstall;
mod updates;
mod usage;
mod values;
mod versions;
mod whole_file;
mod words;
mod work_trees;

use std::{io, pin::Pin, process::ExitCode, time::Duration};

use api::{ActionError, ErrorKind};
use args::{Arguments, Command};
use clap::{FromArgMatches as _, Parser as _};
use engine::actions;
use output::{Text, print, print_json, prose, say, say_failure};

/// Why a command failed: a sentence, empty if everything is already printed, and the exit code.
struct Failure {
    message: Text,
    code: u8,
}

fn main() -> ExitCode {
    // A supervisor lives as long as its server: it is not a command, and needs nothing that commands need.
    #[cfg(unix)]
    if std::env::args_os().nth(1).is_some_and(|word| word == processes::SUPERVISE) {
        return processes::supervise();
    }
    // Secrets pass through most commands. Any process may request this; only a restricted system refuses it.
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
        Command::Usage(command) => usage::run(&command, home),
        Command::Tag(command) => tag::run(&command, home),
        Command::Sources(command) => sources::run(&command, home),
        Command::Outdated(command) => updates::outdated(&command, home),
        Command::Update(command) => updates::update(&command, home),
        Command::Adopt(command) => adopt::run(&command, home),
        Command::Lock(command) => locks::lock(&command, home),
        Command::Sync(command) => locks::sync(&command, home),
        Command::Team(command) => team::run(&command, home),
        Command::History(command) => versions::history(&command, home),
        Command::Rollback(command) => versions::rollback(&command, home),
        Command::Kept(command) => kept::run(&command, home),
        Command::Show(command) => show::run(&command, home),
        Command::Check(command) => check::run(&command, home),
        Command::Fix(command) => fix::run(&command, home),
        Command::New(command) => new::run(&command, home),
        Command::Duplicate(command) => new::duplicate(&command, home),
        Command::Import(command) => import::run(&command, home),
        Command::Install(command) => install::run(&command, home),
        Command::Pack(command) => pack::run(&command, home),
        Command::Export(command) => export::run(&command, home),
        Command::Move(command) => trash::move_skills(&command, home),
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
        Command::ClientFolders(command) => client_folders::run(&command, home),
        Command::Doctor(command) => doctor::run(&command, home),
        Command::GoBack(command) => go_back::run(&command, home),
        Command::Uninstall(command) => uninstall::run(&command, home),
        Command::Sees(command) => sees::run(&command, home),
        Command::Token(command) => token::run(&command, home),
        Command::Instructions(command) => instructions::run(&command),
        Command::Schema(command) => schema::run(&command),
        Command::Completions(command) => completions::run(&command, args::command()),
        Command::Complete(command) => complete::run(&command, args::command(), home),
        Command::Man(command) => man::run(&command, args::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            say_failure(message, code);
            ExitCode::from(code)
        }
    }
}

/// Reports unreadable choices for every command that reads them; an engine that writes reports them itself.
fn say_what_is_broken(command: &Command, home: Option<&std::path::Path>) {
    let looks = !matches!(
        command,
        Command::Serve(_)
            | Command::GoBack(_)
            | Command::Instructions(_)
            | Command::Schema(_)
            | Command::Completions(_)
            | Command::Complete(_)
            | Command::Man(_)
    );
    if looks
        && let Some(trouble) =
            engine::Machine::here(home).ok().and_then(|machine| engine::trouble_with_choices(&machine))
    {
        say(trouble);
    }
}

/// Requested help is our own text; an error repeats the user's words.
fn misread(error: &clap::Error) -> ExitCode {
    if is_mistake(error.kind()) {
        say_failure(Text::page(&shown(error).to_string()), 2);
    } else {
        drop(error.print());
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Whether the words are wrong, rather than help being requested.
fn is_mistake(kind: clap::error::ErrorKind) -> bool {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};

    !matches!(kind, DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand)
}

/// The error with the user's words made visible: clap repeats them, line ends and all.
fn shown(error: &clap::Error) -> clap::Error {
    let words = std::env::args_os().map(|word| skills::visible_line(&word.to_string_lossy()));
    let again = Arguments::try_parse_from(words).err();
    again.unwrap_or_else(|| clap::Error::raw(error.kind(), "A word of the command line cannot be shown.\n"))
}

/// How long tasks that still wait for a disk or for a keychain's user may take after a command.
const ENDING: Duration = Duration::from_secs(1);

/// The runtime of the commands that use the engine; others, and `--version`, start without its threads. Dropping it
/// does not wait for blocked tasks.
struct Runtime(Option<tokio::runtime::Runtime>);

fn runtime() -> io::Result<Runtime> {
    Ok(Runtime(Some(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)))
}

impl Runtime {
    /// Waits for the future, boxed: tokio's loop would be in the program once for each of fifty commands.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let future: Pin<Box<dyn Future<Output = T> + '_>> = Box::pin(future);
        self.0.as_ref().expect("it is taken only when this is dropped").block_on(future)
    }

    /// Ends it without waiting: a read of standard input cannot be cancelled.
    fn leave(mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
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
    /// Exit code 1: problems were found.
    fn problems(message: impl Into<Text>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// Exit code 2: wrong use.
    fn usage(message: impl Into<Text>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// Exit code 3: refused or failed.
    fn refused(message: impl Into<Text>) -> Self {
        Self { message: message.into(), code: 3 }
    }
}

/// The error's message, then its hints. An unknown name is wrong use.
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

refused!(io::Error, actions::GoBackError, engine::StartError, engine::MachineError, engine::LockError);
