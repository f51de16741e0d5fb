//! Servers that skills need, as real processes under a real supervisor: approved, called, changed, crashed,
//! stopped. This file has what all of these tests share.

mod agreed;
mod failing;
mod given;
mod named;
mod offered;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use api::{ServerRow, ServerState, Snapshot};
use engine::{Engine, Machine, actions};
use mcp::{CallContext, CallFailure, Caller, Host as _, UpstreamRequest};
use serde_json::value::RawValue;

use crate::home::{Home, comes, until};

/// The programs next to the tests: the supervisor, and the server that it runs.
fn programs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([
            "build",
            "--quiet",
            "--locked",
            "--package=processes",
            "--package=engine",
            "--example=child",
            "--example=server",
        ]);
        // `cargo xtask test` has built them with all tests.
        assert!(std::env::var_os("SKILLTENDER_EXAMPLES").is_some() || cargo.status().unwrap().success());
        std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("examples")
    })
}

/// A home whose only programs are the tests' own.
pub(crate) fn home() -> Home {
    let mut home = Home::new();
    let search = vec![programs().to_path_buf(), "/usr/bin".into(), "/bin".into()];
    let program = programs().join(format!("child{}", std::env::consts::EXE_SUFFIX));
    home.machine = Machine { program, search, processes: "/proc".into(), ..home.machine };
    // The login shell was asked already: a test must not run a person's.
    fs::write(home.machine.data.join("login-path.json"), r#"{"version":1,"folders":[]}"#).unwrap();
    home
}

/// Lets a file be run. Windows asks for no permission; there the name's ending decides.
fn may_be_run(program: &Path) {
    #[cfg(unix)]
    fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert!(program.is_file());
}

/// A skill that needs the server `teapot` in this mode.
pub(crate) fn skill(home: &Home, id: &str, mode: &str, more: &str) -> PathBuf {
    let file = home.library().join(id).join("SKILL.md");
    let description = home.path("description");
    if !description.exists() {
        fs::write(&description, "Says what it is told").unwrap();
    }
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    // In single quotes a backslash is one.
    let args = format!("[\"{mode}\", '{}']", description.display());
    fs::write(
        &file,
        format!(
            "---\nname: {id}\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: teapot\n    description: To brew\n    command: server\n    args: {args}\n{more}---\nBoil water.\n"
        ),
    )
    .unwrap();
    file
}

fn server(snapshot: &Snapshot) -> &ServerRow {
    snapshot.servers.first().unwrap_or_else(|| panic!("no server in {snapshot:#?}"))
}

pub(crate) fn state(engine: &Engine) -> ServerState {
    server(&engine.snapshot()).state.clone()
}

pub(crate) async fn approve(engine: &Engine) {
    let consent = actions::plan_server(engine, "teapot").await.unwrap();
    actions::approve_server(engine, "teapot", &consent.digest, &[]).await.unwrap();
}

pub(crate) async fn running(engine: &Engine) -> u32 {
    let snapshot = until(engine, |snapshot| matches!(server(snapshot).state, ServerState::Running { .. })).await;
    let ServerState::Running { process, .. } = server(&snapshot).state else { unreachable!() };
    process.unwrap()
}

pub(crate) fn cursor() -> Caller {
    Caller::of("cursor")
}

pub(crate) async fn call(engine: &Engine, tool: &str, arguments: &str) -> Result<String, String> {
    let arguments = RawValue::from_string(arguments.to_owned()).unwrap();
    let wish = UpstreamRequest::Tool { name: tool, arguments: Some(&arguments) };
    match engine.ask(&cursor(), wish, CallContext::default()).await {
        Ok(result) => {
            let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
            Ok(result["content"][0]["text"].as_str().unwrap().to_owned())
        }
        Err(CallFailure::Sentence(sentence)) => Err(sentence),
        Err(CallFailure::Refused { message, .. }) => panic!("{message}"),
    }
}

fn offered(engine: &Engine) -> Vec<String> {
    engine.offered(&cursor()).listed.iter().map(|tool| tool.name().to_owned()).collect()
}

/// Asserts that a call starts nothing, because the launch spec has changed. If the change is noticed during a start,
/// the server is stopped; the next call says why.
async fn is_not_started(engine: &Engine) {
    for _ in 0..3 {
        let refused = call(engine, "teapot__echo", "1").await.unwrap_err();
        let why = ["has changed since", "has not approved", "is not offered any more"];
        if why.iter().any(|why| refused.contains(why)) {
            return;
        }
        assert!(refused.contains("was stopped. Try again."), "{refused}");
    }
    panic!("it never says why");
}

fn is_alive(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).join("exe").exists()
}

/// Waits until a process has ended.
async fn until_gone(process: u32) {
    comes(async || !is_alive(process)).await;
}
