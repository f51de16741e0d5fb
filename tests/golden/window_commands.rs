//! A window command has three places besides the engine: its line in `ipc.rs`, a window's grant in `capabilities`,
//! and the page's call. This test finds a missing one before a user presses the button.

use std::{collections::BTreeSet, fs};

use regex::Regex;

use crate::architecture::{root, sources};

#[test]
fn every_command_of_the_window_is_granted_to_a_window_and_called_by_its_page() {
    let registered = registered();
    assert!(registered.len() > 80, "only {} commands were found in ipc.rs", registered.len());
    let granted: BTreeSet<String> = ["main", "consent"].iter().flat_map(|window| granted(window)).collect();
    let called = called();
    let missing = |there: &BTreeSet<String>| registered.difference(there).cloned().collect::<Vec<_>>();
    assert_eq!(missing(&granted), [""; 0], "no file in src-tauri/capabilities grants these");
    assert_eq!(missing(&called), [""; 0], "ui/src/backend/tauri.ts calls none of these");
    let beyond = |named: &BTreeSet<String>| named.difference(&registered).cloned().collect::<Vec<_>>();
    assert_eq!(beyond(&granted), [""; 0], "these are granted, and ipc.rs does not have them");
    assert_eq!(beyond(&called), [""; 0], "these are called, and ipc.rs does not have them");
}

/// The commands in the list of `ipc.rs`.
fn registered() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("src-tauri/src/ipc.rs")).expect("the commands of the window");
    let (_, list) = text.split_once("generate_handler![").expect("a list of commands");
    let (list, _) = list.split_once(']').expect("the end of the list");
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| name.replace("r#", "")).collect()
}

/// The app's commands that a window's capability grants.
fn granted(window: &str) -> BTreeSet<String> {
    let file = root().join("src-tauri/capabilities").join(window).with_extension("json");
    let capability: serde_json::Value =
        serde_json::from_slice(&fs::read(file).expect("a capability")).expect("a capability is JSON");
    let permissions = capability["permissions"].as_array().expect("a list of permissions").iter();
    let ours = permissions.filter_map(|permission| permission.as_str()?.strip_prefix("allow-"));
    ours.map(|name| name.replace('-', "_")).collect()
}

/// The commands that the page calls.
fn called() -> BTreeSet<String> {
    let call = Regex::new(r"(?:invoke|call|ask)(?:<[^()]*>)?\(\s*'([a-z_]+)'").expect("a pattern");
    let texts = sources(&root().join("ui/src/backend"), "ts").into_iter();
    let texts: Vec<_> = texts.map(|path| fs::read_to_string(path).expect("a source of the page")).collect();
    texts.iter().flat_map(|text| call.captures_iter(text)).map(|found| found[1].to_owned()).collect()
}
