//! The machine's physical limits, measured next to Skilltender's figures.

use std::{
    env, fs,
    io::{BufRead as _, Write as _, stdin, stdout},
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use sha2::{Digest as _, Sha256};

use crate::client::Client;

/// The argument that makes this program a server with one constant answer.
pub(crate) const CONSTANT: &str = "constant";

/// Walks a library and reads and hashes every SKILL.md, on two threads. Returns their number.
pub(crate) fn read_and_hash(library: &Path) -> usize {
    let folders: Vec<PathBuf> = fs::read_dir(library).unwrap().map(|entry| entry.unwrap().path()).collect();
    let (next, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
            let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
            if names.filter(|name| name == "SKILL.md").count() == 1 {
                let digest = Sha256::digest(fs::read(folder.join("SKILL.md")).unwrap());
                found.fetch_add(usize::from(digest.len() == 32), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    found.into_inner()
}

/// A program that answers each line with the same 5.4 kB.
pub(crate) fn constant() -> Client {
    Client::of(Command::new(env::current_exe().unwrap()).arg(CONSTANT))
}

/// A server that is only rmcp and a constant answer, over stdio.
pub(crate) fn constant_rmcp() -> Client {
    let mut client = Client::of(constant_server().arg("stdio"));
    client.shake_hands();
    client
}

/// The program `crates/mcp/examples/constant.rs`.
pub(crate) fn constant_server() -> Command {
    Command::new(env::var("SKILLTENDER_CONSTANT").expect("`cargo xtask bench` names the constant server"))
}

/// Runs as that program.
pub(crate) fn answer_constantly() {
    let text = "x".repeat(5_400);
    let mut output = stdout().lock();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let id = line.split("\"id\":").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("0");
        writeln!(output, "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":\"{text}\"}}").unwrap();
        output.flush().unwrap();
    }
}
