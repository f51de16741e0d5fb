//! `skilltender sees`: the enabled skills, as one client sees them.

use std::path::{Path, PathBuf};

use api::{ClientSees, NativeList};
use engine::{
    Engine, Machine, Mode,
    actions::{self, SeenFrom},
};
use text::counted;

use crate::{Failure, Text, print, print_json, runtime};

const AFTER: &str = "\
From the endpoint, a client gets every skill that is on, or its set. When it reads a client folder itself, it may refuse \
skills, rename them or cut them short. Numbers of tokens are estimates: characters divided by four.

  skilltender sees codex
  skilltender sees claude-code --folder .";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The client's id
    client: String,
    /// A folder that it works in: sets may be bound to it
    #[arg(long = "folder", value_name = "FOLDER")]
    at: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let from = match &command.at {
        Some(folder) => SeenFrom::Folder(std::path::absolute(folder)?),
        None => SeenFrom::Anywhere,
    };
    let sees = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::client_sees(&engine, &command.client, from).await?)
    })?;
    if command.json { print_json(&sees) } else { print(words(&sees)) }
}

fn words(sees: &ClientSees) -> Text {
    let ClientSees { name, endpoint, native, remark, .. } = sees;
    let set = endpoint.set.as_ref().map(|set| format!(" (the set {set})")).unwrap_or_default();
    let mut text = Text::from(format!(
        "By the endpoint, {name} is told of {}{set}: about {}.",
        counted(endpoint.skills, "skill"),
        counted(endpoint.tokens, "token")
    ));
    text.extend(endpoint.folder.iter().map(|sentence| format!("  {sentence}")));
    text.extend(endpoint.off.iter().map(|sentence| format!("  {sentence}")));
    for skill in &endpoint.partly {
        text.line(format!("  {}: {}", skill.key, skill.why.join(" ")));
    }
    if let Some(native) = native {
        text.line("");
        text.append(folders(name, native));
    }
    if let Some(remark) = remark {
        text.extend(["", remark.as_str()]);
    }
    text
}

fn folders(name: &str, native: &NativeList) -> Text {
    let NativeList { loads, changed, refused, cut, tokens, budget, skills } = native;
    let mut text = Text::from(format!(
        "In a folder that {name} reads itself: {loads} load as they are, {changed} under another name or description, \
         {refused} are refused, {cut} are cut short. The list costs about {}.",
        counted(*tokens, "token")
    ));
    if let Some(budget) = budget {
        let over = if budget.over { "That is too many. " } else { "" };
        text.line(format!("{over}{}", budget.rule));
    }
    for skill in skills.iter().filter(|skill| !skill.why.is_empty()) {
        text.line(format!("  {}: {}", skill.key, skill.why.join(" ")));
    }
    text
}
