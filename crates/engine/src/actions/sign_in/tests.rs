//! A sign-in belongs to its approval: revoking the approval removes the tokens.

use std::fs;

use api::ServerRow;
use machine::Machine;
use mcp::SignedIn;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::{
    Mode,
    actions::{approve_server, delete_trashed, plan_server, revoke_server, trash_skill},
};

/// No server listens there.
const URL: &str = "http://127.0.0.1:9/mcp";
const OTHER: &str = "http://127.0.0.1:9/other";

/// A user with a skill that needs a server at an address.
struct Person {
    home: TempDir,
    engine: Engine,
}

impl Person {
    async fn new() -> Self {
        let home = ::tests::watched_folder();
        let machine = Machine::at(home.path()).unwrap();
        let folder =
            json!({"id": "f1", "path": home.path().join("skills"), "enable_new": true, "skills": {"tea": true}});
        let choices = json!({"version": 1, "last_folder": 1, "folders": [folder]});
        fs::create_dir_all(home.path().join("skills/tea")).unwrap();
        fs::write(machine.data.join("choices.json"), choices.to_string()).unwrap();
        write(&home, URL);
        let engine = Engine::start(machine, Mode::Writing).await.unwrap();
        Self { home, engine }
    }

    async fn agrees(&self) {
        let plan = plan_server(&self.engine, "tearoom").await.unwrap();
        approve_server(&self.engine, "tearoom", &plan.digest, &[]).await.unwrap();
    }

    /// Stores tokens as a completed sign-in does.
    async fn is_signed_in(&self, url: &str) {
        let text = json!({
            "host": "127.0.0.1:9", "resource": url, "token_endpoint": "http://127.0.0.1:9/token",
            "revocation": null, "client_id": "1", "tokens": {"access": "token-canary"},
        });
        let signed_in = SignedIn::from_text(&text.to_string()).unwrap();
        self.engine.gateway().keep_sign_in("tearoom", url, signed_in).await.unwrap();
    }

    /// How many sign-ins are stored.
    async fn kept(&self) -> usize {
        self.engine.state().change(|state| state.given.secrets.len()).await.unwrap()
    }

    async fn row(&self) -> ServerRow {
        crate::actions::list_servers(&self.engine).await.remove(0)
    }

    async fn changes_to(&self, url: &str) {
        write(&self.home, url);
        crate::actions::look_again(&self.engine, &self.home.path().join("skills/tea")).await;
    }
}

fn write(home: &TempDir, url: &str) {
    let text = format!(
        "---\nname: tea\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: tearoom\n    description: Pours\n    transport: http\n    url: {url}\n---\nPour.\n"
    );
    fs::write(home.path().join("skills/tea/SKILL.md"), text).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_signs_in_before_they_agreed_and_whoever_takes_the_agreement_back_is_signed_out() {
    let person = Person::new().await;
    let refused = sign_in(&person.engine, "tearoom").await.unwrap_err();
    assert!(refused.message.contains("has not approved"), "{}", refused.message);
    person.agrees().await;
    assert!(!person.row().await.signed_in);
    person.is_signed_in(URL).await;
    assert!(person.row().await.signed_in);
    revoke_server(&person.engine, "tearoom").await.unwrap();
    assert_eq!(person.kept().await, 0);
    person.engine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_moved_gets_no_token_and_agreeing_to_its_new_address_forgets_the_old_one() {
    let person = Person::new().await;
    person.agrees().await;
    person.is_signed_in(URL).await;
    person.changes_to(OTHER).await;
    let row = person.row().await;
    assert_eq!((row.url.as_deref(), row.signed_in), (Some(OTHER), false));
    assert_eq!(person.kept().await, 1);
    // Until the new address is approved, the old one still works.
    person.changes_to(URL).await;
    assert!(person.row().await.signed_in);
    person.changes_to(OTHER).await;
    person.agrees().await;
    assert_eq!(person.kept().await, 0);
    person.engine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_is_deleted_for_good_takes_the_sign_in_along_and_one_in_the_trash_keeps_it() {
    let person = Person::new().await;
    person.agrees().await;
    person.is_signed_in(URL).await;
    let id = trash_skill(&person.engine, "f1/tea").await.unwrap();
    assert_eq!(person.kept().await, 1);
    delete_trashed(&person.engine, &id).await.unwrap();
    assert_eq!(person.kept().await, 0);
    person.engine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_signs_out_is_forgotten_and_once_is_enough() {
    let person = Person::new().await;
    person.agrees().await;
    person.is_signed_in(URL).await;
    sign_out(&person.engine, "tearoom").await.unwrap();
    assert_eq!(person.kept().await, 0);
    let again = sign_out(&person.engine, "tearoom").await.unwrap_err();
    assert_eq!(again.message, "Nobody is signed in at tearoom.");
    // An address that does not answer cannot be signed in to, and the server's row says so.
    sign_in(&person.engine, "tearoom").await.unwrap_err();
    let trouble =
        person.engine.state().change(|state| state.servers.runs["tearoom"].sign_in_trouble.clone()).await.unwrap();
    assert!(trouble.unwrap().contains("127.0.0.1 did not answer"));
    person.engine.stop().await;
}
