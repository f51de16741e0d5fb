//! Adding Skilltender's entry to a client's file of any bytes: it is refused, or removing the entry restores every
//! byte.

use clients::{Client, Entry, Standing, client, connect, disconnect, servers, standing, update};

/// One client of each kind of file.
const CLIENTS: &[&str] =
    &["claude-desktop", "gemini-cli", "vscode", "opencode", "amp", "codex", "mistral-vibe", "goose", "continue"];

pub(crate) fn run(bytes: &[u8]) {
    CLIENTS.iter().filter_map(|id| client(id)).for_each(|client| edit(client, bytes));
}

fn edit(client: &Client, bytes: &[u8]) {
    let program = |command: &str| Entry::Stdio { command: command.to_owned(), args: vec!["mcp".to_owned()] };
    let (entry, moved) = (program("/usr/bin/skilltender"), program(r#"C:\Program Files\"\'#é.exe"#));
    drop(servers(client, bytes));
    drop(disconnect(client, bytes, None));
    let Ok(added) = connect(client, Some(bytes), &entry) else { return };
    let undo = added.undo();
    let after = added.after.expect("nothing goes when something is added");
    assert_eq!(standing(client, Some(&after), &entry), Ok(Standing::Ours), "{}", client.id);
    let back = disconnect(client, &after, Some(&undo)).expect("what was added can be removed");
    assert_eq!(back.after.as_deref(), Some(bytes), "{}", client.id);

    let changed = update(client, &after, &moved, Some(&undo)).expect("what was added can be changed");
    let undo = changed.undo();
    let after = changed.after.expect("nothing goes when something is changed");
    let back = disconnect(client, &after, Some(&undo)).expect("what was changed can be removed");
    assert_eq!(back.after.as_deref(), Some(bytes), "{}", client.id);
}
