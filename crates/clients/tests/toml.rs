//! Random TOML files: our entry is added, changed and removed in them.

mod laws;

use clients::{Client, client, update};
use laws::{Dice, dice, steps, text_of};
use proptest::prelude::*;
use toml::{Table, Value};

/// A client whose servers are an array of tables, or one whose servers are tables by name.
fn row(list: bool) -> &'static Client {
    client(if list { "mistral-vibe" } else { "codex" }).expect("its row")
}

proptest! {
    #![proptest_config(laws::config())]

    #[test]
    fn what_is_added_and_removed_leaves_every_byte_of_others(mut dice in dice()) {
        let list = dice.once_in(3);
        let file = file(&mut dice, list);
        laws::add_and_remove(row(list), said, file.as_bytes())?;
    }

    #[test]
    fn whatever_happens_to_a_file_only_our_bytes_change(mut dice in dice(), steps in steps(EDITS)) {
        let list = dice.once_in(3);
        let file = file(&mut dice, list);
        laws::history(row(list), said, file.as_bytes(), &steps)?;
    }

    #[test]
    fn broken_files_are_refused_or_kept(mut dice in dice()) {
        let list = dice.once_in(3);
        let file = file(&mut dice, list);
        let bytes = laws::mutated(file.as_bytes(), &mut dice);
        laws::any_bytes(row(list), said, &bytes)?;
    }
}

#[test]
fn an_update_keeps_what_others_wrote_into_our_entry() {
    let before = "[mcp_servers.skilltender] # ours\r\n# the program\r\ncommand = \"/old\" # here\r\nargs = []\r\n\
                  startup_timeout_sec = 1.5\r\n\r\n[mcp_servers.skilltender.env]\r\nA = \"b\"\r\n";
    let [entry, ..] = laws::entries();
    let plan = update(row(false), before.as_bytes(), &entry, None).unwrap();
    let added = "# ours\r\nenv_vars = [\"DBUS_SESSION_BUS_ADDRESS\", \"XDG_RUNTIME_DIR\"]\r\n";
    let after = before.replace("/old", "/usr/bin/skilltender").replace("[]", "[\"mcp\", \"--client\", \"x\"]");
    let after = after.replace("# ours\r\n", added);
    assert_eq!(String::from_utf8(plan.after.unwrap()).unwrap(), after);
}

/// Edits by another author.
const EDITS: &[&str] = &[
    "# a note\n",
    "\n",
    "[mcp_servers.new]\ncommand = \"n\"\n",
    "[[mcp_servers]]\nname = \"new\"\n",
    "[mcp_servers.skilltender.env]\nA = \"b\" # c\n",
    "[mcp_servers.env]\nA = \"b\"\n",
    "enabled = false\n",
    "startup_timeout_sec = 1.5\n",
    "  env.A = \"1\"\n",
    "[other]\nx = 1\n",
    "x = [\n  1, # one\n]\r\n",
    "",
];

fn said(client: &Client, bytes: &[u8]) -> Option<String> {
    let mut table = toml::from_str::<Table>(std::str::from_utf8(bytes).ok()?).ok()?;
    let empty = match table.get_mut("mcp_servers") {
        Some(Value::Table(servers)) if !client.key.list => {
            servers.remove("skilltender");
            servers.is_empty()
        }
        Some(Value::Array(servers)) if client.key.list => {
            servers.retain(|server| server.get("name").and_then(Value::as_str) != Some("skilltender"));
            servers.is_empty()
        }
        _ => false,
    };
    if empty {
        table.remove("mcp_servers");
    }
    Some(format!("{table:?}"))
}

/// A file in one of the styles in which people and programs write them.
fn file(dice: &mut Dice, list: bool) -> String {
    let mut lines = Vec::new();
    aside(dice, &mut lines, "");
    for index in 0..dice.roll(4) {
        pair(dice, &mut lines, &format!("root{index}"), "");
    }
    let manner = dice.roll(8);
    let count = dice.roll(4);
    match (list, manner) {
        (true, 5) | (false, 4) => in_brackets(dice, &mut lines, count, list),
        (false, 5) => dotted(dice, &mut lines, count, "mcp_servers."),
        _ => {}
    }
    for index in 0..dice.roll(2) {
        table(dice, &mut lines, &format!("before{index}"));
    }
    match (list, manner) {
        (true, 0..=4) => (0..count).for_each(|index| element(dice, &mut lines, index)),
        (false, 0..=3) => {
            let parent = dice.once_in(4);
            if parent {
                header(dice, &mut lines, "[mcp_servers]", "");
            }
            for index in 0..count {
                block(dice, &mut lines, index);
                if dice.once_in(6) {
                    table(dice, &mut lines, &format!("between{index}"));
                }
            }
        }
        (false, 6) => {
            header(dice, &mut lines, "[mcp_servers]", "");
            if dice.roll(2) == 0 {
                dotted(dice, &mut lines, count, "");
            } else {
                for index in 0..count {
                    let value = inline(dice, index, false);
                    line(dice, &mut lines, &format!("s{index}"), &value, "");
                }
            }
        }
        _ => {}
    }
    for index in 0..dice.roll(3) {
        table(dice, &mut lines, &format!("after{index}"));
    }
    aside(dice, &mut lines, "");
    text_of(dice, &lines)
}

/// Comments and blank lines, or none.
fn aside(dice: &mut Dice, lines: &mut Vec<String>, indent: &str) {
    for _ in 0..dice.roll(7).saturating_sub(3) {
        let line = dice.pick(&["", "# note", "", "#[mcp_servers.old]", "  # deep", "# command = \"x\"", "\t"]);
        lines.push(if line.is_empty() { String::new() } else { format!("{indent}{line}") });
    }
}

fn header(dice: &mut Dice, lines: &mut Vec<String>, header: &str, indent: &str) {
    if dice.roll(3) != 2 {
        lines.push(String::new());
    }
    aside(dice, lines, indent);
    let behind = dice.pick(&["", "", "", " ", " # why", "\t#"]);
    lines.push(format!("{indent}{header}{behind}"));
}

fn line(dice: &mut Dice, lines: &mut Vec<String>, name: &str, value: &str, indent: &str) {
    let equals = dice.pick(&[" = ", " = ", "=", "   = ", " =\t"]);
    let behind = dice.pick(&["", "", "", " ", " # why", "# \"]"]);
    lines.push(format!("{indent}{name}{equals}{value}{behind}"));
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
        "1",
        "\"text\"",
        "true",
        "nan",
        "-inf",
        "0xff",
        "1_000",
        "1979-05-27T07:32:00Z",
        "07:32:00",
        "'C:\\x'",
        "\"é \\u00e9 \\\"\"",
        "[]",
        "[1, 2]",
        "[ [\"[mcp_servers.a]\"], ]",
        "{}",
        "{ x = 1, \"y z\" = { a.b = [] } }",
        "'''\n[mcp_servers.fake]\n'''",
        "\"\"\"\\\n   # no comment\n[mcp_servers]\"\"\"",
        "[\n  1, # one\n  # two\n  2\n]",
        "[\n\t\"a\",\n]",
    ]);
    line(dice, lines, &name, value, indent);
}

fn table(dice: &mut Dice, lines: &mut Vec<String>, name: &str) {
    let kind = dice.roll(5);
    let written = match kind {
        3 => format!("[[{name}]]"),
        4 => format!("[ \"{name}\" . 'x.y' ]"),
        _ => format!("[{name}]"),
    };
    for _ in 0..=usize::from(kind == 3) {
        header(dice, lines, &written, "");
        for index in 0..dice.roll(3) {
            pair(dice, lines, &format!("k{index}"), "");
        }
    }
}

fn block(dice: &mut Dice, lines: &mut Vec<String>, index: usize) {
    let indent = dice.pick(&["", "", "", "  ", "\t"]);
    let inner = if dice.once_in(4) { format!("{indent}  ") } else { indent.to_owned() };
    let name = match dice.roll(5) {
        3 => format!("\"s {index}\""),
        4 => format!("'s.{index}'"),
        _ => format!("s{index}"),
    };
    let outer = dice.pick(&["mcp_servers", "mcp_servers", "\"mcp_servers\"", " mcp_servers "]);
    header(dice, lines, &format!("[{outer}.{name}]"), indent);
    for key in 0..dice.roll(4) {
        pair(dice, lines, &format!("k{key}"), &inner);
    }
    if dice.once_in(3) {
        header(dice, lines, &format!("[mcp_servers.{name}.env]"), &inner);
        pair(dice, lines, "A", &inner);
    }
}

fn element(dice: &mut Dice, lines: &mut Vec<String>, index: usize) {
    header(dice, lines, dice.clone().pick(&["[[mcp_servers]]", "[[mcp_servers]]", "[[ \"mcp_servers\" ]]"]), "");
    line(dice, lines, "name", &format!("\"s{index}\""), "");
    for key in 0..dice.roll(3) {
        pair(dice, lines, &format!("k{key}"), "");
    }
    if dice.once_in(3) {
        header(dice, lines, "[mcp_servers.env]", "");
        pair(dice, lines, "A", "");
    }
}

/// A server on one line.
fn inline(dice: &mut Dice, index: usize, list: bool) -> String {
    let name = if list { format!("name = \"s{index}\", ") } else { String::new() };
    let more = dice.pick(&["", ", args = [\"-y\"]", ", env = { A = \"#\" }", ", env.B = 'x,y'"]);
    let pad = dice.pick(&[" ", " ", ""]);
    format!("{{{pad}{name}command = \"c{index}\"{more}{pad}}}")
}

fn in_brackets(dice: &mut Dice, lines: &mut Vec<String>, count: usize, list: bool) {
    let servers: Vec<_> = (0..count)
        .map(|index| {
            let value = inline(dice, index, list);
            if list { value } else { format!("s{index} = {value}") }
        })
        .collect();
    let (open, close) = if list { ("[", "]") } else { ("{", "}") };
    if list && dice.roll(2) == 1 {
        let mut written = open.to_owned();
        for (index, server) in servers.iter().enumerate() {
            let above = dice.pick(&["", "", "", "\n  # above", "\n"]);
            let comma = if index + 1 < count || dice.once_in(2) { "," } else { "" };
            let behind = dice.pick(&["", "", " # behind", " "]);
            written.push_str(&format!("{above}\n  {server}{comma}{behind}"));
        }
        let last = dice.pick(&["\n", "\n", "\n  # end\n", "\n  "]);
        line(dice, lines, "mcp_servers", &format!("{written}{last}{close}"), "");
        return;
    }
    let pad = dice.pick(&["", " ", "  "]);
    let comma = dice.pick(&[", ", ",", " , "]);
    line(dice, lines, "mcp_servers", &format!("{open}{pad}{}{pad}{close}", servers.join(comma)), "");
}

fn dotted(dice: &mut Dice, lines: &mut Vec<String>, count: usize, outer: &str) {
    for index in 0..count {
        let whole = dice.once_in(3);
        if whole {
            let value = inline(dice, index, false);
            line(dice, lines, &format!("{outer}s{index}"), &value, "");
        } else {
            line(dice, lines, &format!("{outer}s{index}.command"), "\"c\"", "");
            pair_below(dice, lines, &format!("{outer}s{index}"));
        }
        aside(dice, lines, "");
    }
}

fn pair_below(dice: &mut Dice, lines: &mut Vec<String>, name: &str) {
    if dice.roll(2) == 1 {
        line(dice, lines, &format!("{name}.args"), "[\n  \"a\" # b\n]", "");
    }
    if dice.once_in(3) {
        line(dice, lines, &format!("{name}.env.\"A b\""), "'x'", "");
    }
}
