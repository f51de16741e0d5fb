//! `skilltender team join`: the page, one question, and everything that follows of the yes.

use std::{
    collections::BTreeMap,
    env,
    path::{self, Path},
};

use api::{ClientCall, ErrorKind, ServerState, TeamLeft, TeamMissing, TeamPage, TeamSkillState, TeamYes};
use engine::{
    Engine, Machine, Mode, actions,
    orders::{GivenOrder, Order, SecretText, ServerOrder},
};
use serde_json::{Value, json};
use skills::Danger;
use zeroize::Zeroizing;

use super::{Join, words};
use crate::{
    Failure, Text, ask, connect, order, print, print_json, prose, runtime, say,
    secrets::give,
    servers::{self, read_as},
};

pub(super) fn run(command: &Join, home: Option<&Path>) -> Result<(), Failure> {
    let given = Given::of(command)?;
    let page = look(&command.source, home)?;
    given.judge(&page)?;
    let shown = words::page(&page);
    let servers = match agreed(command, &page, &shown)? {
        Some(servers) => servers,
        None if command.json => return print_json(&json!({"page": page, "joined": false})),
        None if ask::somebody_is_there() => return print("Nothing was done."),
        None => {
            let mut shown = shown;
            let how = format!("Nothing was done: `--digest {}` says yes to this page.", page.id);
            shown.extend(["", &how]);
            return print(shown);
        }
    };
    let folder = order::library_folder(&command.folder)?;
    let join = || -> Result<TeamLeft, Failure> {
        let (text, id, folder) = (page.text.clone(), page.id.clone(), folder.clone());
        let yes = TeamYes { servers, values: None };
        read_as(order::give(home, Order::JoinTeam { text, id, folder, yes })?)
    };
    let mut left = join()?;
    if hand_in(&given, &left, home)? {
        left = join()?;
    }
    if servers && approve_others(&left, home)? {
        left = join()?;
    }
    let clients = clients(command, &page, home)?;
    let is_whole = left.is_whole() && clients.iter().all(|client| client["trouble"].is_null());
    if command.json {
        print_json(&json!({"page": page, "joined": true, "left": left, "whole": is_whole, "clients": clients}))?;
    } else {
        let mut text = Text::new();
        text.extend(left.ready.iter().map(|name| format!("The server {name} may run.")));
        text.extend(clients.iter().filter_map(|client| client["said"].as_str()));
        match is_whole {
            true => text.line("Everything is as the team's file says."),
            false => {
                text.line("This is left; run it again to go on:");
                text.append(words::left(&left).indented());
            }
        }
        print(text)?;
    }
    if is_whole { Ok(()) } else { Err(Failure::problems(Text::new())) }
}

/// The page of a file, of a folder with it, or of a source. A path is one as seen from here.
fn look(source: &str, home: Option<&Path>) -> Result<TeamPage, Failure> {
    let is_path = Path::new(source).exists() || source.starts_with(['.', '/']);
    let whole = path::absolute(source).ok().filter(|_| is_path);
    let source = whole.map_or_else(|| source.to_owned(), |path| path.display().to_string());
    let machine = Machine::here(home)?;
    runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        actions::find_team(&engine, &source).await.map_err(|error| match error.kind {
            ErrorKind::NotFound if is_path => Failure::usage(error.message),
            _ => error.into(),
        })
    })
}

/// Whether the person agrees, and if so, whether to the servers too; `None` for a no, or where nobody answers.
fn agreed(command: &Join, page: &TeamPage, shown: &Text) -> Result<Option<bool>, Failure> {
    match &command.digest {
        Some(digest) if *digest == page.id => {
            say(shown.clone());
            return Ok(Some(true));
        }
        Some(_) => {
            let message = format!(
                "The page of this file is not what this digest names, so nothing was done. Its digest is {} now: look at \
                 it again.",
                page.id
            );
            return Err(Failure::refused(message));
        }
        None => {}
    }
    if command.yes {
        let harm = page.skills.iter().find(|row| match &row.state {
            TeamSkillState::Comes { skill } => skill.trust.findings.iter().any(|one| one.severity == Danger::High),
            TeamSkillState::Changes { update } => update.findings.iter().any(|one| one.severity == Danger::High),
            _ => false,
        });
        if let Some(row) = harm {
            let message = format!(
                "Something in {} looks as if it meant harm, so `--yes` does not bring it. `--digest {}` does, once you \
                 have looked.",
                row.name, page.id
            );
            return Err(Failure::refused(message));
        }
        say(shown.clone());
        return Ok(Some(false));
    }
    if !ask::somebody_is_there() {
        return Ok(None);
    }
    let question = match page.servers.is_empty() {
        true => "Join?",
        false => "Join, and let these servers run like this?",
    };
    Ok(ask::agreed(shown, question)?.then_some(true))
}

/// What the command line gives, by the names of values and secrets.
struct Given {
    values: BTreeMap<String, String>,
    secrets: BTreeMap<String, Zeroizing<String>>,
}

impl Given {
    /// Refused before anything is done.
    fn of(command: &Join) -> Result<Self, Failure> {
        let secret = |(name, variable): &(String, String)| match env::var(variable) {
            Ok(value) => Ok((name.clone(), Zeroizing::new(value))),
            Err(_) => {
                Err(Failure::usage(format!("There is no variable {variable} to take {name} from, or it is not UTF-8.")))
            }
        };
        let secrets = command.secret_from_env.iter().map(secret).collect::<Result<_, _>>()?;
        Ok(Self { values: command.value.iter().cloned().collect(), secrets })
    }

    /// Refuses a name that nothing on the page asks for.
    fn judge(&self, page: &TeamPage) -> Result<(), Failure> {
        let asks = |name: &str, secret| {
            page.servers.iter().flat_map(|row| &row.asks).any(|ask| ask.name == name && ask.secret == secret)
        };
        let values = self.values.keys().find(|name| !asks(name, false)).map(|name| format!("a value {name}"));
        let secrets = self.secrets.keys().find(|name| !asks(name, true)).map(|name| format!("a secret {name}"));
        match values.or(secrets) {
            Some(what) => Err(Failure::usage(format!("No server of the team's file asks for {what}."))),
            None => Ok(()),
        }
    }
}

/// Stores the values and secrets that are missing: from the command line, else typed. Whether there was one.
fn hand_in(given: &Given, left: &TeamLeft, home: Option<&Path>) -> Result<bool, Failure> {
    let mut stored = false;
    for one in &left.secrets {
        let name = &one.what.name;
        let value = match given.secrets.get(name) {
            Some(value) => value.clone(),
            None if ask::somebody_is_there() => ask::secret(&question(one))?,
            None => continue,
        };
        if value.is_empty() {
            continue;
        }
        for skill in one.skills.clone() {
            let (server, name) = (one.server.clone(), name.clone());
            give(home, GivenOrder::SetSecret { skill, server, name, value: SecretText::new(value.clone()) })?;
        }
        stored = true;
    }
    for one in &left.values {
        let name = &one.what.name;
        let value = match given.values.get(name) {
            Some(value) => value.clone(),
            None if ask::somebody_is_there() => ask::line(&question(one))?,
            None => continue,
        };
        if value.is_empty() {
            continue;
        }
        for skill in one.skills.clone() {
            let (server, name, value) = (one.server.clone(), name.clone(), Some(value.clone()));
            give(home, GivenOrder::SetValue { skill, server, name, value })?;
        }
        stored = true;
    }
    Ok(stored)
}

fn question(one: &TeamMissing) -> String {
    let how = one.what.how.as_ref().map(|how| format!(" ({})", prose(how))).unwrap_or_default();
    let address = one.what.address.as_ref().map(|address| format!(" {address}")).unwrap_or_default();
    format!("{} for {}{how}{address}: ", one.what.name, one.server)
}

/// Asks about the servers that go beyond the page, each by itself. Whether one of them may run now.
fn approve_others(left: &TeamLeft, home: Option<&Path>) -> Result<bool, Failure> {
    let mut approved = false;
    if !ask::somebody_is_there() {
        return Ok(false);
    }
    for one in &left.servers {
        let seen = servers::read(home, &one.name)?;
        let (true, Some(plan)) = (matches!(seen.row.state, ServerState::NeedsConsent { .. }), &seen.plan) else {
            continue;
        };
        let mut shown: Text = ["", one.why.as_str()].into_iter().collect();
        shown.append(servers::consent(plan, false));
        if let Ok(servers::Agreed { digest, variables }) = servers::agreed(&seen, None, &shown) {
            servers::give(home, ServerOrder::Approve { server: one.name.clone(), digest, variables })?;
            approved = true;
        }
    }
    Ok(approved)
}

/// Offers to connect the advised clients that are here, and calls each connected one as it would call.
fn clients(command: &Join, page: &TeamPage, home: Option<&Path>) -> Result<Vec<Value>, Failure> {
    let mut done = Vec::new();
    for row in page.clients.iter().filter(|row| row.installed) {
        let (id, name) = (row.id.as_str(), row.name.as_deref().unwrap_or(&row.id));
        let asks = ask::somebody_is_there() && !command.json;
        let failure = match row.connected || !(command.yes || asks) {
            true => None,
            false => connect::connect(id, command.yes, command.json, home).err(),
        };
        let called = match failure {
            Some(failure) => ClientCall::Silent { why: failure.message.to_string() },
            None => call(id, home)?,
        };
        done.push(match called {
            ClientCall::Answered { tools } => {
                let said = format!("{name} is connected and answered: it sees {}.", text::counted(tools, "tool"));
                json!({"client": id, "connected": true, "tools": tools, "said": said})
            }
            ClientCall::NotConnected => {
                let said = format!("{name} is not connected: `skilltender connect {id}` does it.");
                json!({"client": id, "connected": false, "said": said})
            }
            ClientCall::Silent { why } => {
                let said = format!("{name} cannot use it: {why}");
                json!({"client": id, "connected": row.connected, "trouble": why, "said": said})
            }
        });
    }
    Ok(done)
}

/// What comes of calling Skilltender as a client does.
fn call(client: &str, home: Option<&Path>) -> Result<ClientCall, Failure> {
    let machine = Machine::here(home)?;
    runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok(actions::call_client(&engine, client).await?)
    })
}
