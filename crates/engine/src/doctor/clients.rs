//! Checks of clients: their files, the program that their entries name, and whether they have read them.

use api::{Client, Proof, Remedy, Standing};

use super::{
    Found,
    facts::{Facts, ProgramState},
    or_fine,
};

/// Start times of processes are in whole seconds.
const SECOND: u64 = 1_000;

/// The state of each client file that we wrote to, or that belongs to a client on this computer.
pub(super) fn files(facts: &Facts) -> Vec<Found> {
    let clients = facts.snapshot.clients.iter();
    let mut found: Vec<_> = clients.clone().filter_map(|client| file(client, None)).collect();
    for client in clients {
        found.extend(entries_of_their_own(facts, client));
        found.extend(client.projects.iter().filter_map(|project| {
            let (place, standing) = (project.place.clone(), project.standing.clone());
            file(&Client { place, standing, ..client.clone() }, Some(&project.project))
        }));
    }
    or_fine(found, "Every client's file can be read, and our entries are as we wrote them.")
}

fn file(client: &Client, project: Option<&str>) -> Option<Found> {
    let name = &client.name;
    let of = project.map(|project| format!(" --project {project:?}")).unwrap_or_default();
    let connect = format!("`skilltender connect {}{of}`", client.id);
    let found = match &client.standing {
        Standing::Absent | Standing::Added | Standing::Shared { .. } => return None,
        Standing::Refused { message } => Found::problem(
            format!("The file of {name} cannot be read or changed safely: {message}"),
            format!(
                "Open {} and put it right there: Skilltender changes no file that it cannot read. Then add Skilltender to {name} under Clients.",
                client.place
            ),
        )
        .by(Remedy::File, None)
        .run(connect),
        Standing::Edited => Found::attention(
            format!("Somebody changed our entry in the file of {name}."),
            "Look at both versions under Clients, and keep one.",
        )
        .by(Remedy::Drift, None)
        .run(format!("`skilltender clients drift {}{of}`", client.id)),
        Standing::Dropped { .. } => Found::attention(
            format!("Our entry was taken out of the file of {name}."),
            format!("Add it again under Clients, or let it be. {}", client.reload),
        )
        .by(Remedy::Connect, None)
        .run(connect),
        Standing::Outdated { message } => Found::attention(
            format!("Our entry in the file of {name} is out of date: {message}"),
            "Update it under Clients.",
        )
        .by(Remedy::Connect, None)
        .run(connect),
        Standing::Different => Found::attention(
            format!("The file of {name} holds an entry named skilltender that we did not write."),
            format!("Take it out there, then add Skilltender to {name} under Clients."),
        )
        .by(Remedy::File, None)
        .run(connect),
    };
    Some(found.at(&client.place).of(&client.id))
}

/// Servers with their own entries that may no longer run, so that the client fails to start them.
fn entries_of_their_own(facts: &Facts, client: &Client) -> Option<Found> {
    let servers = &facts.snapshot.servers;
    let may_run = |name: &String| servers.iter().any(|server| server.name == *name && server.approved.is_some());
    let idle: Vec<_> = client.direct.iter().filter(|name| !may_run(name)).map(String::as_str).collect();
    let found = Found::attention(
        format!(
            "{} starts {} through Skilltender, which may not run: it is not approved, or no skill that is on needs it.",
            client.name,
            idle.join(", ")
        ),
        format!("Look under Servers whether it can be approved, or take it out of {} under Clients.", client.name),
    )
    .by(Remedy::Server, idle.first().copied())
    .run(format!(
        "`skilltender servers` shows its state, `skilltender connect {0} --direct` takes out what may not run, `skilltender disconnect {0}` everything of ours",
        client.id
    ));
    (!idle.is_empty()).then(|| found.at(&client.place).of(&client.id))
}

/// Whether the programs that entries name exist, and their versions.
pub(super) fn programs(facts: &Facts) -> Vec<Found> {
    let found = facts.programs.iter().filter_map(|program| {
        let (name, place) = (&program.name, &program.place);
        let update = "Update the entry under Clients.";
        let found = match &program.state {
            ProgramState::Ours => return None,
            ProgramState::Gone => {
                Found::problem(format!("{name} starts {place}, and there is no such program any more."), update)
            }
            ProgramState::Silent => {
                Found::problem(format!("{name} starts {place}, and that does not say that it is Skilltender."), update)
            }
            ProgramState::Says(version) if is_older(version, &facts.snapshot.version) => Found::attention(
                format!("{name} starts version {version} of Skilltender; this is {}.", facts.snapshot.version),
                update,
            ),
            ProgramState::Says(_) => return None,
        };
        let update = format!("`skilltender connect {}`", program.client);
        Some(found.at(place).of(&program.client).by(Remedy::Connect, None).run(update))
    });
    or_fine(found.collect(), "The programs that clients start are there, and none is older than this one.")
}

/// Compares the numbers between dots one by one.
fn is_older(version: &str, ours: &str) -> bool {
    let numbers =
        |version: &str| version.split(['.', '-']).map(|part| part.parse().unwrap_or_default()).collect::<Vec<u64>>();
    numbers(version) < numbers(ours)
}

/// Clients that started before our entry was last written, and so have not read it.
pub(super) fn old_configs(facts: &Facts) -> Vec<Found> {
    let waiting = facts.snapshot.clients.iter().filter(|client| client.proof == Proof::Waiting);
    let found = waiting.filter_map(|client| {
        let written = client.written?;
        let name = &client.name;
        let todo = format!("{} Under Clients you see when it has connected.", client.reload);
        let names = facts.process_names.iter().find(|(id, _)| *id == client.id).map(|(_, names)| *names);
        let found = match (&facts.processes, names) {
            (Some(processes), Some(names)) => {
                let old =
                    processes.iter().find(|process| process.goes_by(names) && process.started + SECOND < written)?;
                Found::attention(
                    format!(
                        "{name} runs since before our entry was written (process {}), so it does not know it.",
                        old.id
                    ),
                    todo,
                )
            }
            _ => Found {
                todo: Some(todo),
                ..Found::unknown(format!(
                    "{name} has not connected since our entry was written; whether it runs is not known."
                ))
            },
        };
        Some(found.at(&client.place).of(&client.id).by(Remedy::Reload, None).run("`skilltender clients`"))
    });
    or_fine(found.collect(), "No client runs with a config from before our last change of it.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_older("0.1.0", "0.2.0") && is_older("0.9.0", "0.10.0") && is_older("1.0", "1.0.1"));
        assert!(!is_older("0.2.0", "0.2.0") && !is_older("1.0.0", "0.9.9"));
    }
}
