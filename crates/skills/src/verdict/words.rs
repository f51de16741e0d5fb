//! Words that one YAML reader interprets and another reads as text.

/// `.inf`, `-.Inf`, `.NaN`.
pub(super) fn is_infinite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

/// `012`, which YAML 1.2 reads as twelve.
pub(super) fn is_led_by_zero(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `0o14`, which YAML 1.1 does not know.
pub(super) fn is_new_octal(text: &str) -> bool {
    text.starts_with("0o")
}

/// `null` and `~`, though not an empty value.
pub(super) fn is_null_word(text: &str) -> bool {
    matches!(text, "~" | "null" | "Null" | "NULL")
}

/// `1_000`, a number of YAML 1.1.
pub(super) fn is_underscored(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains('_')
        && !text.ends_with('_')
        && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'_' | b'.'))
}

/// `1:20:30`, a number of YAML 1.1 to the base of sixty.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    let mut parts = text.split(':');
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let first = parts.next().is_some_and(|first| is_digits(first) && !first.starts_with('0'));
    let mut rest = parts.peekable();
    first
        && rest.peek().is_some()
        && rest.all(|part| is_digits(part) && part.parse::<u32>().is_ok_and(|number| number < 60))
}

/// `2026-01-31`, or `2026-1-31 10:00:00`: a point in time.
pub(super) fn is_date(text: &str) -> bool {
    let (date, time) = text.split_once(['T', 't', ' ', '\t']).map_or((text, None), |(date, time)| (date, Some(time)));
    let parts: Vec<_> = date.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let is_digits = |part: &str, least| (least..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let least = if time.is_some() { 1 } else { 2 };
    let is_time = |time: &str| time.trim_start().starts_with(|c: char| c.is_ascii_digit()) && time.contains(':');
    year.len() == 4
        && year.bytes().all(|b| b.is_ascii_digit())
        && is_digits(month, least)
        && is_digits(day, least)
        && time.is_none_or(is_time)
}
