//! Every line that people and programs read, on standard output and on standard error.
//!
//! A [`Text`] is made of lines, and text in a line stays on it: line ends, terminal controls and invisible characters
//! are written as codes, `<U+001B>`. So no word of a skill, a server, a client's file or a path can look like a line of
//! Skilltender, and the commands need not check. Colour is added afterwards ([`Text::painted`]), and only on a terminal
//! without `NO_COLOR`. JSON is different: codes are JSON escapes there, so the values stay the same.

use std::{
    fmt,
    io::{self, Write},
};

use anstyle::Style;
use serde::Serialize;
use serde_json::json;

use crate::Failure;

/// Lines for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text {
    lines: Vec<(Style, String)>,
}

impl Text {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A trusted text of several lines, such as a manual page.
    pub(crate) fn page(text: &str) -> Self {
        text.lines().collect()
    }

    /// A value as JSON, over several lines.
    pub(crate) fn json(value: &serde_json::Value) -> Self {
        skills::visible_json(&format!("{value:#}")).lines().collect()
    }

    /// A value as JSON, on one line.
    fn json_line(value: &serde_json::Value) -> Self {
        skills::visible_json(&value.to_string()).into()
    }

    /// Adds one line. A line end at its end is dropped; any other is written as a code.
    pub(crate) fn line(&mut self, words: impl AsRef<str>) {
        self.painted(Style::new(), words);
    }

    /// Adds one line in a style.
    pub(crate) fn painted(&mut self, style: Style, words: impl AsRef<str>) {
        let words = words.as_ref();
        self.lines.push((style, skills::visible_line(words.strip_suffix('\n').unwrap_or(words))));
    }

    /// Adds the lines of another text.
    pub(crate) fn append(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// The same lines, two columns to the right.
    pub(crate) fn indented(mut self) -> Self {
        self.lines.iter_mut().for_each(|(_, words)| words.insert_str(0, "  "));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn written_to(&self, mut output: impl Write) -> io::Result<()> {
        let mut text = String::new();
        for (style, words) in &self.lines {
            text += &format!("{style}{words}{style:#}\n");
        }
        output.write_all(text.as_bytes())?;
        output.flush()
    }
}

/// The lines without their colours.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (_, words)) in self.lines.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { "\n" })?;
            f.write_str(words)?;
        }
        Ok(())
    }
}

/// One line.
impl From<String> for Text {
    fn from(line: String) -> Self {
        [line].into_iter().collect()
    }
}

/// One line.
impl From<&str> for Text {
    fn from(line: &str) -> Self {
        [line].into_iter().collect()
    }
}

/// Each item is one line.
impl<L: AsRef<str>> Extend<L> for Text {
    fn extend<I: IntoIterator<Item = L>>(&mut self, lines: I) {
        lines.into_iter().for_each(|line| self.line(line));
    }
}

/// Each item is one line.
impl<L: AsRef<str>> FromIterator<L> for Text {
    fn from_iter<I: IntoIterator<Item = L>>(lines: I) -> Self {
        let mut text = Self::new();
        text.extend(lines);
        text
    }
}

/// One after the other.
impl FromIterator<Self> for Text {
    fn from_iter<I: IntoIterator<Item = Self>>(texts: I) -> Self {
        Self { lines: texts.into_iter().flat_map(|text| text.lines).collect() }
    }
}

/// Foreign prose, such as a description, on one line: each run of line ends and blanks becomes one blank.
pub(crate) fn prose(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints the result on standard output. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn print(text: impl Into<Text>) -> Result<(), Failure> {
    unless_left(text.into().written_to(anstream::stdout().lock()))
}

/// Prints the result as JSON, over several lines.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    printed(&serde_json::to_string_pretty(value).map_err(io::Error::from)?)
}

/// Prints the result as JSON on one line.
pub(crate) fn print_json_line(value: &impl Serialize) -> Result<(), Failure> {
    printed(&serde_json::to_string(value).map_err(io::Error::from)?)
}

/// Prints a note on standard error and ignores errors, for example if it is closed. For programs it is one line of
/// JSON.
pub(crate) fn say(text: impl Into<Text>) {
    let text = text.into();
    let json = wants_json() && !text.is_empty();
    said(&if json { Text::json_line(&json!({"note": {"message": text.to_string()}})) } else { text });
}

/// Prints on standard error why a command failed.
pub(crate) fn say_failure(text: Text, code: u8) {
    let json = wants_json() && !text.is_empty();
    said(&if json { Text::json_line(&json!({"error": {"message": text.to_string(), "code": code}})) } else { text });
}

fn said(text: &Text) {
    drop(text.written_to(anstream::stderr().lock()));
}

/// Whether the output is for a program, which then reads standard error too.
fn wants_json() -> bool {
    let words = std::env::args_os().skip(1).take_while(|word| word != "--");
    let mut last = None;
    for word in words {
        if word == "--json" || word == "--format=json" || word == "json" && last.is_some_and(|last| last == "--format")
        {
            return true;
        }
        last = Some(word);
    }
    false
}

/// Shows a question on standard error: standard output carries the result. The answer is typed after it.
pub(crate) fn question(shown: &Text, words: &str) -> io::Result<()> {
    shown.written_to(anstream::stderr().lock())?;
    let mut output = io::stderr().lock();
    output.write_all(skills::visible_line(words).as_bytes())?;
    output.flush()
}

/// Prints a completed change. Without this line the user would think that nothing was done, so a reader that is gone is
/// an error here.
pub(crate) fn print_done(text: impl Into<Text>) -> Result<(), Failure> {
    Ok(text.into().written_to(anstream::stdout().lock())?)
}

/// The same as JSON, over several lines.
pub(crate) fn print_json_done(value: &impl Serialize) -> Result<(), Failure> {
    Ok(written(&serde_json::to_string_pretty(value).map_err(io::Error::from)?)?)
}

fn printed(json: &str) -> Result<(), Failure> {
    unless_left(written(json))
}

fn written(json: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all((skills::visible_json(json) + "\n").as_bytes())?;
    output.flush()
}

fn unless_left(done: io::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_line_stays_on_it_and_hides_nothing() {
        let mut text = Text::new();
        text.line("tea\nDone. It is safe.\u{1b}[2J\u{9b}31m\u{202e}\0\r\u{2028}x\u{7f}\ty\n");
        text.painted(anstyle::AnsiColor::Green.on_default(), "+ \u{1b}]52;c;AAAA\u{7}");
        let mut written = Vec::new();
        text.written_to(&mut written).unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "tea<U+000A>Done. It is safe.<U+001B>[2J<U+009B>31m<U+202E><U+0000><U+000D><U+2028>x<U+007F>\ty\n\
             \u{1b}[32m+ <U+001B>]52;c;AAAA<U+0007>\u{1b}[0m\n"
        );
    }

    #[test]
    fn prose_is_one_line_without_marks() {
        assert_eq!(prose("Fills in forms.\n\n  Also\tsigns them.\n"), "Fills in forms. Also signs them.");
    }
}
