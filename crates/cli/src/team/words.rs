//! A team's page in words: all that would come and run.

use api::{TeamAct, TeamAsk, TeamLeft, TeamPage, TeamServerRow, TeamSkillRow, TeamSkillState};
use text::counted;

use crate::{Text, import, ours::short, prose, review};

/// Everything that would come and run.
pub(super) fn page(page: &TeamPage) -> Text {
    let at = page.commit.as_ref().map(|commit| format!(" at {}", short(commit))).unwrap_or_default();
    let from = format!("{}{at}", page.from);
    let name = page.name.as_ref().map(|name| format!("{name}, from {from}")).unwrap_or(from);
    let mut text = Text::from(format!("The team {name}"));
    text.extend(page.advice.iter().flat_map(|advice| advice.lines()).map(prose));
    text.extend(&page.refuses);
    text.extend(["", &counted(page.skills.len(), "skill")]);
    page.skills.iter().for_each(|row| text.append(skill(row).indented()));
    if !page.servers.is_empty() {
        text.extend(["", &counted(page.servers.len(), "server")]);
        page.servers.iter().for_each(|row| text.append(server(row).indented()));
    }
    for set in &page.sets {
        let how = if set.here { "gets what it lacks of" } else { "is made of" };
        text.line(format!("The set {} {how} {}.", set.name, set.skills.join(", ")));
    }
    for client in &page.clients {
        let name = client.name.as_ref().unwrap_or(&client.id);
        let state = match (client.name.is_some(), client.installed, client.connected) {
            (false, ..) => "is not known to this Skilltender",
            (_, _, true) => "is connected",
            (_, true, _) => "is on this computer, and can be connected after this",
            _ => "is not on this computer",
        };
        text.line(format!("The client {name} {state}."));
    }
    text.line(format!("Digest: {}", page.id));
    text
}

fn skill(row: &TeamSkillRow) -> Text {
    let at = format!("{}  {} at {}", row.name, row.source, short(&row.commit));
    let (state, about) = match &row.state {
        TeamSkillState::Same { on: true } => ("is here, byte for byte", Text::new()),
        TeamSkillState::Same { on: false } => ("is here, byte for byte, and is switched on", Text::new()),
        TeamSkillState::Comes { skill } => ("comes, and is switched on", import::skill(skill)),
        TeamSkillState::Changes { update } => ("changes", review::words(update)),
        TeamSkillState::Stays { why } => ("stays", Text::from(why.as_str())),
    };
    let mut text = Text::from(format!("{at}: {state}"));
    text.append(about.indented());
    text
}

fn server(row: &TeamServerRow) -> Text {
    let mut about = Text::new();
    about.extend(row.url.iter().map(|url| format!("Address: {url}")));
    if !row.command.is_empty() {
        about.line("Command, one argument on each line:");
        about.extend(row.command.iter().map(|argument| format!("  {argument}")));
    }
    about.extend(row.program.iter().map(|program| format!("Program: {program}")));
    // A container may be run by another engine.
    let absent = row
        .command
        .first()
        .filter(|word| row.program.is_none() && *word != "docker" && !word.contains(['/', '\\', '$']));
    about.extend(absent.map(|program| format!("Note: {program} is not on this computer.")));
    about.extend(row.folders.iter().map(|folder| format!("Folder: {folder}")));
    about.extend(row.port.iter().map(|port| format!("Port: {port}")));
    let what = if row.url.is_some() { "Header" } else { "Variable" };
    about.extend(row.values.iter().map(|(name, value)| format!("{what} {name}: {value}")));
    about.extend(row.version.iter().map(|version| format!("Its package is pinned to {version}.")));
    about.extend(row.unpinned.iter().map(|package| {
        format!("Note: {package} has no fixed version, so another start may run other code than today.")
    }));
    about.extend(row.redirects.iter().map(|name| {
        format!("Note: {name} leads the program elsewhere, or loads code into it. It is asked about by itself.")
    }));
    about.extend(row.asks.iter().map(ask));
    let mut text = Text::from(format!("{}  (for {})", row.name, row.skills.join(", ")));
    text.append(about.indented());
    text
}

fn ask(ask: &TeamAsk) -> String {
    let what = if ask.secret { "The secret" } else { "The value" };
    let optional = if ask.required { "" } else { " (optional)" };
    let default = ask.default.as_ref().map(|default| format!(", {default} by default")).unwrap_or_default();
    let default = ask.given.as_ref().map(|given| format!(", {given} here")).unwrap_or(default);
    let how = ask.how.as_ref().map(|how| format!(": {}", prose(how))).unwrap_or_default();
    let address = ask.address.as_ref().map(|address| format!(" {address}")).unwrap_or_default();
    format!("{what} {}{optional}{default}{how}{address}", ask.name)
}

/// What is left, as sentences; nothing where all is as the file says.
pub(super) fn left(left: &TeamLeft) -> Text {
    let mut text = Text::new();
    text.extend(left.skills.iter().map(|one| format!("{}: {}", one.name, one.why)));
    text.extend(left.sets.iter().map(|one| format!("The set {}: {}", one.name, one.why)));
    for (missing, act) in [(&left.secrets, "secrets"), (&left.values, "values")] {
        for one in missing {
            let name = &one.what.name;
            let how = one.what.how.as_ref().map(|how| format!(" {}", prose(how))).unwrap_or_default();
            let address = one.what.address.as_ref().map(|address| format!(" {address}")).unwrap_or_default();
            let what = if act == "secrets" { "secret" } else { "value" };
            text.line(format!("The {what} {name} of {} is missing.{how}{address}", one.server));
            text.extend(one.skills.iter().map(|key| format!("  skilltender {act} set {key} {} {name}", one.server)));
        }
    }
    for one in &left.servers {
        text.line(format!("{}: {}", one.name, one.why));
        text.extend(one.act.map(|act| match act {
            TeamAct::Approve => format!("  skilltender servers approve {}", one.name),
            TeamAct::SignIn => format!("  skilltender servers sign-in {}", one.name),
        }));
    }
    text
}
