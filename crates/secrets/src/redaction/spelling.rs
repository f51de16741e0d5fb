//! A text with percent signs or JSON escapes decoded, and the position in the text of each decoded byte.

use std::borrow::Cow;

use zeroize::Zeroizing;

/// One reading of a text.
pub(super) struct View<'t> {
    bytes: Read<'t>,
    /// The position of each byte, and the end of the text; empty if not requested.
    places: Vec<usize>,
}

enum Read<'t> {
    AsItIs(&'t [u8]),
    Undone(Zeroizing<Vec<u8>>),
}

/// Decodes the escape at the beginning of a text: the decoded bytes, and the length of the escape.
type Unit = fn(&[u8]) -> Option<(Cow<'static, [u8]>, usize)>;

impl<'t> View<'t> {
    /// Every reading of a text, the unchanged one first. `placed` requests the positions.
    pub(super) fn all(text: &'t [u8], placed: bool) -> impl Iterator<Item = Self> {
        let plain = Self { bytes: Read::AsItIs(text), places: Vec::new() };
        let percent = plain.undone(b'%', percent, placed);
        let json = plain.undone(b'\\', escape, placed);
        // JSON often contains JSON as a text.
        let twice = json.as_ref().and_then(|json| json.undone(b'\\', escape, placed));
        [Some(plain), percent, json, twice].into_iter().flatten()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Read::AsItIs(bytes) => bytes,
            Read::Undone(bytes) => bytes,
        }
    }

    /// The position in the text of the byte with this index.
    pub(super) fn place(&self, at: usize) -> usize {
        self.places.get(at).copied().unwrap_or(at)
    }

    /// The text with one kind of escape decoded; `None` if it contains none.
    fn undone(&self, sign: u8, unit: Unit, placed: bool) -> Option<Self> {
        let text = self.bytes();
        memchr::memchr(sign, text)?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
        let (mut places, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let found = if text[at] == sign { unit(&text[at..]) } else { None };
            let (read, took) = match &found {
                Some((read, took)) => (&read[..], *took),
                None => (&text[at..=at], 1),
            };
            bytes.extend_from_slice(read);
            if placed {
                places.extend(read.iter().map(|_| self.place(at)));
            }
            at += took;
        }
        if placed {
            places.push(self.place(text.len()));
        }
        Some(Self { bytes: Read::Undone(bytes), places })
    }
}

fn percent(text: &[u8]) -> Option<(Cow<'static, [u8]>, usize)> {
    Some((vec![u8::try_from(digits(text.get(1..3)?)?).ok()?].into(), 3))
}

fn escape(text: &[u8]) -> Option<(Cow<'static, [u8]>, usize)> {
    let read: &[u8] = match text.get(1)? {
        b'"' => b"\"",
        b'\\' => b"\\",
        b'/' => b"/",
        b'b' => b"\x08",
        b'f' => b"\x0c",
        b'n' => b"\n",
        b'r' => b"\r",
        b't' => b"\t",
        b'u' => return letter(text),
        _ => return None,
    };
    Some((read.into(), 2))
}

/// Decodes `\u00e9`, or two of them for code points beyond the first 65,536.
fn letter(text: &[u8]) -> Option<(Cow<'static, [u8]>, usize)> {
    let first = digits(text.get(2..6)?)?;
    let (code, took) = match first {
        0xd800..=0xdbff => {
            let rest = text.get(6..12).and_then(|rest| rest.strip_prefix(b"\\u"))?;
            let second = digits(rest).filter(|second| (0xdc00..=0xdfff).contains(second))?;
            (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12)
        }
        _ => (first, 6),
    };
    Some((char::from_u32(code)?.to_string().into_bytes().into(), took))
}

fn digits(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |all, &digit| Some(all * 16 + char::from(digit).to_digit(16)?))
}
