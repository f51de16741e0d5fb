//! Checks of the disk: the library, our own files, and what enabled skills need.

use api::{Remedy, ServerState};
use choices::OWN;

use super::{
    Found,
    facts::{Facts, OpenFile},
    or_fine,
};

/// Changes of clients' files that are in the journal and were reverted by someone else.
pub(super) fn journal(facts: &Facts) -> Vec<Found> {
    let found = facts.unsettled.iter().map(|unsettled| {
        Found::attention(
            "We took our entry out of this file, and it is as it was before that: somebody put the old file back.",
            "Look at the client under Clients, and remove Skilltender there again if you want that.",
        )
        .by(Remedy::Disconnect, None)
        .run(format!("`skilltender disconnect {}`", unsettled.client))
        .at(&unsettled.place)
        .of(&unsettled.client)
    });
    or_fine(found.collect(), "What we took out of clients' files stayed out.")
}

/// Folders of the library that cannot be read.
pub(super) fn library(facts: &Facts) -> Vec<Found> {
    // Our own folder is created with its first skill.
    let chosen = facts.snapshot.folders.iter().filter(|folder| folder.id != OWN);
    let troubled = chosen.filter_map(|folder| {
        let trouble = folder.trouble.as_ref()?;
        let found =
            Found::problem(trouble.clone(), "Bring the folder back, or remove it from the library in Settings.");
        let remove = format!("`skilltender library remove {}`", folder.id);
        Some(found.at(&folder.place).by(Remedy::Folder, Some(&folder.id)).run(remove))
    });
    or_fine(troubled.collect(), "Every folder of the library is there.")
}

/// Programs that the servers of enabled skills need.
pub(super) fn runtimes(facts: &Facts) -> Vec<Found> {
    let missing = facts.runtimes.iter().filter(|runtime| !runtime.there).map(|runtime| {
        let command = &runtime.command;
        let skills = runtime.skills.join(", ");
        if runtime.path {
            let what =
                format!("The skill {skills} starts a server with {command}, which is no program that may be run.");
            let todo = "Bring the file back and make it executable, then check everything again.";
            return Found::problem(what, todo).by(Remedy::Install, None).run("`skilltender doctor`");
        }
        let what = format!(
            "The program {command} was not found on this computer. These skills need it for their servers: {skills}."
        );
        let todo = format!("{} Then check everything again.", from_where(command));
        Found::problem(what, todo).by(Remedy::Install, None).run("`skilltender doctor`")
    });
    or_fine(missing.collect(), "The programs that enabled skills need are there.")
}

/// Container engines that the servers of enabled skills need.
pub(super) fn containers(facts: &Facts) -> Vec<Found> {
    let down = facts.snapshot.servers.iter().filter_map(|row| match &row.state {
        ServerState::ContainersDown { program } => {
            let what = format!("{program} is not running, and the server {} runs in a container.", row.name);
            let found = Found::problem(what, format!("Start {program}; the server can be used then."));
            Some(found.by(Remedy::Server, Some(&row.name)).run(format!("`skilltender servers show {}`", row.name)))
        }
        _ => None,
    });
    or_fine(down.collect(), "No server waits for an engine that runs containers.")
}

/// Different servers of two skills with the same name.
pub(super) fn server_names(facts: &Facts) -> Vec<Found> {
    let second = facts.snapshot.servers.iter().filter_map(|row| {
        let (called, skill, other) = (row.declared.as_ref()?, row.skills.first()?, row.beside.as_ref()?);
        let what = format!(
            "The skills {} and {} call different servers {called}. Both work: the one of {} is {} here.",
            other.name, skill.name, skill.name, row.name
        );
        let todo = "Nothing, if that is meant. They can share one: on the page of either skill, under Needs.";
        let link = format!("`skilltender servers link {} {called} --with {}`", skill.key, other.key);
        Some(Found::attention(what, todo).by(Remedy::Link, Some(&skill.key)).run(link))
    });
    or_fine(second.collect(), "No two skills call different servers alike.")
}

/// Servers that do not run though they should, as reported by the running engine.
pub(super) fn servers(facts: &Facts) -> Vec<Found> {
    let found = facts.servers.iter().filter_map(|server| {
        let name = &server.name;
        let found = match &server.state {
            ServerState::Stopped { message } => {
                Found::problem(message.clone(), "Look at what it wrote under Servers, then restart it there.")
            }
            ServerState::Down { message } => Found::attention(
                format!("The server {name} does not run: {message}"),
                "The next call tries again. Under Servers is what it wrote.",
            ),
            _ => return None,
        };
        let log = format!("`skilltender servers log {name}`, `skilltender servers restart {name}`");
        Some(found.by(Remedy::Server, Some(name)).run(log))
    });
    or_fine(found.collect(), "No server that was started is down.")
}

fn from_where(command: &str) -> String {
    match command {
        "npx" | "npm" | "node" => "Install Node.js (nodejs.org, or your system's package).".to_owned(),
        "uvx" | "uv" => "Install uv (docs.astral.sh/uv, or your system's package).".to_owned(),
        "docker" => "Install Docker or Podman with its docker command, and start it.".to_owned(),
        "python" | "python3" | "pip" | "pipx" => "Install Python 3 (python.org, or your system's package).".to_owned(),
        _ => format!("Install {command}, or put it where programs are looked for (PATH)."),
    }
}

/// Files that only the user may read.
pub(super) fn private_files(facts: &Facts) -> Vec<Found> {
    let Some(open) = &facts.open_files else {
        return vec![Found::unknown("Who may read our files is not looked at on this system.")];
    };
    let found = open.iter().map(|OpenFile { place, client }| match client {
        Some((id, name)) => Found::problem(
            format!("Other users of this computer may read the file of {name}, and it holds its token."),
            format!("Update {name} under Clients, which makes the file yours alone, and replace its token there."),
        )
        .by(Remedy::Private, None)
        .run(format!("`skilltender connect {id}`, then `skilltender token {id} --replace`"))
        .at(place)
        .of(id),
        None => Found::problem(
            "Other users of this computer may read this, and it holds tokens or what you chose.",
            "Take the right to read it away from them.",
        )
        .by(Remedy::Private, None)
        .run(format!("`chmod go= {place}`"))
        .at(place),
    });
    or_fine(found.collect(), "Nobody else may read our files.")
}

/// What the running engine could not save.
pub(super) fn unsaved(facts: &Facts) -> Vec<Found> {
    let found = facts.unsaved.iter().map(|unsaved| {
        let todo = "Make room on the disk, or make our folder writable, before Skilltender quits. Then check everything again.";
        Found::problem(unsaved.clone(), todo).by(Remedy::Room, None).run("`skilltender doctor`")
    });
    or_fine(found.collect(), "What was chosen is saved.")
}

/// State files that cannot be read, or could not be.
pub(super) fn state_files(facts: &Facts) -> Vec<Found> {
    let unreadable = facts.unreadable.iter().map(|why| {
        let todo = "Until then nothing that it held is known here, and the next start of the app sets it aside.";
        Found::problem(why.clone(), todo)
    });
    let aside = facts.set_aside.iter().map(|place| {
        Found::attention(
            "A file of ours could not be read once, so it was set aside and its defaults apply.",
            "Look whether it holds something that you miss, and delete it when it does not.",
        )
        .by(Remedy::SetAside, None)
        .run(format!("`rm {place}`"))
        .at(place)
    });
    or_fine(unreadable.chain(aside).collect(), "Our own files could all be read.")
}
