//! Ways to write the same payload so that it reads differently, as attackers do to evade searches for words.

use std::fmt::Write as _;

use base64::{Engine as _, prelude::BASE64_STANDARD};

/// One disguise; it gives `None` when it does not suit a payload.
pub(crate) struct Disguise {
    pub(crate) name: &'static str,
    pub(crate) bend: fn(&str) -> Option<String>,
}

const fn way(name: &'static str, bend: fn(&str) -> Option<String>) -> Disguise {
    Disguise { name, bend }
}

pub(crate) fn of(language: &str) -> &'static [Disguise] {
    match language {
        "shell" => SHELL,
        "powershell" => POWERSHELL,
        "cmd" => CMD,
        "python" => PYTHON,
        "javascript" => JAVASCRIPT,
        "prose" => PROSE,
        "html" => HTML,
        "json" => JSON,
        _ => &[],
    }
}

const JSON: &[Disguise] = &[way("escaped letters", json_escapes)];

const SHELL: &[Disguise] = &[
    way("continued lines", continued),
    way("base64", |text| Some(format!("echo {} | base64 -d | bash", BASE64_STANDARD.encode(text)))),
    way("quotes inside a word", |text| first_word(text, |word| format!("{}''{}", &word[..1], &word[1..]))),
    way("variables", |text| {
        let halves = |word: &str| format!("${{a}}{}", &word[1..]);
        Some(format!("a={}\n{}", &text.get(..1)?, first_word(text, halves)?))
    }),
    way("escaped letters", |text| first_word(text, |word| format!("$'\\x{:02x}{}'", word.as_bytes()[0], &word[1..]))),
    way("backslashes", |text| first_word(text, |word| word.chars().map(|c| format!("\\{c}")).collect())),
    way("no blanks", |text| (!text.contains(['\n', '"', '\''])).then(|| text.replace(' ', "${IFS}"))),
    way("fed to a shell", |text| Some(format!("bash <<'END'\n{text}\nEND"))),
    way("hex", |text| Some(format!("echo {} | xxd -r -p | sh", hex(text)))),
    way("turned round", |text| {
        (!text.contains(['\n', '\''])).then(|| format!("rev <<< '{}' | sh", text.chars().rev().collect::<String>()))
    }),
    way("joined variables", |text| {
        let at = text.find("http")?;
        let end =
            text[at..].find(|c: char| c.is_whitespace() || "'\")`;".contains(c)).map_or(text.len(), |end| at + end);
        let middle = at + (end - at) / 2;
        let second = text.get(middle..end)?;
        Some(
            format!("P=\"{}\"\nQ=\"{second}\"\n{}$P$Q{}", &text[at..middle], &text[..at], &text[end..])
                .replace('\'', "\""),
        )
    }),
];

const POWERSHELL: &[Disguise] = &[
    way("mixed case", |text| Some(mixed_case(text))),
    way("backticks", |text| first_word(text, |word| format!("{}`{}", &word[..1], &word[1..]))),
    way("encoded command", |text| {
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        Some(format!("powershell.exe -nop -w hidden -e {}", BASE64_STANDARD.encode(wide)))
    }),
    way("joined text", |text| first_word(text, |word| format!("&('{}'+'{}')", &word[..2], &word[2..]))),
];

const CMD: &[Disguise] = &[
    way("carets", |text| first_word(text, |word| format!("{}^{}", &word[..2], &word[2..]))),
    way("mixed case", |text| Some(mixed_case(text))),
    way("a shell of its own", |text| Some(format!("cmd.exe /c \"{text}\""))),
];

const PYTHON: &[Disguise] = &[
    way("joined text", |text| split_url(text, "\" + \"")),
    way("base64", |text| {
        Some(format!("from base64 import b64decode as d\nexec(d('{}'))", BASE64_STANDARD.encode(text)))
    }),
    way("hex", |text| Some(format!("exec(bytes.fromhex('{}').decode())", hex(text)))),
    way("character codes", |text| {
        let codes: Vec<_> = text.chars().map(|c| (c as u32).to_string()).collect();
        Some(format!("exec(''.join(map(chr, [{}])))", codes.join(", ")))
    }),
    way("escaped letters", |text| split_url(text, "\" \"").map(|text| text.replace("https", "\\x68ttps"))),
];

const JAVASCRIPT: &[Disguise] = &[
    way("joined text", |text| split_url(text, "\" + \"")),
    way("base64", |text| Some(format!("eval(atob(\"{}\"))", BASE64_STANDARD.encode(text)))),
    way("character codes", |text| {
        let codes: Vec<_> = text.chars().map(|c| (c as u32).to_string()).collect();
        Some(format!("eval(String.fromCharCode({}))", codes.join(",")))
    }),
    way("escaped letters", |text| {
        let escaped = |c: char| if c.is_ascii_alphabetic() { format!("\\x{:02x}", c as u32) } else { c.to_string() };
        Some(format!(
            "eval(\"{}\")",
            text.chars().map(escaped).collect::<String>().replace('"', "\\\"").replace('\n', " ")
        ))
    }),
];

const PROSE: &[Disguise] = &[
    way("capitals", |text| Some(text.to_uppercase())),
    way("zero-width spaces", |text| Some(inside_words(text, "\u{200b}"))),
    way("letters of another script", |text| Some(foreign(text))),
    way("short lines", |text| Some(wrapped(text))),
    way("character references", |text| {
        let referred = |c: char| if c.is_ascii_alphabetic() { format!("&#{};", c as u32) } else { c.to_string() };
        Some(text.chars().map(referred).collect())
    }),
    way("wide letters", |text| Some(text.chars().map(wide).collect())),
    way("base64", |text| Some(format!("Decode this base64 text and follow it: {}", BASE64_STANDARD.encode(text)))),
    way("emphasis inside words", |text| {
        Some(
            text.split(' ')
                .map(|word| {
                    if word.len() > 5 && word.chars().all(char::is_alphabetic) {
                        format!("{}**{}**", &word[..2], &word[2..])
                    } else {
                        word.to_owned()
                    }
                })
                .collect::<Vec<_>>()
                .join(" "),
        )
    }),
];

const HTML: &[Disguise] = &[
    way("mixed case", |text| Some(mixed_case(text))),
    way("short lines", |text| Some(wrapped(text))),
    way("soft hyphens", |text| Some(inside_words(text, "\u{ad}"))),
];

/// Invisible text, with a harmless line around it.
pub(crate) fn invisible(how: &str, text: &str) -> String {
    let hidden: String = match how {
        "tags" => text.chars().filter_map(|c| char::from_u32(0xe0000 + c as u32)).collect(),
        "bidi" => format!("\u{202e}{text}\u{2066}safe"),
        "variation" => text.bytes().filter_map(|byte| char::from_u32(0xe0100 + u32::from(byte))).collect(),
        _ => text
            .bytes()
            .flat_map(|byte| (0..8).map(move |bit| if byte >> bit & 1 == 1 { '\u{200b}' } else { '\u{200c}' }))
            .collect(),
    };
    format!("Format the table as asked.{hidden} Then show it.")
}

fn continued(text: &str) -> Option<String> {
    let mut quoted = false;
    let plain = !text.contains('\n') && text.contains(' ');
    let bent = text.chars().map(|c| {
        quoted ^= matches!(c, '"' | '\'');
        if c == ' ' && !quoted { " \\\n    ".to_owned() } else { c.to_string() }
    });
    plain.then(|| bent.collect())
}

/// Changes the first word, when it is made of letters.
fn first_word(text: &str, bend: impl Fn(&str) -> String) -> Option<String> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))?;
    let word = &text[..end];
    (word.len() > 2 && text[end..].starts_with([' ', '.'])).then(|| bend(word) + &text[end..])
}

/// Breaks a quoted address in the middle.
fn split_url(text: &str, between: &str) -> Option<String> {
    let at = text.find("\"http")? + 1;
    let end = at + text[at..].find('"')?;
    let middle = at + (end - at) / 2;
    Some(format!("{}{between}{}", &text[..middle], &text[middle..]))
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn mixed_case(text: &str) -> String {
    text.char_indices()
        .map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect()
}

fn inside_words(text: &str, between: &str) -> String {
    let mut letters = 0;
    let bent = text.chars().map(|c| {
        letters = if c.is_alphabetic() { letters + 1 } else { 0 };
        if letters == 2 { format!("{between}{c}") } else { c.to_string() }
    });
    bent.collect()
}

fn foreign(text: &str) -> String {
    let twin = |c| match c {
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'i' => 'і',
        'o' => 'о',
        'p' => 'р',
        other => other,
    };
    text.split_inclusive(' ')
        .map(|word| if word.contains(['/', '.']) { word.to_owned() } else { word.chars().map(twin).collect() })
        .collect()
}

fn wide(c: char) -> char {
    if c.is_ascii_alphanumeric() { char::from_u32(c as u32 + 0xfee0).unwrap_or(c) } else { c }
}

fn wrapped(text: &str) -> String {
    let mut width = 0;
    let words = text.split(' ').map(|word| {
        width += word.chars().count() + 1;
        if width < 32 {
            return format!("{word} ");
        }
        width = 0;
        format!("{word}\n")
    });
    words.collect::<String>().trim_end().to_owned()
}

fn json_escapes(text: &str) -> Option<String> {
    let mut bent = text.to_owned();
    for word in ["curl", "command"] {
        bent = bent.replace(word, &word.replacen('c', "\\u0063", 1));
    }
    (bent != text).then_some(bent)
}
