//! Removes secrets from a server's JSON. Everything else stays as written, byte for byte.

use serde_json::value::RawValue;
use zeroize::Zeroizing;

use super::{HIDDEN, Kind, Redaction, shown};

impl Redaction {
    /// JSON for people and models, such as the data of an error.
    pub fn words(&self, json: Box<RawValue>) -> Box<RawValue> {
        self.json(json, Kind::Words)
    }

    /// JSON of which a program may need every byte, such as the result of a tool.
    pub fn data(&self, json: Box<RawValue>) -> Box<RawValue> {
        self.json(json, Kind::Data)
    }

    /// Whether the JSON contains a secret that cannot be there by chance.
    pub fn holds(&self, json: &RawValue) -> bool {
        self.finds(json.get().as_bytes(), Kind::Data)
    }

    fn json(&self, json: Box<RawValue>, kind: Kind) -> Box<RawValue> {
        if !self.finds(json.get().as_bytes(), kind) {
            return json;
        }
        let (text, mut without, mut at) = (json.get(), String::new(), 0);
        while let Some((open, end)) = string(text, at) {
            without.push_str(&text[at..open]);
            match self.literal(&text[open..end], kind) {
                Some(hidden) => without.push_str(&hidden),
                None => without.push_str(&text[open..end]),
            }
            at = end;
        }
        without.push_str(&text[at..]);
        // If the result is invalid, null is safer than a secret.
        RawValue::from_string(without).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }

    /// A string with its quotes, without the secrets; `None` if it contains none.
    fn literal(&self, literal: &str, kind: Kind) -> Option<String> {
        let Ok(value) = serde_json::from_str(literal).map(Zeroizing::<String>::new) else {
            // Half a surrogate pair cannot be decoded.
            return self.finds(literal.as_bytes(), kind).then(|| format!("\"{HIDDEN}\""));
        };
        let marks = self.marks(value.as_bytes(), kind)?;
        serde_json::to_string(&shown(value.as_bytes(), &marks, value.len())).ok()
    }
}

/// The start and end of the next string, including its quotes.
fn string(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let open = from + memchr::memchr(b'"', &bytes[from..])?;
    let mut at = open + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', &bytes[at..])?;
        match bytes[at] {
            b'"' => return Some((open, at + 1)),
            _ => at += 2,
        }
        if at > bytes.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(secret: &str, json: &str) -> String {
        let json = RawValue::from_string(json.to_owned()).unwrap();
        Redaction::new([secret]).data(json).get().to_owned()
    }

    #[test]
    fn only_the_secret_is_taken_from_a_result() {
        let json =
            r#"{ "a":1.50, "text" : "{\"key\": \"sk-4711-tea\", \"n\": \"\u00e9\"}","big":12345678901234567890 }"#;
        let without = r#"{ "a":1.50, "text" : "{\"key\": \"••••\", \"n\": \"é\"}","big":12345678901234567890 }"#;
        assert_eq!(data("sk-4711-tea", json), without);
        assert_eq!(data("other-4711", json), json);
        let odd = r#"["\\", "a\"sk-4711-tea", "\ud800 sk-4711-tea", "sk\u002d4711-tea"]"#;
        assert_eq!(data("sk-4711-tea", odd), r#"["\\", "a\"••••", "••••", "••••"]"#);
    }

    #[test]
    fn a_number_and_a_common_word_stay() {
        assert_eq!(data("1234567890123456", r#"{"id":1234567890123456}"#), r#"{"id":1234567890123456}"#);
        assert_eq!(data("postgres", r#"["postgres"]"#), r#"["postgres"]"#);
        let words = RawValue::from_string(r#"["postgres"]"#.to_owned()).unwrap();
        assert_eq!(Redaction::new(["postgres"]).words(words).get(), r#"["••••"]"#);
    }
}
