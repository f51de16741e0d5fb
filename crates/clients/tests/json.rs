//! Random JSON files, with and without comments: our entry is added, changed and removed in them.

#[expect(dead_code, reason = "lines and line ends are for the other formats")]
mod laws;

use clients::{Client, Refusal, Standing, client, connect, disconnect, reset, standing, update};
use jsonc_parser::{JsonValue, ParseOptions, parse_to_value};
use laws::{dice, steps};
use proptest::prelude::*;
use serde_json::Value;

/// Strict JSON; comments; comments and trailing commas; the same with servers that may be one level deeper.
const ROWS: &[&str] = &["cline", "qwen-code", "copilot-cli", "opencode"];

fn row(id: &str) -> &'static Client {
    client(id).expect("its row")
}

#[test]
fn refuses_a_file_larger_than_any_settings_file() {
    let [entry, ..] = laws::entries();
    let blanks = vec![b' '; (128 << 20) + 1];
    assert_eq!(connect(row("claude-desktop"), Some(&blanks), &entry), Err(Refusal::TooLarge));
    assert!(connect(row("claude-desktop"), Some(&blanks[blanks.len() - (1 << 20)..]), &entry).is_ok());
}

#[test]
fn an_update_keeps_what_was_set_in_our_entry_and_a_reset_does_not() {
    let before = br#"{"mcpServers": {"skilltender": {"command": "/old", "args": [], "disabled": true, "autoApprove": ["get_skill"], "timeout": 60}}}"#;
    let [entry, ..] = laws::entries();
    let after = update(row("cline"), before, &entry, None).unwrap().after.unwrap();
    let there: Value = serde_json::from_slice(&after).unwrap();
    let expected = serde_json::json!({
        "command": "/usr/bin/skilltender", "args": ["mcp", "--client", "x"],
        "disabled": true, "autoApprove": ["get_skill"], "timeout": 60,
    });
    assert_eq!(there["mcpServers"]["skilltender"], expected);

    let after = reset(row("cline"), before, &entry, None).unwrap().after.unwrap();
    let there: Value = serde_json::from_slice(&after).unwrap();
    let expected = serde_json::json!({
        "command": "/usr/bin/skilltender", "args": ["mcp", "--client", "x"], "disabled": false,
    });
    assert_eq!(there["mcpServers"]["skilltender"], expected);
}

#[test]
fn an_entry_that_leads_to_us_is_ours_whatever_its_switches_say() {
    let [entry, moved, ..] = laws::entries();
    let there = |entry: &str| format!(r#"{{"mcp": {{"skilltender": {entry}}}}}"#);
    let standing = |text: &str, entry| standing(row("opencode"), Some(there(text).as_bytes()), entry);
    let ours = r#"{"enabled": true, "command": ["/usr/bin/skilltender", "mcp", "--client", "x"], "type": "local"}"#;
    assert_eq!(standing(ours, &entry), Ok(Standing::Ours));
    let off = ours.replace("true", "false");
    assert_eq!(standing(&off, &entry), Ok(Standing::Adjusted));
    assert_eq!(standing(&off.replace("\"x\"", "\"y\""), &entry), Ok(Standing::Different));
    assert_eq!(standing(ours, &moved), Ok(Standing::Different));
}

#[test]
fn a_file_that_we_made_goes_after_an_update_too() {
    let [entry, moved, ..] = laws::entries();
    let made = connect(row("cursor"), None, &entry).unwrap();
    let updated = update(row("cursor"), made.after.as_deref().unwrap(), &moved, Some(&made.undo())).unwrap();
    let undone = disconnect(row("cursor"), updated.after.as_deref().unwrap(), Some(&updated.undo())).unwrap();
    assert_eq!(undone.after, None);
}

proptest! {
    #![proptest_config(laws::config())]

    #[test]
    fn what_is_added_and_removed_leaves_every_byte_of_others((id, file) in any_file()) {
        laws::add_and_remove(row(id), said, file.as_bytes())?;
    }

    #[test]
    fn whatever_happens_to_a_file_only_our_bytes_change((id, file) in any_file(), steps in steps(EDITS)) {
        laws::history(row(id), said, file.as_bytes(), &steps)?;
    }

    #[test]
    fn what_is_added_goes_from_beside_the_edits_of_others((id, file) in any_file(), edit in prop::sample::select(EDITS), at in any::<prop::sample::Index>()) {
        let [entry, ..] = laws::entries();
        let plan = connect(row(id), Some(file.as_bytes()), &entry).unwrap();
        let after = String::from_utf8(plan.after.clone().unwrap()).unwrap();
        let at = *at.get(&places(&after));
        let put = |text: &str, at: usize| [&text[..at], edit, &text[at..]].concat();
        let edited = put(&after, at);
        let Ok(undone) = disconnect(row(id), edited.as_bytes(), Some(&plan.undo())) else { return Ok(()) };
        // If the edit neither touched our bytes nor needs them, they are removed and no others.
        let ours = plan.splice.start..plan.splice.start + plan.splice.insert.len();
        let expected = match at {
            at if at <= ours.start => put(&file, at),
            at if at >= ours.end => put(&file, at - ours.len()),
            _ => return Ok(()),
        };
        // Without our bytes the edit may join the comment before: then more than its own bytes stays.
        let line = file[..ours.start].rsplit('\n').next().unwrap_or_default();
        let joined = at == ours.end && line.contains("//");
        if !joined && said(row(id), expected.as_bytes()).is_some_and(|said| said != "{}") {
            prop_assert_eq!(String::from_utf8(undone.after.unwrap_or_default()).unwrap(), expected);
        }
    }

    #[test]
    fn broken_files_are_refused_or_kept((id, file) in any_file(), mut dice in dice()) {
        let bytes = laws::mutated(file.as_bytes(), &mut dice);
        laws::any_bytes(row(id), said, &bytes)?;
    }
}

/// Edits by another author.
const EDITS: &[&str] = &[
    "// a note\n",
    "/* a note */\n",
    "/* a note\r\n on two lines */ ",
    "\n",
    "\"new\": {\"command\": \"n\"},\n",
    ", \"new\": {\"command\": \"n\"}\n",
    "\"disabled\": true,\n",
    "\"x\": [1, 2,],\n",
    "\"mcp\": {\"servers\": {}},\n",
    "},\n",
    "}\n",
    "{\n",
    "",
];

/// The content of a file without our entry; an empty object of servers counts as absent.
fn said(client: &Client, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let strict = ParseOptions {
        allow_comments: client.format == clients::Format::Jsonc,
        allow_trailing_commas: client.takes.trailing_commas,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let mut file = parse_to_value(text, &strict).ok()?.map_or_else(|| serde_json::json!({}), told);
    let key = client.key.path[0];
    if let Some(servers) = file.get_mut(key).and_then(Value::as_object_mut) {
        let nested = servers.get_mut("servers").and_then(Value::as_object_mut);
        if let Some(nested) = nested.filter(|_| client.key.nested.is_some()) {
            nested.remove("skilltender");
            if nested.is_empty() {
                servers.remove("servers");
            }
        }
        servers.remove("skilltender");
        if servers.is_empty() {
            file.as_object_mut()?.remove(key);
        }
    }
    file.sort_all_objects();
    Some(file.to_string())
}

/// The value with its numbers as written: some are larger than any number type.
fn told(value: JsonValue<'_>) -> Value {
    match value {
        JsonValue::String(text) => Value::from(text),
        JsonValue::Number(digits) => Value::from(format!("number {digits}")),
        JsonValue::Boolean(on) => Value::from(on),
        JsonValue::Object(object) => {
            object.take_inner().into_iter().map(|(name, value)| (name.into_owned(), told(value))).collect()
        }
        JsonValue::Array(items) => items.take_inner().into_iter().map(told).collect(),
        JsonValue::Null => Value::Null,
    }
}

/// The positions where a token may begin or end, at which an edit has a chance to be valid JSON.
fn places(text: &str) -> Vec<usize> {
    let ends = text.match_indices(['{', '}', '[', ']', ',', ':', '"', '\n']);
    ends.flat_map(|(at, token)| [at, at + token.len()]).chain([0, text.len()]).collect()
}

/// A client and a file that it reads.
fn any_file() -> impl Strategy<Value = (&'static str, String)> {
    (prop::sample::select(ROWS), file()).prop_map(|(id, file)| {
        let client = row(id);
        let file = file.replace("SERVERS", client.key.path[0]);
        let file = if client.takes.trailing_commas { file.replace('\u{1}', ",") } else { file.replace('\u{1}', "") };
        let file = if client.format == clients::Format::Jsonc {
            file.replace('\u{2}', "// note }\n").replace('\u{3}', "/* \", */")
        } else {
            file.replace(['\u{2}', '\u{3}'], "")
        };
        (id, file)
    })
}

/// A blank file, or an object with or without servers, in any layout. Three placeholders mark syntax that only some
/// clients accept: a trailing comma, and the two kinds of comment.
fn file() -> impl Strategy<Value = String> {
    let servers = (blank(), object(value()), prop::bool::weighted(0.1)).prop_map(|(blank, servers, deeper)| {
        let servers = if deeper { format!("{{ \"servers\":{blank}{servers}}}") } else { servers };
        format!("{blank}\"SERVERS\":{blank}{servers}")
    });
    let members = (members(value()), prop::option::of(servers), any::<prop::sample::Index>());
    let object = (members, blank()).prop_map(|((mut members, servers, at), blank)| {
        if let Some(servers) = servers {
            members.insert(at.index(members.len() + 1), servers);
        }
        format!("{{{}{blank}}}", joined(&members))
    });
    let mark = prop::sample::select(vec!["", "", "\u{feff}"]);
    prop_oneof![
        2 => (mark.clone(), blank()).prop_map(|(mark, blank)| format!("{mark}{blank}")),
        18 => (mark, blank(), object, blank()).prop_map(|(mark, a, object, b)| format!("{mark}{a}{object}{b}")),
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
                .prop_map(|items| format!("[{}]", joined(&items))),
        ]
    })
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (members(value), blank()).prop_map(|(members, blank)| format!("{{{}{blank}}}", joined(&members)))
}

/// Joins items by commas; every other list has a trailing-comma placeholder.
fn joined(items: &[String]) -> String {
    let trailing = if items.iter().map(String::len).sum::<usize>() % 2 == 1 { "\u{1}" } else { "" };
    format!("{}{trailing}", items.join(","))
}

fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<String>> {
    let key = prop::sample::select(vec!["a", "b", "", "mcp servers", "\\\"", "日本", "Skilltender"]);
    let member = (blank(), key, blank(), blank(), value, blank())
        .prop_map(|(a, key, b, c, value, d)| format!("{a}\"{key}\"{b}:{c}{value}{d}"));
    prop::collection::vec(member, 0..4)
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", " ", "\n", "\n  ", "\r\n\t", "\t", "\r", " \u{2}", "\u{3}", "\n  \u{2}  "])
}
