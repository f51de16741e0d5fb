//! The boundaries between the crates, checked with `cargo metadata` and the sources.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use regex::Regex;
use serde_json::Value;

/// The complete list of allowed dependencies.
const EDGES: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("skills", &["text"]),
    ("clients", &["text"]),
    ("sources", &[]),
    ("machine", &["clients"]),
    ("fetch", &["machine", "files"]),
    ("files", &["skills", "machine"]),
    ("origins", &["skills", "machine", "files", "sources"]),
    ("secrets", &["skills", "machine", "files"]),
    ("processes", &["skills", "machine", "secrets"]),
    ("mcp", &["skills", "machine", "files", "secrets"]),
    ("api", &["skills", "mcp"]),
    ("choices", &["skills", "sources", "machine", "files", "mcp", "api"]),
    ("library", &["text", "skills", "machine", "files", "api"]),
    ("servers", &["skills", "clients", "machine", "files", "secrets", "mcp", "api", "choices"]),
    ("connect", &["skills", "clients", "machine", "files", "secrets", "api", "choices", "library", "servers"]),
    (
        "state",
        &["skills", "clients", "machine", "files", "origins", "mcp", "api", "choices", "library", "servers", "connect"],
    ),
    ("gateway", &["skills", "machine", "files", "secrets", "processes", "mcp", "api", "servers", "state"]),
    (
        "engine",
        &[
            "text",
            "skills",
            "clients",
            "sources",
            "machine",
            "fetch",
            "files",
            "origins",
            "secrets",
            "processes",
            "mcp",
            "api",
            "choices",
            "library",
            "servers",
            "connect",
            "state",
            "gateway",
        ],
    ),
    ("cli", &["text", "skills", "processes", "api", "engine"]),
    ("skilltender-app", &["api", "engine"]),
    ("tests", &["text", "skills", "clients", "mcp", "machine", "api", "engine"]),
    ("schema", &["skills", "tests"]),
    ("xtask", &[]),
];

/// Packages that only one crate of the workspace may use.
const AT_THEIR_BORDER: &[(&str, &[&str])] = &[
    ("rmcp", &["mcp"]),
    ("tauri", &["skilltender-app"]),
    ("notify", &["library"]),
    ("keyring", &["secrets"]),
    ("keyring-core", &["secrets"]),
    ("zbus", &["machine"]),
    ("zbus-secret-service-keyring-store", &["secrets"]),
    ("junction", &["connect"]),
    ("process-wrap", &["processes"]),
    ("windows", &["processes"]),
    ("directories", &["machine"]),
    ("granit-parser", &["skills", "clients"]),
    ("jsonc-parser", &["clients"]),
    ("serde-saphyr", &["skills", "clients", "sources"]),
];

/// Names that a pure crate must not use.
const IMPURE: &[&str] =
    &["std::fs", "std::env", "std::net", "std::process", "std::thread", "SystemTime", "Instant::now", "tokio"];

#[test]
fn crates_depend_only_downhill() {
    for (name, dependencies) in dependencies() {
        let (_, allowed) =
            EDGES.iter().find(|(crate_, _)| *crate_ == name).unwrap_or_else(|| panic!("{name} is in no edge"));
        let ours: BTreeSet<_> = dependencies
            .iter()
            .map(String::as_str)
            .filter(|dependency| EDGES.iter().any(|(ours, _)| ours == dependency))
            .collect();
        let beyond: Vec<_> = ours.difference(&allowed.iter().copied().collect()).copied().collect();
        assert!(beyond.is_empty(), "{name} must not depend on {beyond:?}");
    }
}

#[test]
fn foreign_names_stay_at_their_border() {
    for (name, dependencies) in dependencies() {
        for (foreign, homes) in AT_THEIR_BORDER {
            let there = dependencies.iter().any(|dependency| dependency == foreign);
            assert!(!there || homes.contains(&name.as_str()), "{name} must not depend on {foreign}");
        }
    }
}

#[test]
fn the_pure_crates_touch_no_disk_clock_or_environment() {
    for name in ["text", "skills", "clients", "sources"] {
        for source in sources(&root().join("crates").join(name).join("src"), "rs") {
            let text = fs::read_to_string(&source).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            for word in IMPURE {
                assert!(!code.contains(word), "{} names {word}", source.display());
            }
        }
    }
}

/// Lock order is decided in one place: `machine/src/waiting.rs` enforces its rule for every caller of a lock. Those of
/// `mcp` are held for moments only, and by nobody else.
#[test]
fn every_lock_of_the_engine_is_one_that_minds_who_waits() {
    let crates = root().join("crates");
    let exempt = ["machine/src/waiting.rs", "mcp/src/lock.rs"];
    let all = fs::read_dir(&crates).unwrap().map(|crate_| sources(&crate_.unwrap().path().join("src"), "rs"));
    for source in all.flatten().filter(|source| !exempt.iter().any(|file| source.ends_with(file))) {
        let text = fs::read_to_string(&source).unwrap();
        // Tests, and their substitutes for the system, may lock freely.
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let stands_in = ["keychain/stand_in.rs", "waiting/hangs.rs"].iter().any(|file| source.ends_with(file));
        let is_test = stands_in || source.components().any(|part| part.as_os_str() == "tests");
        for word in ["parking_lot", "PoisonError", "RwLock", "Condvar"] {
            assert!(is_test || !code.contains(word), "{} names {word}", source.display());
        }
    }
    for (place, word) in [
        ("secrets/src/keychain.rs", "for_person"),
        ("files/src/replace_file.rs", "for_disk"),
        ("files/src/store.rs", "for_disk"),
        ("processes/src/spawn.rs", "for_person"),
    ] {
        assert!(fs::read_to_string(crates.join(place)).unwrap().contains(word), "{place} says that it may wait");
    }
    let state_loop = crates.join("state/src/state_loop.rs");
    assert!(fs::read_to_string(state_loop).unwrap().contains("waiting::never_here()"));
}

/// The keychain in memory is for tests: no program can be made to keep a person's secrets there.
#[test]
fn only_tests_have_a_machine_with_the_keychain_in_memory() {
    let all = ["crates", "src-tauri/src"].map(|folder| sources(&root().join(folder), "rs"));
    for source in all.into_iter().flatten().filter(|source| !source.ends_with("secrets/src/keychain.rs")) {
        let text = fs::read_to_string(&source).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_test = source.components().any(|part| part.as_os_str() == "tests") || source.ends_with("tests.rs");
        assert!(is_test || !code.contains("KeychainKind::StandIn"), "{} makes one", source.display());
    }
}

/// The versions of our files that a program knows are in its code: only a test tries another.
#[test]
fn only_tests_try_steps_of_a_later_version() {
    let all = ["crates", "src-tauri/src"].map(|folder| sources(&root().join(folder), "rs"));
    for source in all.into_iter().flatten() {
        let is_test = source.components().any(|part| part.as_os_str() == "tests");
        let is_its_own = source.ends_with("files/src/store/steps.rs");
        let text = fs::read_to_string(&source).unwrap();
        assert!(is_test || is_its_own || !text.contains("try_steps("), "{} tries steps", source.display());
    }
}

#[test]
fn whatever_the_crates_name_in_our_folder_goes_with_it() {
    let list = fs::read_to_string(root().join("crates/engine/src/actions/uninstall.rs")).unwrap();
    let list = list.split("const OURS").nth(1).and_then(|text| text.split("];").next()).expect("the list of our names");
    let named = Regex::new(r#"\bdata\s*\.join\("([^"/]+)"\)"#).unwrap();
    let mut names = BTreeSet::new();
    for file in sources(&root().join("crates"), "rs")
        .into_iter()
        .filter(|file| !file.components().any(|part| part.as_os_str() == "tests"))
    {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        names.extend(named.captures_iter(&text).map(|found| found[1].to_owned()));
    }
    assert!(names.len() > 10, "only {names:?} were found");
    let missing: Vec<_> = names.iter().filter(|name| !list.contains(&format!("\"{name}\""))).collect();
    assert_eq!(missing, [""; 0], "`skilltender uninstall --data` would leave these");
}

/// What asks a program to end on Windows: the events of a console (`signals/tests.rs` brings each, in Wine). A program with
/// a window is not sent that of logging off and of shutting down (it loads user32); its window library is told by a message
/// and makes it the exit of the event loop, at which the app stops its engine. No test can send that message.
#[test]
fn every_event_that_ends_a_program_on_windows_is_heard() {
    let signals = fs::read_to_string(root().join("crates/machine/src/signals.rs")).unwrap();
    let windows = signals.split("#[cfg(not(unix))]").nth(1).unwrap();
    for event in ["ctrl_c", "ctrl_break", "ctrl_close", "ctrl_logoff", "ctrl_shutdown"] {
        assert!(windows.contains(&format!("{event}()?")), "{event} is not heard");
    }
    assert_eq!(windows.matches(".recv() => {}").count(), 5, "each is waited for");
    let app = fs::read_to_string(root().join("src-tauri/src/app.rs")).unwrap();
    assert!(app.contains("RunEvent::Exit => end(app)"), "the app stops its engine");
}

/// `machine::background` keeps console windows from flashing on Windows. Left are the servers, which only `processes`
/// starts: in the job on Windows, which gives the same flag, by the supervisor elsewhere, and by `become_it` for a
/// client's own entry, where the server has the console of this process.
#[test]
fn every_program_is_started_by_the_function_that_opens_no_console_window() {
    let exempt = [
        "machine/src/background.rs",
        "gateway/src/direct.rs",
        "cli/src/direct.rs",
        "processes/src/job.rs",
        "processes/src/spawn.rs",
        "processes/src/supervisor.rs",
        "src-tauri/src/lifecycle.rs",
    ];
    let mut seen = 0;
    for source in ["crates", "src-tauri/src"].iter().flat_map(|folder| sources(&root().join(folder), "rs")) {
        let text = fs::read_to_string(&source).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let aside = ["tests", "tests.rs", "benches", "examples"];
        let is_test = source.components().any(|part| aside.iter().any(|name| part.as_os_str() == *name));
        let is_exempt = exempt.iter().any(|place| source.ends_with(place));
        let starts = code.contains("Command::new(");
        seen += usize::from(is_exempt && starts);
        assert!(is_test || is_exempt || !starts, "{} starts a program without machine::background", source.display());
    }
    assert_eq!(seen, exempt.len(), "each exception is one");
}

/// A command that the gateway prepares for a client's own entry is handed to `processes`, which on Windows puts it into a
/// job: started in any other way, it would run on when this process is killed.
#[test]
fn a_server_of_a_clients_own_entry_is_started_by_processes_alone() {
    for place in ["gateway/src/direct.rs", "engine/src/direct.rs", "cli/src/direct.rs"] {
        let code = fs::read_to_string(root().join("crates").join(place)).unwrap();
        for word in [".spawn(", ".status()", ".output()", ".exec()"] {
            assert!(!code.contains(word), "{place} starts a program: {word}");
        }
    }
    let becoming = fs::read_to_string(root().join("crates/processes/src/becoming.rs")).unwrap();
    assert!(becoming.contains("in_a_job("), "on Windows it is in a job");
}

#[test]
fn only_the_backend_of_the_window_knows_tauri() {
    let ui = root().join("ui/src");
    for source in sources(&ui, "ts").into_iter().chain(sources(&ui, "svelte")) {
        let text = fs::read_to_string(&source).unwrap();
        let inside = source.starts_with(ui.join("backend"));
        assert!(inside || !text.contains("@tauri-apps"), "{} imports @tauri-apps", source.display());
        assert!(!text.contains("{@html"), "{} draws HTML from a string", source.display());
    }
}

/// One module escapes the command line's output, so no other module may write to a stream.
#[test]
fn only_one_module_of_the_command_line_writes_to_a_stream() {
    let sources = sources(&root().join("crates/cli/src"), "rs");
    for source in sources.iter().filter(|source| !source.ends_with("src/output.rs")) {
        let text = fs::read_to_string(source).unwrap();
        for word in ["println!", "print!(", "dbg!", "io::stdout", "io::stderr", "anstream"] {
            assert!(!text.contains(word), "{} names {word}", source.display());
        }
    }
    assert!(sources.len() > 30);
}

/// The workspace's packages and their dependencies, without those of tests and build scripts.
fn dependencies() -> Vec<(String, Vec<String>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    packages
        .map(|package| {
            let all = package["dependencies"].as_array().expect("dependencies").iter();
            let tests = ["tests", "schema"].contains(&name(package).as_str());
            (name(package), all.filter(|dependency| dependency["kind"].is_null() || tests).map(name).collect())
        })
        .collect()
}

pub(crate) fn sources(folder: &Path, extension: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path, extension));
        } else if path.extension().is_some_and(|end| end == extension) {
            found.push(path);
        }
    }
    found
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is in the repository")
}
