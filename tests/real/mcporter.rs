//! MCPorter reads the files of clients that cannot be run without a window, and connects by them.

use serde_json::Value;
use tests::{Home, Serving};

use crate::{
    connected::{printed, skilltender},
    program::Program,
};

/// The clients whose files it knows, and its name for each.
const READ: &[(&str, &str)] = &[("cursor", "cursor"), ("windsurf", "windsurf"), ("vscode", "vscode")];

fn list(home: &Home) -> Value {
    let out = printed(home, &Program::of("mcporter", ".bin/mcporter"), &["list", "--json"], &[]);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("JSON, not {out}"))
}

fn reads(words: &[&str]) {
    for (client, kind) in READ {
        let home = Home::new();
        std::fs::create_dir_all(home.path("project")).unwrap();
        let _serving = Serving::start(&home);
        skilltender(&home, &[&["connect", client, "--yes"], words].concat());
        let list = list(&home);
        let server = &list["servers"][0];
        assert_eq!((&server["name"], &server["status"]), (&"skilltender".into(), &"ok".into()), "{list}");
        assert_eq!(server["source"]["importKind"], *kind, "{list}");
        let mut tools: Vec<_> = server["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
        tools.sort_by_key(Value::to_string);
        assert_eq!(tools, ["get_skill", "list_skills"]);
    }
}

#[test]
fn what_cursor_windsurf_and_vs_code_are_told_to_start_is_found_and_started() {
    reads(&[]);
}

#[test]
fn the_address_that_cursor_windsurf_and_vs_code_are_given_is_found_and_answers() {
    reads(&["--http"]);
}
