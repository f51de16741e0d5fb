//! Files built to cost time or memory: each is refused with its reason, and none crashes the program.

use clients::{Client, Entry, Refusal, client, connect};

fn refusal(id: &str, text: &str) -> Option<Refusal> {
    let client: &Client = client(id).expect("its row");
    let entry = Entry::Stdio { command: "/usr/bin/skilltender".to_owned(), args: Vec::new() };
    connect(client, Some(text.as_bytes()), &entry).err()
}

#[test]
fn more_values_than_any_settings_file_has_are_not_looked_at() {
    let many = "1, ".repeat(300_000);
    assert_eq!(refusal("codex", &format!("x = [{many}]")), Some(Refusal::TooMuch));
    assert_eq!(refusal("codex", &"a ".repeat(300_000)), Some(Refusal::TooMuch));
    assert_eq!(refusal("codex", &"\n".repeat(520_000)), Some(Refusal::TooMuch));
    assert_eq!(refusal("goose", &format!("x: [{many}]")), Some(Refusal::TooMuch));
    assert_eq!(refusal("continue", &"- a\n".repeat(200_000)), Some(Refusal::TooMuch));
}

#[test]
fn a_few_lines_that_repeat_each_other_do_not_become_many() {
    let level = |level: usize| format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 10].join(", "));
    let bomb: String = (1..10).map(level).collect();
    assert_eq!(refusal("goose", &format!("a0: &a0 x\n{bomb}")), Some(Refusal::TooMuch));
}

#[test]
fn what_is_nested_too_deeply_is_refused_however_it_is_written() {
    let (names, open, close) = (vec!["a"; 50_000].join("."), "[".repeat(50_000), "]".repeat(50_000));
    let braces = "{a = ".repeat(50_000);
    for text in [
        format!("x = {open}{close}"),
        format!("{names} = 1"),
        format!("[{names}]"),
        format!("[[{names}]]"),
        format!("x = {braces}"),
        format!("x = {}1{}", "{a.a.a.a.a.a.a.a.a.a = ".repeat(40), "}".repeat(40)),
    ] {
        assert!(matches!(refusal("codex", &text), Some(Refusal::Syntax { .. } | Refusal::TooMuch)));
    }
    let steps: String = (0..300).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    for text in [format!("x: {open}{close}"), "- ".repeat(50_000), "? ".repeat(50_000), "{a: ".repeat(50_000), steps] {
        assert!(matches!(refusal("goose", &text), Some(Refusal::Syntax { .. })));
    }
}

#[test]
fn one_long_text_is_not_too_much() {
    let text = "a word ".repeat(60_000);
    assert_eq!(refusal("codex", &format!("x = '{text}'")), None);
    assert_eq!(refusal("goose", &format!("x: '{text}'\n")), None);
    assert_eq!(refusal("codex", &format!("# {text}")), None);
    assert_eq!(refusal("goose", &format!("# {text}")), None);
}
