//! How a person calls a skill: the keys `user-invocable`, `disable-model-invocation`, `arguments` and
//! `argument-hint`, and the text that the call gives.
//!
//! The keys are Claude Code's, and this module follows its behaviour: arguments are one line, split as by a shell,
//! and `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` and `$name` are replaced by them. A placeholder without a value stays
//! unchanged. Its `` !`command` `` is text here: nothing is ever run.

use std::path::Path;

use serde_json::{Map, Value};

use crate::Skill;

/// The name of the one argument of a skill that only hints at what it takes.
const LINE: &str = "arguments";

/// One argument of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// The author's hint about what to give.
    pub hint: Option<String>,
}

impl Skill {
    /// Whether people may call it: unless `user-invocable` is false.
    pub fn for_people(&self) -> bool {
        self.compact.for_people
    }

    /// Whether models see it: unless `disable-model-invocation` is true.
    pub fn for_models(&self) -> bool {
        self.compact.for_models
    }

    /// The arguments of a call: the names in `arguments`, else one argument for the whole line when there is an
    /// `argument-hint`.
    pub fn arguments(&self) -> Vec<Argument> {
        let frontmatter = self.frontmatter();
        let names = names(&frontmatter);
        if !names.is_empty() {
            return names.into_iter().map(|name| Argument { name: name.to_owned(), hint: None }).collect();
        }
        let hint = frontmatter.get("argument-hint").and_then(hint);
        hint.map(|hint| Argument { name: LINE.to_owned(), hint: Some(hint) }).into_iter().collect()
    }

    /// The text of a call: the folder that paths are relative to, then `body` with the values filled in. `given`
    /// returns the value of each of [`Skill::arguments`].
    pub fn invoke<'v>(&self, body: &str, folder: &Path, given: impl Fn(&str) -> Option<&'v str>) -> String {
        let frontmatter = self.frontmatter();
        let names = names(&frontmatter);
        let (line, parts) = if names.is_empty() {
            let line = given(LINE).unwrap_or_default().to_owned();
            let parts = split(&line).into_iter().map(Some).collect();
            (line, parts)
        } else {
            let parts: Vec<_> = names.iter().map(|name| given(name).map(str::to_owned)).collect();
            (parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "), parts)
        };
        let folder = folder.display().to_string();
        let values = Values { line: &line, parts: &parts, names: &names, folder: &folder };
        let mut text = format!("Base directory for this skill: {folder}\n\n");
        let used = values.fill(body, &mut text);
        if !used && !line.is_empty() {
            text += &format!("\n\nARGUMENTS: {line}");
        }
        text
    }
}

fn names(frontmatter: &Map<String, Value>) -> Vec<&str> {
    match frontmatter.get("arguments") {
        Some(Value::String(names)) => names.split_whitespace().collect(),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The values of one call.
struct Values<'a> {
    line: &'a str,
    parts: &'a [Option<String>],
    names: &'a [&'a str],
    folder: &'a str,
}

impl Values<'_> {
    /// Writes `body` with the values filled in, in one pass: values are not filled again. Returns whether an argument
    /// had a placeholder.
    fn fill(&self, body: &str, text: &mut String) -> bool {
        let (mut rest, mut used) = (body, false);
        while let Some(at) = rest.find('$') {
            text.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(behind) = rest.strip_prefix("{CLAUDE_SKILL_DIR}") {
                text.push_str(self.folder);
                rest = behind;
            } else if let Some((value, length)) = self.value_at(rest) {
                text.push_str(value);
                rest = &rest[length..];
                used = true;
            } else {
                text.push('$');
            }
        }
        text.push_str(rest);
        used
    }

    /// The value of the placeholder whose `$` precedes `rest`, and the placeholder's length.
    fn value_at(&self, rest: &str) -> Option<(&str, usize)> {
        let part = |index: Option<usize>| self.parts.get(index?)?.as_deref();
        if let Some(behind) = rest.strip_prefix("ARGUMENTS") {
            let index = behind.strip_prefix('[').and_then(|behind| behind.split_once(']'));
            return match index.map(|(index, _)| (index.len(), index.parse().ok())) {
                Some((digits, Some(index))) => Some((part(Some(index))?, "ARGUMENTS[]".len() + digits)),
                _ => Some((self.line, "ARGUMENTS".len())),
            };
        }
        let word = rest.find(|letter: char| !is_of_word(letter)).unwrap_or(rest.len());
        if let Ok(index) = rest[..word].parse() {
            return Some((part(Some(index))?, word));
        }
        // Names may contain a hyphen; of two that match, the longer one is meant.
        let fits = |name: &&&str| {
            let behind = rest.strip_prefix(**name);
            behind.is_some_and(|behind| !behind.starts_with(|next: char| next == '[' || is_of_word(next)))
        };
        let name = self.names.iter().filter(fits).max_by_key(|name| name.len())?;
        Some((part(self.names.iter().position(|other| other == name))?, name.len()))
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The hint as text. `[issue]` without quotes is a list in YAML, but a hint to its author.
fn hint(value: &Value) -> Option<String> {
    match value {
        Value::String(hint) => Some(hint.clone()).filter(|hint| !hint.trim().is_empty()),
        Value::Array(words) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            Some(format!("[{}]", words.join(", ")))
        }
        _ => None,
    }
}

/// Splits a line into words as a shell does: quotes hold a word together. An unclosed quote is an ordinary character.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"')) => word.extend(letters.next()),
            ('"' | '\'', None) => (quote, begun) = (Some(letter), true),
            (letter, None) if letter.is_whitespace() => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (letter, _) => word.push(letter),
        }
    }
    if quote.is_some() {
        return line.split_whitespace().map(str::to_owned).collect();
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn skill(keys: &str) -> Skill {
        read("fix", format!("---\nname: fix\ndescription: Fixes.\n{keys}---\n").as_bytes())
    }

    fn invoked(keys: &str, body: &str, given: &[(&str, &str)]) -> String {
        let value = |name: &str| given.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        let text = skill(keys).invoke(body, Path::new("/skills/fix"), value);
        text.strip_prefix("Base directory for this skill: /skills/fix\n\n").unwrap().to_owned()
    }

    fn after(line: &str, body: &str) -> String {
        invoked("argument-hint: x\n", body, &[("arguments", line)])
    }

    #[test]
    fn a_line_stands_where_the_body_wants_it_whole_or_in_words() {
        assert_eq!(after("12 \"to do\"", "Fix $ARGUMENTS."), "Fix 12 \"to do\".");
        assert_eq!(after("12 \"to do\"", "$0, $1, $ARGUMENTS[1]"), "12, to do, to do");
        assert_eq!(after("", "Fix $ARGUMENTS now."), "Fix  now.");
    }

    #[test]
    fn a_placeholder_without_a_value_and_other_dollars_stay() {
        assert_eq!(
            after("12", "$1 costs $100, $HOME, $0x, $ARGUMENTS[7], $"),
            "$1 costs $100, $HOME, $0x, $ARGUMENTS[7], $\n\nARGUMENTS: 12"
        );
    }

    #[test]
    fn what_has_no_place_is_added_at_the_end() {
        assert_eq!(after("12", "Fix it."), "Fix it.\n\nARGUMENTS: 12");
        assert_eq!(after("", "Fix it."), "Fix it.");
    }

    #[test]
    fn named_arguments_are_filled_in_by_name_and_by_place() {
        let given = [("issue", "a $0"), ("issue-branch", "main")];
        for keys in ["arguments: issue issue-branch\n", "arguments: [issue, issue-branch]\n"] {
            let text = invoked(keys, "$issue on $issue-branch: $1, $issues, $ARGUMENTS", &given);
            assert_eq!(text, "a $0 on main: main, $issues, a $0 main");
        }
        assert_eq!(invoked("arguments: a b\n", "$a and $b", &[("b", "2")]), "$a and 2");
    }

    #[test]
    fn the_folder_of_the_skill_is_known_to_its_body_and_no_command_is_run() {
        assert_eq!(after("", "Run ${CLAUDE_SKILL_DIR}/x, !`id`."), "Run /skills/fix/x, !`id`.");
    }

    #[test]
    fn words_are_those_of_a_shell() {
        let words = |line| split(line).join("|");
        assert_eq!(words("a 'b c'  \"d 'e'\" f\\ g"), "a|b c|d 'e'|f g");
        assert_eq!(words("it's so"), "it's|so");
        assert_eq!(words("'' x"), "|x");
        assert!(split("  ").is_empty());
    }

    #[test]
    fn arguments_come_from_the_names_or_from_the_hint() {
        let named = |name: &str, hint: Option<&str>| Argument { name: name.into(), hint: hint.map(str::to_owned) };
        assert_eq!(
            skill("arguments: [a, b]\nargument-hint: <a> <b>\n").arguments(),
            [named("a", None), named("b", None)]
        );
        assert_eq!(skill("argument-hint: <issue>\n").arguments(), [named("arguments", Some("<issue>"))]);
        assert_eq!(skill("argument-hint: [issue]\n").arguments(), [named("arguments", Some("[issue]"))]);
        assert!(skill("").arguments().is_empty());
    }

    #[test]
    fn who_may_call_it_is_what_the_author_says() {
        let who = |keys| (skill(keys).for_people(), skill(keys).for_models());
        assert_eq!(who(""), (true, true));
        assert_eq!(who("user-invocable: false\n"), (false, true));
        assert_eq!(who("user-invocable: 'true'\ndisable-model-invocation: true\n"), (true, false));
        assert_eq!(who("disable-model-invocation: false\n"), (true, true));
    }
}
