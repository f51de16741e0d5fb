//! Blocks `requires-mcp-servers` as authors write them, right and wrong.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{one_of, right_or};

pub(super) fn block() -> impl Strategy<Value = Value> {
    let list = proptest::collection::vec(server(), 0..3).prop_map(|servers| {
        // No two have the same name: a schema does not compare the entries of a list.
        let told_apart = |(index, server): (usize, Value)| {
            let text = server.to_string().replace("tea", &format!("tea{index}"));
            serde_json::from_str::<Value>(&text).expect("only a word changed")
        };
        Value::Array(servers.into_iter().enumerate().map(told_apart).collect())
    });
    let mapping = server().prop_map(|mut server| {
        server.as_object_mut().and_then(|server| server.remove("name"));
        json!({ "tea": server })
    });
    let whole = one_of(&[
        json!(5),
        json!("text"),
        json!({}),
        json!([]),
        json!({"tea": "@a/tea"}),
        json!({"Tea House": "@a/tea"}),
        json!({"tea": []}),
        json!({"tea": null}),
    ]);
    prop_oneof![4 => list, 2 => mapping, 1 => whole]
}

fn server() -> BoxedStrategy<Value> {
    let parameters = || {
        right_or(
            &[
                json!({"KEY": "the key"}),
                json!({"KEY": null}),
                json!({"KEY": {"description": "the key", "sensitive": true}}),
                json!([{"name": "KEY", "required": false}]),
                json!(["--fast"]),
                json!([5]),
                json!(null),
            ],
            &[
                json!({"a-b": "x"}),
                json!({"KEY": ["x"]}),
                json!({"KEY": {"required": "yes"}}),
                json!({"KEY": {"required": 1}}),
                json!({"KEY": {"default": ["x"]}}),
                json!([{"required": true}]),
                json!([["x"]]),
            ],
        )
    };
    let fields = [
        (
            "name",
            right_or(
                &[json!("tea")],
                &[json!("Tea House"), json!("-tea"), json!("t".repeat(33)), json!(["tea"]), json!(1.5)],
            ),
        ),
        ("command", right_or(&[json!("tea-server"), json!(5)], &[json!(["tea"]), json!({})])),
        (
            "args",
            right_or(
                &[json!(["--hot"]), json!([5, true]), json!([]), json!(null)],
                &[json!("--hot"), json!([["x"]]), json!([null]), json!({})],
            ),
        ),
        (
            "env",
            right_or(
                &[json!({"LEAF": "green"}), json!({"LEAF": 5}), json!({}), json!(null)],
                &[json!(["LEAF"]), json!({"LEAF": null}), json!({"LEAF": ["x"]}), json!("x")],
            ),
        ),
        ("cwd", right_or(&[json!("/tea")], &[json!(["/tea"])])),
        (
            "headers",
            right_or(
                &[json!({"X-Leaf": "green"}), json!({"X-Leaf": 5}), json!({}), json!(null)],
                &[json!(["X-Leaf"]), json!({"X-Leaf": null}), json!("x")],
            ),
        ),
        ("docker", docker()),
        ("description", right_or(&[json!("To make tea."), json!(5)], &[json!(["x"])])),
        ("version", right_or(&[json!("1.2.0"), json!(2)], &[json!({})])),
        ("parameters", parameters()),
        ("template-args", parameters()),
        ("of-the-author", one_of(&[json!(5), json!(["a"])])),
    ];
    let fields = fields.map(|(key, values)| {
        let weight = if matches!(key, "name" | "command") { 0.95 } else { 0.3 };
        proptest::option::weighted(weight, values.prop_map(move |value| (key.to_owned(), value)))
    });
    let bare = one_of(&[
        json!("tea"),
        json!("Tea House"),
        json!(5),
        json!(1.5),
        json!(null),
        json!(["tea"]),
        json!({}),
        json!({"tea": "@a/tea"}),
        json!({"tea": "a b"}),
        json!({"tea": ["x"]}),
        json!({"name": "tea", "package": "@a/tea"}),
        json!({"name": "tea", "package": "--tea"}),
        json!({"package": "@a/tea"}),
        json!({"name": "tea", "url": "https://a.example/mcp"}),
        json!({"name": "tea", "config-template": {"command": "tea", "args": ["x"]}}),
        json!({"name": "tea", "config-template": {"command": ["tea"]}}),
        json!({"name": "tea", "package": "@a/tea", "config-template": {"KEY": "the key"}}),
        json!({"name": "tea", "stdio": {"command": "tea"}}),
        json!({"name": "tea", "config-template": {"docker": {"image": "tea"}}}),
        json!({"name": "tea", "config-template": {"docker": {"image": "-v"}}}),
        json!({"name": "tea", "config-template": {"stdio": {"command": ["tea"]}}}),
        json!({"name": "tea", "config-template": {"stdio": {"command": "tea"}, "docker": {"image": "tea", "port": 0}}}),
        json!("github"),
        json!({"name": "github", "description": "Issues"}),
        json!({"name": "tea", "stdio": {"command": ["tea"]}}),
    ]);
    prop_oneof![3 => fields.to_vec().prop_map(|fields| fields.into_iter().flatten().collect::<Map<_, _>>().into()), 1 => bare].boxed()
}

fn docker() -> BoxedStrategy<Value> {
    let image = |image: &str| json!({ "image": image });
    right_or(
        &[
            image("tea"),
            image("mcp/tea:1.0"),
            image("localhost:5000/tea"),
            image("Tea.example/a_b/tea"),
            json!({"image": 5}),
            json!({"image": "tea", "port": 3001, "args": ["--hot"], "env": {"LEAF": "green"}, "of-the-author": []}),
            json!(null),
        ],
        &[
            image("-v"),
            image("Tea"),
            image("a b"),
            image("tea@sha256:abc"),
            json!({"port": 3001}),
            json!({"image": "tea", "port": 0}),
            json!({"image": "tea", "port": 70000}),
            json!({"image": "tea", "port": "x"}),
            json!({"image": "tea", "args": "x"}),
            json!({"image": "tea", "env": ["LEAF"]}),
            json!("tea"),
            json!([]),
        ],
    )
}
