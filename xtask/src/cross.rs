//! `cargo xtask cross`: clippy over the code that only other systems compile, with warnings denied, for each foreign
//! target that is installed here; and what of Windows runs in Wine, where that is here.

use std::{path::Path, process::Command};

use crate::{
    step::{Done, Failed, cargo, output_of, run},
    wine,
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

const TARGETS: &[Target] = &[
    Target {
        name: wine::TARGET,
        compiler: ("CC_x86_64_pc_windows_gnu", "x86_64-w64-mingw32-gcc"),
        hint: "apt-get install gcc-mingw-w64-x86-64",
    },
    Target {
        name: "aarch64-apple-darwin",
        compiler: ("CC_aarch64_apple_darwin", "aarch64-apple-darwin-clang"),
        hint: "name a C compiler for macOS in CC_aarch64_apple_darwin, such as a wrapper of `zig cc`",
    },
];

/// Checks every target whose libraries and compiler are here, runs what can be run, and says what is missing for the others.
///
/// # Errors
///
/// A warning or an error on another system, a test that fails there, or no target at all.
pub(crate) fn cross() -> Done {
    let mut checked = 0;
    for target in TARGETS {
        match missing(target) {
            Some(hint) => println!("skipped: {} ({hint})", target.name),
            None => {
                let mut clippy = cargo(&["clippy", "--keep-going", "--locked", "--workspace", "--all-targets"]);
                clippy.args(["--target", target.name, "--", "--deny=warnings"]);
                run(clippy.env(target.compiler.0, compiler(target)))?;
                checked += 1;
                match (target.name == wine::TARGET).then(wine::missing) {
                    Some(None) => wine::test(&compiler(target))?,
                    Some(Some(hint)) => println!("skipped: tests in Wine ({hint})"),
                    None => {}
                }
            }
        }
    }
    if checked == 0 {
        Err(Failed("No other system can be checked here; the lines above say what is missing.".to_owned()))
    } else {
        Ok(())
    }
}

/// What is missing for a target, as a command or a sentence.
fn missing(target: &Target) -> Option<String> {
    let libraries = output_of(Command::new("rustc").args(["--print", "target-libdir", "--target", target.name]));
    if !libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Some(format!("rustup target add {}", target.name));
    }
    let named = std::env::var_os(target.compiler.0).is_some();
    let there = named || output_of(Command::new(compiler(target)).arg("--version")).is_some();
    (!there).then(|| target.hint.to_owned())
}

/// The C compiler for a target: the one that is named, or the usual one.
fn compiler(target: &Target) -> String {
    let (variable, usual) = target.compiler;
    std::env::var(variable).unwrap_or_else(|_| usual.to_owned())
}
