//! A server behind a `.cmd`, as npm installs them, with a child of its own. The child holds a connection to the test,
//! which ends with it and no sooner.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use machine::Machine;
use secrets::{Environment, environment};
use skills::Launch;

use crate::{Recipe, start};

/// Tells a process that it is part of another test, and the port or the home that it needs.
const PORT: &str = "SKILLTENDER_TEST_PORT";
const PARENT: &str = "SKILLTENDER_TEST_PARENT";

/// A test that waits longer has failed; the limit allows for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn what_a_wrapper_started_ends_when_its_server_is_stopped() {
    let home = tempfile::tempdir().unwrap();
    let (port, listener) = listener();
    let child = start(&Machine::at(home.path()).unwrap(), recipe(home.path(), &port)).await.unwrap();
    let grandchild = accepted(&listener);
    child.stop().await;
    has_ended(grandchild);
}

#[tokio::test]
async fn what_a_wrapper_started_ends_when_its_server_is_dropped() {
    let home = tempfile::tempdir().unwrap();
    let (port, listener) = listener();
    let child = start(&Machine::at(home.path()).unwrap(), recipe(home.path(), &port)).await.unwrap();
    let grandchild = accepted(&listener);
    drop(child);
    has_ended(grandchild);
}

#[test]
fn what_a_wrapper_started_ends_when_we_are_killed() {
    let home = tempfile::tempdir().unwrap();
    let (port, listener) = listener();
    let mut parent = myself("a_parent_that_another_test_kills");
    let mut parent = parent.env(PARENT, home.path()).env(PORT, port).spawn().unwrap();
    let grandchild = accepted(&listener);
    parent.kill().unwrap();
    parent.wait().unwrap();
    has_ended(grandchild);
}

#[tokio::test]
#[ignore = "another test runs it as a process of its own"]
async fn a_parent_that_another_test_kills() {
    let (Some(home), Ok(port)) = (env::var_os(PARENT), env::var(PORT)) else { return };
    let home = Path::new(&home);
    let _child = start(&Machine::at(home).unwrap(), recipe(home, &port)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(300)).await;
}

#[test]
#[ignore = "the wrapper of other tests runs it as a process of its own"]
fn a_child_of_a_server() {
    let Ok(port) = env::var(PORT) else { return };
    let mut test = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    test.write_all(b"!").unwrap();
    thread::sleep(Duration::from_secs(300));
}

/// This program again, as one of its tests.
fn myself(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--ignored", "--exact", &format!("spawn::tests::{test}")]);
    command
}

/// A server that is a wrapper, and runs a child that reads nothing.
fn recipe(home: &Path, port: &str) -> Recipe {
    let wrapper = home.join("server.cmd");
    let program = env::current_exe().unwrap();
    let script = format!("@\"{}\" --ignored --exact spawn::tests::a_child_of_a_server\r\n", program.display());
    fs::write(&wrapper, script).unwrap();
    Recipe { program: wrapper, args: Vec::new(), environment: declared(port), cwd: home.to_path_buf() }
}

fn declared(port: &str) -> Environment {
    let launch = Launch {
        argv: Vec::new(),
        env: [(PORT.to_owned(), port.to_owned())].into(),
        secrets: BTreeMap::new(),
        cwd: None,
    };
    environment(env::vars_os(), &launch, &BTreeMap::new()).unwrap()
}

fn listener() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    (listener.local_addr().unwrap().port().to_string(), listener)
}

/// The connection of the server's child, once it is there.
fn accepted(listener: &TcpListener) -> TcpStream {
    let since = Instant::now();
    loop {
        if let Ok((mut stream, _)) = listener.accept() {
            stream.set_nonblocking(false).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            let mut said = [0];
            stream.read_exact(&mut said).unwrap();
            return stream;
        }
        assert!(since.elapsed() < PATIENCE, "the server's child never came");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the process at the other end is gone: its connection is closed or broken then.
fn has_ended(mut process: TcpStream) {
    match process.read(&mut [0]) {
        Ok(read) => assert_eq!(read, 0),
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
    }
}
