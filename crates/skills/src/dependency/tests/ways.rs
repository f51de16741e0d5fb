//! Addresses, containers, several ways at once, and well-known names.

use proptest::prelude::*;

use super::*;

/// One way of a server, filled.
fn start(server: &Server, way: usize, values: &[(&str, &str)]) -> Result<Start, LaunchError> {
    let values: HashMap<_, _> = values.iter().copied().collect();
    launch(server, &server.ways[way], &|name| values.get(name).map(|value| (*value).to_owned()))
}

fn remote(block: &str, values: &[(&str, &str)]) -> Remote {
    match start(&server(block), 0, values).unwrap() {
        Start::Address(remote) => remote,
        other => panic!("{other:?}"),
    }
}

fn container(server: &Server, way: usize, values: &[(&str, &str)]) -> Container {
    match start(server, way, values).unwrap() {
        Start::Container(container) => container,
        other => panic!("{other:?}"),
    }
}

/// The kind of each way, in order.
fn kinds(block: &str) -> Vec<&'static str> {
    let kind = |way: &Way| match way {
        Way::Http { .. } => "http",
        Way::Stdio { .. } => "stdio",
        Way::Docker { port: None, .. } => "docker",
        Way::Docker { port: Some(_), .. } => "docker over http",
    };
    server(block).ways.iter().map(kind).collect()
}

/// The example of the dependency plan, "supports both".
const BOTH: &str = r#"  - name: files
    package: "@modelcontextprotocol/server-filesystem"
    transport: http
    docker:
      image: "mcp-filesystem:latest"
      port: 3001
    stdio:
      command: npx
      args: ["-y", "@modelcontextprotocol/server-filesystem", "${WORKSPACE}"]"#;

#[test]
fn the_container_of_the_seed_speaks_http_and_comes_before_its_program() {
    assert_eq!(kinds(BOTH), ["docker over http", "stdio"]);
    let server = server(BOTH);
    let container = container(&server, 0, &[]);
    assert_eq!((container.image.as_str(), container.port), ("mcp-filesystem:latest", Some(3001)));
    assert_eq!(
        container.argv("docker", "s1", Some(4000)).join(" "),
        "docker run --rm --init --name s1 --cap-drop=ALL --security-opt=no-new-privileges --memory=1g \
         --pids-limit=256 -p 127.0.0.1:4000:3001 mcp-filesystem:latest"
    );
    let Ok(Start::Program(launch)) = start(&server, 1, &[("WORKSPACE", "/tea")]) else { panic!("no program") };
    assert_eq!(launch.argv.join(" "), "npx -y @modelcontextprotocol/server-filesystem /tea");
}

#[test]
fn an_address_comes_before_a_program_and_a_program_before_a_container() {
    let all = "  - {name: a, docker: {image: a}, command: a, url: \"https://a.example/mcp\"}";
    assert_eq!(kinds(all), ["http", "stdio", "docker"]);
    assert_eq!(kinds("  - {name: a, package: a, url: \"https://a.example/mcp\", transport: http}"), ["http", "stdio"]);
    assert_eq!(kinds("  - {name: a, docker: {image: a, port: 80}, transport: stdio}"), ["docker"]);
    let inside = "  - name: a\n    config-template:\n      url: https://a.example/mcp\n      headers: {X-Leaf: green}\n      \
                  stdio: {command: a}\n      docker: {image: a, args: [b], env: {C: d}}";
    assert_eq!(kinds(inside), ["http", "stdio", "docker"]);
    assert_eq!(kinds("  - {name: a, config-template: {docker: {image: a}}}"), ["docker"]);
    assert_eq!(kinds("  - {name: a, config-template: {stdio: {command: a}}}"), ["stdio"]);
}

#[test]
fn a_secret_ends_a_header_or_is_all_of_it() {
    let with = |header: &str| {
        rules(&format!(
            "  - name: a\n    url: https://a.example/mcp\n    headers:\n      {header}\n    parameters:\n      T: {{sensitive: true}}\n      P: {{}}"
        ))
    };
    for header in ["X-Key: \"${T}\"", "Authorization: \"Bearer ${T}\"", "Authorization: \"Basic ${T}\""] {
        assert!(!with(header).iter().any(|rule| rule.ends_with("server-secret")), "{header}");
    }
    for header in ["X-Key: \"Bearer${T}\"", "X-Key: \"${T} x\"", "X-Key: \"${P} ${T}\"", "X-Key: \"${T}${T}\""] {
        assert!(with(header).iter().any(|rule| rule.ends_with("8:14 server-secret")), "{header}");
    }
    assert_eq!(
        rules("  - {name: a, url: \"https://a.example/${T}\", parameters: {T: {sensitive: true}}}"),
        ["5:20 server-secret"]
    );
}

#[test]
fn a_token_in_a_header_that_is_not_declared_as_a_secret_can_be_made_one() {
    let block = "  - name: a\n    url: https://a.example/mcp\n    headers: {Authorization: \"Bearer ${A_TOKEN}\"}\n    parameters:\n      A_TOKEN:\n        description: A token";
    let problem = skill(block).problems.into_iter().find(|problem| problem.rule == "server-sensitive");
    assert!(problem.is_some_and(|problem| problem.fix.is_some()));
    let open = block.replace("Bearer ", "Bearer:");
    let problem = skill(&open).problems.into_iter().find(|problem| problem.rule == "server-sensitive");
    assert!(problem.is_some_and(|problem| problem.fix.is_none()));
}

#[test]
fn an_address_is_filled_with_its_headers_and_names_its_secrets() {
    let block = "  - name: a\n    url: https://a.example/${TEAM}/mcp\n    headers: {Authorization: \"Bearer ${T}\", X-Team: \"${TEAM}\", X-Off: \"${OFF}\"}\n    parameters:\n      T: {sensitive: true}\n      TEAM: {}\n      OFF: {required: false}";
    let remote = remote(block, &[("TEAM", "tea")]);
    assert_eq!(remote.url, "https://a.example/tea/mcp");
    assert_eq!(remote.headers, [("X-Team".to_owned(), "tea".to_owned())].into());
    let secret = SecretHeader { before: "Bearer ".to_owned(), parameter: "T".to_owned() };
    assert_eq!(remote.secrets, [("Authorization".to_owned(), secret)].into());
}

#[test]
fn a_value_leads_an_address_nowhere_else() {
    let block = "  - {name: a, url: \"https://${TEAM}.a.example/mcp\", parameters: {TEAM: {}}}";
    assert_eq!(remote(block, &[("TEAM", "tea")]).url, "https://tea.a.example/mcp");
    for value in ["evil.example/", "evil.example?", "evil.example#", "zoe@evil.example", "a b", "té", "evil\\"] {
        let wrong = start(&server(block), 0, &[("TEAM", value)]);
        assert!(matches!(wrong, Err(LaunchError::Address { .. })), "{value}");
    }
}

#[test]
fn headers_of_the_connection_and_headers_that_are_none_are_refused() {
    for name in ["Host", "content-type", "Mcp-Session-Id", "Origin", "Accept", "Connection", "Transfer-Encoding", "A B"]
    {
        let block = format!("  - {{name: a, url: \"https://a.example/mcp\", headers: {{{name}: x}}}}");
        assert_eq!(rules(&block), ["5:55 server-header"], "{name}");
        assert!(matches!(start(&skill(&block).servers[0], 0, &[]), Err(LaunchError::Header { .. })), "{name}");
    }
    for header in ["X: \"a\\r\\nHost: b\"", "X: tée"] {
        let block = format!("  - {{name: a, url: \"https://a.example/mcp\", headers: {{{header}}}}}");
        assert_eq!(rules(&block), ["5:58 server-header"], "{header}");
    }
    let twice = "  - {name: a, url: \"https://a.example/mcp\", headers: {Leaf: x, leaf: y}}";
    assert_eq!(rules(twice), ["5:64 server-header"]);
    assert_eq!(rules("  - {name: a, url: \"https://a.example/mcp\", headers: {Cookie: x}}"), [""; 0]);
}

#[test]
fn what_names_no_image_is_refused() {
    for image in ["-v", "--privileged", "a b", "\"${HOME}\"", "A"] {
        assert_eq!(rules(&format!("  - {{name: a, docker: {{image: {image}}}}}")), ["5:23 server-block"], "{image}");
    }
    assert_eq!(rules("  - {name: a, docker: {port: 80}}"), ["5:23 server-block"]);
    assert_eq!(rules("  - {name: a, docker: {image: a, port: 0}}"), ["5:40 server-block"]);
    assert_eq!(rules("  - {name: a, transport: http, docker: {image: a}}"), ["5:40 server-transport"]);
    let way =
        Way::Docker { image: "--privileged".into(), args: vec![], env: BTreeMap::new(), mounts: vec![], port: None };
    let server = Server { ways: vec![way], ..server("  - {name: a, command: a}") };
    assert!(matches!(start(&server, 0, &[]), Err(LaunchError::Image { .. })));
}

#[test]
fn a_container_gets_values_as_a_program_does() {
    let block = "  - name: a\n    docker:\n      image: mcp/tea:1\n      args: [\"--city=${CITY}\", \"${OFF}\"]\n      env: {TOKEN: \"${T}\", CITY: \"${CITY}\"}\n    parameters:\n      T: {sensitive: true}\n      CITY: {}\n      OFF: {required: false}";
    let container = container(&server(block), 0, &[("CITY", "Uji")]);
    assert_eq!(container.args, ["--city=Uji"]);
    assert_eq!((&container.env["CITY"][..], &container.secrets["TOKEN"][..]), ("Uji", "T"));
    let line = container.argv("docker", "s1", None).join(" ");
    assert!(line.starts_with("docker run --rm -i --init --name s1 "), "{line}");
    assert!(line.ends_with(" -e CITY -e TOKEN mcp/tea:1 --city=Uji"), "{line}");
    let open = "  - {name: a, docker: {image: a, args: [\"${T}\"]}, parameters: {T: {sensitive: true}}}";
    assert_eq!(rules(open), ["5:41 server-secret"]);
}

#[test]
fn a_container_is_not_told_of_another_engine() {
    for name in ["DOCKER_HOST", "CONTAINER_HOST", "XDG_CONFIG_HOME", "PATH"] {
        let block = format!("  - {{name: a, docker: {{image: a, env: {{{name}: x}}}}}}");
        assert_eq!(rules(&block), ["5:40 server-environment"], "{name}");
        assert!(matches!(start(&skill(&block).servers[0], 0, &[]), Err(LaunchError::Variable { .. })), "{name}");
    }
}

#[test]
fn what_only_another_way_uses_is_not_missing() {
    let block = "  - name: a\n    url: https://a.example/${TEAM}\n    command: a\n    args: [\"${FOLDER}\"]\n    parameters:\n      TEAM: {}\n      FOLDER: {}\n      NEITHER: {}";
    let server = skill(block).servers.remove(0);
    let names = |way: Option<&Way>| -> Vec<String> {
        missing(&server, way, &|_| false).into_iter().map(|missing| missing.parameter).collect()
    };
    assert_eq!(names(server.ways.first()), ["TEAM", "NEITHER"]);
    assert_eq!(names(server.ways.get(1)), ["FOLDER", "NEITHER"]);
    assert_eq!(names(None), ["TEAM", "FOLDER", "NEITHER"]);
}

#[test]
fn an_optional_secret_that_nobody_gave_is_left_out() {
    let block = "  - name: a\n    url: https://a.example/mcp\n    headers: {A: \"${T}\", B: \"x ${U}\"}\n    command: a\n    env: {A: \"${T}\", B: \"${U}\"}\n    docker: {image: a, env: {A: \"${T}\", B: \"${U}\"}}\n    parameters:\n      T: {sensitive: true, required: false}\n      U: {sensitive: true}";
    let server = server(block);
    for way in 0..3 {
        let mut start = start(&server, way, &[]).unwrap();
        start.without_absent(|parameter| parameter == "U");
        let names: Vec<_> = match start {
            Start::Program(launch) => launch.secrets.into_keys().collect(),
            Start::Address(remote) => remote.secrets.into_keys().collect(),
            Start::Container(container) => container.secrets.into_keys().collect(),
        };
        assert_eq!(names, ["B"], "{way}");
    }
    assert_eq!(missing(&server, server.ways.first(), &|_| false).len(), 1);
}

#[test]
fn a_well_known_name_gets_its_ways_and_says_where_from() {
    let github = server("  - github");
    assert_eq!(github.known, Some("https://github.com/github/github-mcp-server"));
    assert_eq!(github.parameters[0].name, "GITHUB_PERSONAL_ACCESS_TOKEN");
    assert!(github.description.is_some());
    let Ok(Start::Address(remote)) = start(&github, 0, &[]) else { panic!("no address") };
    assert_eq!(remote.secrets["Authorization"].before, "Bearer ");
    assert_eq!(argv("  - filesystem", &[("WORKSPACE", "/tea")]), "npx -y @modelcontextprotocol/server-filesystem /tea");
    assert_eq!(argv("  time:", &[]), "uvx mcp-server-time");
    let described = server("  - {name: time, purpose: Tells when the tea is ready}");
    assert_eq!(described.description.as_deref(), Some("Tells when the tea is ready"));
    assert!(described.known.is_some());
}

#[test]
fn what_an_author_says_of_a_well_known_name_holds_as_it_is_said() {
    for block in [
        "  - github: my-github",
        "  - {name: github, package: my-github}",
        "  - {name: github, command: my-github}",
        "  - {name: github, docker: {image: my-github}}",
    ] {
        let server = server(block);
        assert_eq!((server.known, server.ways.len(), server.parameters.len()), (None, 1, 0), "{block}");
    }
    let more = skill("  - {name: github, parameters: {T: {}}}");
    assert_eq!(more.servers[0].ways, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// With any values, arguments of a program and of a container keep their number and their boundaries, and a
    /// container's options come before its image.
    #[test]
    fn arguments_keep_their_number_and_their_boundaries(
        values in proptest::collection::vec("[^\0\n\r@]{0,24}", 3),
        literals in proptest::collection::vec("[a-z =/\"';|&]{0,8}", 3),
    ) {
        let args: Vec<String> = literals.iter().zip(["A", "B", "C"]).map(|(text, name)| format!("--{text}=${{{name}}}")).collect();
        let declared = server("  - {name: a, command: a, args: [\"${A}${B}${C}\"], parameters: {A: {}, B: {}, C: {}}}");
        let program = Way::Stdio { command: "a".into(), args: args.clone(), env: BTreeMap::new(), cwd: None };
        let docker = Way::Docker { image: "mcp/tea".into(), args, env: BTreeMap::new(), mounts: vec![], port: None };
        let server = Server { ways: vec![program, docker], ..declared };
        let given: Vec<(&str, &str)> = ["A", "B", "C"].into_iter().zip(values.iter().map(String::as_str)).collect();
        let expected: Vec<String> = literals.iter().zip(&values).map(|(text, value)| format!("--{text}={value}")).collect();
        let Start::Program(launch) = start(&server, 0, &given).unwrap() else { panic!("no program") };
        prop_assert_eq!(&launch.argv[1..], &expected[..]);
        let Start::Container(container) = start(&server, 1, &given).unwrap() else { panic!("no container") };
        let argv = container.argv("docker", "s1", None);
        let image = argv.iter().position(|arg| arg == "mcp/tea").unwrap();
        prop_assert_eq!(&argv[image + 1..], &expected[..]);
        prop_assert_eq!(image, 11);
    }
}

#[test]
fn a_container_sees_the_folders_that_are_declared_and_no_other() {
    let block = "  - name: a\n    docker:\n      image: mcp/tea:1\n      mounts: [\"${WORKSPACE}:/work:ro\", \"${HOME}/.tea:/tea\"]";
    let server = server(block);
    assert!(server.parameters[0].folder && server.parameters[0].required);
    let container = container(&server, 0, &[("WORKSPACE", "/srv/a:b"), ("HOME", "/home/zoe")]);
    assert_eq!(
        container.argv("docker", "s1", None).join(" "),
        "docker run --rm -i --init --name s1 --cap-drop=ALL --security-opt=no-new-privileges --memory=1g \
         --pids-limit=256 --mount type=bind,source=/srv/a:b,target=/work,readonly \
         --mount type=bind,source=/home/zoe/.tea,target=/tea mcp/tea:1"
    );
    for value in ["tea", "~/tea", "/srv/../etc"] {
        let wrong = start(&server, 0, &[("WORKSPACE", value), ("HOME", "/home/zoe")]);
        assert!(matches!(wrong, Err(LaunchError::Value { .. })), "{value}");
    }
}

#[test]
fn a_mount_of_the_authors_own_is_refused() {
    for mount in
        ["/var/run/docker.sock:/var/run/docker.sock", "/:/host:ro", "${HOME}:/home", "${WORKSPACE}/..:/x", "tea"]
    {
        let block = format!("  - {{name: a, docker: {{image: a, mounts: [\"{mount}\"]}}}}");
        assert_eq!(rules(&block), ["5:43 server-mount"], "{mount}");
        let given = [("WORKSPACE", "/tea"), ("HOME", "/home/zoe")];
        assert!(matches!(start(&skill(&block).servers[0], 0, &given), Err(LaunchError::Mount { .. })), "{mount}");
    }
    let secret = "  - {name: a, docker: {image: a, mounts: [\"${T}:/t\"]}, parameters: {T: {sensitive: true}}}";
    assert_eq!(rules(secret), ["5:43 server-secret"]);
    assert_eq!(rules("  - {name: a, docker: {image: a, mounts: [\"${T}:/t\"]}}"), ["5:43 server-placeholder"]);
}

#[test]
fn an_unknown_key_is_said_wherever_it_stands() {
    for block in [
        "  - {name: a, command: a, sandbox: strict}",
        "  - {name: a, docker: {image: a, volumes: [x]}}",
        "  - {name: a, stdio: {command: a, shell: bash}}",
        "  - {name: a, config-template: {command: a, timeout: 5}}",
        "  - {name: a, command: a, env: {X: \"${X}\"}, parameters: {X: {type: string}}}",
    ] {
        let rules = rules(block);
        assert!(rules.len() == 1 && rules[0].ends_with(" server-key"), "{block}: {rules:?}");
    }
}
