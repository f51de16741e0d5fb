//! The front door: `cargo xtask run` and `cargo xtask test` set up all that they need first.
//!
//! One file per thing to do; `packages`, `node` and `python` bring what must be on the machine,
//! `step` runs programs and says how long each part took. Nothing here is part of the product.

mod bench;
mod bundle;
mod display;
mod fuzz;
mod mcpb;
mod node;
mod packages;
mod paths;
mod programs;
mod python;
mod real;
mod run;
mod step;
mod test;

use std::process::ExitCode;

use step::Failed;

const HELP: &str = "\
Usage: cargo xtask <what> [options]

  run [--yes] [-- ARGUMENTS]   set up, build and start Skilltender (window and tray;
                               without a display the same engine in the terminal)
  test [--yes] [--long]        set up and run every check and every test; with --long many more
                               generated cases, and each fuzz target for five minutes
  test --real-clients          connect every real client that npm has, and let it say what it sees
  screens [--yes]              run the window tests and renew docs/screens
  fuzz                         run each fuzz target for five minutes, as test --long does
  bench                        measure the command line and the engine (release build)
  bundle [--debug]             build the installable packages of this system
  types                        renew ui/src/backend/types.ts from the engine's types

  --yes    install missing system packages without waiting";

const OPTIONS: &[&str] = &["--yes", "--long", "--real-clients", "--debug"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, passed_on) = split_at_dashes(&arguments);
    let has = |option: &str| options.iter().any(|argument| argument == option);
    if has("--help") || has("-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if let Some(unknown) = options.iter().skip(1).find(|option| !OPTIONS.contains(&option.as_str())) {
        eprintln!("xtask: there is no option {unknown}.\n\n{HELP}");
        return ExitCode::from(2);
    }
    let yes = has("--yes") || std::env::var_os("CI").is_some();
    let done = match options.first().map(String::as_str) {
        Some("run") => run::run(yes, passed_on),
        Some("test") if has("--real-clients") => test::real_clients(yes),
        Some("test") => test::test(yes, has("--long")),
        Some("screens") => test::screens(yes),
        Some("fuzz") => fuzz::fuzz(),
        Some("bench") => bench::bench(),
        Some("bundle") => bundle::bundle(yes, has("--debug")),
        Some("types") => test::types(),
        Some("help") => {
            println!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
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
