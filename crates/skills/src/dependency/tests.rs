//! The spellings of the dependency plan, what they are read as, and what no value can do.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;

use super::*;
use crate::{Skill, read};

mod credentials;
mod suggesting;
mod undeclared;
mod unplaced;
mod ways;

fn skill(block: &str) -> Skill {
    let file = format!("---\nname: x\ndescription: Does x.\nrequires-mcp-servers:\n{block}\n---\n");
    read("x", file.as_bytes())
}

/// The one server of a block without problems.
fn server(block: &str) -> Server {
    assert_eq!(rules(block), Vec::<String>::new(), "{block}");
    let [server] = <[Server; 1]>::try_from(skill(block).servers).unwrap();
    server
}

/// `line:column rule` of the problems, without those that every short declaration has.
fn rules(block: &str) -> Vec<String> {
    let problems = skill(block).problems.into_iter().filter(|problem| problem.rule != "server-description");
    problems.map(|problem| format!("{} {}", problem.place, problem.rule)).collect()
}

/// The argv of a server, placeholders filled from `values`.
fn argv(block: &str, values: &[(&str, &str)]) -> String {
    filled(&server(block), values).unwrap().argv.join(" ")
}

fn filled(server: &Server, values: &[(&str, &str)]) -> Result<Launch, LaunchError> {
    let values: HashMap<_, _> = values.iter().copied().collect();
    let way = server.ways.first().expect("the server has a way");
    match launch(server, way, &|name| values.get(name).map(|value| (*value).to_owned()))? {
        Start::Program(launch) => Ok(launch),
        other => panic!("{other:?} is no program"),
    }
}

const POSTGRES: &str = r#"  - name: postgres
    package: "@modelcontextprotocol/server-postgres"
    description: "Connects to project database for schema analysis"
    config-template:
      command: npx
      args:
        - "-y"
        - "@modelcontextprotocol/server-postgres"
        - "${DATABASE_URL}"
      env:
        PGPASSWORD: "${DB_PASSWORD}"
      parameters:
        DATABASE_URL:
          description: "PostgreSQL connection string"
          example: "postgresql://localhost:5432/mydb"
          required: true
        DB_PASSWORD:
          description: "Database password"
          required: true
          sensitive: true"#;

#[test]
fn a_whole_declaration_becomes_launch_instructions_without_the_secret() {
    let launch = filled(&server(POSTGRES), &[("DATABASE_URL", "postgresql://localhost/tea")]).unwrap();
    insta::assert_debug_snapshot!(launch, @r#"
    Launch {
        argv: [
            "npx",
            "-y",
            "@modelcontextprotocol/server-postgres",
            "postgresql://localhost/tea",
        ],
        env: {},
        secrets: {
            "PGPASSWORD": "DB_PASSWORD",
        },
        cwd: None,
    }
    "#);
}

#[test]
fn every_spelling_of_the_seed_says_how_to_start() {
    let filesystem = "npx -y @modelcontextprotocol/server-filesystem";
    let folder =
        [("WORKSPACE", "/home/zoe/tea"), ("WORKSPACE_PATH", "/home/zoe/tea"), ("workspace_path", "/home/zoe/tea")];
    for (block, expected) in [
        ("  - filesystem: \"@modelcontextprotocol/server-filesystem\"", format!("{filesystem} /home/zoe/tea")),
        ("  - package: \"@modelcontextprotocol/server-filesystem\"", format!("{filesystem} /home/zoe/tea")),
        (
            "  - {name: fs, package: \"@modelcontextprotocol/server-filesystem\", purpose: Files}",
            format!("{filesystem} /home/zoe/tea"),
        ),
        (
            "  - package: \"@modelcontextprotocol/server-filesystem\"\n    description: \"Access workspace files\"\n    config-template:\n      workspace_path:\n        description: \"Root directory for file access\"\n        default: \"${WORKSPACE}\"",
            format!("{filesystem} /home/zoe/tea"),
        ),
        (
            "  - {name: fs, package: \"@modelcontextprotocol/server-filesystem\", args: [\"${WORKSPACE}\"]}",
            format!("{filesystem} /home/zoe/tea"),
        ),
        (
            "  - name: fs\n    config-reference: \"@modelcontextprotocol/server-filesystem\"\n    parameters:\n      - /srv/files",
            format!("{filesystem} /srv/files"),
        ),
        (
            "  - package: \"@modelcontextprotocol/server-filesystem\"\n    template-args:\n      - name: workspace_path\n        required: true",
            format!("{filesystem} /home/zoe/tea"),
        ),
        (
            "  - name: fs\n    command: npx\n    args: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"${WORKSPACE}\"]\n    env:\n      DEBUG: \"true\"",
            format!("{filesystem} /home/zoe/tea"),
        ),
        (
            "  - name: fs\n    config-template:\n      command: npx\n      args: [-y, \"@modelcontextprotocol/server-filesystem\", \"${WORKSPACE_PATH}\"]\n      parameters:\n        WORKSPACE_PATH:\n          description: Root directory\n          default: \"${CWD}\"\n          required: true",
            format!("{filesystem} /home/zoe/tea"),
        ),
        ("  filesystem: \"@modelcontextprotocol/server-filesystem\"", format!("{filesystem} /home/zoe/tea")),
    ] {
        assert_eq!(argv(block, &folder), expected, "{block}");
    }
}

#[test]
fn a_bare_name_that_nobody_knows_has_no_way() {
    let skill = skill("  - teapot\n  - kettle");
    assert_eq!(skill.servers.len(), 2);
    assert_eq!(rules("  - teapot"), ["5:5 server-unknown"]);
    assert!(skill.problems[0].message.contains("is not known here: say how to run it"));
    assert_eq!(skill.servers[0].ways, []);
}

#[test]
fn a_server_elsewhere_is_an_address() {
    let server = server("  - name: docs\n    url: https://docs.example/mcp\n    transport: streamable_http");
    assert_eq!(server.ways, [Way::Http { url: "https://docs.example/mcp".into(), headers: BTreeMap::new() }]);
    assert_eq!(rules("  - {name: docs, url: \"https://docs.example/sse\", transport: sse}"), ["5:23 server-transport"]);
    assert_eq!(rules("  - {name: docs, url: \"http://docs.example/mcp\"}"), ["5:23 server-transport"]);
}

#[test]
fn what_is_missing_is_what_is_required_and_has_no_default() {
    let server = server(POSTGRES);
    let all = missing(&server, server.ways.first(), &|_| false);
    assert_eq!(all.iter().map(|missing| &missing.parameter[..]).collect::<Vec<_>>(), ["DATABASE_URL", "DB_PASSWORD"]);
    assert!(all[1].sensitive);
    assert_eq!(missing(&server, server.ways.first(), &|name| name == "DATABASE_URL").len(), 1);
    let error = filled(&server, &[]).unwrap_err();
    assert_eq!(error.to_string(), "The server `postgres` needs `DATABASE_URL`, which nobody has given yet.");
}

#[test]
fn a_secret_may_stand_only_in_the_environment_and_whole() {
    let with = |line: &str| {
        rules(&format!("  - name: a\n    command: a\n    {line}\n    parameters:\n      T: {{sensitive: true}}"))
    };
    assert_eq!(with("env: {TOKEN: \"${T}\"}"), Vec::<String>::new());
    assert_eq!(with("env: {TOKEN: \"Bearer ${T}\"}"), ["7:18 server-secret"]);
    assert_eq!(with("args: [\"--token=${T}\"]"), ["7:12 server-secret"]);
    assert_eq!(with("cwd: \"${T}\""), ["7:10 server-secret"]);
    let default = "  - name: a\n    command: a\n    env: {T: \"${T}\"}\n    parameters:\n      T: {sensitive: true, default: hunter2}";
    assert_eq!(rules(default), ["9:37 server-secret"]);
    assert_eq!(skill(default).servers[0].parameters[0].default, None);
    let open =
        skill("  - {name: a, command: a, args: [\"${T}\"], parameters: {T: {sensitive: true}}}").servers.remove(0);
    assert!(matches!(filled(&open, &[("T", "hunter2")]), Err(LaunchError::SecretInTheOpen { .. })));
}

#[test]
fn home_is_known_and_the_workspace_is_asked_for() {
    let server =
        server("  - {name: a, command: a, args: [\"--home=${HOME}\", \"${WORKSPACE}\"], cwd: \"${PROJECT_ROOT}\"}");
    let names: Vec<_> = server.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(names, ["PROJECT_ROOT", "WORKSPACE"]);
    let launch = filled(&server, &[("HOME", "/home/zoe"), ("WORKSPACE", "/tea"), ("PROJECT_ROOT", "/tea")]).unwrap();
    assert_eq!((launch.argv.join(" "), launch.cwd), ("a --home=/home/zoe /tea".to_owned(), Some("/tea".to_owned())));
}

#[test]
fn an_optional_value_that_nobody_gave_leaves_its_argument_out() {
    let block = "  - {name: a, command: a, args: [\"${X}\", \"-v${X}\"], env: {X: \"${X}\"}, parameters: {X: {required: false}}}";
    let launch = filled(&server(block), &[]).unwrap();
    assert_eq!((launch.argv.join(" "), launch.env.len()), ("a -v".to_owned(), 0));
}

#[test]
fn a_value_cannot_become_an_option_a_second_line_or_a_password_on_show() {
    let block = "  - {name: a, command: a, args: [\"${X}\", \"--x=${X}\", \"--\", \"${X}\"], parameters: {X: {}}}";
    let wrong = |value: &str| match filled(&server(block), &[("X", value)]) {
        Err(LaunchError::Value { what, .. }) => what,
        other => panic!("{value:?}: {other:?}"),
    };
    assert!(wrong("-rf").contains("option"));
    assert!(wrong("a\nb").contains("line end"));
    assert!(wrong("postgresql://zoe:hunter2@localhost/tea").contains("password"));
    assert!(wrong("zoe:hunter2@localhost").contains("password"));
    assert!(filled(&server(block), &[("X", "postgresql://zoe@localhost:5432/tea")]).is_ok());
    let after = "  - {name: a, command: a, args: [\"--\", \"${X}\"], parameters: {X: {}}}";
    assert_eq!(argv(after, &[("X", "-rf")]), "a -- -rf");
}

#[test]
fn variables_that_choose_programs_and_code_are_refused() {
    for name in ["LD_PRELOAD", "path", "BASH_ENV", "A=B"] {
        let block = format!("  - {{name: a, command: a, env: {{\"{name}\": x}}}}");
        assert_eq!(rules(&block), ["5:33 server-environment"], "{name}");
        assert!(matches!(filled(&skill(&block).servers[0], &[]), Err(LaunchError::Variable { .. })), "{name}");
    }
    assert_eq!(rules("  - {package: a, config-template: {PATH: {sensitive: true}}}"), ["5:36 server-environment"]);
}

#[test]
fn variables_that_lead_elsewhere_are_shown_and_set() {
    for name in ["NODE_OPTIONS", "https_proxy", "ANTHROPIC_BASE_URL", "GIT_SSH_COMMAND"] {
        let block = format!("  - {{name: a, command: a, env: {{{name}: x}}}}");
        assert_eq!(rules(&block), ["5:33 server-redirect"], "{name}");
        assert_eq!(filled(&skill(&block).servers[0], &[]).unwrap().env[name], "x");
        assert!(redirects(name));
    }
    assert_eq!(rules("  - {package: a, config-template: {NODE_OPTIONS: {sensitive: true}}}"), ["5:36 server-redirect"]);
}

#[test]
fn a_declaration_of_the_wrong_shape_is_named() {
    assert_eq!(rules("  - [a]"), ["5:5 server-block"]);
    assert_eq!(rules("  - {command: a}"), ["5:5 server-block"]);
    assert_eq!(rules("  - {name: A B, command: a}"), ["5:12 server-block"]);
    // `a__b` with a tool `c` and `a` with a tool `b__c` would have the same name.
    for name in ["a__b", "a_", "a__"] {
        assert_eq!(rules(&format!("  - {{name: {name}, command: a}}")), ["5:12 server-block"], "{name}");
    }
    assert_eq!(rules("  - {name: a_b-c, command: a}"), [""; 0]);
    assert_eq!(rules("  - {name: a, command: a, args: x}"), ["5:33 server-block"]);
    assert_eq!(rules("  - {name: a, command: a}\n  - {name: a, command: b}"), ["6:12 server-block"]);
    assert_eq!(rules("  - {name: a, package: \"--call=x\"}"), ["5:12 server-block"]);
    assert_eq!(rules("  - {name: a, command: &c a}"), ["5:27 server-block"]);
}

proptest! {
    /// Any value stays inside its own element and is not filled again; the number of elements stays the same.
    #[test]
    fn a_value_stays_inside_its_argument(value in "[^\0\n\r@:-][^\0\n\r@]{0,30}|\\$\\{(OTHER|HOME|X)\\}") {
        let server = server("  - {name: a, command: a, args: [\"${X}\", \"--x=${X}/${OTHER}\", end], parameters: {X: {}, OTHER: {}}}");
        let launch = filled(&server, &[("X", &value), ("OTHER", "other"), ("HOME", "/home/zoe")]).unwrap();
        prop_assert_eq!(launch.argv, ["a".to_owned(), value.clone(), format!("--x={value}/other"), "end".to_owned()]);
    }

    /// A secret is never asked for, so it can only reach the child's environment.
    #[test]
    fn the_value_of_a_secret_is_never_asked_for(name in "[A-Z]{1,8}", url in "[a-z]{1,8}") {
        prop_assume!(name != "DB_PASSWORD");
        let server = server(POSTGRES);
        let start = launch(&server, &server.ways[0], &|asked| {
            assert_ne!(asked, "DB_PASSWORD");
            Some(url.clone())
        }).unwrap();
        let Start::Program(launch) = start else { panic!("{start:?}") };
        prop_assert_eq!(launch.secrets.len(), 1);
    }
}
