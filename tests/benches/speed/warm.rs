//! Starting where the last start ended: `list` with the library's cache and without it, and the walk and the hashes alone.

use std::{
    env, fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    library, limits,
    measure::{median, timed},
};

/// How long the engine that writes the cache may take.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn warm() {
    println!("| skills | read and hashed by two threads, ms | `list` without a cache, ms | with it, ms | cache, MB |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
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
        let (mut limit, mut cold, mut warm) = (vec![], vec![], vec![]);
        for _ in 0..9 {
            limit.push(timed(|| limits::read_and_hash(folder.path())).0);
            warm.push(timed(|| list(home.path(), count)).0);
            fs::rename(&cache, &aside).unwrap();
            cold.push(timed(|| list(home.path(), count)).0);
            fs::rename(&aside, &cache).unwrap();
        }
        let size = fs::metadata(&cache).unwrap().len() as f64 / 1e6;
        println!("| {count} | {:.1} | {:.1} | {:.1} | {size:.1} |", median(limit), median(cold), median(warm));
    }
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
