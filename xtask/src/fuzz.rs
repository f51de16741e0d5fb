//! Fuzzing: runs every target of `fuzz/` for some minutes, starting with its seeds. Part of
//! `cargo xtask test --long`.

use std::{
    fs,
    process::{Command, Stdio},
};

use crate::{
    paths,
    step::{Done, Failed, cargo, run},
};

const CARGO_FUZZ: &str = "0.13.2";
/// How long each target runs, in seconds, unless `SKILLTENDER_FUZZ_SECONDS` says otherwise.
const SECONDS: &str = "300";

pub(crate) fn fuzz() -> Done {
    let program = ensure()?;
    let seconds = std::env::var("SKILLTENDER_FUZZ_SECONDS").unwrap_or_else(|_| SECONDS.to_owned());
    for target in targets()? {
        println!("{target}: {}", fuzz_one(&program, &target, &seconds)?);
    }
    Ok(())
}

/// cargo-fuzz, built once into the build folder.
fn ensure() -> Done<std::path::PathBuf> {
    let folder = paths::cache().join("fuzz");
    let program = folder.join("bin").join(paths::program("cargo-fuzz"));
    if !program.exists() {
        let install = ["install", "cargo-fuzz", "--locked", "--debug", "--quiet", "--version", CARGO_FUZZ, "--root"];
        run(cargo(&install).arg(&folder))?;
    }
    Ok(program)
}

fn targets() -> Done<Vec<String>> {
    let files = fs::read_dir(paths::root().join("fuzz/fuzz_targets")).map_err(Failed::because)?;
    let names = files.filter_map(|file| Some(file.ok()?.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<_> = names.collect();
    names.sort();
    Ok(names)
}

/// Runs one target and reports the number of runs and the covered code. Its findings stay in the build folder, never
/// in the repository.
fn fuzz_one(program: &std::path::Path, target: &str, seconds: &str) -> Done<String> {
    let (cache, seeds) = (paths::cache().join("fuzz"), paths::root().join("fuzz/seeds").join(target));
    let (corpus, found) = (cache.join("corpus").join(target), cache.join("found/"));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).map_err(Failed::because)?;
    }
    let mut command = Command::new(program);
    // A sanitizer needs a nightly compiler; these targets look for panics and endless work.
    command.args(["fuzz", "run", "--sanitizer=none", "--target-dir"]).arg(paths::target().join("fuzz"));
    command.arg(target).arg(corpus).arg(seeds).arg("--").arg(format!("-max_total_time={seconds}"));
    command.args(["-print_final_stats=1", "-timeout=20"]).arg(format!("-artifact_prefix={}", found.display()));
    let command = command.env("RUSTC_BOOTSTRAP", "1").current_dir(paths::root()).stdin(Stdio::null());
    let output = command.output().map_err(|why| Failed::because(format!("cargo-fuzz does not start: {why}.")))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(Failed::because(format!("`{target}` found something, or could not be built:\n{said}")));
    }
    let runs = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let coverage = said.lines().rev().find_map(|line| line.split_once("cov: ")?.1.split_whitespace().next());
    let runs = runs.ok_or_else(|| Failed::because(format!("`{target}` did not say how often it ran:\n{said}")))?;
    Ok(format!("{} runs in {seconds} s, coverage {}", runs.trim(), coverage.unwrap_or("unknown")))
}
