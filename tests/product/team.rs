//! One file for a team, on the command line alone: exported without a value, joined by two fresh homes with the same bytes
//! and a server that answers, refused where its policy says so, and whole again after it was killed in the middle.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::Path,
    process::{Output, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tests::{GitHost, GitRepository, Home, Lines, Serving, eventually, given, python_script};

use crate::canary::spellings;

const CELLAR: &str = include_str!("servers/cellar.py");
/// What nobody may find in a team's file: a secret, a value, and what a client's file holds of others.
const CANARIES: [&str; 3] = ["cnry-secret-Zx\"q/+&=%9f31", "cnry-value-north-77", "cnry-client-env-5512"];

fn run(home: &Home, words: &[&str], input: &str) -> Output {
    let mut command = home.skilltender();
    command.env("STOCK_TOKEN", CANARIES[0]).args(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may not read its input.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    child.wait_with_output().unwrap()
}

/// The exit code of a command, and all that it prints.
fn ends(home: &Home, words: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = run(home, words, "");
    let all = String::from_utf8([stdout, stderr].concat()).unwrap();
    assert!(!all.contains(CANARIES[0]), "a secret is never printed");
    (status.code().unwrap(), all)
}

fn said(home: &Home, words: &[&str]) -> String {
    let (code, all) = ends(home, words);
    assert_eq!(code, 0, "{words:?}: {all}");
    all
}

fn json_of(home: &Home, words: &[&str]) -> Value {
    let output = run(home, words, "");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Two skills, one of which needs a server with a secret and a value.
fn skills(host: &GitHost) -> GitRepository {
    let repository = host.repository("skills");
    let python = given("SKILLTENDER_PYTHON");
    let cellar = format!(
        "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\n\
         requires-mcp-servers:\n  - name: stock\n    description: Knows the cellar\n    command: {}\n    \
         args: [server.py]\n    env: {{REGION: \"${{REGION}}\", TOKEN: \"${{TOKEN}}\"}}\n    parameters:\n      \
         REGION: {{description: Which cellar}}\n      TOKEN: {{description: Ask Ada for it, sensitive: true}}\n---\n\nAsk \
         the server.\n",
        python.display()
    );
    repository.write("skills/cellar/SKILL.md", cellar);
    repository.write("skills/cellar/server.py", CELLAR);
    repository
        .write("skills/brew/SKILL.md", "---\nname: brew\ndescription: Brews. Use when asked.\n---\n\nBoil water.\n");
    repository.commit("one");
    repository
}

/// The file as somebody with a whole library exports it.
fn export(host: &GitHost) -> (GitRepository, String) {
    let (repository, home) = (skills(host), Home::new());
    home.write(
        ".codex/config.toml",
        &format!("[mcp_servers.other]\ncommand = \"other\"\nenv = {{ KEY = \"{}\" }}\n", CANARIES[2]),
    );
    let serving = Serving::start(&home);
    said(&home, &["sources", "add", &repository.address, "--yes"]);
    said(&home, &["enable", "brew", "cellar", "--yes"]);
    let stored = run(&home, &["secrets", "set", "cellar", "stock", "TOKEN"], CANARIES[0]);
    assert!(stored.status.success(), "{}", String::from_utf8_lossy(&stored.stderr));
    said(&home, &["values", "set", "cellar", "stock", "REGION", CANARIES[1]]);
    said(&home, &["sets", "make", "calm", "brew", "tea"]);
    said(&home, &["connect", "codex", "--yes"]);
    let team = host.repository("team");
    let file = team.write("skilltender.team.yaml", "version: 1\nname: Cellar\nadvice: Begin with brew.\n");
    let words = ["team", "export", "--out", file.to_str().unwrap()];
    let told = said(&home, &words);
    assert!(told.contains("has 2 skills and 1 server") && told.contains("tea has no git source"), "{told}");
    let text = fs::read_to_string(&file).unwrap();
    said(&home, &words);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "the same again, and what people wrote is still there");
    for part in ["name: Cellar", "Begin with brew.", "- codex", "calm:", "Ask Ada for it", "server.py", "${TOKEN}"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    team.commit("one");
    assert_eq!(serving.stop(), 0);
    (team, text)
}

/// Every file of a folder, by path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

/// Decisions 82, 83
#[test]
fn two_homes_join_one_file_and_have_the_same_bytes_and_a_server_that_answers() {
    let host = GitHost::start();
    let (team, _) = export(&host);
    let words: Vec<_> = CANARIES.iter().flat_map(|canary| spellings(canary)).collect();
    let search = aho_corasick::AhoCorasick::new(words).unwrap();
    for (path, bytes) in files(team.work()) {
        assert!(search.find(&bytes).is_none(), "{path} holds a secret or a value");
    }
    let mut seen = Vec::new();
    for home in [Home::new(), Home::new()] {
        home.write(".codex/config.toml", "model = \"tea\"\n");
        let serving = Serving::start(&home);
        let before = json_of(&home, &["team", "join", &team.address, "--json"]);
        let page = &before["page"];
        assert_eq!((&before["joined"], &page["skills"][1]["name"]), (&json!(false), &json!("cellar")), "{before}");
        assert_eq!(page["servers"][0]["command"][1], "server.py");
        assert!(!home.data().join("skills/cellar").exists(), "looking writes nothing");
        let id = page["id"].as_str().unwrap().to_owned();
        let (code, shown) = ends(&home, &["team", "join", &team.address]);
        assert_eq!(code, 0, "{shown}");
        for part in
            ["Begin with brew.", "server.py", "The secret TOKEN: Ask Ada for it", &id, "No known pattern of harm"]
        {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let (code, why) = ends(&home, &["team", "join", &team.address, "--digest", &id.replace(&id[..3], "xyz")]);
        assert!(code == 3 && why.contains("is not what this digest names"), "{why}");

        // A yes to a page that nobody saw brings skills, and approves nothing.
        let (code, told) = ends(&home, &["team", "join", &team.address, "--yes"]);
        assert_eq!(code, 1, "{told}");
        for part in ["The secret TOKEN of stock is missing. Ask Ada for it", "REGION", "Codex"] {
            assert!(told.contains(part), "{part}: {told}");
        }
        for (option, name) in [("--set", "TOKEN=x"), ("--set", "OTHER=x"), ("--secret-from-env", "REGION=STOCK_TOKEN")]
        {
            let (code, why) = ends(&home, &["team", "join", &team.address, "--yes", option, name]);
            assert!(code == 2 && why.contains("No server of the team's file asks for"), "{why}");
        }
        let given = ["--set", "REGION=north", "--secret-from-env", "TOKEN=STOCK_TOKEN"];
        let (code, told) = ends(&home, &[&["team", "join", &team.address, "--yes"], &given[..]].concat());
        assert!(code == 1 && told.contains("Nobody agreed to stock yet."), "{told}");

        let done = json_of(&home, &["team", "join", &team.address, "--digest", &id, "--json"]);
        assert_eq!((&done["whole"], &done["left"]["ready"]), (&json!(true), &json!(["stock"])), "{done}");
        assert!(done["clients"][0]["tools"].as_u64().unwrap() >= 2, "the client was called: {done}");
        let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
        let has_it = |client: &mut Lines| client.call("tools/list", &json!({})).to_string().contains("stock__count");
        eventually("its tool is offered", || has_it(&mut client).then_some(()));
        let called = client.call("tools/call", &json!({"name": "stock__count", "arguments": {}}));
        let inside: Value = serde_json::from_str(called["content"][0]["text"].as_str().unwrap()).unwrap();
        let token: String = Sha256::digest(CANARIES[0]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((&inside["region"], &inside["token"]), (&json!("north"), &json!(token)));
        let again = said(&home, &["team", "join", &team.address, "--digest", &id]);
        assert!(again.contains("Everything is as the team's file says."), "{again}");
        // A client that calls an address is called at that, with its own token.
        said(&home, &["disconnect", "codex", "--yes"]);
        said(&home, &["connect", "codex", "--http", "--yes"]);
        let over_http = json_of(&home, &["team", "join", &team.address, "--digest", &id, "--json"]);
        let offered = client.call("tools/list", &json!({}))["tools"].as_array().unwrap().len();
        assert_eq!(over_http["clients"][0]["tools"], offered, "{over_http}");
        let sets = json_of(&home, &["sets", "--json"]);
        assert_eq!((&sets[0]["name"], sets[0]["skills"].as_array().unwrap().len()), (&json!("calm"), 1), "{sets}");
        client.close();
        assert_eq!(serving.stop(), 0);
        seen.push((id, files(&home.data().join("skills"))));
    }
    assert_eq!(seen[0].1.keys().collect::<Vec<_>>(), ["brew/SKILL.md", "cellar/SKILL.md", "cellar/server.py"]);
    assert_eq!(seen[0], seen[1]);
}

/// Decision 82
#[test]
fn what_the_policy_refuses_or_a_file_says_otherwise_than_its_skills_is_refused_before_anything_is_written() {
    let host = GitHost::start();
    let (_, text) = export(&host);
    let home = Home::new();
    let join = |text: &str| {
        home.write("team/skilltender.team.yaml", text);
        let asked = host.asked().len();
        let (code, why) = ends(&home, &["team", "join", home.path("team").to_str().unwrap(), "--yes"]);
        assert_eq!(code, 3, "{why}");
        assert!(!home.data().join("skills").exists(), "nothing is written");
        (why, host.asked().len() > asked)
    };
    let (why, fetched) = join(&text.replace("sets:\n", "policy:\n  sources: [\"acme/*\"]\nsets:\n"));
    assert!(why.contains("The team's policy refuses the source") && why.contains("allows acme/*") && !fetched, "{why}");
    let package = text.replace("    args:\n      - server.py\n", "    args:\n      - \"-y\"\n      - stock\n");
    let python = given("SKILLTENDER_PYTHON").display().to_string();
    let unpinned = package.replace(&python, "npx").replace("\"npx\"", "npx");
    let (why, fetched) = join(&unpinned.replace("sets:\n", "policy:\n  refuse: [unpinned-servers]\nsets:\n"));
    assert!(why.contains("it fetches stock without a fixed version") && !fetched, "{why}");
    let (why, _) = join(&text.replace("- server.py\n", "- other.py\n"));
    assert!(why.contains("the server stock of cellar in a form that cellar does not have"), "{why}");
    let (why, fetched) = join(&text.replace("sets:\n", "allow: everything\nsets:\n"));
    assert!(why.contains("the key `allow` is not known") && why.contains("line ") && !fetched, "{why}");
    let (why, fetched) = join(&format!("{text}# {}\n", "x".repeat(3 << 20)));
    assert!(why.contains("larger than 1 MiB") && !fetched, "{why}");
    let (code, why) = ends(&home, &["team", "join", "./nothing.yaml"]);
    assert!(code == 2 && why.contains("There is no file ") && why.contains("/nothing.yaml."), "{why}");
    let (why, fetched) = join(&text.replace("version: 1\n", "version: 9\n"));
    assert!(why.contains("it needs a newer one") && !fetched, "{why}");
}

#[test]
fn a_join_that_is_killed_in_the_middle_is_whole_when_it_is_run_again() {
    let host = GitHost::start();
    let (team, _) = export(&host);
    let home = Home::new();
    let page = json_of(&home, &["team", "join", &team.address, "--json"]);
    let words = ["team", "join", &team.address, "--digest", page["page"]["id"].as_str().unwrap()];
    // Each time it is killed as soon as one more thing is there: what follows of it may be missing.
    let at = |below: &str| home.data().join(below);
    let says = |below: &str, what: &str| fs::read_to_string(at(below)).is_ok_and(|text| text.contains(what));
    let moments: [(&str, &dyn Fn() -> bool); 5] = [
        ("fetched", &|| at("fetched").exists()),
        ("the first skill", &|| at("skills/brew").exists()),
        ("the second skill", &|| at("skills/cellar").exists()),
        ("switched on", &|| says("choices.json", "\"cellar\"")),
        ("the set", &|| says("choices.json", "calm")),
    ];
    for (moment, is_there) in moments {
        let mut child = home.skilltender().args(words).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        while !is_there() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        drop(child.kill());
        child.wait().unwrap();
        assert!(is_there(), "it came as far as {moment}");
    }
    // Secrets and values are the person's.
    let (code, told) = ends(&home, &words);
    assert!(code == 1 && told.contains("The secret TOKEN of stock is missing."), "{told}");
    let after = json_of(&home, &["team", "join", &team.address, "--json"]);
    for skill in after["page"]["skills"].as_array().unwrap() {
        assert_eq!((&skill["state"]["state"], &skill["state"]["on"]), (&json!("same"), &json!(true)), "{skill}");
    }
    assert_eq!(after["page"]["sets"][0]["here"], json!(true));
    let there = files(&home.data().join("skills"));
    assert_eq!(there.keys().collect::<Vec<_>>(), ["brew/SKILL.md", "cellar/SKILL.md", "cellar/server.py"]);
    let sources = said(&home, &["sources"]);
    assert!(sources.contains("own/brew") && sources.contains("own/cellar"), "{sources}");
}

/// Decision 82
#[test]
fn at_a_terminal_one_yes_lets_the_shown_server_run_and_the_missing_secret_is_typed_unseen() {
    let host = GitHost::start();
    let (team, _) = export(&host);
    let home = Home::new();
    home.write(".codex/config.toml", "model = \"tea\"\n");
    let serving = Serving::start(&home);
    let typed = |answers: &Value| {
        let target = json!({
            "command": [given("SKILLTENDER_PROGRAM"), "team", "join", team.address],
            "env": {"HOME": home.path(""), "PATH": std::env::var("PATH").unwrap()},
            "answers": answers,
        });
        python_script("typed.py", &target)
    };
    let no = typed(&json!([["Join, and let these servers run like this? [y/N] ", "n"]]));
    assert!(no["code"] == 0 && no["seen"].as_str().unwrap().contains("Nothing was done."), "{no}");
    assert!(!home.data().join("skills/cellar").exists());
    let yes = typed(&json!([
        ["Join, and let these servers run like this? [y/N] ", "y"],
        ["TOKEN for stock (Ask Ada for it): ", CANARIES[0]],
        ["REGION for stock (Which cellar): ", "north"],
        ["Write this? [y/N] ", "y"],
    ]));
    let seen = yes["seen"].as_str().unwrap();
    assert!(yes["code"] == 0 && yes["left"] == json!([]), "{yes}");
    assert!(!seen.contains(CANARIES[0]), "a secret is not echoed");
    for part in
        ["The server stock may run.", "Codex is connected and answered", "Everything is as the team's file says."]
    {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    assert_eq!(serving.stop(), 0);
}

#[test]
fn an_export_with_a_secret_written_out_names_the_place_and_writes_nothing() {
    let (host, home) = (GitHost::start(), Home::new());
    let repository = host.repository("skills");
    repository.write(
        "shop/SKILL.md",
        "---\nname: shop\ndescription: Orders tea. Use when asked.\nrequires-mcp-servers:\n  - name: shop\n    \
         description: Orders\n    url: https://shop.example/mcp?api_key=cnry55a1\n---\n\nOrder.\n",
    );
    repository.commit("one");
    said(&home, &["sources", "add", &repository.address, "--yes"]);
    let out = home.path("skilltender.team.yaml");
    let (code, why) = ends(&home, &["team", "export", "--out", out.to_str().unwrap()]);
    assert!(code == 3 && why.contains("The server shop of shop holds what looks like a secret in url"), "{why}");
    assert!(!why.contains("cnry55a1") && !out.exists(), "{why}");
}
