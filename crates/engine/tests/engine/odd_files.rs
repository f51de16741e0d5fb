//! Odd files of people, tools and attackers affect only their own skill.

#[cfg(unix)]
use std::os::unix::{fs::symlink, net::UnixListener};
use std::{fs, path::Path};

use api::{Readiness, SkillRow};
use engine::{Engine, Mode, actions};
#[cfg(unix)]
use tests::able::{REFUSALS, has_right};

use crate::home::{Home, row};

/// Writes a SKILL.md, however odd.
fn write(library: &Path, id: &str, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(library.join(id)).unwrap();
    fs::write(library.join(id).join("SKILL.md"), bytes).unwrap();
}

async fn opened(home: &Home) -> Engine {
    home.skill("tea", "Green.");
    Engine::start(home.machine.clone(), Mode::Plain { folders: vec![home.library()] }).await.unwrap()
}

fn message(row: &SkillRow) -> &str {
    let Readiness::Problem { message, .. } = &row.readiness else { panic!("{row:#?} has no problem") };
    message
}

/// The problems of a skill next to a sound one, which is unaffected.
async fn problems(id: &str, bytes: impl AsRef<[u8]>) -> String {
    let home = Home::new();
    write(&home.library(), id, bytes);
    let engine = opened(&home).await;
    let snapshot = engine.snapshot();
    assert_eq!(row(&snapshot, "tea").readiness, Readiness::Ready);
    let odd = snapshot.skills.iter().find(|row| row.id == id).unwrap();
    assert!(odd.problems.error > 0);
    let page = actions::read_skill(&engine, &odd.key).await.unwrap();
    page.problems.into_iter().filter(|problem| problem.is_error()).map(|problem| problem.message + "\n").collect()
}

#[tokio::test]
async fn a_bomb_of_aliases_is_not_followed() {
    let level =
        |number: usize| format!("a{number}: &a{number} [{}]\n", vec![format!("*a{}", number - 1); 10].join(", "));
    let bomb: String = (1..12).map(level).collect();
    let said = problems("bomb", format!("---\nname: bomb\ndescription: Grows.\na0: &a0 lol\n{bomb}---\n")).await;
    assert!(said.contains("at most 16 times"), "the limit is named");
}

#[tokio::test]
async fn deep_nesting_is_not_followed() {
    let nested = |depth| format!("---\nname: deep\ndescription: Nests.\nlist: {}\n---\n", "[".repeat(depth));
    assert!(problems("deep", nested(200_000)).await.contains("larger than 64 KiB"), "the limit is named");
    assert!(problems("deep", nested(20_000)).await.contains("nested too deeply"), "the limit is named");
}

#[tokio::test]
async fn a_file_without_frontmatter_or_text_is_a_problem() {
    for (id, bytes) in [("nul", &b"\0\0\0"[..]), ("not-utf8", b"\xff\xfe\x00"), ("empty", b"")] {
        let said = problems(id, bytes).await;
        assert!(said.contains("frontmatter") || said.contains("empty"), "{id}: {said}");
    }
}

#[tokio::test]
async fn nul_and_odd_bytes_in_a_description_are_named() {
    let home = Home::new();
    write(&home.library(), "nul", b"---\nname: nul\ndescription: a\0b\n---\n");
    write(&home.library(), "latin", b"---\nname: latin\ndescription: caf\xe9\n---\n");
    let snapshot = opened(&home).await.snapshot();
    assert_eq!(row(&snapshot, "tea").readiness, Readiness::Ready);
    for id in ["nul", "latin"] {
        let problems = row(&snapshot, id).problems;
        assert!(problems.error + problems.warning > 0, "{id}: {problems:?}");
    }
}

#[tokio::test]
#[cfg(unix)]
async fn what_is_no_file_is_not_waited_for() {
    let home = Home::new();
    let library = home.library();
    for id in ["fifo", "socket", "folder", "nowhere", "circle", "outside", "device"] {
        fs::create_dir(library.join(id)).unwrap();
    }
    let skill_md = |id: &str| library.join(id).join("SKILL.md");
    assert!(std::process::Command::new("mkfifo").arg(skill_md("fifo")).status().unwrap().success());
    let _listening = UnixListener::bind(skill_md("socket")).unwrap();
    fs::create_dir(skill_md("folder")).unwrap();
    symlink("none", skill_md("nowhere")).unwrap();
    symlink("SKILL.md", skill_md("circle")).unwrap();
    fs::write(home.elsewhere().join("secret"), "---\nname: secret\ndescription: Secret.\n---\n").unwrap();
    symlink(home.elsewhere().join("secret"), skill_md("outside")).unwrap();
    symlink("/dev/zero", skill_md("device")).unwrap();

    let engine = opened(&home).await;
    let snapshot = engine.snapshot();
    assert_eq!(row(&snapshot, "tea").readiness, Readiness::Ready);
    for id in ["fifo", "socket", "folder", "nowhere", "circle", "outside", "device"] {
        let row = row(&snapshot, id);
        let message = message(row);
        assert!(message.starts_with("SKILL.md "), "{id}: {message}");
        assert!(actions::read_skill(&engine, &row.key).await.unwrap().text.is_none(), "{id}");
    }
    assert_eq!(snapshot.endpoint.served, 1);
}

#[tokio::test]
async fn a_huge_file_is_not_read() {
    let home = Home::new();
    write(&home.library(), "huge", "");
    let file = fs::OpenOptions::new().write(true).open(home.library().join("huge/SKILL.md")).unwrap();
    file.set_len(200 << 20).unwrap();
    let engine = opened(&home).await;
    assert_eq!(message(row(&engine.snapshot(), "huge")), "SKILL.md is larger than 1 MiB, so it was not read.");
}

#[tokio::test]
#[cfg(unix)]
async fn a_file_that_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt as _;

    if !has_right(&REFUSALS, "odd_files::a_file_that_may_not_be_read_says_so") {
        return;
    }
    let home = Home::new();
    write(&home.library(), "closed", "---\nname: closed\ndescription: Closed.\n---\n");
    let file = home.library().join("closed/SKILL.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    let engine = opened(&home).await;
    assert!(message(row(&engine.snapshot(), "closed")).starts_with("SKILL.md may not be read"));
}

#[tokio::test]
async fn a_folder_of_ten_thousand_files_is_counted_to_the_end() {
    let home = Home::new();
    let crowded = home.skill("crowded", "Crowded.").parent().unwrap().to_path_buf();
    for number in 0..10_000 {
        fs::write(crowded.join(format!("{number}.txt")), "").unwrap();
    }
    let engine = opened(&home).await;
    let snapshot = engine.snapshot();
    assert_eq!(row(&snapshot, "tea").readiness, Readiness::Ready);
    assert_eq!(row(&snapshot, "crowded").files, 10_001);
    assert!(row(&snapshot, "crowded").problems.warning > 0, "which is said");
}

#[tokio::test]
#[cfg(unix)]
async fn links_that_lead_in_circles_end() {
    let home = Home::new();
    let library = home.library();
    symlink(&library, library.join("again")).unwrap();
    symlink("b", library.join("a")).unwrap();
    symlink("a", library.join("b")).unwrap();
    fs::create_dir_all(library.join("deep/er")).unwrap();
    symlink("../..", library.join("deep/er/up")).unwrap();
    let engine = opened(&home).await;
    let snapshot = engine.snapshot();
    let ids: Vec<_> = snapshot.skills.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["tea"]);
}
