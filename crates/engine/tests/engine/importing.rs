//! Imported skills arrive as they were shown, complete, and off.

use std::{fs, path::Path};

use api::{ErrorKind, ImportPlan};
use engine::{Engine, actions};

use crate::{
    home::{Home, ids, row, write_skill},
    zips::{file, zip},
};

fn text(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Makes {name}. Use when {name} is wanted.\n---\n# {name}\n")
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

async fn plan(engine: &Engine, source: &Path) -> ImportPlan {
    actions::look_at_import(engine, path(source), None).await.unwrap()
}

#[tokio::test]
async fn a_skill_from_a_zip_file_is_shown_first_and_comes_switched_off() {
    let home = Home::new();
    home.library();
    let engine = home.start_with_library().await;
    let source = home.path("tea.zip");
    let entries = [
        file("tea/", "").mode(0o040_755),
        file("tea/SKILL.md", text("tea")).deflated(),
        file("tea/scripts/boil.sh", "#!/bin/sh\ncurl https://example.com\n").mode(0o100_755),
        file("tea/.DS_Store", "apple"),
        file("__MACOSX/tea/._SKILL.md", "apple"),
        file("README.md", "beside"),
        file("CLAUDE.md", "../../AGENTS.md").mode(0o120_777),
    ];
    fs::write(&source, zip(&entries)).unwrap();
    let plan = plan(&engine, &source).await;
    assert_eq!((plan.archive, plan.place.as_str(), plan.skills.len()), (true, "~/tea.zip", 1));
    let skill = &plan.skills[0];
    assert_eq!((skill.path.as_str(), skill.id.as_str(), skill.name.as_str()), ("tea", "tea", "tea"));
    assert_eq!(skill.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["SKILL.md", "scripts/boil.sh"]);
    assert_eq!((skill.problems.error, skill.problems.warning, skill.same_id.as_deref()), (0, 0, None));
    assert_eq!(skill.trust.carried.scripts.len(), 1);
    assert_eq!(
        plan.left_out,
        [
            "`CLAUDE.md`, `README.md` belong to no skill and stay out.",
            "`tea/.DS_Store`, `__MACOSX/tea/._SKILL.md` are tools' own and stay out."
        ]
    );
    assert_eq!(fs::read_dir(home.library()).unwrap().count(), 0, "looking writes nothing");

    let keys = actions::import_skill(&engine, path(&source), &plan.id, "f1", None).await.unwrap();
    assert_eq!(keys, ["f1/tea"]);
    let snapshot = engine.snapshot();
    assert!(!row(&snapshot, "tea").enabled);
    assert_eq!(snapshot.notices, []);
    assert_eq!(fs::read_to_string(home.library().join("tea/SKILL.md")).unwrap(), text("tea"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &str| fs::metadata(home.library().join(path)).unwrap().permissions().mode();
        assert_eq!((mode("tea/scripts/boil.sh") & 0o100, mode("tea/SKILL.md") & 0o100), (0o100, 0));
    }
}

#[tokio::test]
async fn a_skill_at_the_top_of_a_zip_file_gets_the_name_that_it_gives_itself() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    let source = home.path("download (1).zip");
    fs::write(&source, zip(&[file("SKILL.md", text("tea")), file("guide.md", "guide")])).unwrap();
    let plan = plan(&engine, &source).await;
    assert_eq!(actions::import_skill(&engine, path(&source), &plan.id, "own", None).await.unwrap(), ["own/tea"]);
    assert_eq!(row(&engine.snapshot(), "tea").files, 2);
}

#[tokio::test]
async fn of_several_skills_all_come_or_those_that_were_chosen() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    let source = home.path("repository.zip");
    let skill = |name: &str| file(format!("repository-main/skills/{name}/SKILL.md"), text(name));
    let inside = file("repository-main/skills/tea/skills/green/SKILL.md", text("green"));
    fs::write(&source, zip(&[skill("tea"), skill("coffee"), skill("milk"), inside])).unwrap();
    let plan = plan(&engine, &source).await;
    let offered: Vec<_> = plan.skills.iter().map(|skill| skill.path.as_str()).collect();
    assert_eq!(offered, ["repository-main/skills/coffee", "repository-main/skills/milk", "repository-main/skills/tea"]);
    let only = |path: &str| Some(vec![path.to_owned()]);
    let import = async |only| actions::import_skill(&engine, path(&source), &plan.id, "own", only).await;
    assert_eq!(import(only("nothing")).await.unwrap_err().kind, ErrorKind::Input);
    assert_eq!(import(only("repository-main/skills/tea")).await.unwrap(), ["own/tea"]);
    assert_eq!(ids(&engine.snapshot()), ["green", "tea"]);
    assert!(engine.snapshot().skills.iter().all(|row| !row.enabled), "a skill inside is off too");
    let error = import(None).await.unwrap_err();
    assert!(
        error.message.replace('\\', "/").ends_with("skills/tea is there already, so nothing was written."),
        "{}",
        error.message
    );
    assert_eq!(ids(&engine.snapshot()), ["green", "tea"], "all or none");
}

#[tokio::test]
async fn what_changed_since_it_was_shown_does_not_come() {
    let home = Home::new();
    home.library();
    let engine = home.start_with_library().await;
    let source = home.path("outside/tea");
    write_skill(&source.join("SKILL.md"), "Green.");
    let plan = plan(&engine, &source).await;
    assert!(!plan.archive);
    let refused = async || actions::import_skill(&engine, path(&source), &plan.id, "f1", None).await.unwrap_err().kind;
    fs::write(source.join("evil.sh"), "evil").unwrap();
    assert_eq!(refused().await, ErrorKind::Changed);
    fs::remove_file(source.join("evil.sh")).unwrap();
    write_skill(&source.join("SKILL.md"), "Other.");
    assert_eq!(refused().await, ErrorKind::Changed);
    fs::remove_dir_all(&source).unwrap();
    assert_eq!(refused().await, ErrorKind::NotFound);
    assert_eq!(fs::read_dir(home.library()).unwrap().count(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_comes_without_what_its_links_lead_to_outside() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let engine = home.start_with_library().await;
    let source = home.path("outside/tea");
    write_skill(&source.join("SKILL.md"), "Green.");
    fs::write(source.join("guide.md"), "guide").unwrap();
    fs::write(home.path("secret"), "secret").unwrap();
    symlink("guide.md", source.join("same.md")).unwrap();
    symlink("../../secret", source.join("stolen")).unwrap();
    symlink("/", source.join("root")).unwrap();
    symlink("..", source.join("up")).unwrap();
    let plan = plan(&engine, &source).await;
    assert_eq!(plan.left_out, ["`stolen` is a link that leads out of the folder and stays out."]);
    actions::import_skill(&engine, path(&source), &plan.id, "own", None).await.unwrap();
    let mut names: Vec<_> =
        fs::read_dir(home.machine.data.join("skills/tea")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["SKILL.md", "guide.md", "same.md"]);

    let fifo = source.join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let error = actions::look_at_import(&engine, path(&source), None).await.unwrap_err();
    assert!(error.message.contains("fifo cannot be read"), "{}", error.message);
}

#[tokio::test]
async fn a_source_that_is_not_there_or_holds_nothing_says_so() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let refused = async |path: &str| actions::look_at_import(&engine, path, None).await.unwrap_err();
    assert_eq!(refused("tea.zip").await.kind, ErrorKind::Input);
    assert_eq!(refused(path(&home.path("none.zip"))).await.kind, ErrorKind::NotFound);
    let empty = home.path("empty");
    fs::create_dir(&empty).unwrap();
    assert!(refused(path(&empty)).await.message.starts_with("There is no SKILL.md in"));

    let source = home.path("other.zip");
    fs::write(&source, zip(&[file("tea/SKILL.md", text("tea"))])).unwrap();
    let plan = plan(&engine, &source).await;
    assert_eq!(plan.skills[0].same_id.as_deref(), Some("~/skills/tea"));
    let error = actions::import_skill(&engine, path(&source), &plan.id, "f1", None).await.unwrap_err();
    assert_eq!(error.message, "~/skills/tea is there already, so nothing was written.");
    let error = actions::import_skill(&engine, path(&source), &plan.id, "f9", None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
}

#[cfg(unix)]
#[tokio::test]
async fn of_a_repository_comes_what_can_and_the_rest_is_named_with_its_reason() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let engine = home.start_with_library().await;
    let source = home.path("outside/repository");
    let skills = source.join("skills");
    for name in ["cake", "coffee", "large", "milk", "odd", "tea"] {
        write_skill(&skills.join(name).join("SKILL.md"), "Use when it is wanted.");
    }
    write_skill(&source.join("team/deep/.hidden/soup/SKILL.md"), "Use when it is wanted.");
    write_skill(&source.join("more/tea/SKILL.md"), "Another tea.");
    (0..600).for_each(|number| fs::write(skills.join(format!("large/{number}.md")), "x").unwrap());
    fs::write(skills.join("odd/aux.md"), "odd").unwrap();
    fs::write(source.join("is it: a name?.md"), "odd").unwrap();
    fs::write(skills.join("coffee/SKILL.md"), "No frontmatter.").unwrap();
    fs::create_dir_all(source.join(".claude")).unwrap();
    symlink("../skills", source.join(".claude/skills")).unwrap();
    fs::create_dir_all(skills.join("stolen")).unwrap();
    symlink("/etc/passwd", skills.join("stolen/SKILL.md")).unwrap();

    let plan = plan(&engine, &source).await;
    let come: Vec<_> = plan.skills.iter().map(|skill| skill.path.as_str()).collect();
    assert_eq!(come, ["more/tea", "skills/cake", "skills/coffee", "skills/milk", "team/deep/.hidden/soup"]);
    let why = |path: &str| {
        let refused: Vec<_> = plan.refused.iter().filter(|refused| refused.path == path).collect();
        assert_eq!(refused.len(), 1, "{path}: {:#?}", plan.refused);
        refused[0].why.as_str()
    };
    assert_eq!(why("skills/large"), "skills/large has more than 512 files, which is more than clients take.");
    assert_eq!(why("skills/odd"), "A name in `skills/odd/aux.md` is one that Windows keeps for a device.");
    assert_eq!(why("skills/stolen"), "Its SKILL.md is a link that leads out of the folder.");
    assert_eq!(why("skills/tea"), "It would get the folder `tea`, as `more/tea` does. Import it by itself.");
    assert_eq!(why(".claude/skills/milk"), "It is the same as `skills/milk`, file by file.");
    assert_eq!(plan.left_out, ["`is it: a name?.md` belongs to no skill and stays out."]);

    let only = Some(vec!["skills/tea".to_owned()]);
    let alone = actions::look_at_import(&engine, path(&source), only.clone()).await.unwrap();
    assert_eq!((alone.skills.len(), alone.refused.len()), (1, 0));
    let keys = actions::import_skill(&engine, path(&source), &alone.id, "own", only).await.unwrap();
    assert_eq!(keys, ["own/tea"]);
    assert!(row(&engine.snapshot(), "tea").description.starts_with("Use when"), "not the other one");
    let only = Some(vec!["skills/large".to_owned()]);
    let refused = actions::look_at_import(&engine, path(&source), only).await.unwrap_err();
    assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::Refused, why("skills/large")));
    let only = Some(vec!["skills/cake".to_owned(), "skills/milk".to_owned()]);
    let keys = actions::import_skill(&engine, path(&source), &plan.id, "own", only).await.unwrap();
    assert_eq!(keys, ["own/cake", "own/milk"], "chosen from all that were shown");
}

#[tokio::test]
async fn a_skill_md_means_the_skill_in_whose_folder_it_lies() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    let files = |plan: &ImportPlan| -> Vec<_> { plan.skills[0].files.iter().map(|file| file.path.clone()).collect() };
    let named = home.path("outside/tea/SKILL.md");
    write_skill(&named, "Green.");
    fs::write(home.path("outside/tea/boil.sh"), "boil").unwrap();
    let shown = plan(&engine, &named).await;
    assert_eq!(
        (shown.skills[0].id.as_str(), files(&shown)),
        ("tea", vec!["SKILL.md".to_owned(), "boil.sh".to_owned()])
    );
    let keys = actions::import_skill(&engine, path(&named), &shown.id, "own", None).await.unwrap();
    assert_eq!(keys, ["own/tea"]);
    assert!(home.machine.data.join("skills/tea/boil.sh").exists() && !row(&engine.snapshot(), "tea").enabled);

    // A folder of another name, which holds what skills have, what the text names, and leftovers of tools.
    let usual = home.path("outside/coffee-main/SKILL.md");
    write_skill(&usual, "See [the guide](guide.md).");
    fs::create_dir(home.path("outside/coffee-main/scripts")).unwrap();
    fs::write(home.path("outside/coffee-main/scripts/grind.sh"), "grind").unwrap();
    fs::write(home.path("outside/coffee-main/guide.md"), "guide").unwrap();
    fs::write(home.path("outside/coffee-main/.DS_Store"), "apple").unwrap();
    assert_eq!(files(&plan(&engine, &usual).await), ["SKILL.md", "guide.md", "scripts/grind.sh"]);
}

#[tokio::test]
async fn a_skill_md_among_other_things_comes_alone_and_says_so() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    let downloads = home.path("Downloads");
    fs::create_dir_all(downloads.join("photos")).unwrap();
    fs::write(downloads.join("photos/private.jpg"), "private").unwrap();
    write_skill(&downloads.join("another-skill/SKILL.md"), "Use when it is wanted.");
    let source = downloads.join("SKILL.md");
    fs::write(&source, text("tea")).unwrap();
    let plan = plan(&engine, &source).await;
    let [skill] = &plan.skills[..] else { panic!("{plan:#?}") };
    assert_eq!((skill.id.as_str(), skill.files.len(), plan.place.as_str()), ("tea", 1, "~/Downloads/SKILL.md"));
    assert!(plan.left_out[0].starts_with("Only `SKILL.md` comes"), "{:?}", plan.left_out);
    let keys = actions::import_skill(&engine, path(&source), &plan.id, "own", None).await.unwrap();
    assert_eq!(keys, ["own/tea"]);
    assert_eq!(fs::read_dir(home.machine.data.join("skills/tea")).unwrap().count(), 1);
    fs::write(&source, text("other")).unwrap();
    let changed = actions::import_skill(&engine, path(&source), &plan.id, "own", None).await.unwrap_err();
    assert_eq!(changed.kind, ErrorKind::Changed);
}

#[tokio::test]
async fn markdown_of_another_name_and_a_skill_of_the_library_are_no_broken_zip_files() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let refused = async |path: &Path| actions::look_at_import(&engine, path.to_str().unwrap(), None).await.unwrap_err();
    let low = home.path("outside/low/skill.md");
    write_skill(&low, "Use when it is wanted.");
    assert_eq!(refused(&low).await.message, "`skill.md` must be called SKILL.md, in capitals: clients read no other.");
    for there in ["skills/tea/SKILL.md", "skills/tea"] {
        assert_eq!(refused(&home.path(there)).await.message, "tea is in your library already: ~/skills/tea.");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_to_a_skill_md_means_the_skill_that_it_leads_to() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let engine = home.start_with_library().await;
    write_skill(&home.path("outside/tea/SKILL.md"), "Green.");
    fs::write(home.path("outside/tea/boil.sh"), "boil").unwrap();
    let link = home.path("SKILL.md");
    symlink("outside/tea/SKILL.md", &link).unwrap();
    let plan = plan(&engine, &link).await;
    assert_eq!((plan.skills[0].id.as_str(), plan.skills[0].files.len()), ("tea", 2));
    fs::write(home.path("secret"), "secret").unwrap();
    let stolen = home.path("outside/stolen/SKILL.md");
    fs::create_dir(home.path("outside/stolen")).unwrap();
    symlink("../../secret", &stolen).unwrap();
    let error = actions::look_at_import(&engine, path(&stolen), None).await.unwrap_err();
    assert!(error.message.starts_with("`SKILL.md` is a link to"), "{}", error.message);
}
