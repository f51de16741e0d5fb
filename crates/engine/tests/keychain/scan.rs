//! Searches for a secret where none may be, in every spelling in which one leaks.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD_NO_PAD};

/// A secret that appears nowhere else.
pub(crate) fn canary() -> String {
    let bytes = machine::random::bytes::<20>();
    format!("canary-{}", hex(&bytes))
}

/// The spellings of `canary` that occur in `bytes`.
pub(crate) fn hits(bytes: &[u8], canary: &str) -> Vec<&'static str> {
    let holds = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    let spellings = spellings(canary);
    let mut found: Vec<_> = spellings.iter().filter(|(_, needle)| holds(needle)).map(|(name, _)| *name).collect();
    found.dedup();
    found
}

fn spellings(canary: &str) -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = |to_bytes: fn(u16) -> [u8; 2]| canary.encode_utf16().flat_map(to_bytes).collect::<Vec<_>>();
    let mut all = vec![
        ("plain", canary.as_bytes().to_vec()),
        ("hex", hex(canary.as_bytes()).into_bytes()),
        ("hex", hex(canary.as_bytes()).to_uppercase().into_bytes()),
        ("UTF-16LE", utf16(u16::to_le_bytes)),
        ("UTF-16BE", utf16(u16::to_be_bytes)),
    ];
    // The bytes before the secret shift its base64: three spellings, without their ragged ends.
    for before in 0..3 {
        let shifted = [vec![b' '; before], canary.as_bytes().to_vec()].concat();
        let encoded = BASE64_STANDARD_NO_PAD.encode(shifted).into_bytes();
        all.push(("base64", encoded[before.div_ceil(3) * 4..encoded.len() - 4].to_vec()));
    }
    all
}

/// Every file below a home except the keyring's own.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() && !path.ends_with(".local/share/keyrings") {
            found.extend(files(&path));
        } else if kind.is_file() {
            found.push(path);
        }
    }
    found
}

/// Watches the command lines of all readable processes.
pub(crate) struct Commands {
    stop: Arc<AtomicBool>,
    seen: Arc<Mutex<BTreeSet<String>>>,
    thread: JoinHandle<()>,
}

impl Commands {
    pub(crate) fn watch(canary: &str) -> Self {
        let (stop, seen) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::default()));
        let thread = {
            let (stop, seen, canary) = (Arc::clone(&stop), Arc::clone(&seen), canary.to_owned());
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    look(&canary, &seen);
                    thread::sleep(Duration::from_millis(5));
                }
            })
        };
        Self { stop, seen, thread }
    }

    /// The command lines that contained the secret.
    pub(crate) fn seen(self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
        let seen = self.seen.lock().unwrap();
        seen.iter().cloned().collect()
    }
}

fn look(canary: &str, seen: &Mutex<BTreeSet<String>>) {
    for process in fs::read_dir("/proc").unwrap().flatten() {
        // A process may be gone again, or belong to another user.
        let Ok(line) = fs::read(process.path().join("cmdline")) else { continue };
        if !hits(&line, canary).is_empty() {
            seen.lock().unwrap().insert(String::from_utf8_lossy(&line).into_owned());
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_leak_is_found_in_every_spelling() {
    let canary = canary();
    for (name, needle) in spellings(&canary) {
        assert_eq!(hits(&[b"before ", &needle[..], b" after"].concat(), &canary), [name]);
    }
    for before in ["", "k", "ke", "key"] {
        let encoded = BASE64_STANDARD_NO_PAD.encode(format!("{before}{canary} and more"));
        assert_eq!(hits(encoded.as_bytes(), &canary), ["base64"], "{encoded}");
    }
    assert_eq!(hits(b"nothing of the kind", &canary), [""; 0]);
}

#[test]
fn a_command_line_that_holds_the_secret_is_seen() {
    let canary = canary();
    let commands = Commands::watch(&canary);
    let shown = std::process::Command::new("sh").args(["-c", "sleep 0.5", "sh", &canary]).status();
    assert!(shown.unwrap().success());
    assert!(commands.seen()[0].contains("sleep 0.5"));
}
