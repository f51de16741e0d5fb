//! Starting where the last start ended: a client's first list, and `list`, with the library's cache and without it, beside
//! the walk and the hashes alone.

use std::{
    env, fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tests::goals::{Figure, Goal};

use crate::{
    client::Client,
    library, limits,
    measure::{median, milliseconds, timed},
    parts::LIST,
};

/// How long the engine that writes the cache may take.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn warm() {
    println!(
        "| skills | cache, MB | read and hashed by two threads, ms | read, ms | first list, ms | `list`, ms | without a cache: read, ms | first list, ms | `list`, ms |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for count in [1_000, 10_000] {
        let (folder, home) = (library::make(count), tempfile::tempdir().unwrap());
        let data = home.path().join(".local/share/skilltender");
        fs::create_dir_all(&data).unwrap();
        let folders =
            serde_json::json!([{"id": "f1", "path": folder.path(), "enable_new": true, "enable_first": true}]);
        let choices = serde_json::json!({"version": 1, "last_folder": 1, "folders": folders});
        fs::write(data.join("choices.json"), choices.to_string()).unwrap();
        // What is younger is not cached.
        thread::sleep(Duration::from_secs(4));
        let (cache, aside) = (data.join("library.cache"), data.join("aside"));
        write(home.path(), &cache);
        let (mut limit, mut warm, mut cold) = (vec![], vec![], vec![]);
        for _ in 0..9 {
            limit.push(timed(|| limits::read_and_hash(folder.path())).0);
            warm.push(start(home.path(), count));
            fs::rename(&cache, &aside).unwrap();
            cold.push(start(home.path(), count));
            fs::rename(&aside, &cache).unwrap();
        }
        let size = fs::metadata(&cache).unwrap().len() as f64 / 1e6;
        let middle = |of: &[[f64; 3]], at: usize| median(of.iter().map(|figures| figures[at]).collect());
        let (limit, [read, first, list]) = (median(limit), [0, 1, 2].map(|at| middle(&warm, at)));
        let cold = [0, 1, 2].map(|at| format!("{:.1}", middle(&cold, at))).join(" | ");
        println!("| {count} | {size:.1} | {limit:.1} | {read:.1} | {first:.1} | {list:.1} | {cold} |");
        if count == 10_000 {
            let read = Figure::of("library read, warm", read, "ms", Goal::Times(0.5));
            read.beside("walked and hashed", limit).tell();
        }
        let goal = Goal::AtMost(if count == 1_000 { 25.0 } else { 80.0 });
        Figure::of(format!("first list, {count} skills, warm"), first, "ms", goal).tell();
    }
}

/// Until a client's handshake is answered, until it has its first list, and a `list` from its start to its end, in
/// milliseconds.
fn start(home: &Path, count: usize) -> [f64; 3] {
    let begun = Instant::now();
    let mut client = Client::of(program(home).arg("mcp"));
    client.shake_hands();
    let read = milliseconds(begun.elapsed());
    assert!(client.ask(LIST).contains(&library::id(count - 1)));
    let first = milliseconds(begun.elapsed());
    drop(client);
    [read, first, timed(|| list(home, count)).0]
}

fn program(home: &Path) -> Command {
    let mut command = Command::new(env::var("SKILLTENDER_PROGRAM").expect("`cargo xtask bench` names the program"));
    command.env("HOME", home).env_remove("XDG_DATA_HOME").env_remove("DBUS_SESSION_BUS_ADDRESS");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Lets an engine serve until it has written the cache.
fn write(home: &Path, cache: &Path) {
    let mut engine = Ended(program(home).arg("serve").stdout(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    while !cache.exists() {
        assert!(begun.elapsed() < PATIENCE && engine.0.try_wait().unwrap().is_none(), "no cache is written");
        thread::sleep(Duration::from_millis(100));
    }
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn list(home: &Path, count: usize) {
    let listed = program(home).arg("list").output().unwrap();
    assert!(String::from_utf8_lossy(&listed.stdout).contains(&library::id(count - 1)));
}
