//! Approvals: for exactly one launch spec and exactly these skills.

mod files;
mod observed;

use std::{collections::BTreeSet, path::Path};

use serde_json::{Value, json};

use super::{Approvals, LaunchSpec, Requirement, approvals::Agreement};
use machine::Mode;

const SEEDS: usize = 50;

/// A launch spec that differs from those of other numbers in every field.
fn spec(number: usize) -> Value {
    json!({
        "name": format!("server-{number}"),
        "kind": {"program": {
            "program": format!("/usr/bin/npx-{number}"),
            "real": format!("/usr/lib/npx-{number}.js"),
            "content": format!("{number:064}"),
            "argv": ["npx", "-y", format!("package-{number}@1.0.0")],
            "env": {"MODE": format!("mode-{number}")},
            "cwd": format!("/home/ada/{number}"),
            "files": {"/home/ada/skills/tea/server.js": format!("{number:064}")},
            "held": {
                "folder": "/home/ada/skills/tea",
                "files": {"helper.py": format!("{number:064}")},
                "others": {"count": 7, "looks": format!("{number:064}")},
            },
            "image": format!("tea:{number}"),
            "port": 3000,
        }},
        "secrets": {"TOKEN": {"before": "Bearer ", "key": format!("f1/tea-{number}"), "server": "github", "name": "KEY"}},
    })
}

fn read(spec: &Value) -> LaunchSpec {
    serde_json::from_value(spec.clone()).unwrap()
}

fn users(number: usize) -> BTreeSet<String> {
    [format!("f1/tea-{number}"), "f1/milk".to_owned()].into()
}

fn want(spec: LaunchSpec, users: BTreeSet<String>) -> Requirement {
    Requirement {
        name: spec.name.clone(),
        declared: None,
        description: None,
        source: None,
        users,
        client: None,
        signed_in: false,
        spec: Ok(spec),
    }
}

/// Copies with one value changed each, anywhere in it, and with one name changed each.
fn mutants(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (key, inner) in fields {
                let with = |inner: Option<(String, Value)>| {
                    let mut fields = fields.clone();
                    fields.shift_remove(key);
                    fields.extend(inner);
                    Value::Object(fields)
                };
                all.extend(mutants(inner).into_iter().map(|mutant| with(Some((key.clone(), mutant)))));
            }
            all
        }
        Value::Array(items) => {
            let mut all = vec![Value::Array(items[1..].to_vec())];
            all.push(Value::Array([items.as_slice(), &[json!("--more")]].concat()));
            for (at, item) in items.iter().enumerate() {
                for mutant in mutants(item) {
                    let mut items = items.clone();
                    items[at] = mutant;
                    all.push(Value::Array(items));
                }
            }
            all
        }
        Value::String(text) => {
            vec![
                json!(format!("{text} ")),
                json!(text.to_uppercase() + "1"),
                json!(format!("{text}\u{200b}")),
                json!(""),
            ]
        }
        Value::Number(number) => vec![json!(number.as_u64().unwrap() + 1)],
        _ => Vec::new(),
    }
}

fn agreed() -> Approvals {
    let mut approvals = Approvals::default();
    for number in 0..SEEDS {
        approvals.agree(read(&spec(number)), users(number), 1);
    }
    approvals
}

#[test]
fn six_hundred_changes_of_what_was_agreed_to_are_agreed_to_by_nobody() {
    let approvals = agreed();
    let mut tried = 0;
    for number in 0..SEEDS {
        let exact = want(read(&spec(number)), users(number));
        assert!(matches!(approvals.about(&exact), Agreement::To(_)));
        for mutant in mutants(&spec(number)) {
            let Ok(mutant) = serde_json::from_value::<LaunchSpec>(mutant) else { continue };
            assert!(approvals.to(&want(mutant.clone(), users(number))).is_none(), "{mutant:?}");
            tried += 1;
        }
        let mut more = users(number);
        more.insert("f1/another".to_owned());
        assert!(approvals.to(&want(read(&spec(number)), more)).is_none(), "one more skill");
        assert!(approvals.to(&want(read(&spec(number)), ["f1/milk".to_owned()].into())).is_some(), "one less");
    }
    assert!(tried >= 600, "{tried}");
}

#[test]
fn a_line_of_the_file_that_was_changed_by_hand_agrees_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("approvals.json");
    agreed().save(&path).unwrap();
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let stands = |path: &Path, spec: &LaunchSpec, users: BTreeSet<String>| {
        let (approvals, notice) = Approvals::open(path, &Mode::Reading);
        assert_eq!(notice, None);
        approvals.to(&want(spec.clone(), users)).is_some()
    };
    assert!(stands(&path, &read(&spec(0)), users(0)));
    let mut tried = 0;
    for mutant in mutants(&spec(0)) {
        let Ok(spec) = serde_json::from_value::<LaunchSpec>(mutant.clone()) else { continue };
        let mut changed = whole.clone();
        changed["approvals"][0]["form"] = mutant;
        std::fs::write(&path, changed.to_string()).unwrap();
        assert!(!stands(&path, &spec, users(0)), "{spec:?}");
        tried += 1;
    }
    let mut changed = whole.clone();
    changed["approvals"][0]["users"] = json!(["f1/evil"]);
    std::fs::write(&path, changed.to_string()).unwrap();
    assert!(!stands(&path, &read(&spec(0)), ["f1/evil".to_owned()].into()));
    assert!(tried > 20, "{tried}");
}
