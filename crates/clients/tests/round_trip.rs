//! Adding our entry and removing it again, on files that nobody thought of.

use std::sync::LazyLock;

use clients::{Client, Entry, Refusal, Standing, client, connect, disconnect, standing};
use proptest::prelude::*;
use serde_json::Value;
use text::cut;

static CLIENT: LazyLock<&Client> = LazyLock::new(|| client("claude-desktop").expect("its row"));

const COMMAND: &str = "/opt/Zoë's \"apps\"/skilltender";

fn entry() -> Entry {
    Entry::Stdio { command: COMMAND.to_owned(), args: vec!["mcp".to_owned()] }
}

#[test]
fn refuses_a_file_larger_than_any_settings_file() {
    let blanks = vec![b' '; (16 << 20) + 1];
    assert_eq!(connect(&CLIENT, Some(&blanks), &entry()), Err(Refusal::TooLarge));
    assert!(connect(&CLIENT, Some(&blanks[1000..]), &entry()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn removing_what_was_added_gives_every_byte_back(before in file()) {
        let before = before.as_deref().map(str::as_bytes);
        let plan = connect(&CLIENT, before, &entry()).unwrap();
        let after = plan.after.clone().unwrap();

        let ours = plan.splice.start..plan.splice.start + plan.splice.insert.len();
        prop_assert_eq!(&cut(&after, ours)[..], before.unwrap_or_default());
        prop_assert_eq!(standing(&CLIENT, Some(&after), &entry()), Ok(Standing::Ours));

        let undone = disconnect(&CLIENT, &after, Some(&plan.undo())).unwrap();
        prop_assert_eq!(undone.after.as_deref(), before);
    }

    #[test]
    fn the_added_entry_is_all_that_another_parser_sees_change(before in file()) {
        let after = connect(&CLIENT, before.as_deref().map(str::as_bytes), &entry()).unwrap().after.unwrap();
        let mut expected = parsed(before.unwrap_or_default().as_bytes()).unwrap_or_else(|| Value::Object(Default::default()));
        let servers = expected.as_object_mut().unwrap().entry("mcpServers").or_insert(Value::Object(Default::default()));
        servers["skilltender"] = serde_json::json!({ "command": COMMAND, "args": ["mcp"] });
        prop_assert_eq!(parsed(&after).unwrap(), expected);
    }

    #[test]
    fn somebody_elses_edit_in_between_stays(before in file(), edit in edit(), at in any::<prop::sample::Index>()) {
        let plan = connect(&CLIENT, before.as_deref().map(str::as_bytes), &entry()).unwrap();
        let after = String::from_utf8(plan.after.clone().unwrap()).unwrap();
        let at = at.get(&places(&after)).to_owned();
        let edited = edit.of(&after, at);

        let undone = disconnect(&CLIENT, edited.as_bytes(), Some(&plan.undo()));
        match standing(&CLIENT, Some(edited.as_bytes()), &entry()) {
            Err(refusal) => prop_assert_eq!(undone, Err(refusal)),
            Ok(Standing::Absent) => prop_assert_eq!(undone, Err(Refusal::Absent)),
            Ok(_) => {
                let undone = undone.unwrap();
                let rest = undone.after.unwrap_or_default();
                prop_assert_eq!(&rest, &cut(edited.as_bytes(), undone.splice.start..undone.splice.end));
                if let Some(others) = parsed(edited.as_bytes()).map(without_ours) {
                    prop_assert_eq!(parsed(&rest).map(without_ours).unwrap_or_default(), others);
                }
                // Where the edit touched none of our bytes and needs none of them, they go and no others.
                let ours = plan.splice.start..plan.splice.start + plan.splice.insert.len();
                let original = String::from_utf8(cut(after.as_bytes(), ours.clone())).unwrap();
                let expected = match at {
                    at if at <= ours.start => edit.of(&original, at),
                    at if at >= ours.end => edit.of(&original, at - ours.len()),
                    _ => return Ok(()),
                };
                if parsed(expected.as_bytes()).is_some() {
                    prop_assert_eq!(String::from_utf8(rest).unwrap(), expected);
                }
            }
        }
    }
}

/// An edit by another hand: a text that comes in.
#[derive(Debug, Clone)]
struct Edit(&'static str);

impl Edit {
    fn of(&self, text: &str, at: usize) -> String {
        format!("{}{}{}", &text[..at], self.0, &text[at..])
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    prop::sample::select(vec![" ", "\n", "\r\n\t", "\"x\": 1, ", ", \"y\": {}", "\"z\": [\"}\"]", ",", "}", "//\n"])
        .prop_map(Edit)
}

/// Where a token may begin or end: the places at which edits have a chance to be good JSON.
fn places(text: &str) -> Vec<usize> {
    let ends = text.match_indices(['{', '}', '[', ']', ',', ':', '"', '\n']);
    ends.flat_map(|(at, token)| [at, at + token.len()]).chain([0, text.len()]).collect()
}

fn parsed(bytes: &[u8]) -> Option<Value> {
    serde_json::from_slice(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)).ok()
}

/// What a file says to everybody but us; an object of servers that is empty then says nothing.
fn without_ours(mut file: Value) -> Value {
    let Some(members) = file.as_object_mut() else { return file };
    let servers = members.get_mut("mcpServers").and_then(Value::as_object_mut);
    let empty = servers.is_some_and(|servers| {
        servers.shift_remove("skilltender");
        servers.is_empty()
    });
    if empty {
        members.shift_remove("mcpServers");
    }
    file
}

/// A client's file: none, a blank one, or an object with or without servers, in any layout.
fn file() -> impl Strategy<Value = Option<String>> {
    let servers = (blank(), prop::sample::select(vec!["mcpServers", "mcp\\u0053ervers"]), object(value()))
        .prop_map(|(blank, key, servers)| format!("{blank}\"{key}\":{blank}{servers}"));
    let members = (members(value()), prop::option::of(servers), any::<prop::sample::Index>());
    let object = (members, blank()).prop_map(|((mut members, servers, at), blank)| {
        if let Some(servers) = servers {
            members.insert(at.index(members.len() + 1), servers);
        }
        format!("{{{}{blank}}}", members.join(","))
    });
    let mark = prop::sample::select(vec!["", "", "\u{feff}"]);
    prop_oneof![
        1 => Just(None),
        2 => (mark.clone(), blank()).prop_map(|(mark, blank)| Some(format!("{mark}{blank}"))),
        17 => (mark, blank(), object, blank()).prop_map(|(mark, a, object, b)| Some(format!("{mark}{a}{object}{b}"))),
    ]
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "-0",
        "1.50",
        "12345678901234567890123456789",
        "6.02e+23",
        "true",
        "null",
        "\"\"",
        "\"}],{\\\"\"",
        "\"caf\\u00e9 🌱\"",
        "\"// skilltender\"",
        "{}",
        "[ ]",
        "{\"skilltender\": {\"command\": 1}}",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            object(inner.clone()),
            prop::collection::vec((blank(), inner, blank()).prop_map(|(a, value, b)| format!("{a}{value}{b}")), 1..3)
                .prop_map(|items| format!("[{}]", items.join(","))),
        ]
    })
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (members(value), blank()).prop_map(|(members, blank)| format!("{{{}{blank}}}", members.join(",")))
}

fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<String>> {
    let key = prop::sample::select(vec!["a", "b", "", "mcp servers", "\\\"", "日本", "Skilltender"]);
    let member = (blank(), key, blank(), blank(), value, blank())
        .prop_map(|(a, key, b, c, value, d)| format!("{a}\"{key}\"{b}:{c}{value}{d}"));
    prop::collection::vec(member, 0..4)
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", " ", "\n", "\n  ", "\r\n\t", "\t", "\r"])
}
