//! Sets that are bound to folders, with the built program as real clients start it.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving};

use crate::command_line::run;

fn done(home: &Home, words: &[&str]) -> String {
    let said = run(home, words);
    assert!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
    String::from_utf8(said.stdout).unwrap()
}

/// A home with a set for each of two folders.
fn home() -> Home {
    let home = Home::new();
    for folder in ["work/hot", "work/cold", "elsewhere"] {
        fs::create_dir_all(home.path(folder)).unwrap();
    }
    done(&home, &["sets", "make", "hot", "tea"]);
    done(&home, &["sets", "make", "strong", "coffee"]);
    done(&home, &["sets", "bind", "hot", "~/work/hot/**"]);
    done(&home, &["sets", "bind", "strong", "~/work/*"]);
    home
}

fn started_in(home: &Home, folder: &str) -> Lines {
    Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]).current_dir(home.path(folder)))
}

fn roots(home: &Home, folders: &[&str]) -> Value {
    let root = |folder: &&str| json!({"uri": format!("file://{}", home.path(folder).display()), "name": folder});
    json!({"roots": folders.iter().map(root).collect::<Vec<_>>()})
}

/// wire contract 47
#[test]
fn one_client_started_in_two_folders_sees_two_sets_from_one_endpoint() {
    let home = home();
    let _serving = Serving::start(&home);
    let (mut hot, mut cold) = (started_in(&home, "work/hot"), started_in(&home, "work/cold"));
    let mut other = started_in(&home, "elsewhere");
    assert_eq!((hot.skills(), cold.skills()), (vec!["tea".to_owned()], vec!["coffee".to_owned()]));
    assert_eq!(other.skills(), ["coffee", "tea"]);
    done(&home, &["sets", "unbind", "hot", "~/work/hot/**"]);
    hot.notified("notifications/resources/list_changed");
    assert_eq!(hot.skills(), ["coffee"], "it is in `~/work/*` too");
}

/// wire contract 47
#[test]
fn a_client_with_roots_sees_the_set_of_its_root_wherever_it_was_started_and_hears_of_another() {
    let home = home();
    let _serving = Serving::start(&home);
    let mut client =
        Lines::start(home.skilltender().args(["mcp", "--client", "codex"]).current_dir(home.path("work/cold")));
    let client_info = json!({"name": "lines", "version": "1"});
    let capabilities = json!({"roots": {"listChanged": true}});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client_info});
    client.call("initialize", &hello);
    client.notify("notifications/initialized");
    let listed = client.ask("tools/call", &json!({"name": "list_skills", "arguments": {}}));
    client.reply_to("roots/list", &roots(&home, &["work/hot"]));
    assert_eq!(client.answer(listed)["result"]["structuredContent"]["skills"][0]["id"], "tea");
    client.notify("notifications/roots/list_changed");
    client.reply_to("roots/list", &roots(&home, &["elsewhere", "work/cold"]));
    client.notified("notifications/resources/list_changed");
    assert_eq!(client.skills(), ["coffee"]);
}

#[test]
fn without_a_running_engine_the_folder_counts_too() {
    let home = home();
    assert_eq!(started_in(&home, "work/hot").skills(), ["tea"]);
    let mut named = Lines::initialized(
        home.skilltender().args(["mcp", "--client", "codex", "--folder"]).arg(home.path("work/hot/deep")),
    );
    assert_eq!(named.skills(), ["tea"]);
}

#[test]
fn the_command_line_says_what_is_seen_where_and_why() {
    let home = home();
    assert_eq!(done(&home, &["sets"]), "hot: f1/tea  (in ~/work/hot/**)\nstrong: f1/coffee  (in ~/work/*)\n");
    let cold = home.path("work/cold").display().to_string();
    let said = done(&home, &["sees", "codex", "--folder", &cold]);
    assert!(said.contains("is told of 1 skill (the set strong)"), "{said}");
    assert!(said.contains("In ~/work/cold the set strong counts: it is bound to `~/work/*`"), "{said}");
    let json: Value = serde_json::from_str(&done(&home, &["sees", "codex", "--folder", &cold, "--json"])).unwrap();
    assert_eq!(json["endpoint"]["set"], "strong");
    let refused = run(&home, &["sets", "bind", "hot", "~/work/*"]);
    assert!(!refused.status.success());
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("is as specific as `~/work/*`, which the set strong is bound to"), "{said}");
}

/// The skills in a folder that a client reads.
fn skills_in(folder: &Path, skills: &[&str]) {
    for skill in skills {
        fs::create_dir_all(folder.join(skill)).unwrap();
        let text = format!("---\nname: {skill}\ndescription: Makes {skill}.\n---\n");
        fs::write(folder.join(skill).join("SKILL.md"), text).unwrap();
    }
}

#[test]
fn a_set_is_written_into_the_settings_of_a_client_and_taken_back_without_a_trace() {
    let home = home();
    skills_in(&home.path(".claude/skills"), &["tea", "coffee"]);
    skills_in(&home.path("work/hot/.claude/skills"), &["local"]);
    let (folder, file) = (home.path("work/hot"), home.path("work/hot/.claude/settings.local.json"));
    let apply = ["sets", "apply", "hot", "--client", "claude-code", "--folder", folder.to_str().unwrap()];
    let shown = done(&home, &[&apply[..], &["--dry-run"]].concat());
    assert!(shown.contains("\"coffee\": \"off\"") && shown.contains("\"local\": \"off\""), "{shown}");
    assert!(!file.exists());
    done(&home, &[&apply[..], &["--yes"]].concat());
    let written = "{\n  \"skillOverrides\": {\n    \"coffee\": \"off\",\n    \"local\": \"off\"\n  }\n}\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    assert!(done(&home, &[&apply[..], &["--yes"]].concat()).contains("it shows those of the set hot already"));
    done(&home, &["undo", "claude-code", "--yes"]);
    assert!(!file.exists());

    let odd = "{\n\t\"permissions\": {},   \"skillOverrides\": { \"tea\": \"off\" },\n\t\"env\": { \"ANTHROPIC_AUTH_TOKEN\": \"abcdefgh12345678\" }\n}";
    fs::write(&file, odd).unwrap();
    let shown = done(&home, &[&apply[..], &["--dry-run"]].concat());
    assert!(shown.contains("ANTHROPIC_AUTH_TOKEN") && !shown.contains("abcdefgh12345678"), "{shown}");
    done(&home, &[&apply[..], &["--yes", "--json"]].concat());
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("\"tea\": \"on\"") && now.contains("\"coffee\": \"off\""), "{now}");
    let traces = run(&home, &["uninstall", "--check"]);
    let told = String::from_utf8([traces.stdout, traces.stderr].concat()).unwrap();
    assert!(
        told.contains("hides skills as a set was written into it. `skilltender undo claude-code` takes that out."),
        "{told}"
    );
    done(&home, &["undo", "claude-code", "--yes"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), odd);
}

#[test]
fn a_client_whose_settings_count_everywhere_is_switched_everywhere_and_one_without_says_so() {
    let home = home();
    skills_in(&home.path(".agents/skills"), &["tea", "coffee"]);
    let config = home.path(".codex/config.toml");
    let odd = "# mine\nmodel = 'o'   # yes\n\n[[skills.config]]\npath = \"/x/SKILL.md\"\nenabled = true\n";
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, odd).unwrap();
    done(&home, &["connect", "codex", "--yes"]);
    let connected = fs::read_to_string(&config).unwrap();
    let shown = done(&home, &["sets", "apply", "hot", "--client", "codex", "--yes"]);
    assert!(shown.contains("they count in every folder"), "{shown}");
    let now = fs::read_to_string(&config).unwrap();
    assert!(
        now.contains("[[skills.config]]\nname = \"coffee\"\nenabled = false\n") && !now.contains("\"tea\""),
        "{now}"
    );
    // After an edit by somebody else, only the switch goes.
    fs::write(&config, now.replace("# mine", "# mine too")).unwrap();
    done(&home, &["undo", "codex", "--yes"]);
    assert_eq!(fs::read_to_string(&config).unwrap(), connected.replace("# mine", "# mine too"));
    done(&home, &["redo", "codex", "--yes"]);
    assert_eq!(fs::read_to_string(&config).unwrap(), now.replace("# mine", "# mine too"));
    assert!(done(&home, &["activity", "--ours"]).contains("Switched 1 skill in the settings of Codex"));
    done(&home, &["disconnect", "codex", "--yes"]);
    assert!(fs::read_to_string(&config).unwrap().contains("name = \"coffee\""), "what was not undone stays");
    for (words, part) in [
        (&["--client", "codex", "--folder", "/"][..], "everywhere or nowhere"),
        (&["--client", "claude-code"], "say in which"),
        (&["--client", "cursor"], "no setting that hides single skills"),
        (&["--client", "nobody"], "knows no client"),
    ] {
        let refused = run(&home, &[&["sets", "apply", "hot", "--yes"], words].concat());
        assert!(!refused.status.success(), "{words:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains(part), "{said}");
    }
}
