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
    let managed = actions::managed_skills(&engine).await.unwrap();
    let found: Vec<_> = managed.iter().map(|skill| (skill.name.as_str(), skill.by.as_str())).collect();
    assert_eq!(found, [("ale", "apm"), ("rum", "gh skill"), ("tea", "npx skills")]);
    assert_eq!(managed[0].version.as_deref(), Some(&commit[..12]));
    for skill in &managed {
        actions::adopt_skill(&engine, &skill.key).await.unwrap();
    }
    assert!(others() == before, "adopting changes none of their files");
    assert!(actions::managed_skills(&engine).await.unwrap().is_empty());
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
