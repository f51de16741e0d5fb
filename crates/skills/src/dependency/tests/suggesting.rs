//! Suggestions from other programs' forms.

use super::*;

fn told(suggestions: Vec<Suggestion>) -> Vec<String> {
    let tell = |one: Suggestion| {
        let known = if one.known { " known" } else { "" };
        let what = one.server.or(one.variable).unwrap_or_default();
        let url = one.url.map(|url| format!(" {url}")).unwrap_or_default();
        format!("{what}{known}{url}: {}", one.from)
    };
    suggestions.into_iter().map(tell).collect()
}

fn suggested(frontmatter: &str) -> Vec<String> {
    let file = format!("---\nname: x\ndescription: Does x.\n{frontmatter}\n---\n");
    told(suggestions(&read("x", file.as_bytes())))
}

#[test]
fn servers_are_suggested_by_what_other_programs_read() {
    assert_eq!(suggested("requires:\n  mcp: [rube, teapot]"), ["rube known: requires.mcp", "teapot: requires.mcp"]);
    assert_eq!(
        suggested(
            "allowed-tools: Read, mcp__github__list_issues mcp__github__get mcp__tea-pot, mcp__* mcp__skilltender__x"
        ),
        ["github known: allowed-tools", "tea-pot: allowed-tools"]
    );
    assert_eq!(suggested("allowed-tools: [Read, mcp__my_tea__brew]"), ["my_tea: allowed-tools"]);
}

#[test]
fn variables_are_suggested_in_all_four_names_of_one_program() {
    for name in ["openclaw", "clawdbot", "moltbot", "clawdis"] {
        assert_eq!(
            suggested(&format!(
                "metadata:\n  {name}: {{requires: {{env: [BRAVE_API_KEY, TEA_KEY, \"a b\"]}}, primaryEnv: LEAF_KEY}}"
            )),
            [
                format!("BRAVE_API_KEY known: metadata.{name}.requires.env"),
                format!("TEA_KEY: metadata.{name}.requires.env"),
                format!("LEAF_KEY: metadata.{name}.primaryEnv"),
            ]
        );
    }
    let text = r#"metadata: {openclaw: '{"primaryEnv": "TEA_KEY"}'}"#;
    assert_eq!(suggested(text), ["TEA_KEY: metadata.openclaw.primaryEnv"]);
}

#[test]
fn what_is_declared_or_was_said_is_not_suggested_again() {
    let declared = "requires-mcp-servers: [{name: shop, command: shop, env: {CITY: Uji, KEY: \"${TEA_KEY}\"}, parameters: {TEA_KEY: {sensitive: true}}}]";
    let wild = "requires: {mcp: [shop, kettle]}\nallowed-tools: mcp__kettle__boil mcp__shop__buy\nmetadata: {openclaw: {requires: {env: [TEA_KEY, CITY, KEY]}}}";
    assert_eq!(suggested(&format!("{declared}\n{wild}")), ["kettle: requires.mcp"]);
}

#[test]
fn odd_values_suggest_nothing() {
    for odd in [
        "requires: text",
        "requires: {mcp: {a: b}}",
        "metadata: [openclaw]",
        "metadata: {openclaw: 5}",
        "allowed-tools: {a: b}",
        "allowed-tools: mcp____x",
        "requires: {mcp: [\"a;b\", \"../x\", \"-x\", 5]}",
    ] {
        assert_eq!(suggested(odd), [""; 0], "{odd}");
    }
}

#[test]
fn codex_names_servers_in_a_file_of_its_own() {
    let file = b"interface:\n  display_name: Tea\ndependencies:\n  tools:\n    - {type: mcp, value: linear, description: Issues, transport: streamable_http, url: \"https://mcp.linear.app/mcp\"}\n    - {type: mcp, value: tea, url: \"http://tea.example/mcp\"}\n    - {type: env_var, value: TOKEN}\n    - {type: mcp, value: linear}\n    - text\n";
    assert_eq!(
        told(suggestions_of_codex(file)),
        ["linear known https://mcp.linear.app/mcp: dependencies.tools", "tea: dependencies.tools"]
    );
    for file in [&b""[..], b"\xff", b"a: [", b"dependencies: {tools: x}", b"- a"] {
        assert_eq!(suggestions_of_codex(file), []);
    }
}
