//! Values written as JSON into an answer that is put together byte by byte.

use serde::Serialize;

/// Writes a value as JSON.
pub(crate) fn write_json(reply: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Every key served is text, and writing to memory does not fail.
    drop(serde_json::to_writer(reply, value));
}

/// Writes a text as serde would. Serde looks at each byte by itself, and answers are mostly text.
pub(crate) fn write_text(reply: &mut Vec<u8>, text: &str) {
    each_piece(text, |piece| reply.extend_from_slice(piece.as_bytes()));
}

/// Writes an object of these texts. The keys are written as they are.
pub(crate) fn push_texts<'t>(json: &mut String, texts: impl IntoIterator<Item = (&'static str, &'t str)>) {
    let mut before = "{\"";
    for (key, text) in texts {
        json.push_str(before);
        json.push_str(key);
        json.push_str("\":");
        each_piece(text, |piece| json.push_str(piece));
        before = ",\"";
    }
    json.push('}');
}

/// Tells the pieces of a text as JSON, in order, with its quotes.
fn each_piece(text: &str, mut tell: impl FnMut(&str)) {
    let mut rest = text;
    tell("\"");
    loop {
        let (plain, other) = rest.split_at(plain(rest.as_bytes()));
        tell(plain);
        match other.as_bytes().first() {
            None => return tell("\""),
            Some(b'"') => tell("\\\""),
            Some(b'\\') => tell("\\\\"),
            Some(b'\n') => tell("\\n"),
            Some(b'\r') => tell("\\r"),
            Some(b'\t') => tell("\\t"),
            Some(0x08) => tell("\\b"),
            Some(0x0c) => tell("\\f"),
            Some(control) => tell(&format!("\\u{control:04x}")),
        }
        rest = &other[1..];
    }
}

/// How many bytes at the start of a text are in JSON as they are. Eight are looked at together.
fn plain(text: &[u8]) -> usize {
    const EACH: u64 = u64::MAX / 0xff;
    let (eights, rest) = text.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        // The highest bit of each byte says whether it is one of these. Subtracting borrows from the byte behind one that
        // is found, so the first is always right, and those behind it may not be.
        let is_below = |bytes: u64, limit: u64| bytes.wrapping_sub(EACH * limit) & !bytes;
        let is = |byte: u8| is_below(eight ^ (EACH * u64::from(byte)), 1);
        let found = (is_below(eight, 0x20) | is(b'"') | is(b'\\')) & (EACH * 0x80);
        if found != 0 {
            return number * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let is_plain = |byte: &&u8| **byte >= 0x20 && !matches!(**byte, b'"' | b'\\');
    text.len() - rest.len() + rest.iter().take_while(is_plain).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(text: &str) -> String {
        let mut reply = Vec::new();
        write_text(&mut reply, text);
        String::from_utf8(reply).unwrap()
    }

    #[test]
    fn a_text_is_written_as_serde_writes_it_wherever_its_bytes_stand() {
        let every: String = (0..0x250_u32).filter_map(char::from_u32).collect();
        for start in every.char_indices().map(|(at, _)| at) {
            assert_eq!(written(&every[start..]), serde_json::to_string(&every[start..]).unwrap());
        }
        // Whatever stands before and behind a byte that is written in another way, and its neighbours in the alphabet.
        let bytes = ["\0", "\u{1}", "\u{1f}", " ", "!", "\"", "#", "[", "\\", "]", "a", "\u{7f}", "é", "😀"];
        for (one, other) in bytes.iter().flat_map(|one| bytes.map(|other| (one, other))) {
            for before in 0..9 {
                let text = format!("{}{one}{other}{one}plain", "x".repeat(before));
                assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }

    #[test]
    fn texts_are_an_object_in_their_order() {
        let mut json = String::new();
        push_texts(&mut json, [("id", "tea"), ("content", "# \"Tea\"\n")]);
        assert_eq!(json, json!({"id": "tea", "content": "# \"Tea\"\n"}).to_string());
    }
}
