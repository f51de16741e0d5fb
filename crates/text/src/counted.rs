//! Counts and short lists of names, in words.

use std::fmt::Display;

/// `1 folder`, `2 folders`: for nouns whose plural only adds an s.
///
/// ```
/// assert_eq!(text::counted(1_u32, "folder"), "1 folder");
/// assert_eq!(text::counted(0_usize, "folder"), "0 folders");
/// ```
pub fn counted(count: impl Copy + Display + PartialEq + From<u8>, thing: &str) -> String {
    let plural = if count == 1.into() { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// How many names [`some_of`] gives of a longer list.
const NAMED: usize = 3;

/// The first few names, in backticks, and the number of the rest.
///
/// ```
/// assert_eq!(text::some_of(&["a", "b"]), "`a`, `b`");
/// assert_eq!(text::some_of(&["a", "b", "c", "d", "e"]), "`a`, `b`, `c` and 2 more");
/// ```
pub fn some_of(names: &[impl Display]) -> String {
    let some: Vec<_> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(NAMED) {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}
