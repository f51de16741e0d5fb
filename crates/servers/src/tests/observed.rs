//! What is observed of a server, as values: no server runs here.

use std::sync::Arc;

use api::ServerState;

use super::{read, spec, users};
use crate::{Advertised, Observed, Pinned, Servers, What};

const SERVER: &str = "server-7";

/// Servers among which one is approved.
fn approved() -> Servers {
    let mut servers = Servers::default();
    Arc::make_mut(&mut servers.approvals).agree(read(&spec(7)), users(7), 0);
    servers
}

fn observe(servers: &mut Servers, what: What) -> bool {
    servers.observe(Observed { server: SERVER.to_owned(), what })
}

/// The server advertises one tool.
fn advertises(tool: &str) -> What {
    let pinned = Pinned { name: tool.to_owned(), json: format!("{tool:?}"), digest: tool.to_owned() };
    let said = Advertised { tools: vec![pinned], prompts: Some(Vec::new()) };
    What::Advertises { spec: Box::new(read(&spec(7))), said, left_out: Vec::new() }
}

#[test]
fn what_a_server_advertises_first_counts_as_seen_and_another_list_holds_it_back() {
    let mut servers = approved();
    assert!(!observe(&mut servers, advertises("brew")), "it comes with what was approved");
    assert!(!observe(&mut servers, advertises("brew")));
    assert!(observe(&mut servers, advertises("burn")));
    assert!(servers.runs[SERVER].changed.is_some(), "the difference is kept for the person");
    assert!(!observe(&mut servers, advertises("brew")), "it is as it was seen");
    assert!(servers.runs[SERVER].changed.is_none());
}

#[test]
fn rights_add_up_and_of_everything_else_the_last_observation_counts() {
    let mut servers = approved();
    for rights in [["read"], ["write"]] {
        observe(&mut servers, What::Rights(rights.map(str::to_owned).into()));
    }
    observe(&mut servers, What::Lines(2));
    observe(&mut servers, What::Lines(1));
    observe(&mut servers, What::Stage(ServerState::Starting { since: 1 }));
    observe(&mut servers, What::Stage(ServerState::Resting));
    let run = &servers.runs[SERVER];
    assert_eq!(run.rights, ["read".to_owned(), "write".to_owned()].into());
    assert_eq!((run.lines, &run.stage), (1, &ServerState::Resting));
}
