//! Editing a SKILL.md: only the edited part changes, and nothing is ever lost.

use std::fs;

use api::{EditorSplice, ErrorKind, Kept, Saved};
use engine::{Engine, Mode, actions};

use crate::home::{Home, row, until};

const TEA: &str = "f1/tea";

fn splice(from: u32, to: u32, insert: &str) -> Vec<EditorSplice> {
    vec![EditorSplice { from, to, insert: insert.to_owned() }]
}

/// The splice that replaces `old` by `new`, in an editor's units.
fn replace(shown: &str, old: &str, new: &str) -> Vec<EditorSplice> {
    let at = shown.find(old).unwrap();
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap();
    let from = units(&shown[..at]);
    splice(from, from + units(old), new)
}

async fn edit(engine: &Engine, old: &str, new: &str) -> Saved {
    let page = actions::read_skill(engine, TEA).await.unwrap();
    let splices = replace(&page.text.unwrap(), old, new);
    actions::save_skill(engine, TEA, &page.digest, splices).await.unwrap()
}

fn kept(home: &Home) -> Vec<Vec<u8>> {
    let mut files: Vec<_> = fs::read_dir(home.machine.data.join("kept").join(TEA))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

#[tokio::test]
async fn what_is_wrong_in_the_content_is_counted_in_the_list_as_on_the_page() {
    let home = Home::new();
    let file = home.skill("tea", "Makes tea. Use when somebody is thirsty.");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}\nSee [the guide](references/none.md).\n")).unwrap();
    let engine = home.start_with_library().await;
    let snapshot = until(&engine, |snapshot| row(snapshot, "tea").problems.warning > 0).await;
    let page = actions::read_skill(&engine, "f1/tea").await.unwrap();
    let counted = row(&snapshot, "tea").problems;
    assert_eq!(page.problems.len(), (counted.error + counted.warning + counted.advice) as usize);

    fs::write(file.parent().unwrap().join("none.md"), "Nothing.").unwrap();
    fs::write(&file, text).unwrap();
    until(&engine, |snapshot| row(snapshot, "tea").problems.warning == 0).await;
}

#[tokio::test]
async fn untouched_lines_keep_their_bytes() {
    let home = Home::new();
    let file = home.skill("tea", "x");
    let before = "\u{feff}---\r\nname: tea\r\ndescription: Grün 🌱.\n---\r\nBoil\rwater.\n";
    fs::write(&file, before).unwrap();
    let engine = home.start_with_library().await;
    assert_eq!(actions::read_skill(&engine, TEA).await.unwrap().line_ends, "mixed");

    let Saved::Saved { page } = edit(&engine, "🌱.", "🌱, hot.").await else { panic!("saved") };
    assert_eq!(fs::read_to_string(&file).unwrap(), before.replace("🌱.", "🌱, hot."));
    assert_eq!(page.text.unwrap(), "---\nname: tea\ndescription: Grün 🌱, hot.\n---\nBoil\nwater.\n");
    assert_eq!(row(&engine.snapshot(), "tea").description, "Grün 🌱, hot.");
    assert_eq!(kept(&home), [before.as_bytes()]);
}

#[tokio::test]
async fn all_that_can_be_put_right_is_put_right_at_once() {
    let home = Home::new();
    let file = home.skill("tea", "x");
    let before = "---\r\nname: Tea\r\ndescription: Use when: tea # hot\n---\nBoil\u{200b}ing\rwater.\n";
    fs::write(&file, before).unwrap();
    let engine = home.start_with_library().await;
    let page = actions::read_skill(&engine, TEA).await.unwrap();

    let Saved::Saved { page } = actions::fix_skill(&engine, TEA, &page.digest).await.unwrap() else { panic!("saved") };
    let after = "---\r\nname: tea\r\ndescription: \"Use when: tea # hot\"\n---\nBoiling\rwater.\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), after);
    assert_eq!(kept(&home), [before.as_bytes()]);

    let again = actions::fix_skill(&engine, TEA, &page.digest).await.unwrap();
    assert!(matches!(again, Saved::Saved { .. }));
    assert_eq!(kept(&home).len(), 1, "nothing was left to do");

    fs::write(&file, before).unwrap();
    let stale = actions::fix_skill(&engine, TEA, &page.digest).await.unwrap();
    assert!(matches!(stale, Saved::Changed { .. }));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_left_alone_and_both_versions_are_kept() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let page = actions::read_skill(&engine, TEA).await.unwrap();
    fs::write(&file, "theirs").unwrap();

    let saved = actions::save_skill(&engine, TEA, &page.digest, splice(0, 0, "mine")).await.unwrap();
    let Saved::Changed { page } = saved else { panic!("changed") };
    assert_eq!(page.text.as_deref(), Some("theirs"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");

    actions::keep_version(&engine, TEA, "mine".to_owned(), true).await.unwrap();
    assert_eq!(kept(&home), ["mine".as_bytes()]);
    let saved = actions::save_skill(&engine, TEA, &page.digest, splice(6, 6, "!")).await.unwrap();
    assert!(matches!(saved, Saved::Saved { .. }));
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs!");
}

#[tokio::test]
async fn unsaved_text_is_kept_when_the_skill_is_gone_and_never_outside_of_our_folder() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    fs::remove_file(file).unwrap();
    actions::keep_version(&engine, TEA, "mine".to_owned(), true).await.unwrap();
    assert_eq!(kept(&home), ["mine".as_bytes()]);
    for key in ["../f1/tea", "f1/../../tea", "/tmp/tea"] {
        actions::keep_version(&engine, key, "mine".to_owned(), true).await.unwrap_err();
    }
}

#[tokio::test]
async fn unsaved_text_is_read_by_an_engine_that_only_reads_and_settled_by_the_one_that_writes() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    actions::keep_version(&engine, TEA, "mine".to_owned(), true).await.unwrap();
    let reading = Engine::start(home.machine.clone(), Mode::Reading).await.unwrap();
    let [kept] = actions::kept_versions(&reading, TEA).await.unwrap()[..] else { panic!("one text is kept") };
    assert_eq!(actions::read_kept(&reading, TEA, kept.moment).await.unwrap(), "mine");
    actions::kept_versions(&reading, "../f1/tea").await.unwrap_err();
    actions::settle_kept(&reading, TEA, kept.moment).await.unwrap_err();
    actions::settle_kept(&engine, TEA, kept.moment).await.unwrap();
    assert_eq!(actions::kept_versions(&reading, TEA).await.unwrap(), []);
}

#[tokio::test]
async fn twenty_versions_of_a_file_are_kept() {
    let home = Home::new();
    home.skill("tea", "0.");
    let engine = home.start_with_library().await;
    for number in 0..23 {
        edit(&engine, &format!("{number}."), &format!("{}.", number + 1)).await;
    }
    let kept = kept(&home);
    assert_eq!(kept.len(), 20);
    assert!(String::from_utf8_lossy(&kept[0]).contains("description: 3."), "the oldest went");
    assert!(String::from_utf8_lossy(&kept[19]).contains("description: 22."));
}

#[tokio::test]
async fn a_file_that_is_not_utf_8_opens_read_only() {
    let home = Home::new();
    let file = home.skill("tea", "x");
    fs::write(&file, b"---\nname: tea\ndescription: caf\xe9\n---\n").unwrap();
    let engine = home.start_with_library().await;
    let page = actions::read_skill(&engine, TEA).await.unwrap();
    assert_eq!((page.text, page.read_only.is_some()), (None, true));
    let error = actions::save_skill(&engine, TEA, &page.digest, splice(0, 0, "x")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
}

#[tokio::test]
async fn changes_that_do_not_fit_are_refused() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let before = fs::read(&file).unwrap();
    let engine = home.start_with_library().await;
    let page = actions::read_skill(&engine, TEA).await.unwrap();
    let error = actions::save_skill(&engine, TEA, &page.digest, splice(9, 3, "x")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Input);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn problems_stand_where_the_editor_counts() {
    let home = Home::new();
    home.skill("tea", "x");
    let engine = home.start_with_library().await;
    let text = "---\nname: tea\ndescription: 🌱 Use when: somebody wants tea\n---\n";
    let problems = actions::check_text(&engine, TEA, text.to_owned()).await.unwrap();
    let colon = problems.iter().find(|problem| problem.rule == "unquoted-colon").unwrap();
    let units: Vec<u16> = text.encode_utf16().collect();
    let marked = String::from_utf16(&units[colon.from as usize..]).unwrap();
    assert!(marked.starts_with(':') || marked.starts_with("🌱 Use when"), "{marked}");

    let fix = colon.fix.as_ref().unwrap();
    let mut fixed = units;
    for splice in fix.splices.iter().rev() {
        fixed.splice(splice.from as usize..splice.to as usize, splice.insert.encode_utf16());
    }
    let fixed = String::from_utf16(&fixed).unwrap();
    let problems = actions::check_text(&engine, TEA, fixed.clone()).await.unwrap();
    assert!(problems.iter().all(|problem| problem.rule != "unquoted-colon"), "{fixed}");
}

#[tokio::test]
async fn text_files_are_read_and_others_are_not() {
    let home = Home::new();
    let folder = home.skill("tea", "x").parent().unwrap().to_path_buf();
    fs::write(folder.join("notes.md"), "\u{feff}Grün\r\n").unwrap();
    fs::write(folder.join("image.png"), b"\x89PNG\0").unwrap();
    fs::write(folder.join("large.txt"), vec![b'a'; (1 << 20) + 1]).unwrap();
    let engine = home.start_with_library().await;
    let read = |path: &'static str| actions::read_file(&engine, TEA, path);
    assert_eq!(read("notes.md").await.unwrap().as_deref(), Some("\u{feff}Grün\r\n"));
    assert_eq!(read("image.png").await.unwrap(), None);
    assert_eq!(read("large.txt").await.unwrap(), None);
    assert_eq!(read("../tea/notes.md").await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(read("none.md").await.unwrap_err().kind, ErrorKind::NotFound);
}

#[cfg(unix)]
#[tokio::test]
async fn keeps_the_mode_and_writes_the_target_of_a_link() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let home = Home::new();
    let real = home.skill("real", "Green.");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(home.library().join("tea")).unwrap();
    let link = home.library().join("tea/SKILL.md");
    symlink("../real/SKILL.md", &link).unwrap();
    let engine = home.start_with_library().await;
    edit(&engine, "Green.", "Black.").await;
    assert!(fs::read_to_string(&real).unwrap().contains("Black."));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_link(&link).unwrap().to_str(), Some("../real/SKILL.md"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_file_is_refused_with_a_sentence() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = Home::new();
    let file = home.skill("tea", "Green.");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let engine = home.start_with_library().await;
    let page = actions::read_skill(&engine, TEA).await.unwrap();
    let error = actions::save_skill(&engine, TEA, &page.digest, splice(0, 0, "x")).await.unwrap_err();
    assert!(error.message.contains("is read-only"), "{error}");
}

#[tokio::test]
async fn an_unsaved_text_is_offered_until_it_is_settled_and_kept_afterwards() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    actions::keep_version(&engine, TEA, "theirs".to_owned(), false).await.unwrap();
    actions::keep_version(&engine, TEA, "mine".to_owned(), true).await.unwrap();
    let offered = actions::kept_versions(&engine, TEA).await.unwrap();
    let [Kept { moment }] = offered[..] else { panic!("{offered:?}") };
    assert_eq!(actions::read_kept(&engine, TEA, moment).await.unwrap(), "mine");
    actions::settle_kept(&engine, TEA, moment).await.unwrap();
    assert_eq!(actions::kept_versions(&engine, TEA).await.unwrap(), []);
    assert_eq!(kept(&home).len(), 2, "nothing is lost");
    assert!(actions::read_kept(&engine, TEA, moment).await.is_err());
}
