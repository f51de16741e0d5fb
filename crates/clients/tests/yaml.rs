//! Random YAML files: our entry is added, changed and removed in them.

mod laws;

use std::fmt;

use clients::{Client, client, disconnect, update};
use laws::{Dice, dice, steps, text_of};
use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A client whose servers are a list, or one whose servers are a map by name.
fn row(list: bool) -> &'static Client {
    client(if list { "continue" } else { "goose" }).expect("its row")
}

proptest! {
    #![proptest_config(laws::config())]

    #[test]
    fn what_is_added_and_removed_leaves_every_byte_of_others(mut dice in dice()) {
        let list = dice.once_in(2);
        let file = file(&mut dice, list);
        laws::add_and_remove(row(list), said, file.as_bytes())?;
    }

    #[test]
    fn whatever_happens_to_a_file_only_our_bytes_change(mut dice in dice(), steps in steps(EDITS)) {
        let list = dice.once_in(2);
        let file = file(&mut dice, list);
        laws::history(row(list), said, file.as_bytes(), &steps)?;
    }

    #[test]
    fn broken_files_are_refused_or_kept(mut dice in dice()) {
        let list = dice.once_in(2);
        let file = file(&mut dice, list);
        let bytes = laws::mutated(file.as_bytes(), &mut dice);
        laws::any_bytes(row(list), said, &bytes)?;
    }
}

#[test]
fn an_update_keeps_what_others_wrote_into_our_entry() {
    let before = "mcpServers:\n- command: /old # here\n  # its words\n  args:\n    - x # one\n  name: skilltender\n  \
                  ratio: 1.5\n  note: |+\n    text\n\nname: L\n";
    let [entry, ..] = laws::entries();
    let plan = update(row(true), before.as_bytes(), &entry, None).unwrap();
    let words = "args:\n    - mcp\n    - '--client'\n    - x";
    let after = before.replace("/old", "/usr/bin/skilltender").replace("args:\n    - x", words);
    assert_eq!(String::from_utf8(plan.after.unwrap()).unwrap(), after);
}

#[test]
fn a_bracket_does_not_end_up_in_the_comment_before_it() {
    let before = "mcpServers: [\n{name: a}\n  # end\n  ,\n# a note\n{name: skilltender, command: x}]\n";
    let plan = disconnect(row(true), before.as_bytes(), None).unwrap();
    let after = "mcpServers: [\n{name: a}\n  # end\n  \n# a note\n]\n";
    assert_eq!(String::from_utf8(plan.after.unwrap()).unwrap(), after);
}

/// Edits by another author.
const EDITS: &[&str] = &[
    "# a note\n",
    "  # a deeper note\n",
    "\n",
    "new: 1\n",
    "  new: {cmd: n}\n",
    "  - name: new\n",
    "- name: new\n",
    "    bundled: false\n",
    "    ratio: 1.5 # why\n",
    "    more:\n      - 1\r\n",
    "    note: |+\n      text\n\n",
    "&a ",
    "",
];

/// A file in one of the styles in which people and programs write them.
fn file(dice: &mut Dice, list: bool) -> String {
    let mut lines = Vec::new();
    let marked = dice.once_in(6);
    if marked {
        lines.extend(["---", "--- # settings", "%YAML 1.2\n---"][dice.roll(3)].split('\n').map(str::to_owned));
    }
    aside(dice, &mut lines, "");
    let manner = dice.roll(10);
    if manner == 9 {
        lines.push(whole_in_brackets(dice, list));
    } else {
        for index in 0..dice.roll(4) {
            pair(dice, &mut lines, &format!("root{index}"), "");
        }
        if manner < 8 {
            servers(dice, &mut lines, list, manner);
        }
        for index in 0..dice.roll(3) {
            pair(dice, &mut lines, &format!("after{index}"), "");
        }
    }
    aside(dice, &mut lines, "");
    if marked && dice.once_in(3) {
        lines.push("...".to_owned());
        aside(dice, &mut lines, "");
    }
    text_of(dice, &lines)
}

fn servers(dice: &mut Dice, lines: &mut Vec<String>, list: bool, manner: usize) {
    let key = match (list, dice.roll(6)) {
        (true, 4) => "\"mcpServers\"",
        (true, 5) => "'mcpServers'",
        (true, _) => "mcpServers",
        (false, 4) => "\"extensions\"",
        (false, 5) => "'extensions'",
        (false, _) => "extensions",
    };
    let behind = dice.pick(&["", "", "", " # mine", " "]);
    let props = if dice.once_in(8) { dice.pick(&[" &servers", if list { " !!seq" } else { " !!map" }]) } else { "" };
    let count = dice.roll(4);
    match manner {
        6 | 7 => lines.push(format!("{key}:{props} {}{behind}", in_brackets(dice, count, list))),
        _ if count == 0 && dice.roll(2) == 0 => lines.push(format!("{key}:{behind}")),
        _ if count == 0 => lines.push(format!("{key}:{props} {}{behind}", if list { "[]" } else { "{}" })),
        _ => {
            lines.push(format!("{key}:{props}{behind}"));
            let indent = if list { dice.pick(&["  ", "", "    "]) } else { dice.pick(&["  ", "    ", " "]) };
            let apart = dice.once_in(4);
            for index in 0..count {
                if apart && index > 0 {
                    lines.push(String::new());
                }
                aside(dice, lines, indent);
                if list { item(dice, lines, index, indent) } else { entry(dice, lines, index, indent) }
            }
            aside(dice, lines, indent);
        }
    }
}

fn entry(dice: &mut Dice, lines: &mut Vec<String>, index: usize, indent: &str) {
    let name = match dice.roll(8) {
        4 => format!("\"s {index}\""),
        5 => format!("'s: {index}'"),
        6 => format!("? s{index}\n{indent}"),
        _ => format!("s{index}"),
    };
    let inner = format!("{indent}{}", dice.pick(&["  ", "  ", "    "]));
    match dice.roll(8) {
        5 => lines.push(format!("{indent}{name}: {{cmd: x, args: [a, 'b, c']}}")),
        6 => lines.push(format!("{indent}{name}:")),
        kind => {
            let props = if kind == 7 { format!(" &a{index}") } else { String::new() };
            lines.extend(
                format!("{indent}{name}:{props}{}", dice.pick(&["", "", " # why"])).split('\n').map(str::to_owned),
            );
            for key in 0..=dice.roll(4) {
                pair(dice, lines, &format!("k{key}"), &inner);
            }
        }
    }
}

fn item(dice: &mut Dice, lines: &mut Vec<String>, index: usize, indent: &str) {
    let dash = dice.pick(&["- ", "- ", "-   "]);
    let inner = format!("{indent}{}", " ".repeat(dash.len()));
    match dice.roll(8) {
        5 => lines.push(format!("{indent}{dash}{{name: s{index}, command: x}}")),
        6 => lines.extend([format!("{indent}- # why"), format!("{inner}name: s{index}")]),
        7 => lines.push(format!("{indent}{dash}uses: foo/bar")),
        _ => {
            lines.push(format!("{indent}{dash}name: s{index}"));
            for key in 0..dice.roll(4) {
                pair(dice, lines, &format!("k{key}"), &inner);
            }
        }
    }
}

fn pair(dice: &mut Dice, lines: &mut Vec<String>, name: &str, indent: &str) {
    if dice.once_in(6) {
        aside(dice, lines, indent);
    }
    let name = match dice.roll(6) {
        4 => format!("\"{name}\""),
        5 => format!("'{name}'"),
        _ => name.to_owned(),
    };
    let value = dice.pick(&[
        " 1",
        " text",
        " \"é \\u00e9 # no\"",
        " 'it''s: {'",
        " true",
        " yes",
        " ~",
        "",
        " 012",
        " .nan",
        " 2001-12-14t21:59:43.10-05:00",
        " C:\\x y",
        " <<",
        " a plain text\nI  of two lines",
        " \"a text\nI  in quotes\"",
        " [a, b]",
        " [a, # one\nI  b\nI  ]",
        " {}",
        " {a: 1, b: [x, {c: d}]}",
        "\nI  - a\nI  - b: c\nI    d: e",
        "\nI- a\nI- - b\nI  - c",
        "\nI  inner: 1\nI  other:\nI    - x",
        " |\nI  a block\nI    # of text",
        " |\nI  a block\n",
        " >-\nI  folded\nI  text",
        " |+\nI  kept\n",
        " |2\nI    more\nI  less",
        " !!str 12",
        " !own text",
        " &name text",
        " >+\nI  kept\n\n",
    ]);
    let behind = if value.contains('\n') || value.is_empty() { "" } else { dice.pick(&["", "", " ", " # why"]) };
    let written = format!("{indent}{name}:{}{behind}", value.replace('I', indent));
    lines.extend(written.split('\n').map(str::to_owned));
}

fn in_brackets(dice: &mut Dice, count: usize, list: bool) -> String {
    let quote = dice.pick(&["", "", "\""]);
    let servers: Vec<_> = (0..count)
        .map(|index| match (list, dice.roll(4)) {
            (true, 3) => format!("{{{quote}name{quote}: \"s{index}\"}}"),
            (true, _) => format!("{{name: s{index}, command: 'x, y'}}"),
            (false, 3) if quote.is_empty() => format!("s{index}"),
            (false, 2) => format!("{quote}s{index}{quote}: "),
            (false, _) => format!("{quote}s{index}{quote}: {{cmd: x, args: [a]}}"),
        })
        .collect();
    let (open, close) = if list { ("[", "]") } else { ("{", "}") };
    if dice.roll(3) == 2 {
        let mut written = open.to_owned();
        for (index, server) in servers.iter().enumerate() {
            let above = dice.pick(&["", "", "", "\n    # above", "\n"]);
            let comma = if index + 1 < count || dice.once_in(2) { "," } else { "" };
            written.push_str(&format!("{above}\n    {server}{comma}{}", dice.pick(&["", "", " # behind", " "])));
        }
        return written + dice.pick(&["\n  ", "\n  # end\n  "]) + close;
    }
    let pad = dice.pick(&["", " "]);
    let comma = if count > 0 && dice.once_in(5) { "," } else { "" };
    format!("{open}{pad}{}{comma}{pad}{close}", servers.join(dice.pick(&[", ", ",", " , "])))
}

fn whole_in_brackets(dice: &mut Dice, list: bool) -> String {
    let key = if list { "mcpServers" } else { "extensions" };
    let count = dice.roll(3);
    let servers = in_brackets(dice, count, list);
    match dice.roll(5) {
        0 => "{}".to_owned(),
        1 => format!("{{a: 1, {key}: {servers}}}"),
        2 => format!("{{\n  \"a\": 1, # one\n  \"{key}\": {servers}\n}}"),
        3 => format!("{{{key}: , b: 2}}"),
        _ => format!("{{ {key}: {servers}, b: 2 }}"),
    }
}

/// Comments and blank lines, or none.
fn aside(dice: &mut Dice, lines: &mut Vec<String>, indent: &str) {
    for _ in 0..dice.roll(7).saturating_sub(3) {
        let line = dice.pick(&["", "# note", "", "#old:", "  # deep", "# - name: x"]);
        lines.push(if line.is_empty() { String::new() } else { format!("{indent}{line}") });
    }
}

fn said(client: &Client, bytes: &[u8]) -> Option<String> {
    let options = serde_yaml::options! {
        merge_keys: serde_yaml::options::MergeKeyPolicy::AsOrdinary,
        non_finite_float_policy: serde_yaml::options::NonFiniteFloatPolicy::PassThrough,
    };
    let text = std::str::from_utf8(bytes).ok()?;
    let mut value: Value = serde_yaml::from_str_with_options(text, options).ok()?;
    let is_name = |value: &Value, name: &str| matches!(value, Value::Scalar(text) if *text == format!("{name:?}"));
    let is_nothing = |value: &Value| {
        matches!(value, Value::List(items) if items.is_empty())
            || matches!(value, Value::Map(members) if members.is_empty())
            || matches!(value, Value::Scalar(text) if text == "null")
    };
    if let Value::Map(members) = &mut value {
        members.retain_mut(|(key, value)| {
            if !is_name(key, client.key.path[0]) {
                return true;
            }
            match value {
                Value::List(items) if client.key.list => items.retain(|item| {
                    !matches!(item, Value::Map(members)
                        if members.iter().any(|(key, value)| is_name(key, "name") && is_name(value, "skilltender")))
                }),
                Value::Map(members) => members.retain(|(key, _)| !is_name(key, "skilltender")),
                _ => {}
            }
            !is_nothing(value)
        });
    }
    Some(if is_nothing(&value) { String::new() } else { format!("{value:?}") })
}

/// Any value, with every scalar as printed.
#[derive(Debug)]
enum Value {
    Scalar(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Scalar(format!("{value:?}")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Scalar(format!("{value:?}")))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Scalar("null".to_owned()))
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Scalar("null".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Value::Map(members))
    }
}
