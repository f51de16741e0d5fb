//! The entry point for developers: `cargo xtask run` and `cargo xtask test` first set up all that they need.
//!
//! Each task has its file; `packages`, `node` and `python` install what the machine needs, `step` runs programs and
//! times the parts. Nothing here is part of the product.

mod auditable;
mod bench;
mod bundle;
mod changelog;
mod cross;
mod debian;
mod display;
mod fuzz;
mod lanes;
mod licences;
mod mcpb;
mod nginx;
mod node;
mod packages;
mod paths;
mod product;
mod programs;
mod python;
mod real;
mod release;
mod run;
mod step;
mod test;
mod tools;
#[path = "../../tests/support/unable.rs"]
mod unable;
mod windows;
mod wine;

use std::{path::Path, process::ExitCode};

use step::{Done, Failed};

const HELP: &str = "\
Usage: cargo xtask <what> [options]

  run [--yes] [-- ARGUMENTS]   set up, build and start Skilltender (window and tray;
                               without a display the same engine in the terminal)
  test [--yes] [--long]        set up and run every check and every test; with --long many more
                               generated cases, and each fuzz target for five minutes
  test PART... [-- FILTER]     only these parts, which are listed below, or crates (text, skills, machine,
                               ... as in crates/); with FILTER, only the tests whose name holds it (for
                               rust, product, ui, golden and the crates)
  test --real-clients          connect five real clients from npm, and let each say what it sees; compare
                               `npx skills` with ours
  screens [--yes] [--all]      renew docs/screens; with --all, every page and dialog in each theme,
                               language and size as contact sheets in target/screens
  house                        print how large the crates are and which files hang in circles
  cross                        clippy for Windows and macOS, and tests and installers in Wine, where these
                               are installed
  fuzz                         run each fuzz target for five minutes, as test --long does
  bench [window]               measure the command line and the engine (release build), or the window
  bundle [--debug]             build the installable packages of this system
  packages --debian SUITE      install, start and remove the built packages on a clean Debian (bookworm,
                               trixie), as root
  packages --windows FOLDER    the same for installers of the skilltender.exe in a folder, in Wine
  release --dry-run [--artifacts DIR]
                               make all of a release that this machine can, from what it builds or from
                               a folder of built files, and say what is left to the hosted workflow
  golden                       write anew what is generated and committed: golden cases, the pages of
                               rules and clients, the schema, the window's types and commands

  --yes    install missing system packages without waiting";

const OPTIONS: &[&str] =
    &["--yes", "--all", "--long", "--real-clients", "--debug", "--debian", "--windows", "--dry-run", "--artifacts"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, passed_on) = split_at_dashes(&arguments);
    if options.first().is_some_and(|word| word == "build") {
        return ended(auditable::for_tauri(&arguments));
    }
    let has = |option: &str| options.iter().any(|argument| argument == option);
    if has("--help") || has("-h") {
        println!("{}", help());
        return ExitCode::SUCCESS;
    }
    let (flags, words): (Vec<_>, Vec<_>) = options.iter().skip(1).cloned().partition(|word| word.starts_with('-'));
    let takes_words =
        options.first().is_some_and(|what| ["test", "packages", "release", "bench"].contains(&what.as_str()));
    let unknown = flags.iter().find(|flag| !OPTIONS.contains(&flag.as_str()));
    if let Some(unknown) = unknown.or_else(|| words.first().filter(|_| !takes_words)) {
        eprintln!("xtask: there is no option {unknown}.\n\n{}", help());
        return ExitCode::from(2);
    }
    let yes = has("--yes") || std::env::var_os("CI").is_some();
    let done = match options.first().map(String::as_str) {
        Some("run") => run::run(yes, passed_on),
        Some("test") if has("--real-clients") => test::real_clients(yes),
        Some("test") => test::test(yes, has("--long"), &words, passed_on),
        Some("screens") if has("--all") => test::sheets(yes),
        Some("screens") => test::screens(yes),
        Some("fuzz") => fuzz::fuzz(),
        Some("bench") if words.is_empty() => bench::bench(),
        Some("bench") if words == ["window"] => bench::window(),
        Some("bundle") => bundle::bundle(yes, has("--debug")),
        Some("release") if words.len() == usize::from(has("--artifacts")) => {
            release::release(yes, has("--dry-run"), words.first().map(Path::new))
        }
        Some("packages") if has("--windows") && words.len() == 1 => windows::try_in_wine(Path::new(&words[0])),
        Some("packages") if has("--debian") && words.len() == 1 => debian::try_on(&words[0]),
        Some("golden") => test::renew(),
        Some("house") => test::house(),
        Some("cross") => cross::cross(),
        Some("help") => {
            println!("{}", help());
            Ok(())
        }
        _ => {
            eprintln!("{}", help());
            return ExitCode::from(2);
        }
    };
    ended(done)
}

/// What can be asked for.
fn help() -> String {
    format!("{HELP}\n\nParts of the tests:\n\n{}", test::listed())
}

fn ended(done: Done) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed(why)) => {
            eprintln!("\nxtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn split_at_dashes(arguments: &[String]) -> (&[String], &[String]) {
    match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (arguments, &[]),
    }
}
