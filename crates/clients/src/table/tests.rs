//! Rules for every row; the templates are compared with a list written by hand from clients' documentation.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::{Choice, Entry, Mark, plan::spelled};

const SHAPES: &str = include_str!("../../../../tests/clients/shapes.json");

fn program() -> Entry {
    Entry::Stdio { command: "COMMAND".to_owned(), args: vec!["ARG".to_owned()] }
}

fn address() -> Entry {
    Entry::Http { url: "URL".to_owned(), token: "TOKEN".to_owned() }
}

#[test]
fn every_client_spells_its_entries_as_its_documents_say() {
    let shapes: Value = serde_json::from_str(SHAPES).unwrap();
    assert_eq!(shapes.as_object().unwrap().len(), TABLE.len());
    for client in TABLE {
        let expected = &shapes[client.id];
        let shape = |entry| spelled(client, &entry).map_or(Value::Null, |(_, node)| node.json());
        assert_eq!(shape(program()).to_string(), expected["stdio"].to_string(), "{}", client.id);
        assert_eq!(shape(address()).to_string(), expected["http"].to_string(), "{}", client.id);
        let at = client.key.path.join("/") + if client.key.list { "[]" } else { "" };
        assert_eq!(at, expected["at"], "{}", client.id);
    }
}

#[test]
fn ids_and_names_are_each_clients_own() {
    let ids: BTreeSet<_> = TABLE.iter().map(|client| client.id).collect();
    let names: BTreeSet<_> = TABLE.iter().map(|client| client.name).collect();
    assert_eq!((ids.len(), names.len()), (TABLE.len(), TABLE.len()));
    for id in ids {
        assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{id}");
    }
}

#[test]
fn pitfalls_and_sources_are_sentences() {
    for client in TABLE {
        for text in client.pitfalls.iter().chain([&client.source]) {
            let first = text.chars().next().unwrap();
            assert!(first.is_uppercase() && text.ends_with('.') && text.len() > 15, "{}: {text:?}", client.id);
        }
    }
}

#[test]
fn paths_are_patterns_that_the_machine_can_fill() {
    let starts = ["{home}/", "{config}/", "{appdata}/", "{localappdata}/", "/Applications/"];
    for client in TABLE {
        let files = &client.files;
        let below_folders =
            [files.macos, files.windows, files.linux, files.sandboxed, client.signs.paths, client.skills.user];
        for path in below_folders.concat() {
            assert!(starts.iter().any(|start| path.starts_with(start)), "{}: {path}", client.id);
        }
        for path in [client.project, client.skills.project].concat() {
            assert!(!path.starts_with(['/', '{', '~']), "{}: {path}", client.id);
        }
        for path in [files.macos, files.windows, files.linux].concat() {
            assert!(!path.contains('*') || files.choice == Choice::Every, "{}: {path}", client.id);
        }
    }
}

#[test]
fn every_client_shows_somehow_that_it_is_there() {
    for client in TABLE {
        assert!(!client.signs.paths.is_empty(), "{}", client.id);
    }
}

#[test]
fn a_row_that_was_run_says_which_version() {
    for client in TABLE.iter().filter(|client| client.mark == Mark::Ran) {
        assert!(client.source.starts_with("Version "), "{}", client.id);
    }
}

#[test]
fn there_is_a_model_for_every_way_to_write_an_entry() {
    let models = models();
    assert!(models.iter().any(|model| model.id == "claude-desktop") && models.iter().any(|model| model.id == "goose"));
    assert!(!models.iter().any(|model| model.id == "boltai"), "it writes as Claude Desktop does");
    assert!(models.len() < TABLE.len());
}
