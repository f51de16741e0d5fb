//! Errors for unknown names, with similar names as suggestions.

use std::collections::BTreeSet;

use crate::{ActionError, ErrorKind, failed};

/// The maximum number of suggestions, and their minimum similarity.
const MOST: usize = 3;
const ALIKE: f32 = 0.6;

/// The error that nothing is named `word`, with similar names among the `known`, or else `listed`, a sentence that says
/// where to find them all.
pub fn unknown<'k>(message: String, word: &str, known: impl IntoIterator<Item = &'k str>, listed: &str) -> ActionError {
    // Two skills may share an id; it is suggested once.
    let known: Vec<_> = known.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    let near = similar::get_close_matches(word, &known, MOST, ALIKE);
    let hint = if near.is_empty() { listed.to_owned() } else { format!("Did you mean {}?", near.join(" or ")) };
    ActionError { hints: vec![hint], ..failed(ErrorKind::Unknown, message) }
}

/// The error that there is no such client.
pub fn unknown_client<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> ActionError {
    let message = format!("Skilltender knows no client \"{word}\".");
    unknown(message, word, known, "`skilltender clients --all` lists those that it knows.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_alike_twice_is_suggested_once() {
        let hints = unknown(String::new(), "tee", ["tea", "milk", "tea"], "").hints;
        assert_eq!(hints, ["Did you mean tea?"]);
    }
}
