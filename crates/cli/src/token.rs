//! `skilltender token`: a client's token for HTTP.

use std::path::Path;

use engine::orders::Order;
use serde_json::{Value, json};

use crate::{Failure, order};

const AFTER: &str = "\
Without a client, this is the token for connecting by hand. A token lets programs on this computer read your skills. Once \
replaced, the old token no longer works.

  skilltender token
  skilltender token --replace
  skilltender token codex";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The client's id; a token is made if it has none
    #[arg(default_value = "by-hand", hide_default_value = true)]
    client: String,
    /// Replace the token
    #[arg(long)]
    replace: bool,
    /// Delete the token
    #[arg(long, conflicts_with = "replace")]
    forget: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let Arguments { client, replace, forget, json } = command;
    if *forget {
        order::give(home, Order::ForgetToken { client: client.clone() })?;
        let done = json!({"client": client, "token": null});
        return order::tell(*json, &done, |_| format!("{client} has no token any more."));
    }
    let token = order::give(home, Order::Token { client: client.clone(), replace: *replace })?;
    let words = |done: &Value| done["token"].as_str().unwrap_or_default().to_owned();
    order::tell(*json, &json!({"client": client, "token": token}), words)
}
