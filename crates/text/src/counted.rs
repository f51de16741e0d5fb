//! How many there are of a thing, in words.

use std::fmt::Display;

/// `1 folder`, `2 folders`: for things whose plural ends with a plain s.
///
/// ```
/// assert_eq!(text::counted(1_u32, "folder"), "1 folder");
/// assert_eq!(text::counted(0_usize, "folder"), "0 folders");
/// ```
pub fn counted(count: impl Copy + Display + PartialEq + From<u8>, thing: &str) -> String {
    let plural = if count == 1.into() { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
