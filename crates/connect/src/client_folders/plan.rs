//! Computes the steps for a folder from the wanted skills, the placed ones and the current entries. Pure, and
//! the only module that decides what in a folder may be touched.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use api::{PlaceWay, PlacedState};

use super::record::Made;

/// A skill that is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The name of its folder.
    pub(super) id: String,
    /// Its own folder, resolved.
    pub(super) source: PathBuf,
    /// The digest that a copy of it would have.
    pub(super) digest: Option<String>,
    /// Whether its folder is this very folder, or contains it: a link would lead in a circle.
    pub(super) here: bool,
}

/// What exists under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    /// A link, with its target.
    Link(PathBuf),
    /// A folder, with the digest of its content if that can be read.
    Folder(Option<String>),
    /// Anything else.
    Other,
}

/// The step for one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) id: String,
    pub(super) act: Act,
    /// The record after the step.
    pub(super) made: Option<Made>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// It is as it should be.
    Keep,
    Make(PlaceWay),
    Replace(PlaceWay),
    Remove,
    /// It is no longer Skilltender's.
    Forget,
    Leave(Why),
}

/// Why something is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Here,
    Taken,
    Edited,
    Gone,
    Unread,
}

impl Why {
    pub(super) fn state(self) -> PlacedState {
        match self {
            Self::Here => PlacedState::Here,
            Self::Taken => PlacedState::Taken,
            Self::Edited => PlacedState::Edited,
            Self::Gone => PlacedState::Gone,
            Self::Unread => PlacedState::Due,
        }
    }
}

impl Act {
    pub(super) fn why(self) -> &'static str {
        match self {
            Self::Leave(Why::Here) => "The skill itself is there.",
            Self::Leave(Why::Taken) => "Something that is not ours has this name there, so it is left alone.",
            Self::Leave(Why::Edited) => "Somebody edited the copy, so it is left alone. Keep it or replace it.",
            Self::Leave(Why::Gone) => "Somebody took it away there, so it is not put back unasked.",
            Self::Leave(Why::Unread) => "The skill cannot be read, so it is not copied.",
            _ => "",
        }
    }
}

/// The step for each skill that is wanted or was made. With `quietly`, no person asked just now, so anything
/// that a person removed is not put back.
pub(super) fn plan(
    way: Option<PlaceWay>,
    wanted: &[Wanted],
    made: &BTreeMap<String, Made>,
    quietly: bool,
    look: &dyn Fn(&str) -> There,
) -> Vec<Step> {
    let names: BTreeSet<&str> =
        wanted.iter().map(|wanted| wanted.id.as_str()).chain(made.keys().map(String::as_str)).collect();
    let step = |id: &str| {
        let wanted = wanted.iter().find(|wanted| wanted.id == id).zip(way);
        let (act, will) = act(wanted, made.get(id), quietly, &look(id));
        Step { id: id.to_owned(), act, made: will }
    };
    names.into_iter().map(step).collect()
}

fn act(wanted: Option<(&Wanted, PlaceWay)>, made: Option<&Made>, quietly: bool, there: &There) -> (Act, Option<Made>) {
    let Some((wanted, way)) = wanted else { return (leaving(made, there), None) };
    if wanted.here {
        return (Act::Leave(Why::Here), None);
    }
    let digest = wanted.digest.clone().filter(|_| way == PlaceWay::Copy);
    if way == PlaceWay::Copy && digest.is_none() {
        return (Act::Leave(Why::Unread), made.cloned());
    }
    let will = Made { way, source: wanted.source.clone(), digest };
    let act = match (made, there) {
        (None, There::Nothing) => Act::Make(way),
        (None, _) => return (Act::Leave(Why::Taken), None),
        (Some(_), There::Nothing) if quietly => Act::Leave(Why::Gone),
        (Some(_), There::Nothing) => Act::Make(way),
        (Some(made), there) if is_untouched(made, there) => {
            if *made == will {
                Act::Keep
            } else {
                Act::Replace(way)
            }
        }
        (Some(Made { way: PlaceWay::Copy, .. }), There::Folder(_)) => Act::Leave(Why::Edited),
        (Some(_), _) => return (Act::Leave(Why::Taken), None),
    };
    // Its record stays the same.
    let will = if matches!(act, Act::Leave(_)) { made.cloned() } else { Some(will) };
    (act, will)
}

/// The step for something that is no longer wanted.
fn leaving(made: Option<&Made>, there: &There) -> Act {
    match (made, there) {
        (Some(made), there) if is_untouched(made, there) => Act::Remove,
        (Some(Made { way: PlaceWay::Copy, .. }), There::Folder(_)) => Act::Leave(Why::Edited),
        _ => Act::Forget,
    }
}

/// Whether the entry is exactly as it was made.
fn is_untouched(made: &Made, there: &There) -> bool {
    match (made.way, there) {
        (PlaceWay::Link, There::Link(target)) => *target == made.source,
        (PlaceWay::Copy, There::Folder(digest)) => digest.is_some() && *digest == made.digest,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(digest: &str) -> Wanted {
        Wanted { id: "tea".to_owned(), source: "/lib/tea".into(), digest: Some(digest.to_owned()), here: false }
    }

    fn link() -> Made {
        Made { way: PlaceWay::Link, source: "/lib/tea".into(), digest: None }
    }

    fn copy(digest: &str) -> Made {
        Made { way: PlaceWay::Copy, source: "/lib/tea".into(), digest: Some(digest.to_owned()) }
    }

    fn folder(digest: &str) -> There {
        There::Folder(Some(digest.to_owned()))
    }

    #[expect(clippy::needless_pass_by_value, reason = "the lines that call it read better so")]
    fn decide(way: PlaceWay, made: Option<&Made>, there: There) -> Act {
        act(Some((&wanted("1"), way)), made, true, &there).0
    }

    #[test]
    fn what_is_wanted_is_made_where_nothing_is() {
        assert_eq!(decide(PlaceWay::Link, None, There::Nothing), Act::Make(PlaceWay::Link));
        assert_eq!(decide(PlaceWay::Copy, None, There::Nothing), Act::Make(PlaceWay::Copy));
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        for there in [folder("1"), There::Link("/lib/tea".into()), There::Other] {
            assert_eq!(decide(PlaceWay::Link, None, there), Act::Leave(Why::Taken));
        }
        for there in [There::Link("/elsewhere".into()), folder("1"), There::Other] {
            assert_eq!(decide(PlaceWay::Link, Some(&link()), there.clone()), Act::Leave(Why::Taken));
            assert_eq!(act(None, Some(&link()), true, &there).0, Act::Forget);
        }
    }

    #[test]
    fn an_edited_copy_is_never_replaced_or_taken_away() {
        let edited = folder("somebody's");
        assert_eq!(decide(PlaceWay::Copy, Some(&copy("1")), edited.clone()), Act::Leave(Why::Edited));
        assert_eq!(decide(PlaceWay::Link, Some(&copy("1")), edited.clone()), Act::Leave(Why::Edited));
        assert_eq!(act(None, Some(&copy("1")), false, &edited).0, Act::Leave(Why::Edited));
        assert_eq!(decide(PlaceWay::Copy, Some(&copy("1")), There::Folder(None)), Act::Leave(Why::Edited));
    }

    #[test]
    fn a_copy_follows_its_skill_and_a_place_its_way() {
        assert_eq!(decide(PlaceWay::Copy, Some(&copy("1")), folder("1")), Act::Keep);
        assert_eq!(decide(PlaceWay::Copy, Some(&copy("0")), folder("0")), Act::Replace(PlaceWay::Copy));
        assert_eq!(decide(PlaceWay::Link, Some(&copy("0")), folder("0")), Act::Replace(PlaceWay::Link));
        let moved = Made { source: "/old/tea".into(), ..link() };
        assert_eq!(decide(PlaceWay::Link, Some(&moved), There::Link("/old/tea".into())), Act::Replace(PlaceWay::Link));
    }

    #[test]
    fn what_somebody_took_away_comes_back_only_when_asked() {
        assert_eq!(decide(PlaceWay::Link, Some(&link()), There::Nothing), Act::Leave(Why::Gone));
        let asked = act(Some((&wanted("1"), PlaceWay::Link)), Some(&link()), false, &There::Nothing).0;
        assert_eq!(asked, Act::Make(PlaceWay::Link));
        assert_eq!(act(None, Some(&link()), true, &There::Nothing).0, Act::Forget);
    }

    #[test]
    fn a_skill_that_lies_there_is_not_linked_onto_itself() {
        let here = Wanted { here: true, ..wanted("1") };
        for there in [folder("1"), There::Nothing] {
            assert_eq!(act(Some((&here, PlaceWay::Link)), None, false, &there).0, Act::Leave(Why::Here));
        }
    }

    #[test]
    fn what_is_off_goes() {
        assert_eq!(act(None, Some(&link()), true, &There::Link("/lib/tea".into())).0, Act::Remove);
        assert_eq!(act(None, Some(&copy("1")), true, &folder("1")).0, Act::Remove);
    }
}
