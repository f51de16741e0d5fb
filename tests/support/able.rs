//! What a test needs of its machine and does not get everywhere: tools, mounts of its own, rights of root, a user
//! without them, the corpus.
//!
//! A test that cannot run says so on the terminal, whatever cargo captures, and `cargo xtask test` repeats it at its
//! end. In CI it fails, unless `SKILLTENDER_UNABLE` names what the machine lacks: words with blanks between them.

use std::{env, fs, io, io::Write as _, process::Command, thread};

use crate::unable::refusal;

/// The variable with the file that collects, for `cargo xtask test`, what was not tested.
const COLLECTED: &str = "SKILLTENDER_NOT_TESTED";
/// The variable that tells a test that it runs again, with this right.
const AGAIN: &str = "SKILLTENDER_TEST_AGAIN";

/// A right that a test may get only in a process of its own.
#[derive(Debug)]
pub struct Right {
    /// Its word in `SKILLTENDER_UNABLE`.
    word: &'static str,
    /// A command that succeeds with this right only.
    probe: &'static [&'static str],
    /// The commands that may give it to a process.
    ways: &'static [&'static [&'static str]],
}

const AS_IT_IS: &[&str] = &["env"];
const AS_ROOT: &[&str] = &["sudo", "-n", "--preserve-env"];

/// Mounts that no other process sees.
pub const MOUNTS: Right = Right {
    word: "mount",
    probe: &["mount", "-t", "tmpfs", "x", "/mnt"],
    ways: &[
        &["unshare", "--mount"],
        &["unshare", "--user", "--map-root-user", "--mount"],
        &["sudo", "-n", "--preserve-env", "unshare", "--mount"],
    ],
};

/// Marking files as not to be changed.
pub const MARKS: Right = Right {
    word: "chattr",
    probe: &["sh", "-ec", "f=$(mktemp); trap 'rm -f $f' EXIT; chattr +i $f; chattr -i $f"],
    ways: &[AS_IT_IS, AS_ROOT],
};

/// Giving files to other users.
pub const OWNERS: Right = Right {
    word: "chown",
    probe: &["sh", "-ec", "f=$(mktemp); trap 'rm -f $f' EXIT; chown 12345:23456 $f"],
    ways: &[AS_IT_IS, AS_ROOT],
};

/// Being refused: a file that nobody may read cannot be read.
pub const REFUSALS: Right = Right {
    word: "refusals",
    probe: &[
        "sh",
        "-ec",
        "f=$(mktemp); trap 'rm -f $f' EXIT; chmod 0 $f; if cat $f; then echo root reads all >&2; exit 1; fi",
    ],
    ways: &[
        AS_IT_IS,
        &["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"],
    ],
};

/// Whether all of these programs are installed; says so if not.
pub fn has(tools: &[&str]) -> bool {
    let missing = tools.iter().find(|tool| Command::new(tool).arg("--version").output().is_err());
    if let Some(tool) = missing {
        skip(tool, "it is not installed");
    }
    missing.is_none()
}

/// Whether this test runs with this right. If not, it has run again in a process that has it, or a skip was said.
///
/// # Panics
/// When the test fails there.
pub fn has_right(right: &Right, test: &str) -> bool {
    if env::var(AGAIN).is_ok_and(|word| word == right.word) {
        return true;
    }
    let mut refusals = String::new();
    for way in right.ways {
        let refused = match start(way).args(right.probe).output() {
            Ok(output) if output.status.success() => {
                run_again(start(way).env(AGAIN, right.word), test);
                return false;
            }
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().replace('\n', ", "),
            Err(error) => error.to_string(),
        };
        refusals += &format!("; `{}`: {refused}", way.join(" "));
    }
    skip(right.word, refusals.trim_start_matches("; "));
    false
}

fn start(way: &[&str]) -> Command {
    let mut command = Command::new(way[0]);
    command.args(&way[1..]);
    command
}

fn run_again(within: &mut Command, test: &str) {
    let program = env::current_exe().expect("a test knows its program");
    let words = ["--exact", test, "--include-ignored", "--nocapture"];
    let output = within.arg(program).args(words).output().expect("the probe ran in the same way");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// Says that this test does not run, because the machine lacks something.
///
/// # Panics
/// In CI, unless `SKILLTENDER_UNABLE` names what it lacks.
pub fn skip(what: &str, why: &str) {
    if let Some(refused) = refusal(what, why) {
        panic!("{refused}");
    }
    let test = thread::current();
    let line = format!("not tested here: {} ({what}: {why})\n", test.name().unwrap_or("a test"));
    // Written directly: what a passing test prints is captured.
    io::stderr().write_all(line.as_bytes()).expect("the terminal is there");
    if let Some(file) = env::var_os(COLLECTED) {
        let file = fs::File::options().create(true).append(true).open(file);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the skips can be collected");
    }
}

/// Runs a program that must succeed.
///
/// # Panics
/// When it does not.
pub fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
