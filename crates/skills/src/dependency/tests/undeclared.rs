//! Values that a declaration uses but does not declare (decision 55).

use super::*;
use crate::fix_all;

/// The example of the dependency plan, verbatim.
const CODE_REVIEWER: &str = r#"---
name: code-reviewer
description: Reviews code changes in repository
requires-mcp-servers:
  - name: filesystem
    package: "@modelcontextprotocol/server-filesystem"
    args: ["${WORKSPACE}"]
  - name: github
    package: "@modelcontextprotocol/server-github"
    env:
      GITHUB_TOKEN: "${GITHUB_TOKEN}"
---
"#;

#[test]
fn the_code_reviewer_of_the_seed_works_as_it_stands() {
    let skill = read("code-reviewer", CODE_REVIEWER.as_bytes());
    assert!(skill.problems.iter().all(|problem| problem.severity == crate::Severity::Advice), "{:#?}", skill.problems);
    let [filesystem, github] = &skill.servers[..] else { panic!("{:?}", skill.servers) };
    let launch = filled(filesystem, &[("WORKSPACE", "/tea")]).unwrap();
    assert_eq!(launch.argv.join(" "), "npx -y @modelcontextprotocol/server-filesystem /tea");
    let wanted = missing(github, github.ways.first(), &|_| false);
    assert_eq!(wanted.len(), 1);
    assert!(wanted[0].parameter == "GITHUB_TOKEN" && wanted[0].sensitive);
    let launch = filled(github, &[]).unwrap();
    assert_eq!(launch.argv.join(" "), "npx -y @modelcontextprotocol/server-github");
    assert_eq!(launch.secrets["GITHUB_TOKEN"], "GITHUB_TOKEN");
}

#[test]
fn an_undeclared_value_is_asked_for_and_is_a_secret_if_it_sounds_like_one() {
    for (name, sensitive) in [
        ("GITHUB_TOKEN", true),
        ("BRAVE_API_KEY", true),
        ("PGPASSWORD", true),
        ("DATABASE_URL", true),
        ("SENTRY_DSN", true),
        ("SLACK_TEAM_ID", false),
        ("LOG_LEVEL", false),
    ] {
        let block = format!("  - {{name: a, command: a, env: {{X: \"${{{name}}}\"}}}}");
        assert_eq!(rules(&block), ["5:36 server-undeclared"], "{name}");
        let parameter = skill(&block).servers.remove(0).parameters.remove(0);
        assert_eq!((parameter.name.as_str(), parameter.required, parameter.sensitive), (name, true, sensitive));
    }
    let header = "  - {name: a, url: \"https://a.example\", headers: {Authorization: \"Bearer ${A_TOKEN}\"}}";
    assert_eq!(rules(header), ["5:66 server-undeclared"]);
    let half = "  - {name: a, command: a, env: {X: \"tea ${A_TOKEN}\"}}";
    assert_eq!(rules(half), ["5:36 server-undeclared", "5:36 server-secret"]);
}

#[test]
fn an_undeclared_value_that_others_can_read_stays_an_error() {
    for block in [
        "  - {name: a, command: a, args: [\"${X}\"]}",
        "  - {name: a, command: a, args: [\"${X}\"], env: {X: \"${X}\"}}",
        "  - {name: a, env: {X: \"${X}\"}, stdio: {command: a, args: [\"${X}\"]}}",
        "  - {name: a, command: a, env: {X: \"${X}\"}, docker: {image: a, args: [\"${X}\"]}}",
        "  - {name: a, url: \"https://a.example/${X}\", headers: {X: \"${X}\"}}",
        "  - {name: a, package: a, parameters: [\"${X}\"]}",
    ] {
        let rules = rules(block);
        assert!(
            !rules.is_empty() && rules.iter().all(|rule| rule.ends_with("server-placeholder")),
            "{block}: {rules:?}"
        );
        assert_eq!(skill(block).servers[0].parameters, [], "{block}");
    }
    assert_eq!(rules("  - {name: a, command: a, args: [\"${TOKEN\"]}"), ["5:34 server-placeholder"]);
    assert_eq!(rules("  - {name: a, command: a, env: {X: \"${TOKEN\"}}"), ["5:36 server-placeholder"]);
    let broken = skill("  - {name: a, command: a, args: [\"${TOKEN}\"]}").servers.remove(0);
    assert!(matches!(filled(&broken, &[("TOKEN", "x")]), Err(LaunchError::Undeclared { .. })));
    assert_eq!(rules("  - {name: a, command: \"${HOME}/bin/a\"}"), ["5:24 server-placeholder"]);
}

/// The block after all fixes.
fn declared(block: &str) -> String {
    let file = format!("---\nname: x\ndescription: Does x. Use when x.\nrequires-mcp-servers:\n{block}\n---\nX.\n");
    let fixed = fix_all("x", file.as_bytes(), &[]);
    let after = read("x", &fixed.bytes);
    let left: Vec<_> = after.problems.iter().filter(|problem| problem.rule.starts_with("server-")).collect();
    assert!(left.iter().all(|problem| problem.rule == "server-description"), "{left:#?}");
    let text = String::from_utf8(fixed.bytes).unwrap();
    text.split_once("requires-mcp-servers:\n").unwrap().1.split_once("\n---").unwrap().0.to_owned()
}

#[test]
fn a_fix_declares_what_is_undeclared() {
    assert_eq!(
        declared("  - name: a\n    command: a\n    env:\n      A_TOKEN: \"${A_TOKEN}\"\n      B: \"${B}\""),
        "  - name: a\n    command: a\n    parameters: {B: {required: true}, A_TOKEN: {sensitive: true}}\n    env:\n      A_TOKEN: \"${A_TOKEN}\"\n      B: \"${B}\""
    );
    assert_eq!(
        declared("  - name: a\n    command: a\n    env: {B: \"${B}\", C: \"${C}\"}\n    parameters:\n      C:\n        sensitive: true\n    cwd: \"${CWD}\"")
            .lines()
            .nth(4),
        Some("      B: {required: true}")
    );
    for block in [
        "  - {name: a, command: a, env: {A: \"${A}\", B: \"${B_KEY}\"}}",
        "  - env: {A: \"${A}\"}\n    name: a\n    command: a",
        "  - name: a\n    docker:\n      image: a\n      env:\n        A: \"${A}\"",
        "  - name: a\n    stdio:\n      command: a\n      env:\n        A: \"${A}\"",
        "  - name: a\n    config-template:\n      command: a\n      env:\n        A: \"${A}\"",
        "  - name: a\n    package: a\n    parameters:\n      - /srv\n    env: {A: \"${A}\"}",
        "  a:\n    url: https://a.example\n    headers: {A: \"${A}\"}",
    ] {
        assert!(
            declared(block).contains("A: {required: true}") || declared(block).contains("{name: A, required: true}"),
            "{block}"
        );
    }
}
