//! `skilltender token`: a client's token for HTTP.

use std::path::Path;

use engine::orders::Order;
use serde_json::{Value, json};

use crate::{Failure, order};

const AFTER: &str = "\
Without a client it is the token for connecting by hand. Whoever has one may read your skills on this computer. A replaced \
token opens nothing from that moment on.

  skilltender token
  skilltender token --replace
  skilltender token codex";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The client's id; its token is made when it has none
    #[arg(default_value = "by-hand", hide_default_value = true)]
    client: String,
    /// Give it another token
    #[arg(long)]
    replace: bool,
    /// Take its token away
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
