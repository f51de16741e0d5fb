//! Checks of the engine and of system facilities: the port, watches, a keychain and a tray.

use api::{EndpointState, Keychain, Remedy};
use machine::session_bus::KeychainFact;
use text::counted;

use super::{
    Found,
    facts::{EngineFact, Facts, PortFact},
};

/// Which engine writes, and its version.
pub(super) fn engine(facts: &Facts) -> Vec<Found> {
    let ours = &facts.snapshot.version;
    let with_pid = |pid: &Option<u32>| pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
    vec![match &facts.engine {
        EngineFact::This => Found::fine(format!("Skilltender {ours} runs.")),
        EngineFact::Other { pid, version: Some(version) } if version == ours => {
            Found::fine(format!("Skilltender {version} runs{}.", with_pid(pid)))
        }
        EngineFact::Other { pid, version: Some(version) } => Found::attention(
            format!("Skilltender {version} runs{}, and this program is {ours}.", with_pid(pid)),
            "Quit it and start Skilltender again.",
        )
        .by(Remedy::Restart, None)
        .run("`skilltender serve`"),
        EngineFact::Other { pid, version: None } => Found::problem(
            format!("A Skilltender holds the lock{} and does not answer.", with_pid(pid)),
            "Quit it, or end its process, and start Skilltender again.",
        )
        .by(Remedy::Restart, None)
        .run("`skilltender serve`"),
        EngineFact::Nobody => Found::attention(
            "No Skilltender runs: clients that start our program are served without it, HTTP is off, and nothing can be changed there.",
            "Start Skilltender.",
        )
        .by(Remedy::Restart, None)
        .run("`skilltender serve`"),
    }]
}

/// Whether HTTP has the port that clients' files name.
pub(super) fn port(facts: &Facts) -> Vec<Found> {
    vec![match (&facts.port, &facts.snapshot.endpoint.state) {
        (PortFact::Held { port, holder }, _) => Found::problem(
            format!(
                "Port {port}, which clients were told of, is held by {}, so HTTP is off.",
                holder.as_deref().unwrap_or("another program")
            ),
            "Quit that program, then start Skilltender again; or choose another port in Settings. Clients that start our \
             program are served all the same.",
        )
        .by(Remedy::Port, None)
        .run(format!("`skilltender settings port {}`", port.checked_add(1).unwrap_or(8400))),
        (_, EndpointState::StdioOnly { message }) if facts.engine == EngineFact::This => {
            Found::problem(message.clone(), "Start Skilltender again.")
                .by(Remedy::Restart, None)
                .run("`skilltender serve`")
        }
        (PortFact::None, _) => Found::fine("No port was chosen yet: the first start does that."),
        (PortFact::Free(port), _) => Found::fine(format!("Port {port} is free for the next start.")),
        (PortFact::Ours(port), _) => Found::fine(format!("HTTP is served at 127.0.0.1:{port}.")),
    }]
}

/// Whether the system's limit allows watching every folder.
pub(super) fn watches(facts: &Facts) -> Vec<Found> {
    let late = |what: String| {
        let todo = "Changes show all the same, only later. Who administers this computer can raise the limit.";
        let raise = "`sysctl fs.inotify.max_user_watches=524288`";
        Found::attention(what, todo).by(Remedy::Watches, None).run(raise)
    };
    if let Some(notice) = facts.snapshot.notices.iter().find(|notice| notice.id == "watch") {
        return vec![late(notice.message.clone())];
    }
    vec![match facts.watches {
        None => Found::unknown("How many folders this system lets us watch is not known."),
        Some(watches) if watches.folders >= watches.allowed => late(format!(
            "The library has about {}, and this computer lets one user watch {}: changes show late.",
            counted(watches.folders, "folder"),
            watches.allowed
        )),
        Some(watches) => Found::fine(format!(
            "The library has {}, and {} may be watched.",
            counted(watches.folders, "folder"),
            watches.allowed
        )),
    }]
}

/// Whether secrets can be stored.
pub(super) fn keychain(facts: &Facts) -> Vec<Found> {
    let start = "Start one, such as GNOME Keyring or KWallet, then try again. Until then secrets are kept only until \
                 Skilltender quits.";
    let again = |found: Found| found.by(Remedy::Keychain, None).run("`skilltender secrets retry`");
    vec![match (&facts.bus.keychain, &facts.snapshot.keychain) {
        (_, Keychain::Ready) | (KeychainFact::Open, _) => Found::fine("The keychain answers."),
        (KeychainFact::Locked, _) => {
            let todo = "Unlock it, then try again: secrets cannot be read or stored before.";
            again(Found::attention("The keychain is locked.", todo))
        }
        (KeychainFact::Absent, Keychain::Absent { message }) => again(Found::problem(message.clone(), start)),
        (KeychainFact::Absent, _) => again(Found::problem("No keychain answers on this computer.", start)),
        (KeychainFact::Unknown, _) => Found::unknown("Whether a keychain answers could not be found out."),
    }]
}

/// Whether a panel shows our icon.
pub(super) fn tray(facts: &Facts) -> Vec<Found> {
    vec![match facts.bus.tray {
        Some(true) => Found::fine("There is a tray for our icon."),
        Some(false) => Found::attention(
            "No panel of this desktop shows tray icons, so Skilltender has a window and no icon.",
            "On GNOME, install the extension AppIndicator. Elsewhere, add a system tray to your panel.",
        )
        .by(Remedy::Tray, None)
        .run("`skilltender serve` needs none"),
        None => Found::unknown("Whether there is a tray is not known: no session bus answers here."),
    }]
}

#[cfg(test)]
mod tests {
    use api::CheckState;
    use machine::Machine;

    use super::{super::facts::WatchFact, *};
    use crate::{Engine, Mode};

    /// System states that a test cannot produce.
    #[tokio::test]
    async fn a_locked_keychain_and_too_few_watches_are_told_with_what_to_do() {
        let folder = ::tests::watched_folder();
        let engine = Engine::start(Machine::at(folder.path()).unwrap(), Mode::Reading).await.unwrap();
        let mut facts = Facts::gather(&engine).await;
        facts.bus.keychain = KeychainFact::Locked;
        facts.watches = Some(WatchFact { allowed: 8192, folders: 20_000 });
        for (found, words) in [(keychain(&facts), "is locked"), (watches(&facts), "about 20000 folders")] {
            let [found] = &*found else { panic!("{found:?}") };
            assert!(
                found.state == CheckState::Attention && found.what.contains(words) && found.todo.is_some(),
                "{found:?}"
            );
        }
        facts.watches = Some(WatchFact { allowed: 8192, folders: 1 });
        assert_eq!(watches(&facts)[0].what, "The library has 1 folder, and 8192 may be watched.");
    }
}
