//! Names that nothing has: what comes near is suggested.

use super::failed;
use crate::view::{ActionError, ErrorKind};

/// How many are suggested, and how much of their letters they share with what was written.
const MOST: usize = 3;
const ALIKE: f32 = 0.6;

/// That nothing is named `word`: which of the `known` names come near, or else `listed`, a sentence that says where they
/// all stand.
pub(crate) fn unknown<'k>(
    message: String,
    word: &str,
    known: impl IntoIterator<Item = &'k str>,
    listed: &str,
) -> ActionError {
    let known: Vec<_> = known.into_iter().collect();
    let near = similar::get_close_matches(word, &known, MOST, ALIKE);
    let hint = if near.is_empty() { listed.to_owned() } else { format!("Did you mean {}?", near.join(" or ")) };
    ActionError { hints: vec![hint], ..failed(ErrorKind::Unknown, message) }
}

/// That there is no such client.
pub(crate) fn unknown_client<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> ActionError {
    let message = format!("Skilltender knows no client \"{word}\".");
    unknown(message, word, known, "`skilltender clients --all` lists those that it knows.")
}
