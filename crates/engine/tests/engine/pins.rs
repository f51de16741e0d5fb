//! Packages without a fixed version: at a person's request, the package's own client is asked for the current
//! one, and the person is asked to approve the pinned version.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use api::{ErrorKind, ServerState};
use engine::{Engine, Machine, Mode, actions};

use crate::home::{Home, enable};

/// A home with these programs, and a skill whose server is fetched by `npx`.
fn home(programs: &[(&str, &str)]) -> Home {
    let mut home = Home::new();
    let folder = home.path("bin");
    fs::create_dir_all(&folder).unwrap();
    for (name, script) in programs {
        program(&folder.join(name), script);
    }
    home.machine = Machine { search: vec![folder], ..home.machine };
    // The login shell was asked already: a test must not run a person's.
    fs::write(home.machine.data.join("login-path.json"), r#"{"version":1,"folders":[]}"#).unwrap();
    let skill = home.library().join("pot/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    let text = "---\nname: pot\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: teapot\n    command: npx\n    args: [-y, \"@tea/pot\"]\n---\nBoil water.\n";
    fs::write(skill, text).unwrap();
    home
}

fn program(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

async fn command(engine: &Engine) -> Vec<String> {
    actions::plan_server(engine, "teapot").await.unwrap().now.command
}

#[tokio::test]
async fn a_package_is_pinned_to_the_version_that_its_own_client_names() {
    let home = home(&[("npx", "")]);
    let asked = home.path("asked");
    program(&home.path("bin/npm"), &format!("echo \"$*\" >> '{}'; echo 1.2.3", asked.display()));
    let engine = home.start_with_library().await;
    enable(&engine, "f1/pot").await;
    let before = actions::plan_server(&engine, "teapot").await.unwrap();
    assert_eq!(before.unpinned, ["@tea/pot"]);
    actions::approve_server(&engine, "teapot", &before.digest, &[]).await.unwrap();
    assert!(!asked.exists(), "nothing is asked before somebody wants it");

    let offer = actions::offer_version(&engine, "teapot").await.unwrap();
    assert_eq!((offer.package.as_str(), offer.version.as_str()), ("@tea/pot", "1.2.3"));
    assert_eq!(fs::read_to_string(&asked).unwrap(), "view @tea/pot version\n");
    assert_eq!(command(&engine).await, ["npx", "-y", "@tea/pot"], "it is only an offer");

    actions::pin_server(&engine, "teapot", &offer.version).await.unwrap();
    let after = actions::plan_server(&engine, "teapot").await.unwrap();
    assert_eq!((after.now.command.join(" ").as_str(), after.unpinned.len()), ("npx -y @tea/pot@1.2.3", 0));
    let state = actions::list_servers(&engine).await.remove(0).state;
    assert_eq!(state, ServerState::NeedsConsent { changed: true }, "what is started is another command now");
    actions::approve_server(&engine, "teapot", &after.digest, &[]).await.unwrap();

    // It holds in the next run, and another version can replace it.
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    assert_eq!(command(&engine).await.join(" "), "npx -y @tea/pot@1.2.3");
    actions::pin_server(&engine, "teapot", "2.0.0").await.unwrap();
    assert_eq!(command(&engine).await.join(" "), "npx -y @tea/pot@2.0.0");
    actions::unpin_server(&engine, "teapot").await.unwrap();
    assert_eq!(command(&engine).await.join(" "), "npx -y @tea/pot");
    assert_eq!(actions::unpin_server(&engine, "teapot").await.unwrap_err().kind, ErrorKind::NotFound);
    engine.stop().await;
}

#[tokio::test]
async fn a_client_that_says_no_version_is_told_and_nothing_is_pinned() {
    let home = home(&[("npx", ""), ("npm", "echo 'npm error 404 Not Found' >&2; exit 1")]);
    let engine = home.start_with_library().await;
    enable(&engine, "f1/pot").await;
    let why = actions::offer_version(&engine, "teapot").await.unwrap_err().message;
    assert_eq!(why, "npm does not say which version @tea/pot is. It says: npm error 404 Not Found");
    for other in ["latest", "1.0 --evil", ""] {
        assert_eq!(actions::pin_server(&engine, "teapot", other).await.unwrap_err().kind, ErrorKind::Input, "{other}");
    }
    fs::remove_file(home.path("bin/npm")).unwrap();
    let why = actions::offer_version(&engine, "teapot").await.unwrap_err();
    assert!(why.message.contains("npm") && why.message.contains("was not found"), "{}", why.message);
    assert_eq!(command(&engine).await.join(" "), "npx -y @tea/pot");
    assert_eq!(*engine.mode(), Mode::Writing);
    engine.stop().await;
}
