//! What one change changed, for the log: `RUST_LOG=state=debug` prints each change of the loop, where it was sent and
//! which parts of the state differ after it.

use std::sync::Arc;

use crate::state::State;

impl State {
    /// The names of the parts that differ from those of an earlier state.
    pub(crate) fn changed_since(&self, before: &Self) -> Vec<&'static str> {
        // Each part is named, so that a new one cannot be forgotten.
        let Self {
            machine: _,
            choices,
            reading,
            first_reading,
            found,
            given,
            servers,
            opened,
            trash,
            origins,
            asked,
            placed,
            clients,
            endpoint,
            login,
            menu,
            update,
            keychain,
            archives,
            examined,
            harmful,
            notices,
            unsaved,
            ending,
        } = self;
        let parts = [
            ("choices", *choices != before.choices),
            ("reading", !Arc::ptr_eq(reading, &before.reading)),
            ("first_reading", *first_reading != before.first_reading),
            ("found", *found != before.found),
            ("given", *given != before.given),
            ("servers.wanted", servers.wanted != before.servers.wanted),
            ("servers.approvals", !Arc::ptr_eq(&servers.approvals, &before.servers.approvals)),
            ("servers.adopted", !Arc::ptr_eq(&servers.adopted, &before.servers.adopted)),
            ("servers.runs", servers.runs != before.servers.runs),
            ("opened", *opened != before.opened),
            ("trash", *trash != before.trash),
            ("origins", !Arc::ptr_eq(origins, &before.origins)),
            ("asked", *asked != before.asked),
            ("placed", *placed != before.placed),
            ("clients", *clients != before.clients),
            ("endpoint", *endpoint != before.endpoint),
            ("login", *login != before.login),
            ("menu", *menu != before.menu),
            ("update", *update != before.update),
            ("keychain", *keychain != before.keychain),
            ("archives", *archives != before.archives),
            ("examined", !Arc::ptr_eq(examined, &before.examined)),
            ("harmful", !Arc::ptr_eq(harmful, &before.harmful)),
            ("notices", *notices != before.notices),
            ("unsaved", *unsaved != before.unsaved),
            ("ending", *ending != before.ending),
        ];
        parts.into_iter().filter_map(|(part, differs)| differs.then_some(part)).collect()
    }
}
