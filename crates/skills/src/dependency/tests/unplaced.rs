//! What an author leaves out: the arguments of a well-known package, and the places of parameters.

use super::*;

#[test]
fn a_well_known_package_runs_with_its_arguments_and_asks_for_its_values() {
    let approach_1 = server(
        "  - name: filesystem\n    package: \"@modelcontextprotocol/server-filesystem\"\n    purpose: \"Access project files\"",
    );
    assert!(approach_1.parameters[0].name == "WORKSPACE" && approach_1.parameters[0].folder);
    assert!(approach_1.known.is_some());
    let wanted = |block: &str| server(block).parameters.into_iter().map(|one| one.name).collect::<Vec<_>>();
    assert_eq!(wanted("  - {package: \"@brave/brave-search-mcp-server\"}"), ["BRAVE_API_KEY"]);
    assert_eq!(wanted("  - github: \"@modelcontextprotocol/server-github\""), ["GITHUB_PERSONAL_ACCESS_TOKEN"]);
    assert_eq!(wanted("  - postgres: \"@modelcontextprotocol/server-postgres\""), ["DATABASE_URL", "PGPASSWORD"]);
    assert_eq!(wanted("  - {package: \"pypi:postgres-mcp\"}"), ["DATABASE_URL"]);
    let pinned = "  - {package: \"@modelcontextprotocol/server-filesystem\", version: 2026.1.0}";
    assert_eq!(argv(pinned, &[("WORKSPACE", "/tea")]), "npx -y @modelcontextprotocol/server-filesystem@2026.1.0 /tea");
    assert_eq!(wanted("  - {name: docs, package: \"@upstash/context7-mcp\"}"), [""; 0], "its key is of its address");
}

#[test]
fn what_an_author_says_of_a_well_known_package_holds_as_it_is_said() {
    for block in [
        "  - {package: \"@modelcontextprotocol/server-filesystem\", args: [/srv]}",
        "  - {package: \"@modelcontextprotocol/server-filesystem\", env: {DEBUG: \"1\"}}",
        "  - {package: \"@modelcontextprotocol/server-filesystem\", parameters: [/srv]}",
        "  - {package: \"@modelcontextprotocol/server-filesystem\", template-args: [{name: a}]}",
    ] {
        let server = server(block);
        assert!(server.known.is_none() && !server.parameters.iter().any(|one| one.name == "WORKSPACE"), "{block}");
    }
}

#[test]
fn parameters_of_a_template_without_a_place_are_arguments_in_their_order() {
    let block = "  - package: tea-mcp\n    config-template:\n      leaf: {}\n      CITY: {default: Uji}\n      a_key: {required: false}";
    assert_eq!(argv(block, &[("leaf", "green"), ("a_key", "x")]), "npx -y tea-mcp green Uji x");
    let placed = "  - package: tea-mcp\n    args: [\"--leaf=${leaf}\"]\n    config-template: {leaf: {}, city: {}}";
    assert_eq!(argv(placed, &[("leaf", "green"), ("city", "Uji")]), "npx -y tea-mcp --leaf=green Uji");
    let command = "  - name: a\n    command: tea\n    args: [-v]\n    config-template: {leaf: {}}";
    assert_eq!(argv(command, &[("leaf", "green")]), "tea -v green");
    let command = "  - name: a\n    command: tea\n    template-args: [{name: leaf}]";
    assert_eq!(argv(command, &[("leaf", "green")]), "tea green");
}

#[test]
fn a_block_of_parameters_in_a_template_of_nothing_else_is_no_parameter_of_that_name() {
    let block = "  - package: tea-mcp\n    config-template:\n      parameters:\n        leaf: {description: Which}\n        CITY: {default: Uji}";
    assert_eq!(rules(block), [""; 0]);
    assert_eq!(argv(block, &[("leaf", "green")]), "npx -y tea-mcp green Uji");
    let secret = "  - {package: tea-mcp, config-template: {parameters: {TEA_TOKEN: {sensitive: true}}}}";
    assert_eq!(filled(&server(secret), &[]).unwrap().secrets["TEA_TOKEN"], "TEA_TOKEN");
    let named = "  - {package: tea-mcp, config-template: {parameters: {description: What it is called with}}}";
    assert_eq!(argv(named, &[("parameters", "green")]), "npx -y tea-mcp green");
    let two = "  - {package: tea-mcp, config-template: {parameters: {}, leaf: {}}}";
    assert_eq!(argv(two, &[("parameters", "1"), ("leaf", "2")]), "npx -y tea-mcp 1 2");
}

#[test]
fn a_secret_of_a_template_without_a_place_is_a_variable_or_a_problem() {
    let seed = "  - package: \"@modelcontextprotocol/server-postgres\"\n    config-template:\n      connection_string:\n        description: \"PostgreSQL connection URL\"\n        required: true\n        sensitive: true";
    assert_eq!(rules(seed), ["7:7 server-secret"]);
    let variable = server("  - {package: tea-mcp, config-template: {TEA_TOKEN: {sensitive: true}}}");
    assert_eq!(filled(&variable, &[]).unwrap().secrets["TEA_TOKEN"], "TEA_TOKEN");
}

#[test]
fn keys_of_a_parameter_that_nobody_knows_are_said_wherever_parameters_stand() {
    for block in [
        "  - {package: tea-mcp, config-template: {LEAF: {descripton: x}}}",
        "  - {package: tea-mcp, config-template: {LEAF: {colour: x}}}",
        "  - {package: tea-mcp, config-template: [{name: LEAF, colour: x}]}",
        "  - {package: tea-mcp, template-args: [{name: LEAF, colour: x}]}",
        "  - {package: tea-mcp, args: [\"${LEAF}\"], parameters: {LEAF: {colour: x}}}",
        "  - {name: a, config-template: {command: tea, args: [\"${LEAF}\"], parameters: {LEAF: {colour: x}}}}",
    ] {
        let said = rules(block).into_iter().filter(|said| said.ends_with(" server-key"));
        assert_eq!(said.count(), 1, "{block}");
    }
}
