//! Servers in words, for people at a terminal.

use api::{
    Consent, ConsentForm, ConsentReach, FileFate, LogLine, ServerPage, ServerRow, ServerState, SignInAsked, ToolMode,
};
use engine::orders::ServerInFull;
use text::counted;

use crate::{Text, prose};

pub(super) fn list(rows: &[ServerRow]) -> Text {
    if rows.is_empty() {
        return "No skill that is switched on needs a server.".into();
    }
    let wide = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
    let line = |row: &ServerRow| {
        let skills = row.skills.iter().map(|skill| skill.name.as_str());
        let users: Vec<_> = skills.chain(row.client.as_deref()).collect();
        let tools = row.tools.map(|tools| format!(", {}", counted(tools, "tool"))).unwrap_or_default();
        let second = row.declared.as_ref().map(|called| {
            let other = row.beside.as_ref().map_or("another skill", |skill| &skill.name);
            format!(", which calls it {called} as {other} does another one")
        });
        let second = second.unwrap_or_default();
        format!("{:<wide$}  {}{tools}  (for {}{second})", row.name, state(&row.name, &row.state), users.join(", "))
    };
    rows.iter().map(line).collect()
}

/// A server's state, and the remedy.
pub(crate) fn state(name: &str, state: &ServerState) -> String {
    match state {
        ServerState::NeedsValues { names, runtime: None } => format!("needs {}", names.join(", ")),
        ServerState::NeedsValues { names, runtime: Some(program) } => {
            format!("its program {program} is not on this computer, and it needs {}", names.join(", "))
        }
        ServerState::Refused { message } => format!("cannot be started: {message}"),
        ServerState::NoProgram { program } => format!("its program {program} is not on this computer"),
        ServerState::NoContainers => {
            "runs in a container, and neither docker nor podman is on this computer".to_owned()
        }
        ServerState::ContainersDown { program } => {
            format!("runs in a container, and {program} is not running: start it")
        }
        ServerState::NeedsConsent { changed: false } => {
            format!("it is not approved yet: `skilltender servers approve {name}`")
        }
        ServerState::NeedsConsent { changed: true } => {
            format!("it changed since it was approved: `skilltender servers approve {name}`")
        }
        ServerState::NeedsSignIn { asked: Some(asked), .. } => format!("waits for you to sign in at {}", asked.host),
        ServerState::NeedsSignIn { asked: None, trouble } => {
            let before = trouble.as_ref().map(|trouble| format!("{trouble} ")).unwrap_or_default();
            format!("{before}wants you to sign in: `skilltender servers sign-in {name}`")
        }
        ServerState::ToolsChanged => format!("held back, its tools changed: `skilltender servers tools {name}`"),
        ServerState::Resting => "approved, starts when it is called".to_owned(),
        ServerState::Starting { .. } => "starting".to_owned(),
        ServerState::Running { process: Some(process), .. } => format!("running (process {process})"),
        ServerState::Running { process: None, .. } => "connected".to_owned(),
        ServerState::Down { message } => format!("down, the next call tries again: {message}"),
        ServerState::Stopped { message } => format!("stopped: {message}"),
    }
}

/// The state of a stopped server.
pub(super) fn stopped(name: &str, now: Option<&ServerState>) -> String {
    match now {
        None | Some(ServerState::Resting) => format!("{name} is stopped until somebody calls it."),
        // The message itself says how it is started again.
        Some(ServerState::Stopped { message }) => format!("{name} does not run, and no call starts it. {message}"),
        Some(other) => format!("{name} does not run: {}", state(name, other)),
    }
}

/// The text shown before the user's browser opens.
pub(super) fn sign_in(name: &str, asked: &SignInAsked, opens: bool) -> Text {
    let SignInAsked { address, host } = asked;
    let opened = if opens { "Your browser opens it" } else { "Open it in a browser of this computer" };
    let first = format!("One signs in to {name} at {host}. {opened}:");
    [&first, "", address, "", "Waiting for you for up to five minutes…"].into_iter().collect()
}

pub(super) fn show(seen: &ServerInFull) -> Text {
    let ServerInFull { row, page, plan, why } = seen;
    let mut text = Text::from(format!("{}  {}", row.name, state(&row.name, &row.state)));
    text.extend(row.description.as_deref().map(prose));
    match plan {
        Some(plan) => text.append(consent(plan, row.approved.is_some())),
        None => text.extend(why),
    }
    if !page.tools.is_empty() || !page.held_back.is_empty() {
        text.line("");
        text.append(tools(page));
    }
    text
}

/// The full text that the user is asked to approve: one argument on each line.
pub(crate) fn consent(plan: &Consent, agreed: bool) -> Text {
    let mut text: Text = lines(&plan.now).into_iter().chain(plain_words(plan)).collect();
    if !plan.inherited.is_empty() {
        text.line(format!("And of this computer: {}", plan.inherited.join(", ")));
    }
    text.extend(plan.unpinned.iter().map(|package| {
        format!("Note: {package} has no fixed version, so another start may run other code than today.")
    }));
    text.extend(plan.archived.iter().map(|archived| format!("Note: {archived}")));
    text.extend(
        plan.redirects.iter().map(|name| format!("Note: {name} leads the program elsewhere, or loads code into it.")),
    );
    match &plan.before {
        Some(before) if *before != plan.now => {
            text.extend(["", "It differs from what was approved before:"]);
            text.append(difference(&lines(before), &lines(&plan.now)));
        }
        Some(_) if !agreed && plan.changed.is_empty() => {
            text.extend(["", "It looks as it did when it was approved, but one more skill wants it."]);
        }
        _ => {}
    }
    if !plan.changed.is_empty() {
        text.extend(["", "Files that differ from when it was approved:"]);
        text.extend(plan.changed.iter().map(|file| {
            let fate = match file.fate {
                FileFate::Added => "new",
                FileFate::Changed => "changed",
                FileFate::Removed => "gone",
            };
            format!("  {fate}: {}", file.place)
        }));
    }
    text.line(format!("Digest: {}", plan.digest));
    text
}

/// The server's origin, its rights, and its downloads.
fn plain_words(plan: &Consent) -> Vec<String> {
    let reach = match plan.reach {
        ConsentReach::Person => {
            "It runs with your rights: it can read and change whatever you can, and use the network."
        }
        ConsentReach::Container => {
            "It runs in a container: of your files it sees only folders that the command names. It can use the network."
        }
        ConsentReach::Elsewhere => {
            "It runs elsewhere and gets whatever its tools are given. Nothing is started here for it."
        }
    };
    let fetches = plan.fetches.iter().map(|fetch| {
        let (by, what) = (&fetch.by, &fetch.what);
        format!(
            "{by} fetches {what}, and whatever that needs, from the network and runs it, unless it is here already."
        )
    });
    let source = plan.source.iter().map(|source| {
        format!(
            "The skill only names it. The command is from our list of well-known servers, as this page has it: {source}"
        )
    });
    [reach.to_owned()].into_iter().chain(fetches).chain(source).collect()
}

fn lines(form: &ConsentForm) -> Vec<String> {
    let ConsentForm { command, program, real, folder, url, values, files, held, skills } = form;
    let mut lines = Vec::new();
    lines.extend(url.iter().map(|url| format!("Address: {url}")));
    if !command.is_empty() {
        lines.push("Command, one argument on each line:".to_owned());
        lines.extend(command.iter().map(|argument| format!("  {argument}")));
    }
    lines.extend(program.iter().map(|program| format!("Program: {program}")));
    lines.extend(real.iter().map(|real| format!("Program, where that leads to: {real}")));
    lines.extend(folder.iter().map(|folder| format!("Folder: {folder}")));
    for value in values {
        let holds = match (&value.value, &value.secret) {
            (_, Some(secret)) => format!("the secret {secret}"),
            (Some(text), None) => text.clone(),
            (None, None) => String::new(),
        };
        let what = if url.is_some() { "Header" } else { "Variable" };
        lines.push(format!("{what} {}: {holds}", value.name));
    }
    lines.extend(files.iter().map(|file| format!("File, as it is now: {file}")));
    if let Some(held) = held {
        let what = if files.is_empty() { "files" } else { "other files" };
        let (place, count) = (&held.place, held.files + held.unread);
        lines.push(format!("The {what} of {place} but Markdown, as they are now: {count}"));
        if held.unread > 0 {
            let unread = held.unread;
            lines.push(format!(
                "  {unread} of them are too many or too large to be read: they ask again when they look different"
            ));
        }
    }
    lines.extend(skills.iter().map(|skill| format!("For the skill {skill}")));
    lines
}

/// The removed and the added lines; if there are none, only their order changed.
fn difference(before: &[String], now: &[String]) -> Text {
    let gone = before.iter().filter(|line| !now.contains(line)).map(|line| format!("- {line}"));
    let came = now.iter().filter(|line| !before.contains(line)).map(|line| format!("+ {line}"));
    let changed: Text = gone.chain(came).collect();
    if changed.is_empty() { "  the order of its arguments".into() } else { changed }
}

pub(super) fn tools(page: &ServerPage) -> Text {
    let held_back = page.held_back.iter().map(|why| format!("Note: {why}"));
    if page.tools.is_empty() && page.changed.is_none() {
        let mut text = Text::from(format!("The tools of {} are known once it ran.", page.name));
        text.extend(held_back);
        return text;
    }
    let tool = |tool: &api::ServerTool| {
        let off = if tool.on { "" } else { "  (off)" };
        let first = tool.description.lines().next().unwrap_or_default();
        format!("  {}{off}  {first}", tool.offered)
    };
    let mut text = Text::from("Tools:");
    text.extend(page.tools.iter().map(tool));
    text.extend(held_back);
    if !page.prompts.is_empty() {
        let prompt = |prompt: &api::ServerPrompt| {
            let first = prompt.description.lines().next().unwrap_or_default();
            format!("  {}  {first}", prompt.offered)
        };
        text.extend(["", "Prompts:"]);
        text.extend(page.prompts.iter().map(prompt));
    }
    if let Some(change) = &page.changed {
        text.extend(["", "It describes its tools or prompts differently now, so it is held back:"]);
        for tool in &change.tools {
            text.line(&tool.name);
            let lines = |text: &Option<String>| {
                text.iter().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            text.append(difference(&lines(&tool.before), &lines(&tool.after)));
        }
        text.line(format!("To approve: `skilltender servers tools {} --approve {}`", page.name, change.digest));
    }
    text
}

pub(super) fn log(lines: &[LogLine]) -> Text {
    if lines.is_empty() {
        return "It wrote nothing in this run of Skilltender.".into();
    }
    lines.iter().map(|line| &line.text).collect()
}

pub(super) fn switched(server: &str, tool: Option<&str>, client: Option<&str>, on: bool) -> String {
    let what = tool.map_or_else(|| format!("Every tool of {server}"), |tool| format!("{tool} of {server}"));
    let whom = client.unwrap_or("every client");
    format!("{what} is {} for {whom}.", if on { "on" } else { "off" })
}

pub(super) fn mode(client: &str, mode: ToolMode) -> String {
    match mode {
        ToolMode::Always => format!("{client} has all tools in its list."),
        ToolMode::OnDemand => format!("{client} gets the tools of a skill once it was given that skill."),
        ToolMode::Search => format!("{client} gets two tools that find and call all others."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_no_call_starts_is_not_said_to_wait_for_one() {
        assert_eq!(stopped("tea", Some(&ServerState::Resting)), "tea is stopped until somebody calls it.");
        let often = ServerState::Stopped { message: "It ended 5 times. `skilltender servers restart tea`".to_owned() };
        let said = stopped("tea", Some(&often));
        assert!(said.contains("no call starts it") && said.contains("servers restart tea"), "{said}");
        let consent = stopped("tea", Some(&ServerState::NeedsConsent { changed: false }));
        assert!(consent.contains("servers approve tea") && !consent.contains("until"), "{consent}");
    }

    #[test]
    fn an_argument_stays_on_its_line_and_hides_nothing() {
        let form = ConsentForm {
            command: vec!["npx".to_owned(), "a\nDigest: 0\u{1b}[2J".to_owned()],
            program: None,
            real: None,
            folder: None,
            url: None,
            values: Vec::new(),
            files: Vec::new(),
            held: None,
            skills: Vec::new(),
        };
        let shown: Text = lines(&form).into_iter().collect();
        assert_eq!(shown.to_string(), "Command, one argument on each line:\n  npx\n  a<U+000A>Digest: 0<U+001B>[2J");
    }
}
