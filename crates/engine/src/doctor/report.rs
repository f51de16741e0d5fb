//! The report that a user attaches to an issue, without private data. Tokens and secrets were never read; the home
//! folder, the user's name and anything that looks like a key are removed from every line.

use std::path::Path;

use api::{Check, CheckState, Checkup, Snapshot};
use machine::{Machine, clock};
use text::counted;

/// A run of letters and digits this long is taken for a possible key, not a word.
const LONGEST_WORD: usize = 32;

/// The beginning of every report.
pub(crate) const BEGINNING: &str = "Skilltender ";

/// The report as text. Most of it comes from elsewhere, so each entry is kept on one line, whatever it contains.
pub(crate) fn report(checkup: &Checkup, snapshot: &Snapshot, machine: &Machine) -> String {
    let on = snapshot.skills.iter().filter(|skill| skill.enabled).count();
    let mut lines = vec![
        format!("{BEGINNING}{}, {}", checkup.version, checkup.system),
        format!("milliseconds since 1970: {}", clock::now()),
        String::new(),
        format!(
            "{} in {}, {on} on; {} served; {} connected",
            counted(snapshot.skills.iter().count(), "skill"),
            counted(snapshot.folders.len(), "folder"),
            snapshot.endpoint.served,
            counted(snapshot.endpoint.connected, "client")
        ),
        String::new(),
    ];
    lines.extend(checkup.checks.iter().map(line));
    lines.extend([String::new(), "Clients".to_owned()]);
    for client in snapshot.clients.iter().filter(|client| client.found || client.written.is_some()) {
        let peer = client.peer.as_ref().map(|peer| {
            let said = [peer.name.as_deref(), peer.version.as_deref(), Some(peer.protocol.as_str())];
            said.into_iter().flatten().collect::<Vec<_>>().join(" ")
        });
        let peer = peer.as_deref().unwrap_or("never connected");
        lines.push(format!("  {}: {:?}, {peer}", client.id, client.proof));
    }
    page(&lines, &machine.home)
}

/// The lines, each on one line. They are redacted first, because the home folder is matched by its exact characters.
fn page(lines: &[String], home: &Path) -> String {
    lines.iter().map(|line| skills::visible_line(&redacted(line, home)) + "\n").collect()
}

fn line(check: &Check) -> String {
    let state = match check.state {
        CheckState::Fine => "fine",
        CheckState::Unknown => "unknown",
        CheckState::Attention => "ATTENTION",
        CheckState::Problem => "PROBLEM",
    };
    let place = check.place.as_ref().map(|place| format!(" [{place}]")).unwrap_or_default();
    format!("{state:9}  {:13}  {}{place}", check.id, check.what)
}

/// The text without the home folder, the user's name, and possible keys.
fn redacted(text: &str, home: &Path) -> String {
    let path = home.to_string_lossy();
    let text = if path.len() > 1 { text.replace(&*path, "~") } else { text.to_owned() };
    let user = home.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut redacted = String::with_capacity(text.len());
    let mut word = String::new();
    for character in text.chars().map(Some).chain([None]) {
        match character {
            Some(character) if is_of_a_word(character) => word.push(character),
            _ => {
                redacted.push_str(instead_of(&word, &user).unwrap_or(&word));
                word.clear();
                redacted.extend(character);
            }
        }
    }
    redacted
}

fn is_of_a_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '+' | '=')
}

/// The replacement for a private word.
fn instead_of(word: &str, user: &str) -> Option<&'static str> {
    if !user.is_empty() && word.eq_ignore_ascii_case(user) {
        return Some("USER");
    }
    let has = |is: fn(&char) -> bool| word.chars().any(|character| is(&character));
    let is_key = word.len() >= LONGEST_WORD && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic);
    is_key.then_some("REDACTED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_the_name_and_keys_are_taken_out() {
        let text = "/home/ada/notes of Ada, adamant; key=sk-0123456789abcdef0123456789abcdef01234567, /srv/ada/x";
        let expected = "~/notes of USER, adamant; REDACTED, /srv/USER/x";
        assert_eq!(redacted(text, Path::new("/home/ada")), expected);
    }

    #[test]
    fn a_name_of_somebody_else_begins_no_line() {
        let lines = ["fine  /home/a\u{202e}\nb/x".to_owned(), "[y\r\nPROBLEM\u{1b}[2J]".to_owned()];
        let expected = "fine  ~/x\n[y<U+000D><U+000A>PROBLEM<U+001B>[2J]\n";
        assert_eq!(page(&lines, Path::new("/home/a\u{202e}\nb")), expected);
    }

    #[test]
    fn a_home_that_is_the_root_takes_nothing_out() {
        assert_eq!(redacted("/a/b", Path::new("/")), "/a/b");
    }

    #[test]
    fn long_words_without_digits_stay() {
        let word = "a-very-long-name-of-a-skill-with-many-words";
        assert_eq!(redacted(word, Path::new("/home/ada")), word);
    }
}
