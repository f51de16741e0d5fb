//! Clients that call our address with a token of their own.

use std::fs;

use api::{ErrorKind, Standing, Transport};

use super::home::{CLIENT, Home, OVER_HTTP, REMOVE, UNDO, UPDATE};
use crate::actions::{client_token, entry_text, replace_token, set_port};

#[tokio::test]
async fn the_address_and_the_clients_own_token_stand_in_the_file_which_is_private() {
    let home = Home::new().await;
    let plan = home.plan("cursor", OVER_HTTP).await.unwrap();
    assert!(plan.notes.iter().any(|note| note.contains("token")), "{:?}", plan.notes);
    home.make("cursor", OVER_HTTP).await.unwrap();
    let token = client_token(&home.engine, "cursor").await.unwrap();
    let file: serde_json::Value = serde_json::from_str(&home.text_of("cursor")).unwrap();
    let entry = &file["mcpServers"]["skilltender"];
    assert_eq!(entry["url"], home.engine.snapshot().endpoint.address.as_str());
    assert_eq!(entry["headers"]["Authorization"], format!("Bearer {token}"));
    assert!(home.client_of("cursor").token);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(home.file_of("cursor")).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_others_may_read_is_its_users_alone_with_a_token_in_it_until_that_is_undone() {
    use std::os::unix::fs::PermissionsExt as _;

    use super::home::ADD;

    let home = Home::new().await;
    home.give("cursor", "{}\n");
    let file = home.file_of("cursor");
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let stdio = home.plan("cursor", ADD).await.unwrap();
    assert!(!stdio.notes.iter().any(|note| note.contains("mode")), "{:?}", stdio.notes);
    let plan = home.plan("cursor", OVER_HTTP).await.unwrap();
    assert!(plan.notes.iter().any(|note| note.contains("0644") && note.contains("0600")), "{:?}", plan.notes);
    home.make("cursor", OVER_HTTP).await.unwrap();
    assert_eq!(mode(), 0o600);
    let plan = home.plan("cursor", UNDO).await.unwrap();
    assert!(plan.notes.iter().any(|note| note.contains("0644")), "{:?}", plan.notes);
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!((mode(), home.text_of("cursor").as_str()), (0o644, "{}\n"));

    home.make("cursor", OVER_HTTP).await.unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(mode(), 0o640, "somebody gave it another since");
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_holds_a_token_already_and_that_others_may_read_is_narrowed_and_nothing_else_of_it_changes() {
    use std::os::unix::fs::PermissionsExt as _;

    use super::home::REDO;

    let home = Home::new().await;
    home.give("cursor", "{}\n");
    let file = home.file_of("cursor");
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    let open = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    open(0o600);
    home.make("cursor", OVER_HTTP).await.unwrap();
    let text = home.text_of("cursor");
    assert_eq!(home.plan("cursor", OVER_HTTP).await.unwrap_err().kind, ErrorKind::Already);

    for change in [OVER_HTTP, UPDATE] {
        open(0o644);
        let checkup = crate::actions::doctor(&home.engine).await.unwrap();
        let found = checkup.checks.iter().find(|check| check.id == "private-files").unwrap();
        assert_eq!(found.client.as_deref(), Some("cursor"));
        assert!(found.command.as_ref().unwrap().contains("skilltender connect cursor"), "{found:?}");

        let plan = home.plan("cursor", change.clone()).await.unwrap();
        assert!(plan.notes.iter().any(|note| note.contains("0644") && note.contains("0600")), "{:?}", plan.notes);
        assert_eq!((plan.added, plan.removed, plan.lines.len()), (0, 0, 0), "no byte changes");
        home.make("cursor", change.clone()).await.unwrap();
        assert_eq!((mode(), home.text_of("cursor")), (0o600, text.clone()));
        assert_eq!(home.plan("cursor", change).await.unwrap_err().kind, ErrorKind::Already);
        assert_eq!(home.look("cursor").await.standing, Standing::Added);
    }

    // Undo and redo also work after the file was edited.
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(mode(), 0o644);
    home.make("cursor", REDO).await.unwrap();
    assert_eq!((mode(), home.text_of("cursor")), (0o600, text.clone()));
    home.make("cursor", UNDO).await.unwrap();
    home.make("cursor", OVER_HTTP).await.unwrap();
    let edited = text.replacen('{', "{\n  \"theirs\": 1,", 1);
    fs::write(&file, &edited).unwrap();
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!((mode(), home.text_of("cursor")), (0o644, edited.clone()));
    home.make("cursor", REDO).await.unwrap();
    assert_eq!((mode(), home.text_of("cursor")), (0o600, edited));

    // A mode set by someone else since is kept: undo takes back the change before it.
    open(0o640);
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(mode(), 0o640);
    assert!(!home.text_of("cursor").contains("skilltender"), "{}", home.text_of("cursor"));
}

#[tokio::test]
async fn no_change_shows_a_token() {
    let home = Home::new().await;
    home.give("cursor", "{\"mcpServers\": {\"other\": {\"headers\": {\"X\": \"Bearer theirs-12345\"}}}}\n");
    let mut shown = vec![home.plan("cursor", OVER_HTTP).await.unwrap()];
    home.make("cursor", OVER_HTTP).await.unwrap();
    let old = client_token(&home.engine, "cursor").await.unwrap();
    shown.push(home.plan("cursor", REMOVE).await.unwrap());
    shown.push(home.plan("cursor", UNDO).await.unwrap());
    let new = replace_token(&home.engine, "cursor").await.unwrap();
    shown.push(home.plan("cursor", UPDATE).await.unwrap());
    for plan in shown {
        let lines: String = plan.lines.iter().map(|line| format!("{}\n", line.text)).collect();
        assert!(lines.contains("Bearer •••"), "{lines}");
        assert!(![&*old, &*new, "theirs-12345"].iter().any(|token| lines.contains(token)), "{lines}");
    }
}

#[tokio::test]
async fn no_client_is_connected_over_http_while_another_program_holds_the_port() {
    let home = Home::new().await;
    // A released port may be taken as the next free one by any other engine.
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    set_port(&home.engine, port).await.unwrap();
    home.make("cursor", OVER_HTTP).await.unwrap();
    home.engine.stop().await;
    let stranger = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let home = home.again(|machine| machine).await;
    for (client, change) in [("goose", OVER_HTTP), ("cursor", UPDATE)] {
        let refused = home.plan(client, change).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Refused);
        assert!(refused.message.contains(&format!("Port {port} is held by")), "{}", refused.message);
    }
    let trouble = home.engine.connection().unwrap().trouble.unwrap();
    assert!(trouble.contains("skilltender settings port"), "{trouble}");
    let notices = home.engine.snapshot().notices.clone();
    let shown = notices.iter().find(|notice| notice.id == "tokens-shown").expect("its token may have been shown");
    assert!(shown.message.contains("cursor") && shown.message.contains("--replace"), "{}", shown.message);

    // Another port works.
    assert!(set_port(&home.engine, port).await.is_err() && set_port(&home.engine, 80).await.is_err());
    let other = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    set_port(&home.engine, other).await.unwrap();
    assert_eq!(home.engine.connection().unwrap().url, Some(format!("http://127.0.0.1:{other}/mcp")));
    assert_eq!(home.engine.snapshot().settings.port, Some(other));
    std::net::TcpStream::connect(("127.0.0.1", other)).unwrap();
    for (client, change) in [("goose", OVER_HTTP), ("cursor", UPDATE)] {
        home.make(client, change).await.unwrap();
        assert!(home.text_of(client).contains(&other.to_string()), "{client}");
    }

    // And again, from a port that is served.
    let third = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    set_port(&home.engine, third).await.unwrap();
    std::net::TcpStream::connect(("127.0.0.1", third)).unwrap();
    assert!(matches!(home.client_of("cursor").standing, Standing::Outdated { .. }));
    while std::net::TcpListener::bind(("127.0.0.1", other)).is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    drop(stranger);
}

#[tokio::test]
async fn another_token_makes_the_entry_out_of_date_until_it_is_updated() {
    let home = Home::new().await;
    home.make("cursor", OVER_HTTP).await.unwrap();
    let old = client_token(&home.engine, "cursor").await.unwrap();
    let new = replace_token(&home.engine, "cursor").await.unwrap();
    let Standing::Outdated { message } = home.client_of("cursor").standing else {
        panic!("{:?}", home.client_of("cursor").standing)
    };
    assert!(message.contains("token") && !message.contains(&old), "{message}");
    home.make("cursor", UPDATE).await.unwrap();
    assert!(home.text_of("cursor").contains(&new) && !home.text_of("cursor").contains(&old));
    assert_eq!(home.client_of("cursor").standing, Standing::Added);
}

#[tokio::test]
async fn another_port_makes_the_entry_out_of_date() {
    let home = Home::new().await;
    home.make("cursor", OVER_HTTP).await.unwrap();
    let choices = home.engine.machine().data.join("choices.json");
    let port = home.engine.snapshot().endpoint.address.rsplit(':').next().unwrap().replace("/mcp", "");
    home.engine.stop().await;
    let text = fs::read_to_string(&choices).unwrap();
    let other = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    fs::write(&choices, text.replace(&format!("\"port\": {port}"), &format!("\"port\": {other}"))).unwrap();
    let home = home.again(|machine| machine).await;
    let Standing::Outdated { message } = home.client_of("cursor").standing else {
        panic!("{:?}", home.client_of("cursor").standing)
    };
    assert!(message.contains(&port) && message.contains(&other.to_string()), "{message}");
}

#[tokio::test]
async fn a_client_is_not_connected_in_a_way_that_it_does_not_know() {
    let home = Home::new().await;
    let error = home.plan(CLIENT, OVER_HTTP).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert_eq!(error.message, "Claude Desktop takes no addresses from its file. Connect it over stdio.");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_in_a_sandbox_comes_over_http_and_says_why() {
    use api::ClientChange;

    use super::home::ADD;

    let home = Home::new().await;
    let folder = home.made(".var/app/dev.zed.Zed/config/zed");
    let client = home.look("zed").await;
    assert!(client.found);
    assert_eq!(client.transports, [Transport::Http]);
    assert!(client.sandbox.unwrap().contains("Flatpak"));
    assert!(client.place.starts_with("~/.var/app/dev.zed.Zed/"), "{}", client.place);

    let stdio = ClientChange::Connect { transport: Some(Transport::Stdio), project: None, again: false };
    assert!(home.plan("zed", stdio).await.unwrap_err().message.contains("sandbox"));
    home.make("zed", ADD).await.unwrap();
    assert_eq!(home.client_of("zed").transport, Some(Transport::Http));
    assert!(fs::read_to_string(format!("{folder}/settings.json")).unwrap().contains("Bearer"));

    home.made(".config/zed");
    fs::write(home.file_of("zed"), "{}").unwrap();
    assert_eq!(home.look("zed").await.sandbox, None, "one that is installed can start programs");
}

#[tokio::test]
async fn our_entry_is_given_as_text_and_as_a_link_without_a_token() {
    let home = Home::new().await;
    let text = entry_text(&home.engine, "cursor", None).await.unwrap();
    assert_eq!(text.place, "~/.cursor/mcp.json");
    assert_eq!(text.command.unwrap(), format!("{} mcp --client cursor", home.command()));
    let file: serde_json::Value = serde_json::from_str(&text.text).unwrap();
    assert_eq!(file["mcpServers"]["skilltender"]["command"], home.command());
    assert!(text.links[0].address.starts_with("cursor://"));

    let over_http = entry_text(&home.engine, "goose", Some(Transport::Http)).await.unwrap();
    let token = client_token(&home.engine, "goose").await.unwrap();
    assert!(over_http.text.contains(&token));
    assert!(over_http.links.iter().all(|link| !link.address.contains(&token)));
}
