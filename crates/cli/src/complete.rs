//! `skilltender complete`, which shells call: the candidates for the word at the cursor, one per line, each with a
//! short description after a tab. Commands, options and their values come from the table that parses them, names from
//! the current state. Errors only reduce the candidates and print nothing, because the user is typing.

mod names;

use std::path::{Path, PathBuf};

use clap::{Arg, Command};

use crate::{Failure, Text, print, prose};
use names::Kind;

/// The maximum length of a description, in characters.
const ABOUT: usize = 70;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The words after the program's name; the last one is at the cursor
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// A candidate.
struct Offer {
    word: String,
    about: String,
}

impl Offer {
    fn new(word: impl Into<String>, about: impl AsRef<str>) -> Self {
        let about = prose(about.as_ref());
        let short = about.chars().take(ABOUT).collect::<String>();
        let about = if short.len() < about.len() { format!("{}…", short.trim_end()) } else { about };
        Self { word: word.into(), about }
    }
}

pub(crate) fn run(command: &Arguments, mut whole: Command, home: Option<&Path>) -> Result<(), Failure> {
    let Some((typed, before)) = command.words.split_last() else { return Ok(()) };
    // Some shells treat the equals sign between an option and its value as a word.
    let typed = if typed == "=" { "" } else { typed };
    whole.build();
    let place = Place::behind(&whole, before);
    let home = place.home.clone().or_else(|| home.map(Path::to_path_buf));
    let offers = place.offers(typed, home.as_deref());
    // A word that cannot be shown on a line cannot be typed either.
    let plain = |offer: &&Offer| !offer.word.contains('\t') && skills::visible_line(&offer.word) == offer.word;
    let fits = offers.iter().filter(|offer| offer.word.starts_with(typed)).filter(plain);
    print(fits.map(|Offer { word, about }| format!("{word}\t{about}")).collect::<Text>())
}

/// The position of the word at the cursor.
struct Place<'c> {
    /// All commands.
    whole: &'c Command,
    /// The command that it belongs to.
    command: &'c Command,
    /// The option that it is the value of.
    option: Option<&'c Arg>,
    /// The positional words before it.
    given: Vec<&'c str>,
    /// Whether only positional words may follow.
    closed: bool,
    home: Option<PathBuf>,
}

impl<'c> Place<'c> {
    fn behind(whole: &'c Command, before: &'c [String]) -> Self {
        let mut place = Self { whole, command: whole, option: None, given: Vec::new(), closed: false, home: None };
        before.iter().for_each(|word| place.pass(word));
        place
    }

    /// Reads one word before the cursor.
    fn pass(&mut self, word: &'c str) {
        if let Some(option) = self.option {
            if word != "=" {
                self.option = None;
                self.take(option, word);
            }
        } else if !self.closed && word == "--" {
            self.closed = true;
        } else if let (false, Some(long)) = (self.closed, word.strip_prefix("--")) {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            match (self.long(name), value) {
                (Some(option), Some(value)) => self.take(option, value),
                (option, _) => self.option = option.filter(|option| option.get_action().takes_values()),
            }
        } else if let (false, Some(command)) = (self.closed, self.command.find_subcommand(word)) {
            (self.command, self.given) = (command, Vec::new());
        } else if self.closed || !word.starts_with('-') {
            self.given.push(word);
        }
    }

    fn take(&mut self, option: &Arg, value: &str) {
        if option.get_id() == "home" {
            self.home = Some(value.into());
        }
    }

    fn long(&self, name: &str) -> Option<&'c Arg> {
        self.command.get_arguments().find(|arg| arg.get_long() == Some(name))
    }

    fn offers(&self, typed: &str, home: Option<&Path>) -> Vec<Offer> {
        let value = typed.strip_prefix("--").and_then(|long| long.split_once('='));
        if let Some(option) = self.option {
            return self.values(option, typed, home);
        }
        if let (false, Some((name, value))) = (self.closed, value) {
            let values = self.long(name).map(|option| self.values(option, value, home)).unwrap_or_default();
            return values.into_iter().map(|of| Offer { word: format!("--{name}={}", of.word), ..of }).collect();
        }
        if !self.closed && typed.starts_with('-') {
            let options = self.command.get_arguments().filter(|arg| !arg.is_hide_set());
            let long = |arg: &Arg| {
                let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
                Some(Offer::new(format!("--{}", arg.get_long()?), about))
            };
            return options.filter_map(long).collect();
        }
        let commands = self.command.get_subcommands().filter(|command| !self.closed && !command.is_hide_set());
        let commands = commands.map(|command| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            Offer::new(command.get_name(), about)
        });
        let value = self.positional().map(|arg| self.values(arg, typed, home)).unwrap_or_default();
        value.into_iter().chain(commands).collect()
    }

    /// The positional argument that the word at the cursor is for.
    fn positional(&self) -> Option<&'c Arg> {
        let all: Vec<_> = self.command.get_positionals().collect();
        let many = |arg: &&Arg| arg.get_num_args().is_some_and(|range| range.max_values() > 1);
        all.get(self.given.len()).copied().or_else(|| all.last().copied().filter(many))
    }

    fn values(&self, arg: &Arg, typed: &str, home: Option<&Path>) -> Vec<Offer> {
        let words = arg.get_possible_values();
        if !words.is_empty() {
            let help = |word: &clap::builder::PossibleValue| word.get_help().map(ToString::to_string);
            let shown = words.iter().filter(|word| !word.is_hide_set());
            return shown.map(|word| Offer::new(word.get_name(), help(word).unwrap_or_default())).collect();
        }
        let Some(kind) = Kind::of(arg.get_id().as_str()) else { return Vec::new() };
        let taken = |offer: &Offer| self.given.contains(&offer.word.as_str());
        let mut offers = kind.offers(typed, &self.given, self.whole, home);
        offers.retain(|offer| !taken(offer));
        offers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(words: &[&str]) -> Vec<String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut whole = crate::args::command();
        whole.build();
        let (typed, before) = words.split_last().unwrap();
        // An empty home: the candidates come from the words alone.
        let nowhere = Path::new("/nowhere/skilltender");
        let offers = Place::behind(&whole, before).offers(typed, Some(nowhere));
        offers.into_iter().map(|offer| offer.word).filter(|word| word.starts_with(typed)).collect()
    }

    #[test]
    fn commands_options_and_their_words_are_offered_where_they_may_stand() {
        assert_eq!(offered(&["instr"]), ["instructions"]);
        assert_eq!(offered(&["complete"]), [""; 0], "it is for shells");
        assert_eq!(offered(&["servers", "sign"]), ["sign-in", "sign-out"]);
        assert_eq!(offered(&["help", "servers", "rest"]), ["restart"]);
        assert_eq!(offered(&["man", "servers", "rest"]), ["restart"]);
        assert_eq!(offered(&["check", "--form"]), ["--format"]);
        assert_eq!(offered(&["check", "--format", ""]), ["human", "json", "sarif"]);
        assert_eq!(offered(&["check", "--format", "=", "s"]), ["sarif"]);
        assert_eq!(offered(&["check", "--format=s"]), ["--format=sarif"]);
        assert_eq!(offered(&["check", "--json", "--str"]), ["--strict"]);
        assert_eq!(offered(&["servers", "way", "tea", "stock", "st"]), ["stdio"]);
        assert_eq!(offered(&["kept", "tea", "re"]), ["read"]);
        assert_eq!(offered(&["settings", "pause", ""]), ["on", "off", "default"]);
        assert_eq!(offered(&["settings", "--client", "codex", "wi"]), ["withhold"]);
        assert_eq!(offered(&["check", "--", "--str"]), [""; 0]);
    }

    #[test]
    fn the_home_that_was_named_counts_wherever_it_stands() {
        let mut whole = crate::args::command();
        whole.build();
        for words in [&["--home", "/x", "show"][..], &["show", "--home=/x"], &["--home", "=", "/x", "show"]] {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(Place::behind(&whole, &words).home.as_deref(), Some(Path::new("/x")), "{words:?}");
        }
    }

    #[test]
    fn what_is_said_about_a_word_is_short() {
        let offer = Offer::new("tea", "word ".repeat(40));
        assert!(offer.about.chars().count() <= ABOUT + 1 && offer.about.ends_with("word…"), "{}", offer.about);
    }
}
