//! A session of its own: home, bus, keyring.

use std::{
    env, fs,
    io::{Write as _, read_to_string, stdin},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use tempfile::TempDir;

const INSIDE: &str = "SKILLTENDER_INSIDE_A_SESSION";

/// The services that the session's bus may start by itself.
#[derive(Clone, Copy)]
pub(crate) enum Bus {
    /// All installed ones.
    Usual,
    /// None: without a running keyring, no keychain answers.
    WithoutServices,
}

/// Whether this is the inner half of a test.
pub(crate) fn is_inside() -> bool {
    env::var_os(INSIDE).is_some()
}

/// Runs the inner half of a test and returns its home and its whole output. The inner half reads `canary` from
/// its standard input, so that the secret is on no command line and in no file.
pub(crate) fn inside(test: &str, bus: Bus, canary: &str) -> (TempDir, String) {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("dbus-run-session");
    if matches!(bus, Bus::WithoutServices) {
        command.arg("--config-file").arg(config(home.path()));
    }
    command.arg("--").arg(env::current_exe().unwrap()).args([test, "--include-ignored", "--nocapture"]);
    command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default()).env("HOME", home.path());
    command.env(INSIDE, "1").env("RUST_LOG", "trace").env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("dbus-run-session is installed (`cargo xtask test` sees to it)");
    child.stdin.take().unwrap().write_all(canary.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    (home, said)
}

/// The input from the outer half.
pub(crate) fn canary() -> String {
    read_to_string(stdin()).unwrap()
}

/// Starts a keyring; unlocked with `password`, or locked and without a collection for secrets.
///
/// The program has file capabilities, which fail in some containers: a copy has none.
pub(crate) fn start_keyring(password: Option<&str>) {
    let copy = env::home_dir().unwrap().join("keyring-daemon");
    tests::copy_program("/usr/bin/gnome-keyring-daemon".as_ref(), &copy);
    let how = if password.is_some() { "--unlock" } else { "--start" };
    let mut daemon = Command::new(copy);
    daemon.args([how, "--components=secrets"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = daemon.spawn().unwrap();
    child.stdin.take().unwrap().write_all(password.unwrap_or_default().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "the keyring starts");
    while !is_on_the_bus() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// The daemon goes into the background before it has taken its name.
fn is_on_the_bus() -> bool {
    let mut ask = Command::new("dbus-send");
    ask.args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"]);
    let answer = ask.args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]).output();
    String::from_utf8_lossy(&answer.expect("dbus-send is installed").stdout).contains("true")
}

/// Everything that the keyring holds for Skilltender, as `secret-tool` shows it.
pub(crate) fn stored() -> String {
    let output = Command::new("secret-tool").args(["search", "--all", "service", "skilltender"]).output();
    let output = output.expect("secret-tool is installed");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
}

/// A bus without services to start: an installed keyring would start by itself.
fn config(home: &Path) -> PathBuf {
    let path = home.join("bus.conf");
    let text = concat!(
        "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" ",
        "\"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n",
        "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>",
        "<policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>",
        "<allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>\n",
    );
    fs::write(&path, text).unwrap();
    path
}
