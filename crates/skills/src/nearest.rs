//! Names that are nearly another: the author most likely meant that one.

/// The known name that the author most likely meant.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known.into_iter().find(|known| is_nearly(name, known))
}

/// Whether two names differ in letter case, in `_` for `-`, or by one edit.
pub(crate) fn is_nearly(name: &str, known: &str) -> bool {
    let plain = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
    name.len().abs_diff(known.len()) <= 1
        && (name.bytes().map(plain).eq(known.bytes().map(plain)) || is_one_edit_away(name.as_bytes(), known.as_bytes()))
}

/// Whether inserting, removing, replacing one byte or swapping two neighbours makes them equal.
fn is_one_edit_away(a: &[u8], b: &[u8]) -> bool {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[..a.len() - end], &b[..b.len() - end]) {
        ([_], []) | ([], [_]) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}
