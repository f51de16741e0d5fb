//! Programs of a release that say which crates they are made of, so that a scanner finds an advisory in the installed
//! file: `cargo auditable` builds them, where it is installed. Where it is not, that is said.
//!
//! Tauri's tool builds the app itself and puts cargo's words behind the name of one program, its runner: that is xtask,
//! which passes them on (`cargo xtask build`, a command that only Tauri gives).

use std::{fs, path::Path, process::Command};

use crate::step::{Done, Failed, cargo, output_of, run};

/// The version that the workflow installs.
const VERSION: &str = "0.7.7";
/// The part of a program that holds the list, by its name.
const LIST: &[u8] = b".dep-v0";

/// A build with cargo's words, with the list where that can be.
pub(crate) fn build(words: &[&str]) -> Command {
    if missing().is_some() {
        cargo(&[&["build"], words].concat())
    } else {
        cargo(&[&["auditable", "build"], words].concat())
    }
}

/// Lets Tauri's tool build in the same way.
pub(crate) fn by_tauri(tauri: &mut Command) -> Done {
    match missing() {
        Some(hint) => println!("The programs will not say what they are made of: {hint}"),
        None => {
            tauri.arg("--runner").arg(std::env::current_exe().map_err(Failed::because)?);
        }
    }
    Ok(())
}

/// What Tauri's tool asks of its runner: a build, in the folder where the tool is.
pub(crate) fn for_tauri(words: &[String]) -> Done {
    let mut build = Command::new(cargo(&[]).get_program());
    run(build.arg("auditable").args(words))
}

/// How to get what is missing for it.
pub(crate) fn missing() -> Option<String> {
    let is_there = output_of(&mut cargo(&["auditable", "--version"])).is_some();
    (!is_there).then(|| format!("cargo install cargo-auditable --locked --version {VERSION}"))
}

/// Checks that a program which was built so has its list.
pub(crate) fn check(program: &Path) -> Done {
    if missing().is_some() || has_list(&fs::read(program).map_err(Failed::because)?) {
        return Ok(());
    }
    Err(Failed(format!("{} does not say what it is made of, though cargo-auditable is installed.", program.display())))
}

fn has_list(program: &[u8]) -> bool {
    program.windows(LIST.len()).any(|bytes| bytes == LIST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;

    #[test]
    fn every_job_that_builds_a_release_installs_the_version_that_is_named_here() {
        let workflow = fs::read_to_string(paths::root().join(".github/workflows/release.yml")).unwrap();
        let installs = format!("cargo install cargo-auditable --locked --version {VERSION}");
        assert_eq!(workflow.matches(&installs).count(), 3, "linux, windows, macos");
    }

    #[test]
    fn a_program_without_the_list_is_told_from_one_with_it() {
        assert!(has_list(b"\0.text\0.dep-v0\0.data"));
        assert!(!has_list(b"\0.text\0.dep-v\0.data"));
    }
}
