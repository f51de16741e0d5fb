//! Everything that a person without a window does at the command line.

use std::{fs, process::Output};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving};

fn run(home: &Home, words: &[&str]) -> Output {
    home.skilltender().args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn done(home: &Home, words: &[&str]) -> String {
    let output = run(home, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn parsed(home: &Home, words: &[&str]) -> Value {
    serde_json::from_str(&done(home, words)).unwrap()
}

#[test]
fn a_folder_joins_the_library_with_its_skills_off_or_on_and_leaves_it() {
    let home = Home::new();
    home.write("more/cake/SKILL.md", &tests::skill("cake", "Bakes cake. Use when somebody is hungry."));
    home.write("other/pie/SKILL.md", &tests::skill("pie", "Bakes pie. Use when somebody is hungry."));
    let (more, other) = (home.path("more"), home.path("other"));
    let listed = done(&home, &["library", "add", more.to_str().unwrap()]);
    assert!(listed.contains("~/more  (1 skill)"), "{listed}");
    assert!(done(&home, &["list"]).contains("off  cake"));
    let refused = run(&home, &["library", "add", other.to_str().unwrap(), "--on"]);
    assert_eq!(refused.status.code(), Some(3), "nobody was asked");
    assert!(text(&refused.stderr).contains("somebody else's"), "{}", text(&refused.stderr));
    done(&home, &["library", "remove", other.to_str().unwrap()]);
    done(&home, &["library", "add", other.to_str().unwrap(), "--on", "--yes"]);
    assert!(done(&home, &["list"]).contains("on   pie"));
    let folders = parsed(&home, &["library", "remove", more.to_str().unwrap(), "--json"]);
    assert!(folders.as_array().unwrap().iter().all(|folder| folder["place"] != "~/more"), "{folders}");
    assert!(more.join("cake/SKILL.md").exists());
    assert_ne!(run(&home, &["library", "remove", "/no/folder"]).status.code(), Some(0));
}

#[test]
fn without_a_window_the_first_run_reads_the_usual_folders() {
    let home = Home::new();
    fs::remove_file(home.data().join("choices.json")).unwrap();
    home.write("dotfiles/skills/cake/SKILL.md", &tests::skill("cake", "Bakes cake. Use when somebody is hungry."));
    let usual = home.path(".claude/skills");
    fs::create_dir_all(home.path(".claude")).unwrap();
    std::os::unix::fs::symlink(home.path("dotfiles/skills"), &usual).unwrap();
    assert!(done(&home, &["list"]).contains("off  cake"));
    assert!(!home.data().join("choices.json").exists(), "looking writes nothing");
    done(&home, &["enable", "--yes", "cake"]);
    assert!(done(&home, &["list"]).contains("on   cake"));

    fs::remove_file(home.data().join("choices.json")).unwrap();
    let serving = Serving::start(&home);
    let mut client = Lines::initialized(home.skilltender().arg("mcp"));
    assert_eq!(client.skills(), [""; 0], "they are off until somebody looked");
    done(&home, &["enable", "--yes", "cake"]);
    assert_eq!(client.skills(), ["cake"]);
    done(&home, &["library", "remove", usual.to_str().unwrap()]);
    assert_eq!(client.skills(), [""; 0], "a link to it names it as well");
    assert_eq!(serving.stop(), 0);
}

#[test]
fn serving_pauses_and_what_clients_did_is_told() {
    let home = Home::new();
    let serving = Serving::start(&home);
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    assert_eq!(client.skills(), ["coffee", "tea"]);
    assert!(done(&home, &["settings"]).contains("pause          off\n"));
    assert!(done(&home, &["settings", "pause", "on"]).contains("pause          on\n"));
    assert_eq!(parsed(&home, &["settings", "--json"])["paused"], true);
    let paused = client.call("tools/call", &json!({"name": "list_skills", "arguments": {}}));
    assert!(paused["content"][0]["text"].as_str().unwrap().starts_with("Skilltender is paused."), "{paused}");
    done(&home, &["settings", "pause", "off"]);
    assert_eq!(client.skills(), ["coffee", "tea"]);
    assert_eq!(serving.stop(), 0);
    let calls = parsed(&home, &["activity", "--client", "codex", "--json"]);
    assert!(calls.as_array().unwrap().len() >= 3, "{calls}");
    assert!(done(&home, &["activity", "--most", "1"]).contains("codex"));
    assert_eq!(parsed(&home, &["activity", "--client", "zed", "--json"]), json!([]));
}

#[test]
fn a_client_is_described_given_its_entry_and_forgotten() {
    let home = Home::new();
    let file = home.path(".editor/mcp.json");
    let words = ["clients", "add", "My editor", "--file", file.to_str().unwrap(), "--like", "cursor", "--json"];
    let id = parsed(&home, &words);
    let id = id.as_str().unwrap();
    let entry = done(&home, &["clients", "entry", id]);
    assert!(entry.contains("skilltender") && entry.contains("mcpServers"), "{entry}");
    done(&home, &["connect", "--yes", id]);
    assert!(done(&home, &["clients"]).contains("added, waiting"));
    fs::write(&file, fs::read_to_string(&file).unwrap().replace("\"mcp\"", "\"mcp\", \"--strict\"")).unwrap();
    let drift = parsed(&home, &["clients", "drift", id, "--json"]);
    assert!(drift["theirs"].as_str().unwrap().contains("--strict"), "{drift}");
    let shown = done(&home, &["clients", "drift", id]);
    assert!(shown.contains("What we wrote:") && shown.contains("In the file now:"), "{shown}");
    done(&home, &["clients", "drift", id, "--forget"]);
    done(&home, &["clients", "remove", id]);
    assert!(file.exists());
    assert_ne!(run(&home, &["clients", "remove", id]).status.code(), Some(0));
}

#[test]
fn a_program_reads_errors_too_and_broken_choices_are_said_by_every_command() {
    let home = Home::new();
    let failed = run(&home, &["show", "--json", "tee"]);
    let error: Value = serde_json::from_slice(&failed.stderr).unwrap();
    assert_eq!(error["error"]["code"].as_i64(), failed.status.code().map(i64::from));
    assert!(error["error"]["message"].as_str().unwrap().contains("Did you mean tea?"), "{error}");
    // A writing engine moves the broken file aside, so it is broken again for each.
    let break_it = || fs::write(home.data().join("choices.json"), "{").unwrap();
    for words in READS {
        break_it();
        let output = run(&home, words);
        let said = text(&output.stderr);
        assert!(said.lines().any(|line| line.contains("choices.json could not be read")), "{words:?}: {said}");
        break_it();
        let output = run(&home, &[*words, &["--json"]].concat());
        if !output.stdout.is_empty() {
            serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        }
        let notes = objects(words, &output);
        let broken = |note: &&Value| {
            let message = note["note"]["message"].as_str();
            message.is_some_and(|message| message.contains("choices.json could not be read"))
        };
        assert_eq!(notes.iter().filter(broken).count(), 1, "{words:?}: {notes:?}");
        let errors: Vec<_> = notes.iter().filter(|note| note.get("error").is_some()).collect();
        let says = |error: &&Value| error["error"]["code"].as_i64() == output.status.code().map(i64::from);
        assert!(errors.len() <= 1 && errors.iter().all(says), "{words:?}: {notes:?}");
    }
}

#[test]
fn a_server_that_no_call_starts_is_not_said_to_wait_for_one() {
    let home = Home::new();
    home.write(
        "skills/cellar/SKILL.md",
        "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\nrequires-mcp-servers:\n  \
         - name: stock\n    command: \"true\"\n---\n\nAsk.\n",
    );
    let serving = Serving::start(&home);
    done(&home, &["enable", "--yes", "cellar"]);
    let said = done(&home, &["servers", "stop", "stock"]);
    assert_eq!(said, "stock does not run: it is not approved yet: `skilltender servers approve stock`\n");
    assert_eq!(parsed(&home, &["servers", "stop", "stock", "--json"]), json!({"server": "stock", "stopped": true}));
    assert_eq!(serving.stop(), 0);
}

/// Every read-only command, with valid and invalid arguments.
const READS: &[&[&str]] = &[
    &["activity"],
    &["check"],
    &["clients"],
    &["clients", "--servers"],
    &["clients", "drift", "zed"],
    &["clients", "entry", "zed"],
    &["connect", "claude-code", "--dry-run"],
    &["doctor"],
    &["fix"],
    &["client-folders"],
    &["client-folders", "link", "claude-code", "--dry-run"],
    &["import", "/nowhere"],
    &["install", "/nowhere"],
    &["kept", "tea"],
    &["library"],
    &["list"],
    &["list", "tea"],
    &["secrets"],
    &["sees", "codex"],
    &["sees", "nobody"],
    &["servers"],
    &["servers", "log", "stock"],
    &["servers", "show", "stock"],
    &["sets"],
    &["settings"],
    &["show", "tea"],
    &["trash"],
    &["values"],
];

/// The objects on standard error, one per line.
fn objects(words: &[&str], output: &Output) -> Vec<Value> {
    let said = text(&output.stderr);
    let object = |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{words:?}: {said}"));
    said.lines().map(object).collect()
}

#[test]
fn whatever_goes_wrong_with_json_is_json_at_every_entrance() {
    let home = Home::new();
    let wrong: &[(&[&str], i32)] = &[
        (&["show", "tee", "--json"], 2),
        (&["--home", "relative", "list", "--json"], 2),
        (&["servers", "--json", "show", "nothing"], 2),
        (&["kept", "--json", "tea", "read", "7"], 3),
        (&["check", "--format", "json", "/nowhere"], 2),
        (&["check", "--format=json", "/nowhere"], 2),
        (&["enable", "--json"], 2),
        (&["sets", "delete", "nothing", "--json"], 2),
        (&["connect", "zed", "--json"], 2),
        (&["trash", "tea", "--jsom", "--json"], 2),
        (&["import", "/nowhere", "--json"], 2),
        (&["servers", "stop", "stock", "--json"], 3),
    ];
    for (words, code) in wrong {
        let output = run(&home, words);
        assert_eq!(output.status.code(), Some(*code), "{words:?}: {}", text(&output.stderr));
        let said = objects(words, &output);
        let last = said.last().unwrap_or_else(|| panic!("{words:?} says nothing"));
        assert_eq!(last["error"]["code"], *code, "{words:?}");
        assert!(last["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{words:?}");
    }
    // Here `--json` is a value, not an option.
    let plain = run(&home, &["show", "--", "--json"]);
    assert!(!text(&plain.stderr).starts_with('{'), "{}", text(&plain.stderr));
}

#[test]
fn the_help_shows_the_common_commands_first_and_in_groups() {
    let home = Home::new();
    let help = done(&home, &["--help"]);
    let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text} is missing:\n{help}"));
    assert!(at("Skills:\n  list ") < at("Clients:\n  clients "), "{help}");
    assert!(at("Servers and secrets:") < at("Serving:"), "{help}");
    assert!(help.contains("Exit codes:") && help.contains("--home"), "{help}");
}
