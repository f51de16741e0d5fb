//! Every skill of each repository of the corpus, read by real clients: FastMCP's and the official
//! Python one, in both eras, each byte compared with the disk.

use serde_json::json;
use tests::{corpus, given, python_script};

/// What each client read that was equal to the disk. Of the 320 skills, 295 are served: the others
/// have no frontmatter, or the id of another one in their repository.
const READ: &[(&str, u64)] =
    &[("list_skills", 271), ("get_skill", 295), ("resource://skills/{id}/document", 295), ("skill://", 712)];

/// The same through the skills extension, which one of the clients knows.
const EXTENSION: &[(&str, u64)] = &[("skills/list", 231), ("skills/list files", 642)];

/// mcp-contract 7.16
#[test]
fn every_skill_of_the_corpus_reaches_real_clients_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    let home = tempfile::tempdir().unwrap();
    let target = json!({"program": given("SKILLTENDER_PROGRAM"), "corpus": corpus, "home": home.path()});
    let read = python_script("corpus.py", &target);
    say(&format!("corpus over MCP: {read}"));
    assert_eq!(read["repositories"], 12);
    for client in ["mcp auto", "mcp legacy", "fastmcp auto", "fastmcp legacy"] {
        let knows = client == "fastmcp auto";
        for (surface, count) in READ.iter().chain(EXTENSION.iter().filter(|_| knows)) {
            assert_eq!(read["counts"][client][surface], *count, "{client}, {surface}");
        }
    }
}

#[expect(clippy::print_stdout, reason = "the counts are for whoever reads the test run")]
fn say(line: &str) {
    println!("{line}");
}
