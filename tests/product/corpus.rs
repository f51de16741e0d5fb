//! Every skill of each repository of the corpus, read by real clients: FastMCP's and the official
//! Python one, in both eras, over both transports, each byte compared with the disk.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use tests::{Home, Serving, corpus, given, python_script};

/// The number of items that each client read equal to the disk, by surface.
struct Read {
    surfaces: &'static [(&'static str, u64)],
    /// The same through the skills extension, which one of the clients supports.
    extension: &'static [(&'static str, u64)],
}

/// Each repository separately. Of the 320 skills, 295 are served: the others have no frontmatter, or share an id in
/// their repository.
const STDIO: Read = Read {
    surfaces: &[("list_skills", 271), ("get_skill", 295), ("resource://skills/{id}/document", 295), ("skill://", 712)],
    extension: &[("skills/list", 231), ("skills/list files", 642)],
};

/// All in one library: of an id in two repositories, the first one's skill is served.
const HTTP: Read = Read {
    surfaces: &[("list_skills", 266), ("get_skill", 289), ("resource://skills/{id}/document", 289), ("skill://", 705)],
    extension: &[("skills/list", 225), ("skills/list files", 635)],
};

/// wire contract 16
#[test]
fn every_skill_of_the_corpus_reaches_real_clients_byte_for_byte_over_stdio() {
    let Some(roots) = repositories() else { return };
    let home = tempfile::tempdir().unwrap();
    let target = json!({"roots": roots, "program": given("SKILLTENDER_PROGRAM"), "home": home.path()});
    check("stdio", &python_script("corpus.py", &target), &STDIO);
}

/// wire contract 16
#[test]
fn every_skill_of_the_corpus_reaches_real_clients_byte_for_byte_over_http() {
    let Some(roots) = repositories() else { return };
    let home = Home::new();
    let served = Serving::start_with(&home, |command| {
        command.args(roots.iter().flat_map(|root| ["--skills-dir".as_ref(), root.as_os_str()]))
    });
    let target = json!({"roots": roots, "url": served.url, "token": served.token});
    check("HTTP", &python_script("corpus.py", &target), &HTTP);
}

/// The repositories of the corpus, sorted by name.
fn repositories() -> Option<Vec<PathBuf>> {
    let folders = fs::read_dir(corpus()?.canonicalize().unwrap()).unwrap().map(|folder| folder.unwrap().path());
    let mut folders: Vec<_> = folders.filter(|folder| folder.is_dir()).collect();
    folders.sort();
    assert_eq!(folders.len(), 12);
    Some(folders)
}

#[expect(clippy::print_stdout, reason = "the counts are for people who read the test run")]
fn check(transport: &str, read: &Value, expected: &Read) {
    println!("corpus over {transport}: {read}");
    for client in ["mcp auto", "mcp legacy", "fastmcp auto", "fastmcp legacy"] {
        let knows = client == "fastmcp auto";
        for (surface, count) in expected.surfaces.iter().chain(expected.extension.iter().filter(|_| knows)) {
            assert_eq!(read[client][surface], *count, "{client} over {transport}, {surface}");
        }
    }
}
