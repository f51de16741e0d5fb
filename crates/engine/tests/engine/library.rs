//! Which folders are skills, and what is read from them.

use std::fs;

use api::Readiness;
use engine::{Engine, Mode, actions};

use crate::home::{Home, add_folder, ids, row, write_skill};

async fn plain(home: &Home) -> Engine {
    Engine::start(home.machine.clone(), Mode::Plain { folders: vec![home.library()] }).await.unwrap()
}

#[tokio::test]
async fn finds_skills_where_clients_do() {
    let home = Home::new();
    for path in [
        "tea",
        "team/coffee",
        "team/coffee/inner",
        ".system/hidden-at-the-top",
        "1/2/3/4/5/6/7/eight-deep",
        "1/2/3/4/5/6/7/8/nine-deep",
        "clone/skills/.curated/curated",
        "clone/package/.claude/skills/of-a-client",
        "team/.cache/hidden-below",
        "node_modules/package",
        ".git/hook",
    ] {
        home.skill(path, "Use when somebody is thirsty.");
    }
    let engine = plain(&home).await;
    assert_eq!(
        ids(&engine.snapshot()),
        ["coffee", "curated", "eight-deep", "hidden-at-the-top", "inner", "of-a-client", "tea"]
    );
    assert_eq!(row(&engine.snapshot(), "inner").key, "f1/team/coffee/inner");
    assert_eq!(row(&engine.snapshot(), "inner").category.as_deref(), Some("team"));
    assert_eq!(row(&engine.snapshot(), "tea").category, None);
    let root = home.library();
    let below = |path: &str| path.split('/').fold(root.clone(), |folder, name| folder.join(name)).display().to_string();
    let (deep, hidden, root) = (below("1/2/3/4/5/6/7/8/nine-deep"), below("team/.cache"), root.display());
    assert_eq!(
        engine.snapshot().folders[0].remarks,
        [
            format!("`{deep}` is more than 8 folders below {root} and was not looked into."),
            format!("`{hidden}` is hidden and was not looked into."),
        ]
    );
}

#[tokio::test]
async fn a_skill_md_directly_in_the_folder_is_a_skill_named_like_the_folder() {
    let home = Home::new();
    home.skill("", "Use when somebody is thirsty.");
    let engine = plain(&home).await;
    assert_eq!(row(&engine.snapshot(), "skills").key, "f1");
}

#[tokio::test]
async fn a_name_in_other_letters_is_left_out_and_said() {
    let home = Home::new();
    fs::create_dir_all(home.library().join("tea")).unwrap();
    fs::write(home.library().join("tea/Skill.md"), "tea").unwrap();
    let snapshot = plain(&home).await.snapshot();
    assert_eq!(ids(&snapshot), [""; 0]);
    assert_eq!(
        snapshot.folders[0].remarks,
        [format!(
            "{} was left out: clients read only files that are called SKILL.md, in capitals.",
            home.library().join("tea").join("Skill.md").display()
        )]
    );
}

#[tokio::test]
async fn every_folder_with_a_skill_md_is_shown_however_broken() {
    let home = Home::new();
    for (id, bytes) in [("empty", "".as_bytes()), ("binary", b"\x00\xff\xfe"), ("list", b"---\n- a\n---\n")] {
        let folder = home.library().join(id);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), bytes).unwrap();
    }
    fs::create_dir_all(home.library().join("folder/SKILL.md")).unwrap();
    fs::create_dir(home.library().join("large")).unwrap();
    fs::write(home.library().join("large/SKILL.md"), vec![b'a'; (1 << 20) + 1]).unwrap();

    let snapshot = plain(&home).await.snapshot();
    assert_eq!(ids(&snapshot), ["binary", "empty", "folder", "large", "list"]);
    for skill in &snapshot.skills {
        assert!(skill.problems.error > 0, "{skill:#?}");
    }
    let Readiness::Problem { message, .. } = &row(&snapshot, "large").readiness else { panic!("a problem") };
    assert_eq!(message, "SKILL.md is larger than 1 MiB, so it was not read.");
}

#[tokio::test]
async fn of_two_skills_with_one_id_the_first_folders_is_served() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let other = home.path("other");
    write_skill(&other.join("tea/SKILL.md"), "Black.");
    let engine = home.start_with_library().await;
    add_folder(&engine, &other).await;

    let snapshot = engine.snapshot();
    let second = snapshot.skills.iter().find(|row| row.key == "f2/tea").unwrap();
    assert_eq!(second.readiness, Readiness::Shadowed { by: "~/skills/tea/SKILL.md".to_owned() });
    assert_eq!(snapshot.endpoint.served, 1);

    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    let snapshot = engine.snapshot();
    let second = snapshot.skills.iter().find(|row| row.key == "f2/tea").unwrap();
    assert_eq!(second.readiness, Readiness::Ready);
}

#[tokio::test]
async fn a_thousand_skills_are_all_there_and_only_the_changed_one_is_read_again() {
    let home = Home::new();
    for number in 0..1000 {
        home.skill(&format!("skill-{number:04}"), &format!("Use when somebody asks for number {number}."));
        fs::write(home.library().join(format!("skill-{number:04}/notes.md")), "Notes.").unwrap();
    }
    let engine = home.start_with_library().await;
    let before = engine.snapshot();
    assert_eq!(before.skills.len(), 1000);
    assert!(before.skills.iter().all(|row| row.files == 2 && row.enabled), "{:#?}", before.skills[0]);
    assert_eq!(before.folders.iter().find(|folder| folder.id == "f1").unwrap().skills, 1000);

    let page = actions::read_skill(&engine, "f1/skill-0500").await.unwrap();
    let splices = vec![api::EditorSplice { from: page.body, to: page.body, insert: "Slowly. ".to_owned() }];
    actions::save_skill(&engine, "f1/skill-0500", &page.digest, splices).await.unwrap();
    let after = engine.snapshot();
    let changed: Vec<_> = before
        .skills
        .iter()
        .zip(&after.skills)
        .filter(|(before, after)| before != after)
        .map(|(_, row)| &row.id)
        .collect();
    assert_eq!(changed, ["skill-0500"]);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use mcp::{Caller, Host as _};
    use skills::SkillPath;

    use super::*;

    #[tokio::test]
    async fn a_linked_folder_is_its_target_and_loops_end() {
        let home = Home::new();
        home.skill("tea", "Green.");
        write_skill(&home.elsewhere().join("coffee/SKILL.md"), "Black.");
        symlink(home.elsewhere().join("coffee"), home.library().join("coffee")).unwrap();
        symlink("..", home.library().join("tea/up")).unwrap();
        symlink("loop", home.library().join("loop")).unwrap();
        let snapshot = plain(&home).await.snapshot();
        assert_eq!(ids(&snapshot), ["coffee", "tea"]);
        assert_eq!(row(&snapshot, "coffee").description, "Black.");
    }

    #[tokio::test]
    async fn a_linked_skill_md_is_read_only_when_its_target_lies_in_the_library() {
        let home = Home::new();
        home.skill("tea", "Green.");
        fs::write(home.elsewhere().join("secret"), "---\nname: secret\ndescription: Secret.\n---\n").unwrap();
        for (id, target) in
            [("inside", home.library().join("tea/SKILL.md")), ("outside", home.elsewhere().join("secret"))]
        {
            fs::create_dir(home.library().join(id)).unwrap();
            symlink(target, home.library().join(id).join("SKILL.md")).unwrap();
        }
        let snapshot = plain(&home).await.snapshot();
        assert_eq!(row(&snapshot, "inside").description, "Green.");
        let Readiness::Problem { message, .. } = &row(&snapshot, "outside").readiness else { panic!("a problem") };
        assert_eq!(message, "SKILL.md may not be read, or is a link that leads out of the library's folder.");
    }

    #[tokio::test]
    async fn files_are_listed_and_read_only_beneath_their_skill() {
        let home = Home::new();
        let tea = home.skill("tea", "Green.").parent().unwrap().to_path_buf();
        home.skill("tea/inner", "Inside.");
        fs::write(home.elsewhere().join("secret"), "secret").unwrap();
        fs::write(tea.join("guide.md"), "guide").unwrap();
        symlink("guide.md", tea.join("link.md")).unwrap();
        symlink(home.elsewhere().join("secret"), tea.join("leak")).unwrap();
        symlink(home.elsewhere(), tea.join("folder")).unwrap();
        for ignored in [".DS_Store", "guide.md~", ".guide.md.swp", ".git/config", "__pycache__/a.pyc"] {
            fs::create_dir_all(tea.join(ignored).parent().unwrap()).unwrap();
            fs::write(tea.join(ignored), "x").unwrap();
        }
        let engine = plain(&home).await;
        let caller = Caller::of("test");
        let catalog = engine.catalog(&caller).await;
        let entry = catalog.get("tea").unwrap();
        let files: Vec<_> = entry.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(files, ["SKILL.md", "guide.md", "inner/SKILL.md", "link.md"]);

        for (path, readable) in [("guide.md", true), ("link.md", true), ("leak", false), ("folder/secret", false)] {
            let path = SkillPath::new(path).unwrap();
            assert_eq!(engine.read(entry, &path).await.is_ok(), readable, "{path}");
            assert_eq!(actions::read_file(&engine, "f1/tea", path.as_str()).await.is_ok(), readable, "{path}");
        }
    }
}

#[tokio::test]
async fn every_folder_that_is_away_is_named_without_reading_the_library() {
    let home = Home::new();
    home.skill("tea", "Makes tea.");
    home.start_with_library().await.stop().await;
    assert_eq!(engine::folders_away(&home.machine), [""; 0], "our own folder is made with its first skill");
    let mut choices = home.choices();
    let gone = |id: &str| serde_json::json!({"id": id, "path": home.path(id), "enable_new": false});
    choices["folders"].as_array_mut().unwrap().extend([gone("f8"), gone("f9")]);
    std::fs::write(home.machine.data.join("choices.json"), choices.to_string()).unwrap();
    let away = engine::folders_away(&home.machine);
    assert_eq!(away.len(), 2, "{away:?}");
    assert!(away[0].contains("f8 is not there") && away[1].contains("f9 is not there"), "{away:?}");
}

#[tokio::test]
async fn an_engine_that_begins_says_that_it_reads_until_every_skill_is_there() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("coffee", "Black.");
    let engine = home.start_with_library().await;
    engine.stop().await;
    drop(engine);

    let beginning = Engine::begin(home.machine.clone(), Mode::Writing).unwrap();
    let engine = beginning.engine().clone();
    let mut snapshots = engine.snapshots();
    let first = engine.snapshot();
    assert_eq!((first.reading, first.skills.len()), (Some(0), 0));
    let read = async { snapshots.wait_for(|snapshot| snapshot.reading.is_none()).await.unwrap().skills.len() };
    let ((), skills) = tokio::join!(beginning.finish(), read);
    assert_eq!(skills, 2, "the first snapshot that says it is read has them all");
}

#[tokio::test]
async fn the_first_run_is_read_once_it_is_known_which_folders_there_are() {
    let home = Home::new();
    write_skill(&home.machine.home.join(".claude/skills/tea/SKILL.md"), "Green.");
    let beginning = Engine::begin(home.machine.clone(), Mode::Writing).unwrap();
    let mut snapshots = beginning.engine().snapshots();
    let read = async { snapshots.wait_for(|snapshot| snapshot.reading.is_none()).await.unwrap().found.len() };
    let ((), found) = tokio::join!(beginning.finish(), read);
    assert_eq!(found, 1);
}

#[tokio::test]
async fn a_library_that_cannot_be_read_is_not_read_for_ever() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    engine.stop().await;
    drop(engine);
    fs::remove_dir_all(home.library()).unwrap();
    let engine = home.start().await;
    assert_eq!(engine.snapshot().reading, None);
}
