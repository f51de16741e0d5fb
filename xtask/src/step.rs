//! Runs programs, and reports what runs and how long it takes.

use std::{
    collections::BTreeSet,
    fmt::Display,
    fs,
    io::Write as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::unable;

/// Why a task failed, as a sentence.
#[derive(Debug)]
pub(crate) struct Failed(pub(crate) String);

pub(crate) type Done<T = ()> = Result<T, Failed>;

impl Failed {
    pub(crate) fn because(what: impl Display) -> Self {
        Self(what.to_string())
    }
}

/// The timed parts of a longer task; the times are printed at the end.
pub(crate) struct Steps {
    begun: Instant,
    taken: Vec<(String, Duration)>,
}

impl Steps {
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now(), taken: Vec::new() }
    }

    /// Adds parts that ran beside others.
    pub(crate) fn taken_beside(&mut self, parts: Vec<(String, Duration)>) {
        self.taken.extend(parts);
    }

    /// Runs one part, after printing its name.
    pub(crate) fn step<T>(&mut self, name: &str, part: impl FnOnce() -> Done<T>) -> Done<T> {
        println!("\n== {name}");
        let start = Instant::now();
        let done = part().map_err(|Failed(why)| Failed(format!("{name}: {why}")));
        self.taken.push((name.to_owned(), start.elapsed()));
        done
    }

    /// Prints how long each part took.
    pub(crate) fn print_times(&self) {
        println!("\nTimes");
        for (name, took) in &self.taken {
            println!("{:>7.1} s  {name}", took.as_secs_f64());
        }
        println!("{:>7.1} s  all", self.begun.elapsed().as_secs_f64());
    }
}

/// Whether this is a part of a larger run, which collects what cannot be tested.
pub(crate) fn is_a_part() -> bool {
    std::env::var_os(NOT_TESTED).is_some()
}

/// Forgets what earlier tests could not test.
pub(crate) fn forget_not_tested() -> Done {
    let file = crate::paths::not_tested();
    fs::create_dir_all(crate::paths::cache()).map_err(Failed::because)?;
    fs::write(file, "").map_err(Failed::because)
}

/// Notes what this machine cannot test because it lacks `what`; the line is printed now and again at the end.
///
/// # Errors
/// In CI, unless `SKILLTENDER_UNABLE` names what the machine lacks, as for tests (CONTRIBUTING.md).
pub(crate) fn not_tested(test: &str, what: &str, why: &str) -> Done {
    if let Some(refused) = unable::refusal(what, why) {
        return Err(Failed(format!("{test} cannot be tested. {refused}")));
    }
    let line = format!("not tested here: {test} ({what}: {why})");
    println!("{line}");
    fs::create_dir_all(crate::paths::cache()).map_err(Failed::because)?;
    let file = fs::OpenOptions::new().create(true).append(true).open(crate::paths::not_tested());
    file.and_then(|mut file| writeln!(file, "{line}")).map_err(Failed::because)
}

/// Prints what the tests could not test, so that it is not missed among their output.
pub(crate) fn print_not_tested() {
    let all = fs::read_to_string(crate::paths::not_tested()).unwrap_or_default();
    let lines: BTreeSet<_> = all.lines().collect();
    if !lines.is_empty() {
        println!("\nThis machine could not run every test (CONTRIBUTING.md, \"Tests that need more\"):");
    }
    for line in lines {
        println!("  {line}");
    }
}

/// Runs a program to its end and shows its output.
pub(crate) fn run(command: &mut Command) -> Done {
    println!("$ {}", spelled(command));
    let status = command.stdin(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failed(format!("`{}` ended with {status}.", spelled(command)))),
        Err(why) => Err(Failed(format!("`{}` does not start: {why}.", spelled(command)))),
    }
}

/// The output of a program; `None` when it is missing or fails.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Names the file in which tests collect what they could not test.
pub(crate) const NOT_TESTED: &str = "SKILLTENDER_NOT_TESTED";

/// Whether a program is installed, whatever words it takes.
pub(crate) fn is_installed(program: &str) -> bool {
    output_of(Command::new("sh").args(["-c", "command -v \"$1\"", "sh", program])).is_some()
}

/// A cargo command, run by the same cargo that runs xtask.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::paths::root()).args(arguments).env(NOT_TESTED, crate::paths::not_tested());
    if arguments.iter().any(|word| ["bench", "--release"].contains(word)) {
        small(&mut command);
    }
    command
}

/// Flags for rustc, with a separator that no path has.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// Lets a release build leave out what its programs never use: tables for unwinding, as they end with a panic (a panic
/// is told as before, without the calls that led to it), and the second of two functions with the same bytes, which
/// Rust's own linker finds. A fifth of the programs' size. It holds for macros too, so one that panics ends the compiler
/// without saying why: a development build does say it.
pub(crate) fn small(build: &mut Command) {
    let has_the_linker = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    let has_own = ["RUSTFLAGS", FLAGS].iter().any(|flags| std::env::var_os(flags).is_some());
    if has_the_linker && !has_own {
        let script = crate::paths::root().join("xtask/without-unwind-tables.ld");
        let tables = format!("-Clink-arg=-Wl,-T,{}", script.display());
        let flags = ["-Cforce-unwind-tables=no", "-Clink-arg=-Wl,--icf=all", &tables].join("\u{1f}");
        build.env(FLAGS, flags);
    }
}

fn spelled(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
