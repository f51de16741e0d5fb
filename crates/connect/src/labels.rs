//! Sentences about clients for the user.

use std::path::Path;

use api::{Mark, Transport};
use clients::{Client, Entry, Reload};

use super::context::KnownClient;

/// How to make a client read its changed file.
pub fn reload(known: &KnownClient) -> String {
    let name = &known.name;
    match known.row.reload {
        Reload::Quit => format!("Quit {name}, not only its window, and start it again."),
        Reload::Restart => format!("Restart {name}."),
        Reload::Session => format!("{name} reads it when its next session starts."),
        Reload::Refresh => format!("Refresh the list of servers in {name}, or restart it."),
        Reload::Watches => format!("{name} sees it by itself."),
    }
}

/// Whether a client writes its file while it runs, and may overwrite changes by others.
pub fn rewrites(known: &KnownClient) -> bool {
    known.row.reload == Reload::Quit && !known.row.processes.is_empty()
}

/// How the facts about a client were established.
pub fn mark(row: &Client) -> Mark {
    match row.mark {
        clients::Mark::Ran => Mark::Ran,
        clients::Mark::Read => Mark::Read,
        clients::Mark::Table => Mark::Table,
        clients::Mark::Unverified => Mark::Unverified,
    }
}

/// The transports of a client, the usual one first. A sandboxed client cannot start our program.
pub(crate) fn transports(row: &Client, sandboxed: bool) -> Vec<Transport> {
    let stdio = row.stdio.filter(|_| !sandboxed).map(|_| Transport::Stdio);
    let http = row.http.map(|_| Transport::Http);
    stdio.into_iter().chain(http).collect()
}

/// Why a sandboxed client is connected over HTTP.
pub(super) fn sandbox(known: &KnownClient, file: &Path) -> String {
    let kind = if file.components().any(|part| part.as_os_str() == "snap") { "Snap" } else { "Flatpak" };
    let name = &known.name;
    format!("{name} runs in a sandbox ({kind}) and cannot start programs of yours: it is connected over HTTP.")
}

/// What is out of date in our entry, compared with the current one.
pub(super) fn outdated(there: &Entry, now: Option<&Entry>) -> String {
    match (there, now) {
        (Entry::Stdio { command, .. }, Some(Entry::Stdio { command: now, .. })) if command != now => {
            format!("Our entry runs {command}, and Skilltender is at {now} now.")
        }
        (Entry::Http { url, .. }, Some(Entry::Http { url: now, .. })) if url != now => {
            format!("Our entry calls {url}, and Skilltender answers at {now} now.")
        }
        (Entry::Http { .. }, Some(_)) => "The token in our entry is no longer the one that opens the door.".to_owned(),
        (Entry::Http { .. }, None) => "Our entry calls an address, and no token opens it.".to_owned(),
        (Entry::Stdio { .. }, _) => "Our entry is written in the way of an earlier Skilltender.".to_owned(),
    }
}

/// Why an entry that was added for another client stays.
pub(super) fn shared_out(with: &str) -> String {
    format!(
        "The entry there was added for {with}, which reads this file too. Disconnect {with} to take it out for both."
    )
}

/// A list of names as prose: `a, b and c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_people_write_them() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
