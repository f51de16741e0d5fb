//! Skills that other programs installed are recognised by their records, and following their source changes none of their
//! files.

use std::fs;

use api::{Answers, ErrorKind};
use engine::actions;
use serde_json::json;
use tests::GitHost;

use crate::{
    home::row,
    sources::{files, home, text},
};

#[tokio::test]
async fn what_other_programs_installed_is_recognised_adopted_and_left_as_it_is() {
    let (host, home) = (GitHost::start(), home());
    let repository = host.repository("skills");
    for skill in ["tea", "ale", "rum"] {
        repository.write(&format!("skills/{skill}/SKILL.md"), text(skill, "One."));
    }
    let commit = repository.commit("one");
    let write = |below: &str, text: &str| {
        let file = home.path(below);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    // npx skills, for the person: no commit is recorded.
    write(".agents/skills/tea/SKILL.md", &text("tea", "One."));
    let lock = json!({"version": 3, "skills": {"tea": {"source": "acme/skills", "sourceType": "git",
        "sourceUrl": repository.address, "skillPath": "skills/tea/SKILL.md", "skillFolderHash": "x"}}});
    write(".agents/.skill-lock.json", &lock.to_string());
    // apm, in a project: at a commit, and changed since.
    write("project/.agents/skills/ale/SKILL.md", &text("ale", "Mine."));
    let apm = format!(
        "dependencies:\n- repo_url: {}\n  resolved_commit: {commit}\n  deployed_files:\n  - .agents/skills/ale/SKILL.md\n",
        repository.address
    );
    write("project/apm.lock.yaml", &apm);
    // gh skill, in the frontmatter.
    let noted = format!(
        "---\nname: rum\ndescription: Makes rum. Use when rum is wanted.\nmetadata:\n  github-repo: {}\n  github-path: skills/rum\n---\n# rum\n\nOne.\n",
        repository.address
    );
    write(".agents/skills/rum/SKILL.md", &noted);
    write(".agents/skills/own/SKILL.md", &text("own", "Nobody's."));
    let engine = home.start().await;
    for folder in [".agents/skills", "project/.agents/skills"] {
        actions::add_folder(&engine, home.path(folder).to_str().unwrap(), None).await.unwrap();
    }
    let others = || [files(&home.path(".agents")), files(&home.path("project"))];
    let before = others();
    let managed = actions::managed_skills(&engine, None).await.unwrap();
    let found: Vec<_> = managed.iter().map(|skill| (skill.name.as_str(), skill.by.as_str())).collect();
    assert_eq!(found, [("ale", "apm"), ("rum", "gh skill"), ("tea", "npx skills")]);
    assert_eq!(managed[0].version.as_deref(), Some(&commit[..12]));
    for skill in &managed {
        actions::adopt_skill(&engine, &skill.key).await.unwrap();
    }
    assert!(others() == before, "adopting changes none of their files");
    assert!(actions::managed_skills(&engine, None).await.unwrap().is_empty());
    let origin = |id: &str| row(&engine.snapshot(), id).origin.clone().unwrap();
    assert_eq!((origin("tea").commit.as_str(), origin("tea").inside.as_str()), (commit.as_str(), "skills/tea"));
    assert_eq!(origin("ale").commit, commit);

    // From here on they are followed: unchanged, merged, and as an update to look at.
    repository.write("skills/ale/notes.md", "New.\n");
    repository.commit("two");
    actions::ask_sources(&engine, None).await.unwrap();
    assert_eq!(origin("tea").newer, None);
    let ale = managed[0].key.clone();
    let plan = actions::plan_update(&engine, &ale).await.unwrap();
    assert!(plan.edited && plan.conflicts == 0, "{plan:?}");
    actions::update_skill(&engine, &ale, &plan.to, &plan.id, Answers::new()).await.unwrap();
    let text = fs::read_to_string(home.path("project/.agents/skills/ale/SKILL.md")).unwrap();
    assert!(text.contains("Mine.") && home.path("project/.agents/skills/ale/notes.md").is_file());
    assert!(origin("rum").newer.is_some(), "which version it was, nobody recorded");
    actions::forget_source(&engine, &repository.address).await.unwrap();
    let own = actions::adopt_skill(&engine, &row(&engine.snapshot(), "own").key).await.unwrap_err();
    assert_eq!(own.kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn what_is_no_repository_is_not_looked_for_on_a_host_of_that_name() {
    let home = home();
    let write = |below: &str, text: &str| {
        let file = home.path(below);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let skills = ["tea", "ale", "rum", "gin", "mate", "pisco"];
    for skill in skills {
        write(&format!("project/skills/{skill}/SKILL.md"), &text(skill, "One."));
    }
    // A package, an image, a folder, and repositories of a host that is not named: each may be spelled as one of GitHub.
    let lock = json!({"version": 1, "skills": {
        "tea": {"source": "acme/skills", "sourceType": "node_modules"},
        "ale": {"source": "npm:ale", "sourceType": "download"},
        "rum": {"source": "../rum", "sourceType": "local"},
        "gin": {"source": "acme/skills", "sourceType": "gitlab"},
    }});
    write("project/skills-lock.json", &lock.to_string());
    write("project/toolhive.lock.yaml", "skills:\n- name: mate\n  source: ghcr.io/green/mate\n");
    write(
        "project/sx.lock",
        "[[assets]]\nname = \"pisco\"\ntype = \"skill\"\n[assets.source-http]\nurl = \"https://example.org/pisco.zip\"\n",
    );
    let engine = home.start().await;
    actions::add_folder(&engine, home.path("project/skills").to_str().unwrap(), None).await.unwrap();
    let managed = actions::managed_skills(&engine, None).await.unwrap();
    assert_eq!(managed.len(), skills.len(), "{managed:?}");
    for skill in &managed {
        assert!(!skill.adoptable, "{skill:?}");
        let refused = actions::adopt_skill(&engine, &skill.key).await.unwrap_err();
        assert!(refused.message.ends_with("which is no git repository that could be followed."), "{refused:?}");
    }
}

#[tokio::test]
async fn plugins_of_codex_and_extensions_of_gemini_cli_are_recognised_and_adopted() {
    let (host, home) = (GitHost::start(), home());
    let repository = host.repository("skills");
    for skill in ["tea", "ale"] {
        repository.write(&format!("skills/{skill}/SKILL.md"), text(skill, "One."));
    }
    repository.commit("one");
    let write = |below: &str, text: &str| {
        let file = home.path(below);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write(".codex/plugins/cache/herbs/drinks/1.0.0/skills/tea/SKILL.md", &text("tea", "One."));
    write(
        ".codex/config.toml",
        &format!("[marketplaces.herbs]\nsource_type = \"git\"\nsource = \"{}\"\n", repository.address),
    );
    write(".gemini/extensions/drinks/skills/ale/SKILL.md", &text("ale", "Older."));
    write(".gemini/extensions/drinks/gemini-extension.json", r#"{"name": "drinks", "version": "2.0.0"}"#);
    let installed = json!({"source": repository.address, "type": "git"});
    write(".gemini/extensions/drinks/.gemini-extension-install.json", &installed.to_string());
    let engine = home.start().await;
    let folders = [".codex/plugins/cache/herbs/drinks/1.0.0/skills", ".gemini/extensions/drinks/skills"];
    for folder in folders {
        actions::add_folder(&engine, home.path(folder).to_str().unwrap(), None).await.unwrap();
    }
    let others = || [files(&home.path(".codex")), files(&home.path(".gemini"))];
    let before = others();
    let managed = actions::managed_skills(&engine, None).await.unwrap();
    let found: Vec<_> = managed.iter().map(|skill| (skill.by.as_str(), skill.version.as_deref())).collect();
    assert_eq!(found, [("an extension of Gemini CLI", Some("2.0.0")), ("a plugin of Codex", Some("1.0.0"))]);
    for skill in &managed {
        let one = actions::managed_skills(&engine, Some(std::slice::from_ref(&skill.key))).await.unwrap();
        assert_eq!(one, std::slice::from_ref(skill));
        actions::adopt_skill(&engine, &skill.key).await.unwrap();
    }
    actions::ask_sources(&engine, None).await.unwrap();
    let snapshot = engine.snapshot();
    assert_eq!(row(&snapshot, "tea").origin.as_ref().unwrap().newer, None);
    assert!(row(&snapshot, "ale").origin.as_ref().unwrap().newer.is_some(), "another version is an update to look at");
    // Undone, and nothing of it is left.
    let keys: Vec<_> = managed.iter().map(|skill| skill.key.clone()).collect();
    actions::forget_origins(&engine, &keys).await.unwrap();
    assert_eq!(actions::managed_skills(&engine, None).await.unwrap(), managed);
    assert!(others() == before);
}
