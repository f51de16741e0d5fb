//! Twenty secrets go through full use and are then searched for everywhere (docs/security-rules.md, "The canary"): on
//! the disk, in logs, on the command lines and in the environments of every process while they are used, in clients'
//! files, on the wire.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use aho_corasick::AhoCorasick;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;
use tests::{Home, Lines, Serving, eventually, given};

use crate::persons::{agree, run};

const SECRETS: usize = 20;
const CALLS: usize = 50;

/// The secret with this number, with characters that formats escape.
fn secret(number: usize) -> String {
    format!("cnry{number:02}-Zx\"q\\é/+&=?%{:016x}-end", (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The encodings in which a secret could appear.
pub(crate) fn spellings(secret: &str) -> Vec<Vec<u8>> {
    let bytes = secret.as_bytes();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let url: String = bytes
        .iter()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || *byte == b'-' {
                char::from(*byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect();
    let escaped = json!(secret).to_string();
    // The middle of base64 has one of three forms, by the alignment of the surrounding text.
    let shifted = (0..3).map(|shift| {
        let coded = BASE64_STANDARD.encode([&b"xxx"[..shift], bytes].concat());
        coded.as_bytes()[8..coded.len() - 8].to_vec()
    });
    let wide = |bytes: fn(u16) -> [u8; 2]| secret.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let mut all = vec![
        bytes.to_vec(),
        hex.to_uppercase().into_bytes(),
        hex.into_bytes(),
        url.into_bytes(),
        escaped.trim_matches('"').as_bytes().to_vec(),
        wide(u16::to_le_bytes),
        wide(u16::to_be_bytes),
    ];
    all.extend(shifted);
    all
}

/// Finds any encoding of any secret, all in one pass, because processes are searched often.
struct Search {
    words: AhoCorasick,
    /// The secret of each word.
    numbers: Vec<usize>,
}

impl Search {
    fn new() -> Self {
        let of = |number| spellings(&secret(number)).into_iter().map(move |word| (number, word));
        let (numbers, words): (_, Vec<_>) = (0..SECRETS).flat_map(of).unzip();
        Self { words: AhoCorasick::new(words).unwrap(), numbers }
    }

    fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.words.find(bytes).map(|found| self.numbers[found.pattern().as_usize()])
    }

    /// The files below a folder that contain a secret.
    fn below(&self, folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                found.extend(self.below(&path));
            } else if kind.is_file()
                && let Some(number) = fs::read(&path).ok().and_then(|bytes| self.find(&bytes))
            {
                found.push(format!("{} holds secret {number}", path.display()));
            }
        }
        found
    }

    /// Checks every process: no command line may contain a secret, and only the environment of its own server may.
    fn processes(&self) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
            let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
            let words = read("cmdline");
            if self.find(&words).is_some() {
                found.push(format!("the command line of {id}: {}", String::from_utf8_lossy(&words)));
            }
            let environment = read("environ");
            let held: BTreeSet<_> =
                self.words.find_iter(&environment).map(|found| self.numbers[found.pattern().as_usize()]).collect();
            let line = String::from_utf8_lossy(&words);
            let own = |number: &usize| line.contains("leaky.py") && line.contains(&format!("number-{number:02}-"));
            if !held.iter().all(own) || held.len() > 1 {
                found.push(format!("the environment of {id} ({line}) holds {held:?}"));
            }
        }
        found
    }
}

/// wire contract 45
#[test]
#[cfg(target_os = "linux")]
fn twenty_secrets_are_nowhere_but_in_the_environment_of_the_server_that_each_is_for() {
    let home = Home::new();
    let python = given("SKILLTENDER_PYTHON");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("product/servers/leaky.py");
    for number in 0..SECRETS {
        let text = format!(
            "---\nname: skill-{number}\ndescription: Needs a secret. Use never.\nrequires-mcp-servers:\n  - name: leaky-{number}\n    description: Leaks\n    command: {}\n    args: [{}, number-{number:02}-]\n    env: {{LEAKY_SECRET: \"${{KEY}}\"}}\n    parameters:\n      KEY: {{description: The key, sensitive: true}}\n---\n\nUse it.\n",
            python.display(),
            script.display()
        );
        home.write(&format!("skills/skill-{number}/SKILL.md"), &text);
    }
    let log = home.path("serve.log");
    let serving = Serving::start_with(&home, |command| {
        command.env("RUST_LOG", "trace").env("SKILLTENDER_LOG", "trace").stderr(fs::File::create(&log).unwrap())
    });
    let search = Arc::new(Search::new());
    let over = Arc::new(AtomicBool::new(false));
    let watching = thread::spawn({
        let (search, over) = (Arc::clone(&search), Arc::clone(&over));
        move || {
            let mut found = BTreeSet::new();
            let mut looks = 0;
            while !over.load(Ordering::Relaxed) {
                found.extend(search.processes());
                looks += 1;
                thread::sleep(Duration::from_millis(10));
            }
            (looks, found.into_iter().collect::<Vec<_>>())
        }
    });

    // Readable output, including what it prints.
    let mut printed = String::new();
    for number in 0..SECRETS {
        let (skill, server) = (format!("skill-{number}"), format!("leaky-{number}"));
        printed += &run(&home, &["secrets", "set", &skill, &server, "KEY"], &secret(number));
        agree(&home, &server);
    }
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    eventually("all tools are there", || {
        let listed = client.call("tools/list", &json!({}));
        (listed["tools"].as_array()?.len() == SECRETS + 2).then_some(())
    });
    let mut wire = String::new();
    for call in 0..CALLS {
        let number = call % SECRETS;
        let asked = json!({"name": format!("leaky-{number}__length"), "arguments": {}});
        let answer = client.call("tools/call", &asked);
        assert_eq!(answer["content"][0]["text"], secret(number).chars().count().to_string());
        wire += &answer.to_string();
    }
    wire += &client.call("resources/list", &json!({})).to_string();
    wire += &client.call("tools/call", &json!({"name": "get_skill", "arguments": {"id": "skill-1"}})).to_string();
    for words in [
        &["servers", "--json"][..],
        &["servers", "show", "leaky-1", "--json"],
        &["servers", "log", "leaky-1"],
        &["servers", "tools", "leaky-1"],
        &["secrets", "list", "--json"],
        &["show", "skill-1", "--json"],
        &["connect", "claude-code", "--yes"],
        &["connect", "cursor", "--http", "--yes"],
        &["undo", "cursor", "--yes"],
        &["secrets", "delete", "skill-2", "leaky-2", "KEY"],
    ] {
        printed += &run(&home, words, "");
    }
    assert!(printed.contains("my secret is ••••"), "the log is shown, without it: {printed}");
    let refused =
        home.skilltender().args(["secrets", "set", "skill-1", "leaky-1", "NOT"]).stdin(Stdio::null()).output();
    printed += &String::from_utf8_lossy(&refused.unwrap().stderr);
    over.store(true, Ordering::Relaxed);
    let (looks, in_processes) = watching.join().unwrap();
    assert!(looks > 200, "{looks}");
    assert_eq!(in_processes, [""; 0]);
    assert_eq!(search.below(&home.path("")), [""; 0], "while it runs");
    // Killed as in a crash, then searched again.
    serving.kill();
    client.close();
    assert_eq!(search.below(&home.path("")), [""; 0], "on the disk, logs at trace level among it");
    assert!(fs::metadata(&log).unwrap().len() > 10_000, "there is a log");
    assert_eq!(search.find(wire.as_bytes()), None, "on the wire");
    assert_eq!(search.find(printed.as_bytes()), None, "printed");
    let temporary: Vec<_> = search.below(&std::env::temp_dir().join("skilltender"));
    assert_eq!(temporary, [""; 0]);
}

#[test]
fn the_search_finds_every_spelling() {
    let search = Search::new();
    for spelt in spellings(&secret(7)) {
        assert_eq!(search.find(&[b"before", spelt.as_slice(), b"after"].concat()), Some(7));
    }
    let coded = BASE64_STANDARD.encode(format!("a{}b", secret(3)));
    assert_eq!(search.find(coded.as_bytes()), Some(3));
    assert_eq!(search.find(b"nothing"), None);
}
