//! How far a client's connection is proven: pure, from the time when Skilltender's entry was written and what
//! the client did since. Earlier activity proves nothing about the entry: a client reads its config when it
//! starts.

use api::{Proof, Standing};

use crate::client_activity::Seen;

/// The proof for a client, from the state of its entry, the time when it was written, and the client's
/// activity.
pub(crate) fn proof(standing: &Standing, written: Option<u64>, seen: &Seen) -> Proof {
    // An outdated or edited entry may still lead here.
    if !matches!(standing, Standing::Added | Standing::Outdated { .. } | Standing::Edited) {
        return Proof::NotAdded;
    }
    let counts = |moment: &u64| written.is_none_or(|written| *moment >= written);
    let Some(connected) = seen.connected.filter(counts) else { return Proof::Waiting };
    match &seen.last {
        Some(last) if counts(&last.at) && last.at >= connected => Proof::Called,
        _ => Proof::Connected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client_activity::LastCall;

    const WRITTEN: u64 = 1_000;

    fn seen(connected: Option<u64>, called: Option<u64>) -> Seen {
        let last = called.map(|at| LastCall { at, method: "tools/list".to_owned(), target: String::new(), ok: true });
        Seen { connected, last, calls: u32::from(called.is_some()), peer: None }
    }

    fn added(connected: Option<u64>, called: Option<u64>) -> Proof {
        proof(&Standing::Added, Some(WRITTEN), &seen(connected, called))
    }

    #[test]
    fn an_entry_is_proven_step_by_step() {
        assert_eq!(added(None, None), Proof::Waiting);
        assert_eq!(added(Some(1_001), None), Proof::Connected);
        assert_eq!(added(Some(1_001), Some(1_002)), Proof::Called);
    }

    #[test]
    fn what_was_before_the_last_write_proves_nothing() {
        assert_eq!(added(Some(999), None), Proof::Waiting);
        assert_eq!(added(Some(999), Some(999)), Proof::Waiting);
        assert_eq!(added(Some(1_001), Some(999)), Proof::Connected);
    }

    #[test]
    fn a_call_on_a_connection_of_the_old_entry_proves_nothing_of_the_new_one() {
        assert_eq!(added(Some(999), Some(1_002)), Proof::Waiting);
    }

    #[test]
    fn without_our_entry_there_is_nothing_to_prove() {
        let refused = Standing::Refused { message: "It is broken.".to_owned() };
        for standing in [Standing::Absent, Standing::Different, Standing::Dropped { waiting: false }, refused] {
            assert_eq!(proof(&standing, None, &seen(Some(1_001), Some(1_002))), Proof::NotAdded);
        }
    }

    #[test]
    fn an_entry_of_which_nobody_knows_when_it_was_written_is_proven_by_any_connection() {
        assert_eq!(proof(&Standing::Added, None, &seen(Some(5), None)), Proof::Connected);
    }
}
