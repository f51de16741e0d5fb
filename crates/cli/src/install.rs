//! `skilltender install`: a skill from outside, with the servers that it requires.
//!
//! Missing requirements are found before anything is written. With `--with-mcp` the user is asked for them, and each
//! server is shown and has to be approved; without it, a skill that would not work is not installed.

mod given;
mod missing;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use api::{Client, ImportPlan, ImportSkill, ServerRow, ServerState, Standing, Transport};
use engine::{
    Engine, Machine, Mode,
    actions::{self, IncomingServer, IncomingSkill},
    orders::{GivenOrder, Order, SecretText},
};
use given::Given;
use serde_json::{Value, json};
use skills::Danger;

use crate::{
    Failure, Text, ask, connect, import, order, print_json, runtime, say,
    secrets::give,
    servers::{self, read_as},
};

const AFTER: &str = "\
The skill is copied into Skilltender's own library folder and switched on. If a server is missing, nothing is installed and \
the missing parts are listed; with --with-mcp they are set up. A server counts as present if a client has one of that name, or \
if you approved it before.

  skilltender install ./tea-stock
  skilltender install ./tea-stock.zip --with-mcp                     asks for values and each server
  skilltender install ./tea-stock --with-mcp --client claude-code    also connects that client
  skilltender install ./tea-stock --with-mcp --set REGION=north --digest stock=3f…";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The skill's folder, or a zip file
    path: PathBuf,
    /// Which of several skills, by its path inside
    #[arg(long, value_name = "PATH")]
    only: Option<String>,
    /// Set up its servers: ask for their values, show what would run, and ask for approval
    #[arg(long)]
    with_mcp: bool,
    /// Also connect this client; only servers in its file count as present
    #[arg(long, value_name = "ID")]
    client: Option<String>,
    /// Print an entry for each server, by which a client starts it without our endpoint
    #[arg(long, requires = "with_mcp")]
    direct: bool,
    /// Set the plain value of a parameter (may be repeated)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    value: Vec<(String, String)>,
    /// Take a secret from an environment variable (may be repeated)
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = pair)]
    secret_from_env: Vec<(String, String)>,
    /// Approve a server without asking if its launch has this digest (may be repeated)
    #[arg(long, value_name = "SERVER=DIGEST", value_parser = pair)]
    digest: Vec<(String, String)>,
    /// Install and change the client's file without asking; servers still need approval
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it must be NAME=VALUE")?;
    if name.is_empty() {
        Err("there is no name before `=`".to_owned())
    } else {
        Ok((name.to_owned(), value.to_owned()))
    }
}

/// The examined skill.
struct Found {
    path: String,
    plan: ImportPlan,
    skill: ImportSkill,
    needs: IncomingSkill,
    client: Option<Client>,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let found = look(command, home)?;
    say(import::skill(&found.skill));
    let wanted: Vec<_> = found.needs.servers.iter().filter(|server| server.configured.is_none()).collect();
    let mut given = Given::new(&command.value, &command.secret_from_env, &wanted)?;
    if command.with_mcp && ask::somebody_is_there() {
        given.ask(&wanted)?;
    }
    let missing = missing::of(&wanted, &given, command.with_mcp);
    if !missing.is_empty() {
        return not_installed(command, &found, &missing);
    }
    may_come(command, &found.skill)?;
    // Everything that can be refused is checked before the first change.
    match (command.client.as_deref(), &found.client) {
        (Some(_), Some(client)) if command.direct => no_entries(client)?,
        (Some(client), _) => connect::refused(client, home)?,
        _ => {}
    }
    let key = import(&found, home)?;
    if let Err(error) = hand_in(&key, &given, home).and_then(|()| enable(&key, home)) {
        // A skill that does not work is removed, also from the trash: it was just imported, and its source still
        // exists.
        let back = order::give(home, Order::Trash { skill: key.clone() });
        let back = back.and_then(|id| order::give(home, Order::DeleteTrashed { id: read_as(id)? }));
        let said = if back.is_ok() { "Nothing was installed." } else { "The skill is there, and may be off." };
        let mut message = error.message;
        message.line(said);
        return Err(Failure { message, code: error.code });
    }
    let digests: BTreeMap<_, _> = command.digest.iter().cloned().collect();
    let names = names(&wanted, &key, &servers::list(home)?);
    let open = if command.with_mcp { agree(&names, &digests, home)? } else { BTreeMap::new() };
    let states = servers::list(home)?;
    let of_skill: Vec<_> = states.iter().filter(|row| row.skills.iter().any(|skill| skill.key == key)).collect();
    let mut done = json!({"skill": key, "installed": true, "servers": of_skill, "notAgreed": open});
    if command.direct {
        done["entries"] = entries(&names, home)?;
    }
    let words = |done: &Value| {
        let mut text = Text::from(format!("{} is installed and on.", order::named(&key)));
        text.extend(of_skill.iter().map(|row| format!("{}: {}", row.name, servers::state(&row.name, &row.state))));
        if let Some(entries) = done.get("entries") {
            text.line("For the client's file:");
            text.append(Text::json(entries));
        }
        text
    };
    order::tell(command.json, &done, words)?;
    match command.client.as_deref() {
        Some(client) if command.direct => {
            let may_run: Vec<_> = names.into_iter().filter(|name| !open.contains_key(name)).collect();
            if !may_run.is_empty() {
                connect::direct(client, may_run, command.yes, command.json, home)?;
            }
        }
        Some(client) => connect::connect(client, command.yes, command.json, home)?,
        None => {}
    }
    if open.is_empty() {
        return Ok(());
    }
    let ways = open.iter().map(|(server, why)| format!("{why} Go on with `skilltender servers approve {server}`."));
    Err(Failure::problems(ways.collect::<Text>()))
}

/// Examines the skill and its requirements. Nothing is written.
fn look(command: &Arguments, home: Option<&Path>) -> Result<Found, Failure> {
    let path = dunce::canonicalize(&command.path);
    let path = path.map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", command.path.display())))?;
    let path = path.display().to_string();
    let machine = Machine::here(home)?;
    runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        let plan = actions::look_at_import(&engine, &path, command.only.clone().map(|only| vec![only])).await?;
        let [skill] = plan.skills.as_slice() else {
            let there: Vec<_> = plan.skills.iter().map(|skill| skill.path.as_str()).collect();
            return Err(Failure::usage(format!(
                "One skill is installed at a time. Say which with --only: {}.",
                there.join(", ")
            )));
        };
        let skill = skill.clone();
        let (only, client) = (Some(vec![skill.path.clone()]), command.client.as_deref());
        let known = engine.snapshot().clients.iter().find(|known| Some(known.id.as_str()) == client).cloned();
        if let (Some(client), None) = (client, &known) {
            return Err(Failure::usage(format!(
                "There is no client {client}. `skilltender clients --all` lists them."
            )));
        }
        let needs = actions::look_at_needs(&engine, &path, &plan.id, only, client).await?;
        let needs = needs.into_iter().next().ok_or_else(|| Failure::refused(format!("{path} changed just now.")))?;
        Ok(Found { path, plan, skill, needs, client: known })
    })
}

/// Fails if a client's file accepts no entries for single servers at all.
fn no_entries(client: &Client) -> Result<(), Failure> {
    let Client { name, place, .. } = client;
    let why = match &client.standing {
        Standing::Refused { message } => {
            format!("The file of {name} cannot be changed: {message} The file is {place}.")
        }
        _ if !client.transports.contains(&Transport::Stdio) => format!("{name} starts no programs from its file."),
        _ => return Ok(()),
    };
    Err(Failure::refused(format!("{why} Nothing was installed.")))
}

fn not_installed(command: &Arguments, found: &Found, missing: &[missing::Missing]) -> Result<(), Failure> {
    let id = &found.skill.id;
    if command.json {
        let done = json!({"skill": found.needs.key, "installed": false, "missing": missing});
        print_json(&done)?;
    }
    let lines: Text = missing.iter().map(|missing| format!("{}: {}", missing.server, missing.message)).collect();
    let go_on = if command.with_mcp {
        "Give what is missing with --set NAME=VALUE or --secret-from-env NAME=VARIABLE, or run it at a terminal, which asks."
    } else {
        "Install it with --with-mcp, which sets the servers up, or add them to your client first."
    };
    let mut text = Text::from(format!("{id} was not installed, because servers that it needs are missing:"));
    text.append(lines.indented());
    text.line(go_on);
    Err(Failure::problems(text))
}

/// Asks whether a foreign skill may be installed. Without a terminal it may, unless it shows signs of harmful intent.
fn may_come(command: &Arguments, skill: &ImportSkill) -> Result<(), Failure> {
    if skill.problems.error > 0 {
        let message = format!("{} has errors, so it was not installed. `skilltender check` says which.", skill.id);
        return Err(Failure::problems(message));
    }
    let harm = skill.trust.findings.iter().any(|finding| finding.severity == Danger::High);
    if command.yes || !ask::somebody_is_there() && !harm {
        return Ok(());
    }
    if ask::somebody_is_there() && ask::agreed(&Text::new(), "Install it, and switch it on?")? {
        return Ok(());
    }
    let harm = if harm { "Something in it looks as if it meant harm. " } else { "" };
    Err(Failure::refused(format!("{harm}Nothing was installed; `--yes` does it without asking.")))
}

fn import(found: &Found, home: Option<&Path>) -> Result<String, Failure> {
    let (path, plan, folder) = (found.path.clone(), found.plan.id.clone(), "own".to_owned());
    let only = Some(vec![found.skill.path.clone()]);
    let keys: Vec<String> = read_as(order::give(home, Order::Import { path, plan, folder, only })?)?;
    keys.into_iter().next().ok_or_else(|| Failure::refused("Nothing was installed.".to_owned()))
}

/// Stores the values and secrets.
fn hand_in(key: &str, given: &Given, home: Option<&Path>) -> Result<(), Failure> {
    for (server, name, value) in given.values() {
        let (skill, value) = (key.to_owned(), Some(value));
        give(home, GivenOrder::SetValue { skill, server, name, value })?;
    }
    for (server, name, value) in given.secrets() {
        give(home, GivenOrder::SetSecret { skill: key.to_owned(), server, name, value: SecretText::new(value) })?;
    }
    Ok(())
}

/// Enables the skill: its contents were shown, and were imported as shown.
fn enable(key: &str, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let look = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::look_at_skill(&engine, key).await?)
    })?;
    let seen = BTreeMap::from([(look.key, look.digest)]);
    order::give(home, Order::Enable { skills: vec![key.to_owned()], on: true, seen }).map(drop)
}

/// The servers' names in the library: another skill may use the same name for another server.
fn names(wanted: &[&IncomingServer], key: &str, rows: &[ServerRow]) -> Vec<String> {
    let of_skill: Vec<_> = rows.iter().filter(|row| row.skills.iter().any(|skill| skill.key == key)).collect();
    let name = |server: &&IncomingServer| {
        let called = &server.need.server;
        let row = of_skill.iter().find(|row| row.declared.as_ref().unwrap_or(&row.name) == called);
        row.map_or_else(|| called.clone(), |row| row.name.clone())
    };
    wanted.iter().map(name).collect()
}

/// Shows each unapproved server and asks. Returns those that stay unapproved, with the reasons.
fn agree(
    names: &[String],
    digests: &BTreeMap<String, String>,
    home: Option<&Path>,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut open = BTreeMap::new();
    for name in names {
        let seen = servers::read(home, name)?;
        if !matches!(seen.row.state, ServerState::NeedsConsent { .. }) && seen.plan.is_some() {
            continue;
        }
        let mut shown: Text = ["", name.as_str()].into_iter().collect();
        if let Some(plan) = &seen.plan {
            shown.append(servers::consent(plan, false));
        }
        let named = digests.get(name).map(|digest| (digest.as_str(), &[][..]));
        let answer = servers::agreed(&seen, named, &shown);
        let agreed = answer.and_then(|servers::Agreed { digest, variables }| {
            let server = name.clone();
            servers::give(home, engine::orders::ServerOrder::Approve { server, digest, variables })
        });
        if let Err(failure) = agreed {
            open.insert(name.clone(), failure.message.to_string());
        }
    }
    Ok(open)
}

/// Entries for a client's file, one for each server.
fn entries(names: &[String], home: Option<&Path>) -> Result<Value, Failure> {
    let machine = Machine::here(home)?;
    // The same form as `connect --direct` writes, so that they are recognized as ours.
    let program = engine::lasting_program(&machine);
    let data = machine.data.display().to_string();
    let home = if machine.default_data { Vec::new() } else { vec!["--home", &data] };
    let entry = |name: &String| {
        let args = ["run", name].into_iter().chain(home.iter().copied()).collect::<Vec<_>>();
        (name.clone(), json!({"command": program, "args": args}))
    };
    Ok(json!({"mcpServers": names.iter().map(entry).collect::<BTreeMap<_, _>>()}))
}

#[cfg(test)]
mod tests {
    use super::pair;

    #[test]
    fn a_pair_is_cut_at_its_first_equals_sign() {
        assert_eq!(pair("URL=a=b"), Ok(("URL".to_owned(), "a=b".to_owned())));
        assert_eq!(pair("EMPTY="), Ok(("EMPTY".to_owned(), String::new())));
        assert!(pair("URL").is_err());
        assert!(pair("=a").is_err());
    }
}
