//! Skills written down as other programs read them, and read again from there, byte for byte.

use std::{collections::BTreeMap, fs, path::Path};

use api::{ErrorKind, ExportFormat, SourcePlan};
use engine::{Engine, actions};
use serde_json::Value;
use tests::{GitHost, WebHost};

use crate::{
    home::enable,
    sources::{files, home, text},
};

/// An engine with two skills of a repository, of which both are on.
async fn with_skills(home: &crate::home::Home, host: &GitHost) -> Engine {
    let repository = host.repository("skills");
    repository.write("skills/tea/SKILL.md", text("tea", "Boil water."));
    repository.write("skills/tea/scripts/boil.sh", "#!/bin/sh\necho\n");
    repository.write("skills/ale/SKILL.md", text("ale", "Brew it."));
    repository.commit("one");
    let engine = home.start().await;
    let SourcePlan { commit, plan, .. } = actions::look_at_source(&engine, &repository.address, None).await.unwrap();
    for key in actions::add_source(&engine, &repository.address, &commit, &plan.id, "own", None).await.unwrap() {
        enable(&engine, &key).await;
    }
    engine
}

async fn export(engine: &Engine, format: ExportFormat, to: &Path) -> api::Exported {
    actions::export_skills(engine, None, format, &to.display().to_string(), false).await.unwrap()
}

/// The skills of this source, added to a second home, file by file.
async fn brought(source: &str, inside: &str) -> BTreeMap<String, Vec<u8>> {
    let home = home();
    let engine = home.start().await;
    let SourcePlan { commit, plan, .. } = actions::look_at_source(&engine, source, None).await.unwrap();
    assert_eq!(plan.skills[1].path, format!("{inside}tea"), "{plan:?}");
    actions::add_source(&engine, source, &commit, &plan.id, "own", None).await.unwrap();
    let mut files = files(&home.machine.data.join("skills"));
    files.retain(|path, _| path.starts_with("tea/") || path.starts_with("ale/"));
    files
}

#[tokio::test]
async fn what_is_exported_comes_again_byte_for_byte() {
    let (host, first) = (GitHost::start(), home());
    let engine = with_skills(&first, &host).await;
    let mut ours = files(&first.machine.data.join("skills"));
    ours.retain(|path, _| path.starts_with("tea/") || path.starts_with("ale/"));
    assert_eq!(ours.len(), 3);

    let site = first.machine.home.join("public");
    let exported = export(&engine, ExportFormat::WellKnown, &site).await;
    assert_eq!((exported.skills, exported.files.len(), exported.left_out.len()), (2, 3, 0));
    let again = first.machine.home.join("again");
    export(&engine, ExportFormat::WellKnown, &again).await;
    assert_eq!(files(&site), files(&again), "the same skills are the same bytes");
    let web = WebHost::start();
    for (path, bytes) in files(&site) {
        web.serves(&format!("/{path}"), bytes);
    }
    assert_eq!(brought(&web.address(""), "").await, ours);

    let market = first.machine.home.join("Our Team");
    export(&engine, ExportFormat::ClaudeMarketplace, &market).await;
    let list: Value =
        serde_json::from_slice(&fs::read(market.join(".claude-plugin/marketplace.json")).unwrap()).unwrap();
    assert_eq!((&list["name"], &list["plugins"][1]["skills"][0]), (&"our-team".into(), &"./skills/tea".into()));
    assert_eq!(brought(&market.display().to_string(), "skills/").await, ours);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let script = first.machine.data.join("skills/tea/scripts/boil.sh");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let runs = first.machine.home.join("runs");
        export(&engine, ExportFormat::ClaudeMarketplace, &runs).await;
        let mode = runs.join("skills/tea/scripts/boil.sh").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "what may be run may be run there");
    }
}

#[tokio::test]
async fn nothing_that_is_there_is_replaced_unasked() {
    let (host, home) = (GitHost::start(), home());
    let engine = with_skills(&home, &host).await;
    let lock = home.machine.home.join("project/skills-lock.json");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    let exported = export(&engine, ExportFormat::SkillsLock, lock.parent().unwrap()).await;
    assert_eq!(exported.files, [lock.display().to_string()]);
    let value: Value = serde_json::from_slice(&fs::read(&lock).unwrap()).unwrap();
    let tea = &value["skills"]["tea"];
    assert_eq!((&tea["sourceType"], &tea["skillPath"]), (&"git".into(), &"skills/tea/SKILL.md".into()));
    // The same bytes are no reason to refuse.
    export(&engine, ExportFormat::SkillsLock, &lock).await;
    fs::write(&lock, "mine").unwrap();
    let there = lock.display().to_string();
    let refused = actions::export_skills(&engine, None, ExportFormat::SkillsLock, &there, false).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Refused);
    assert_eq!(refused.message, format!("{there} is there already, so nothing was written."));
    assert_eq!(fs::read_to_string(&lock).unwrap(), "mine");
    actions::export_skills(&engine, None, ExportFormat::SkillsLock, &there, true).await.unwrap();
    assert!(fs::read_to_string(&lock).unwrap().starts_with('{'));

    let market = home.machine.home.join("market");
    fs::create_dir_all(market.join("skills/tea")).unwrap();
    fs::write(market.join("skills/tea/SKILL.md"), "mine").unwrap();
    let there = market.display().to_string();
    actions::export_skills(&engine, None, ExportFormat::ClaudeMarketplace, &there, false).await.unwrap_err();
    assert_eq!(files(&market).len(), 1, "nothing of it was written");
    let relative = actions::export_skills(&engine, None, ExportFormat::WellKnown, "public", false).await.unwrap_err();
    assert_eq!(relative.kind, ErrorKind::Input);
}
