//! `cargo xtask cross`: clippy over the code that only other systems compile, with warnings denied, for each foreign
//! target that is installed here; and what of Windows runs in Wine, where that is here. `cargo xtask test` takes the
//! cheap part of it: clippy for Windows over the crates that need no C compiler.

use std::{path::Path, process::Command};

use crate::{
    node::Node,
    paths,
    programs::{self, FEATURES},
    step::{Done, Failed, Steps, cargo, not_tested, output_of, run},
    windows, wine,
};

/// A system that is not this one.
struct Target {
    /// Its name for rustup.
    name: &'static str,
    /// The C compiler that some dependencies need: the variable that names one, and the usual program.
    compiler: (&'static str, &'static str),
    /// How to get the compiler.
    hint: &'static str,
}

const WINDOWS: Target = Target {
    name: wine::TARGET,
    compiler: ("CC_x86_64_pc_windows_gnu", "x86_64-w64-mingw32-gcc"),
    hint: "apt-get install gcc-mingw-w64-x86-64",
};

const MACOS: Target = Target {
    name: "aarch64-apple-darwin",
    compiler: ("CC_aarch64_apple_darwin", "aarch64-apple-darwin-clang"),
    hint: "name a C compiler for macOS in CC_aarch64_apple_darwin, such as xtask/zig-cc",
};

/// Whatever needs no C: the crates below `mcp`, with most of what only Windows compiles (files, sockets, locks, jobs), and
/// xtask, which the hosted machine with Windows runs. `mcp` and all above it reach `ring`, which is C and assembler.
const CHEAP: &[&str] =
    &["text", "skills", "clients", "machine", "files", "secrets", "sources", "origins", "processes", "xtask"];

/// Checks every target whose libraries and compiler are here, runs what can be run, and says what is missing for the others.
///
/// # Errors
///
/// A warning or an error on another system, a test that fails there, or no target at all.
pub(crate) fn cross() -> Done {
    let mut steps = Steps::begin();
    // The app takes it in, whatever the system.
    steps.step("the window's code", || programs::build_window(&Node::ensure()?))?;
    let done =
        [&WINDOWS, &MACOS].into_iter().try_fold(0, |checked, target| check(target, &mut steps).map(|is| checked + is));
    steps.print_times();
    if done? == 0 {
        Err(Failed("No other system can be checked here; the lines above say what is missing.".to_owned()))
    } else {
        Ok(())
    }
}

/// Checks one target and runs what can be run; returns how many targets that were.
fn check(target: &Target, steps: &mut Steps) -> Done<usize> {
    if let Some(hint) = libraries_missing(target).or_else(|| compiler_missing(target)) {
        println!("skipped: {} ({hint})", target.name);
        return Ok(0);
    }
    steps.step(&format!("clippy for {}", target.name), || {
        let mut clippy = cargo(&["clippy", "--keep-going", "--locked", "--workspace", "--all-targets", FEATURES]);
        clippy.args(["--target", target.name, "--", "--deny=warnings"]);
        run(clippy.env(target.compiler.0, compiler(target)))
    })?;
    if target.name == wine::TARGET {
        match wine::missing() {
            None => wine::test(&compiler(target), steps).and_then(|()| installers(steps))?,
            Some(hint) => println!("skipped: tests in Wine ({hint})"),
        }
    }
    Ok(1)
}

/// Tries installers of the program that the tests in Wine have built.
fn installers(steps: &mut Steps) -> Done {
    if let Some(hint) = windows::missing() {
        println!("skipped: installers in Wine ({hint})");
        return Ok(());
    }
    let built = paths::target().join(wine::TARGET).join("debug");
    steps.step("installers in Wine", || windows::try_in_wine(&built))
}

/// Clippy for Windows over [`CHEAP`], or a line that says what is missing.
///
/// # Errors
/// A warning or an error in what only Windows compiles.
pub(crate) fn cheap() -> Done {
    // The benchmarks' own dependency holds a few lines of C.
    if let Some(hint) = libraries_missing(&WINDOWS).or_else(|| compiler_missing(&WINDOWS)) {
        return not_tested("code that only Windows compiles", WINDOWS.name, &hint);
    }
    let mut clippy = cargo(&["clippy", "--locked", "--all-targets", "--target", WINDOWS.name]);
    clippy.args(CHEAP.iter().map(|name| format!("--package={name}")));
    run(clippy.args(["--", "--deny=warnings"]))
}

/// The C compiler for Windows.
///
/// # Errors
/// When there is none.
pub(crate) fn compiler_for_windows() -> Done<String> {
    compiler_missing(&WINDOWS).map_or_else(|| Ok(compiler(&WINDOWS)), |hint| Err(Failed(hint)))
}

/// The command that installs a target's libraries, where they are missing.
fn libraries_missing(target: &Target) -> Option<String> {
    let libraries = output_of(Command::new("rustc").args(["--print", "target-libdir", "--target", target.name]));
    let there = libraries.is_some_and(|folder| Path::new(&folder).is_dir());
    (!there).then(|| format!("rustup target add {}", target.name))
}

/// How to get a target's C compiler, where it is missing.
fn compiler_missing(target: &Target) -> Option<String> {
    let named = std::env::var_os(target.compiler.0).is_some();
    let there = named || output_of(Command::new(compiler(target)).arg("--version")).is_some();
    (!there).then(|| target.hint.to_owned())
}

/// The C compiler for a target: the one that is named, or the usual one.
fn compiler(target: &Target) -> String {
    let (variable, usual) = target.compiler;
    std::env::var(variable).unwrap_or_else(|_| usual.to_owned())
}
