//! Every fault that the doctor detects, made for real and found in one run.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Child, Command, Stdio},
};

use api::{Check, CheckState, Checkup, ClientChange, ErrorKind};
use engine::{Engine, Machine, Mode, actions};

use crate::home::{Home, REMOVE, enable};

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A session bus without tray icons and without a keychain; `None` where none is installed.
fn bus(home: &Home) -> Option<(Running, String)> {
    if !tests::able::has(&["dbus-daemon"]) {
        return None;
    }
    let config = home.elsewhere().join("bus.conf");
    let text = "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>\
        <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/>\
        <allow own=\"*\"/></policy></busconfig>";
    fs::write(&config, text).unwrap();
    let mut command = Command::new("dbus-daemon");
    command.arg("--nofork").arg("--print-address").arg("--config-file").arg(config);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    Some((Running(child), address.trim().to_owned()))
}

async fn change(engine: &Engine, client: &str, change: ClientChange) {
    let plan = actions::plan_client(engine, client, change.clone()).await.unwrap();
    actions::change_client(engine, client, change, &plan.id).await.unwrap();
}

async fn connect(engine: &Engine, client: &str) {
    change(engine, client, ClientChange::Connect { transport: None, project: None, again: false }).await;
}

fn find<'c>(checkup: &'c Checkup, id: &str, words: &str) -> &'c Check {
    let found = checkup.checks.iter().find(|check| check.id == id && check.what.contains(words));
    found.unwrap_or_else(|| panic!("no {id} with {words:?} in {checkup:#?}"))
}

fn is_wrong(checkup: &Checkup, id: &str, words: &str, state: CheckState) {
    let check = find(checkup, id, words);
    assert_eq!(check.state, state, "{check:?}");
    // In everyday words for the window, and as a command; a test of the command line checks that it exists.
    assert!(check.todo.as_ref().is_some_and(|todo| !todo.contains("skilltender ")), "{check:?} says what to do");
    let command = check.command.as_ref().is_some_and(|command| command.matches('`').count() >= 2);
    assert!(command && check.remedy.is_some(), "{check:?} says how");
}

async fn examine(machine: &Machine) -> (Checkup, String) {
    let engine = Engine::start(machine.clone(), Mode::Reading).await.unwrap();
    let checkup = actions::doctor(&engine).await.unwrap();
    let report = actions::doctors_report(&engine, &checkup);
    (checkup, report)
}

#[tokio::test]
async fn a_program_in_the_skills_own_folder_is_looked_for_there() {
    let home = Home::new();
    for skill in ["coffee", "tea"] {
        let text = format!(
            "---\nname: {skill}\ndescription: Makes {skill}.\nrequires-mcp-servers:\n  - name: kettle-{skill}\n    command: ./srv.sh\n---\nBoil.\n"
        );
        fs::write(home.skill(skill, "Boils."), text).unwrap();
    }
    let program = home.library().join("tea/srv.sh");
    fs::write(&program, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let engine = home.start_with_library().await;
    for skill in ["f1/coffee", "f1/tea"] {
        enable(&engine, skill).await;
    }
    let checkup = actions::doctor(&engine).await.unwrap();
    is_wrong(&checkup, "runtimes", "The skill coffee starts a server with ./srv.sh", CheckState::Problem);
    let wrong = checkup.checks.iter().filter(|check| check.id == "runtimes" && check.state == CheckState::Problem);
    assert_eq!(wrong.count(), 1, "the one of tea is there: {checkup:#?}");
}

/// In ticks of a hundredth of a second since 1970.
const FAR_FUTURE: u64 = 1_000_000_000_000;
const SKILL: &str = "---\nname: tea\ndescription: Makes tea.\nrequires-mcp-servers:\n  - name: kettle\n    package: \"@tea/kettle\"\n---\nBoil.\n";

#[tokio::test]
async fn each_fault_is_found_in_one_run() {
    let mut home = Home::new();
    // A copy of the program, in a place where it may disappear.
    let program = home.path("app/skilltender");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, "#!/bin/sh\necho skilltender 0.0.1\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    home.machine.program = program;
    let bus = bus(&home);
    home.machine.bus = bus.as_ref().map(|(_, address)| address.clone());
    let data = home.machine.data.clone();

    // A state file that cannot be read, a skill whose server's runtime is missing, a folder that disappears.
    fs::write(data.join("values.json"), "half a li").unwrap();
    let tea = home.skill("tea", "Makes tea.");
    fs::write(&tea, SKILL).unwrap();
    let gone = home.path("gone");
    fs::create_dir(&gone).unwrap();

    // A client that has run since before its entry was written, and one that has not.
    for (process, name, started) in [("4711", "zed-editor", 0), ("4712", "cursor", FAR_FUTURE)] {
        let process = home.machine.processes.join(process);
        fs::create_dir_all(&process).unwrap();
        fs::write(process.join("stat"), format!("1 ({name}) S{} {started}", " 0".repeat(18))).unwrap();
    }
    fs::write(home.machine.processes.join("stat"), "btime 1\n").unwrap();

    let engine = home.start_with_library().await;
    enable(&engine, "f1/tea").await;
    actions::add_folder(&engine, gone.to_str().unwrap(), None).await.unwrap();
    let cursor = home.path(".cursor/mcp.json");
    let kiro = home.path(".kiro/settings/mcp.json");
    let gemini = home.path(".gemini/settings.json");
    let windsurf = home.path(".codeium/windsurf/mcp_config.json");
    for file in [&cursor, &kiro, &gemini, &windsurf] {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "{}\n").unwrap();
    }
    for client in ["zed", "cursor", "kiro", "windsurf"] {
        connect(&engine, client).await;
    }
    let with_ours = fs::read(&windsurf).unwrap();
    change(&engine, "windsurf", REMOVE).await;
    fs::write(&windsurf, with_ours).unwrap();
    engine.stop().await;
    drop(engine);
    let port = home.choices()["port"].as_u64().unwrap();
    // Another test may have taken the port meanwhile: then it is held all the same.
    let _held = TcpListener::bind(("127.0.0.1", u16::try_from(port).unwrap()));

    let edited = fs::read_to_string(&cursor).unwrap().replace("\"mcp\"", "\"serve\"");
    fs::write(&cursor, edited).unwrap();
    fs::write(&kiro, "{}\n").unwrap();
    fs::write(&gemini, "{\n  \"mcpServers\": {,}\n}\n").unwrap();
    fs::remove_dir(&gone).unwrap();
    fs::remove_file(data.join("bin/skilltender")).unwrap();
    fs::set_permissions(data.join("tokens.json"), fs::Permissions::from_mode(0o644)).unwrap();

    let (checkup, report) = examine(&home.machine).await;
    is_wrong(&checkup, "engine", "No Skilltender runs", CheckState::Attention);
    is_wrong(&checkup, "port", "is held by", CheckState::Problem);
    is_wrong(&checkup, "client-file", "The file of Gemini CLI cannot be read", CheckState::Problem);
    is_wrong(&checkup, "client-file", "Somebody changed our entry in the file of Cursor", CheckState::Attention);
    is_wrong(&checkup, "client-file", "Our entry was taken out of the file of Kiro", CheckState::Attention);
    is_wrong(&checkup, "program", "Zed starts", CheckState::Problem);
    is_wrong(&checkup, "old-config", "Zed runs since before", CheckState::Attention);
    assert_eq!(checkup.checks.iter().filter(|check| check.id == "old-config").count(), 1, "{checkup:#?}");
    is_wrong(&checkup, "journal", "somebody put the old file back", CheckState::Attention);
    let of_kiro = checkup.checks.iter().filter(|check| check.client.as_deref() == Some("kiro"));
    assert_eq!(of_kiro.count(), 1, "a dropped entry is told once: {checkup:#?}");
    is_wrong(&checkup, "library", "", CheckState::Problem);
    is_wrong(&checkup, "runtimes", "npx was not found on this computer", CheckState::Problem);
    is_wrong(&checkup, "keychain", "No keychain answers", CheckState::Problem);
    is_wrong(&checkup, "private-files", "Other users", CheckState::Problem);
    is_wrong(&checkup, "state-files", "set aside", CheckState::Attention);
    match bus {
        Some(_) => is_wrong(&checkup, "tray", "no icon", CheckState::Attention),
        None => assert_eq!(find(&checkup, "tray", "").state, CheckState::Unknown),
    }
    assert_eq!(find(&checkup, "client-file", "Gemini").place.as_deref(), Some("~/.gemini/settings.json"));

    assert!(report.contains("PROBLEM") && report.contains("old-config"), "{report}");
    let tokens: serde_json::Value = serde_json::from_slice(&fs::read(data.join("tokens.json")).unwrap()).unwrap();
    let token = tokens["tokens"]["by-hand"].as_str().unwrap();
    let home = home.machine.home.to_string_lossy().into_owned();
    assert!(!report.contains(token) && !report.contains(&home), "{report}");
}

#[tokio::test]
async fn a_copy_of_an_older_version_is_found() {
    let mut home = Home::new();
    home.machine.program = home.path("app/skilltender");
    write_program(&home.machine.program, "0.0.1");
    let engine = home.start().await;
    connect(&engine, "zed").await;
    engine.stop().await;
    drop(engine);
    write_program(&home.machine.program, "9.9.9 of a package");
    let (checkup, _) = examine(&home.machine).await;
    is_wrong(&checkup, "program", "starts version 0.0.1", CheckState::Attention);
}

fn write_program(path: &Path, version: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\necho skilltender {version}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn where_nothing_is_wrong_nothing_is_said_to_be() {
    let home = Home::new();
    home.skill("tea", "Makes tea.");
    let engine = home.start_with_library().await;
    let here = actions::doctor(&engine).await.unwrap();
    assert_eq!(find(&here, "engine", "runs.").state, CheckState::Fine);
    assert_eq!(find(&here, "port", "").state, CheckState::Fine);

    let (beside, _) = examine(&home.machine).await;
    let pid = format!("runs (process {})", std::process::id());
    assert_eq!(find(&beside, "engine", &pid).state, CheckState::Fine);
    for checkup in [here, beside] {
        for id in ["client-file", "program", "old-config", "journal", "library", "runtimes", "private-files"] {
            assert_eq!(find(&checkup, id, "").state, CheckState::Fine, "{checkup:#?}");
        }
    }
}

#[tokio::test]
async fn a_report_is_saved_where_the_person_says() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    let to = home.path("report.txt");
    for (path, there) in [(&to, "mine"), (&home.path(".profile"), "Skilltender ")] {
        fs::write(path, there).unwrap();
        assert!(actions::save_report(&engine, path.to_str().unwrap()).await.is_err());
        assert_eq!(fs::read_to_string(path).unwrap(), there, "it is no report");
    }
    fs::write(&to, "Skilltender 0.0.1, an older one").unwrap();
    actions::save_report(&engine, to.to_str().unwrap()).await.unwrap();
    let saved = fs::read_to_string(&to).unwrap();
    assert!(saved.starts_with("Skilltender "), "{saved}");
    let refused = actions::save_report(&engine, "report.txt").await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Input);
}
