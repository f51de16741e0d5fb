//! Starts a real client: its path in the npm packages, and an environment without network requests of its own.

use std::{
    env, io,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tests::{Home, given};

/// The time limit of a client. It is not a measurement: some start slowly.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client's program.
pub(crate) struct Program {
    path: PathBuf,
}

impl Program {
    /// The program at `path` in the packages of a client.
    pub(crate) fn of(client: &str, path: &str) -> Self {
        Self { path: given("SKILLTENDER_REAL_CLIENTS").join(client).join("node_modules").join(path) }
    }

    /// The program as a command, in a project folder of this home, with HOME, PATH and the switches that prevent
    /// network requests.
    pub(crate) fn command(&self, home: &Home) -> Command {
        assert!(self.path.exists(), "{} is not there: run `cargo xtask test --real-clients`", self.path.display());
        let node = given("SKILLTENDER_NODE");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = node.parent().map(PathBuf::from).into_iter().chain(env::split_paths(&path));
        let mut command = Command::new(&self.path);
        command.env_clear().env("HOME", home.path("")).env("PATH", env::join_paths(path).unwrap());
        command.current_dir(home.path("project")).envs(QUIET.iter().copied()).stdin(Stdio::null());
        command
    }
}

const QUIET: &[(&str, &str)] = &[
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DO_NOT_TRACK", "1"),
    ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
    ("GEMINI_TELEMETRY_ENABLED", "false"),
    ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
    ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
    ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
];

/// npm's name of this system in package names.
pub(crate) fn system() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    format!("{system}-{processor}")
}

/// The output of a client.
pub(crate) struct Printed {
    /// Standard output.
    pub(crate) out: String,
    /// Standard error, where some print all text for people.
    pub(crate) err: String,
}

/// Runs a client to its end and returns its output. Its exit code says little: most always end with 0.
pub(crate) fn out_of(command: &mut Command) -> Printed {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (out, err) = (reading(child.stdout.take().unwrap()), reading(child.stderr.take().unwrap()));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{command:?} does not end");
        }
        thread::sleep(Duration::from_millis(20));
    }
    Printed { out: out.join().unwrap(), err: err.join().unwrap() }
}

fn reading(mut from: impl io::Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
