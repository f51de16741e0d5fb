//! One client's file from the first read to the last byte.

use std::{fs, path::PathBuf, time::Duration};

use api::{DiffSign, ErrorKind, PlanFile, Standing};
use machine::Machine;

use super::home::{ADD, CLIENT, Home, PATIENCE, PLACE, REMOVE, THEIRS, cases};
use crate::{
    Engine, Mode,
    actions::{self, change_client, plan_client},
};

#[tokio::test]
async fn every_golden_file_is_written_as_expected_and_restored_to_the_byte() {
    let home = Home::holding("").await;
    let mut count = 0;
    for case in cases(CLIENT) {
        let (Ok(before), Ok(after)) = (fs::read(case.join("before.json")), fs::read(case.join("after.json"))) else {
            continue;
        };
        let after = String::from_utf8(after).unwrap().replace("\"/usr/bin/skilltender\"", &home.quoted_command());
        fs::write(home.file(), &before).unwrap();
        home.connect().await.unwrap();
        assert!(fs::read(home.file()).unwrap() == after.as_bytes(), "{} after adding", case.display());
        home.disconnect().await.unwrap();
        assert!(fs::read(home.file()).unwrap() == before, "{} after removing", case.display());
        count += 1;
    }
    assert!(count >= 20, "only {count} files");
}

#[tokio::test]
async fn a_missing_file_and_its_folder_are_made_and_go_again() {
    let home = Home::new().await;
    assert!(!home.client().found);
    let plan = plan_client(&home.engine, CLIENT, ADD).await.unwrap();
    assert_eq!((plan.file, plan.removed), (PlanFile::Created, 0));
    assert_eq!(plan.added as usize, plan.lines.len());

    change_client(&home.engine, CLIENT, ADD, &plan.id).await.unwrap();
    assert!(home.text().contains(&home.quoted_command()));
    assert_eq!(plan_client(&home.engine, CLIENT, REMOVE).await.unwrap().file, PlanFile::Deleted);
    home.disconnect().await.unwrap();
    assert!(!home.file().exists());
    assert!(!home.file().ancestors().nth(2).unwrap().exists(), "the folders that we made are gone too");
}

#[tokio::test]
async fn the_preview_shows_the_lines_that_change_and_their_numbers() {
    let home = Home::holding(THEIRS).await;
    let plan = plan_client(&home.engine, CLIENT, ADD).await.unwrap();
    assert_eq!(plan.place, PLACE);
    assert_eq!((plan.added, plan.removed), (5, 1));
    let changed: Vec<_> =
        plan.lines.iter().filter(|line| line.sign != DiffSign::Same).map(|line| (line.sign, line.number)).collect();
    let added = (3..=7).map(|number| (DiffSign::Added, number));
    assert_eq!(changed, [(DiffSign::Removed, 3)].into_iter().chain(added).collect::<Vec<_>>());
    assert_eq!(home.text(), THEIRS, "a preview writes nothing");
    assert!(home.journal().is_empty());
}

#[tokio::test]
async fn the_snapshot_says_when_the_entry_was_written_and_sees_when_somebody_takes_it_out() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    let client = home.client();
    assert_eq!(client.standing, Standing::Added);
    assert!(client.found && client.written.is_some());

    fs::write(home.file(), THEIRS).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Dropped { waiting: false }).await;
    assert_eq!(home.client().written, None);
}

#[tokio::test]
async fn what_changed_between_preview_and_confirmation_is_not_overwritten() {
    let home = Home::holding(THEIRS).await;
    let plan = plan_client(&home.engine, CLIENT, ADD).await.unwrap();
    let meanwhile = THEIRS.replace("\"x\"", "\"y\"");
    fs::write(home.file(), &meanwhile).unwrap();
    let error = change_client(&home.engine, CLIENT, ADD, &plan.id).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Changed);
    assert_eq!(home.text(), meanwhile);
    assert!(home.journal().is_empty());
}

#[tokio::test]
async fn somebody_elses_edit_in_between_stays() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    let edit = |text: &str| text.replacen("{\n", "{\n  \"theme\": \"dark\",\n", 1);
    fs::write(home.file(), edit(&home.text())).unwrap();
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), edit(THEIRS));
}

#[tokio::test]
async fn a_file_that_the_client_could_not_read_is_refused_with_the_place_of_its_error() {
    let broken = "{\n  // mine\n  \"mcpServers\": {}\n}\n";
    let home = Home::holding(broken).await;
    let error = plan_client(&home.engine, CLIENT, ADD).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.message.contains("2:3"), "{}", error.message);
    assert_eq!(error.hints, [format!("The file is {PLACE}.")]);
    assert_eq!(home.text(), broken);
}

#[tokio::test]
async fn an_entry_of_our_name_that_we_did_not_write_is_left_alone() {
    let theirs = THEIRS.replace("\"a\"", "\"skilltender\"");
    let home = Home::holding(&theirs).await;
    for error in [home.connect().await.unwrap_err(), home.disconnect().await.unwrap_err()] {
        assert_eq!(error.kind, ErrorKind::Refused);
        assert!(error.message.contains("did not write"), "{}", error.message);
    }
    assert_eq!(home.text(), theirs);
}

#[tokio::test]
async fn our_entry_goes_without_a_journal_too() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    fs::remove_dir_all(home.engine.machine().data.join("journal")).unwrap();
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), THEIRS);
}

#[tokio::test]
async fn the_record_in_the_journal_holds_nothing_of_other_servers() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    home.disconnect().await.unwrap();
    let records: Vec<_> = home.journal().into_iter().filter(|path| path.extension().unwrap() == "json").collect();
    assert_eq!(records.len(), 2);
    for record in records {
        let text = fs::read_to_string(&record).unwrap();
        assert!(text.contains("claude_desktop_config.json") && !text.contains("k-12345"), "{text}");
        assert!(fs::read_to_string(record.with_extension("before")).unwrap().contains("k-12345"));
    }
}

#[tokio::test]
async fn the_next_start_renews_the_program_that_clients_run() {
    let home = Home::with(|machine| {
        let program = machine.home.join("skilltender");
        fs::write(&program, "old").unwrap();
        Machine { program, ..machine }
    })
    .await;
    home.connect().await.unwrap();
    let machine = home.engine.machine().as_ref().clone();
    let copy = PathBuf::from(home.command());
    assert!(home.text().contains(&home.quoted_command()));
    home.engine.stop().await;

    fs::write(&machine.program, "new").unwrap();
    let _engine = Engine::start(machine, Mode::Writing).await.unwrap();
    let renewed = async {
        while fs::read(&copy).unwrap() != b"new" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, renewed).await.unwrap();
}

#[tokio::test]
async fn another_data_folder_stands_in_the_entry() {
    let home = Home::with(|machine| Machine { default_data: false, ..machine }).await;
    home.connect().await.unwrap();
    let file: serde_json::Value = serde_json::from_str(&home.text()).unwrap();
    let data = home.engine.machine().data.to_str().unwrap();
    let args = &file["mcpServers"]["skilltender"]["args"];
    assert_eq!(*args, serde_json::json!(["mcp", "--client", CLIENT, "--home", data]));
}

#[tokio::test]
async fn every_place_that_windows_may_read_from_is_written_and_none_is_made() {
    let home = Home::with(|mut machine| {
        machine.places.platform = clients::Platform::Windows;
        // Clients get a copy of it.
        machine.program = machine.home.join("skilltender");
        fs::write(&machine.program, "one").unwrap();
        machine
    })
    .await;
    let local = home.folder.path().join("AppData/Local");
    let packaged = local.join("Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude");
    fs::create_dir_all(&packaged).unwrap();
    fs::create_dir_all(home.file().parent().unwrap()).unwrap();
    fs::write(home.file(), THEIRS).unwrap();
    home.connect().await.unwrap();
    for file in [home.file(), packaged.join("claude_desktop_config.json")] {
        assert!(fs::read_to_string(file).unwrap().contains("skilltender"));
    }
    assert!(!local.join("Claude-Data").exists());
    assert_eq!(home.client().standing, Standing::Added);

    home.disconnect().await.unwrap();
    assert_eq!(home.text(), THEIRS);
    assert_eq!(fs::read_dir(&packaged).unwrap().count(), 0);
}

#[tokio::test]
async fn an_unknown_client_is_told_with_what_comes_near() {
    let home = Home::new().await;
    for (word, hint) in [
        ("claud-code", "Did you mean claude-code"),
        ("notepad!!", "`skilltender clients --all` lists those that it knows."),
    ] {
        let error = plan_client(&home.engine, word, ADD).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unknown);
        assert!(error.hints[0].starts_with(hint), "{error:?}");
    }
}

#[tokio::test]
async fn what_is_so_already_is_told_as_such_and_a_deleted_program_is_back() {
    let home = Home::with(|machine| {
        let program = machine.home.join("mount/skilltender");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "one").unwrap();
        Machine { program, ..machine }
    })
    .await;
    home.give(CLIENT, THEIRS);
    assert_eq!(home.disconnect().await.unwrap_err().kind, ErrorKind::Already);
    home.connect().await.unwrap();
    let error = home.connect().await.unwrap_err();
    assert_eq!((error.kind, error.hints.len()), (ErrorKind::Already, 1), "{error:?}");

    let copy = PathBuf::from(home.command());
    // The engine, too, puts it back once while it starts, which may be just now.
    let mut hints = Vec::new();
    for _ in 0..2 {
        fs::remove_file(&copy).unwrap();
        hints.extend(home.connect().await.unwrap_err().hints);
    }
    assert!(hints.iter().any(|hint| hint == "The program that it runs was gone, and is back."), "{hints:?}");
    assert_eq!(fs::read(&copy).unwrap(), b"one");

    // The serving engine restores it at startup.
    fs::remove_file(&copy).unwrap();
    let home = home.again(|machine| machine).await;
    let since = std::time::Instant::now();
    while !copy.exists() {
        assert!(since.elapsed() < PATIENCE, "it is not put back");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), THEIRS);
}

#[tokio::test]
async fn a_client_that_is_not_here_is_said_to_be_so_before_its_file_is_made() {
    let home = Home::new().await;
    let note = "Cursor was not found on this computer. The entry waits there until it is.";
    assert_eq!(home.plan("cursor", ADD).await.unwrap().notes, [note]);
    home.made(".cursor");
    assert_eq!(home.plan("cursor", ADD).await.unwrap().notes, [""; 0]);
}

#[tokio::test]
async fn a_client_that_wants_the_entry_by_hand_gets_it_printed_and_the_program_is_there() {
    let home = Home::with(|machine| {
        let program = machine.home.join("st");
        fs::write(&program, "one").unwrap();
        Machine { program, ..machine }
    })
    .await;
    let error = home.plan("jetbrains-ai", ADD).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    let entry = error.hints.last().unwrap().strip_prefix("This is the entry: ").unwrap();
    let entry: serde_json::Value = serde_json::from_str(entry).unwrap();
    let entry = &entry["mcpServers"]["skilltender"];
    assert_eq!(entry["args"][0], "mcp");
    assert_eq!(fs::read(entry["command"].as_str().unwrap()).unwrap(), b"one");
}

#[cfg(unix)]
mod unix {
    use std::{
        os::unix::fs::{PermissionsExt as _, symlink},
        path::Path,
    };

    use super::{super::home::UPDATE, *};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[tokio::test]
    async fn the_target_of_a_link_is_written_and_the_link_stays() {
        let home = Home::holding("").await;
        let real = home.folder.path().join("dotfiles.json");
        fs::write(&real, THEIRS).unwrap();
        fs::remove_file(home.file()).unwrap();
        symlink(&real, home.file()).unwrap();
        home.connect().await.unwrap();
        assert!(fs::read_to_string(&real).unwrap().contains("skilltender"));
        assert_eq!(fs::read_link(home.file()).unwrap(), real);
        home.disconnect().await.unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), THEIRS);
    }

    #[tokio::test]
    async fn a_read_only_file_is_refused_with_a_sentence_and_leaves_no_record() {
        let home = Home::holding(THEIRS).await;
        fs::set_permissions(home.file(), fs::Permissions::from_mode(0o444)).unwrap();
        let error = home.connect().await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Refused);
        assert!(error.message.ends_with("is read-only, so nothing was written. Make it writable and try again."));
        assert_eq!(home.text(), THEIRS);
        assert!(home.journal().is_empty());
    }

    #[tokio::test]
    async fn a_files_mode_stays_and_a_new_file_is_private() {
        let home = Home::holding(THEIRS).await;
        fs::set_permissions(home.file(), fs::Permissions::from_mode(0o664)).unwrap();
        home.connect().await.unwrap();
        assert_eq!(mode(&home.file()), 0o664);

        fs::remove_file(home.file()).unwrap();
        home.connect().await.unwrap();
        assert_eq!(mode(&home.file()), 0o600);
    }

    /// On Windows clients run a copy, whose place is always the same.
    #[tokio::test]
    async fn an_entry_of_an_older_place_is_out_of_date_and_one_update_puts_it_right() {
        let home = Home::holding("{}").await;
        home.connect().await.unwrap();
        let text = home.text();
        let message = "Our entry runs /usr/bin/skilltender, and Skilltender is at /opt/skilltender/skilltender now.";
        let program = PathBuf::from("/opt/skilltender/skilltender");
        let home = home.again(|machine| Machine { program, ..machine }).await;
        assert_eq!(home.client().standing, Standing::Outdated { message: message.to_owned() });
        assert_eq!(home.text(), text, "nothing is written without being asked for");

        let plan = plan_client(&home.engine, CLIENT, UPDATE).await.unwrap();
        assert_eq!((plan.added, plan.removed), (1, 1));
        change_client(&home.engine, CLIENT, UPDATE, &plan.id).await.unwrap();
        assert_eq!(home.text(), text.replace("/usr/bin", "/opt/skilltender"));
        assert_eq!(home.client().standing, Standing::Added);
        home.disconnect().await.unwrap();
        assert_eq!(home.text(), "{}");
    }
}

#[tokio::test]
async fn what_cannot_be_recorded_is_not_written() {
    let home = Home::holding(THEIRS).await;
    fs::write(home.engine.machine().data.join("journal"), "in the way").unwrap();
    assert_eq!(home.connect().await.unwrap_err().kind, ErrorKind::System);
    assert_eq!(home.text(), THEIRS);
    assert_eq!(home.client().standing, Standing::Absent);
}

#[tokio::test]
async fn what_is_taken_out_at_the_end_is_what_was_shown() {
    let home = Home::new().await;
    home.connect().await.unwrap();
    let shown = actions::plan_uninstall(&home.engine).await.unwrap();
    let plan = shown.entries[0].plan.as_ref().unwrap();
    assert!(plan.lines.iter().any(|line| line.text.contains("skilltender")), "{plan:?}");
    let edited = home.text().replacen('{', "{\n  \"mine\": 1,", 1);
    fs::write(home.file(), &edited).unwrap();
    home.look(CLIENT).await;
    let refused = actions::uninstall(&home.engine, &shown.id, false).await.unwrap_err();
    assert_eq!((refused.kind, home.text()), (ErrorKind::Changed, edited));
    let again = actions::plan_uninstall(&home.engine).await.unwrap();
    assert_eq!(actions::uninstall(&home.engine, &again.id, false).await.unwrap(), [""; 0]);
    assert!(!home.text().contains("skilltender") && home.text().contains("mine"));
    assert!(actions::traces(&home.engine).await.unwrap().is_empty());
}
