//! Secrets that are typed at a terminal: nobody sees them, and the terminal is as before afterwards.

use serde_json::{Value, json};
use tests::{Home, given, python_script};

const QUESTION: &str = "TOKEN for stock: ";

fn typed(home: &Home, answer: &str) -> Value {
    python_script(
        "typed.py",
        &json!({
            "command": [given("SKILLTENDER_PROGRAM"), "secrets", "set", "cellar", "stock", "TOKEN"],
            "env": {"HOME": home.path("")},
            "answers": [[QUESTION, answer]],
        }),
    )
}

#[test]
fn what_is_typed_is_hidden_before_the_question_is_there() {
    let answered = typed(&Home::new(), "canary");
    assert_eq!((&answered["hidden"], &answered["left"]), (&json!([true]), &json!([])), "{answered}");
    assert!(!answered["seen"].as_str().unwrap().contains("canary"), "{answered}");
    assert_eq!((&answered["as_before"], &answered["code"]), (&json!(true), &json!(2)), "{answered}");
}

#[test]
fn ctrl_c_at_the_question_ends_the_command_and_leaves_the_terminal_as_it_was() {
    let ended = typed(&Home::new(), "can\u{3}");
    assert_eq!((&ended["as_before"], &ended["code"]), (&json!(true), &json!(-2)), "{ended}");
    assert!(!ended["seen"].as_str().unwrap().contains("can"), "{ended}");
}
