//! `skilltender tag`: adds and removes tags of skills, shown first.

use std::{collections::BTreeMap, path::Path};

use api::{TagChange, TagPlan, TagRefusal, Tagged};
use engine::{Engine, Machine, Mode, actions, orders::Order};

use crate::{Failure, Text, order, print, print_json, runtime, say};

const AFTER: &str = "\
Without --yes, this only shows how the tags would change. With it, only the bytes of the tags change in each SKILL.md; the \
version before is kept. Skills that cannot be changed are named, and the others are changed. Options come first.

  skilltender tag tea coffee +drinks
  skilltender tag --yes tea +drinks -to-read";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Change the tags
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The id, the key or the path of each skill; then +tag for each tag to add, and -tag for each to remove
    #[arg(value_name = "SKILL... +TAG -TAG", required = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let Wish { skills, add, remove } = Wish::of(&command.words)?;
    let machine = Machine::here(home)?;
    let plan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        let keys = skills.iter().map(|skill| actions::find_skill(&engine, skill)).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, Failure>(actions::plan_tags(&engine, &keys, &add, &remove).await?)
    })?;
    if !command.yes {
        return if command.json { print_json(&plan) } else { print(words(&plan)) };
    }
    say(plan.refused.iter().map(refusal).collect::<Text>());
    let shown: BTreeMap<_, _> = plan.changes.iter().map(|change| (change.key.clone(), change.digest.clone())).collect();
    let done = if shown.is_empty() {
        serde_json::to_value(Tagged { changed: Vec::new(), refused: Vec::new() }).unwrap_or_default()
    } else {
        order::give(home, Order::Tag { skills: shown, add, remove })?
    };
    let tagged: Tagged = serde_json::from_value(done.clone()).map_err(|error| Failure::refused(error.to_string()))?;
    say(tagged.refused.iter().map(refusal).collect::<Text>());
    let is_changed = |change: &&TagChange| tagged.changed.contains(&change.key);
    order::tell(command.json, &done, |_| {
        let lines: Text = plan.changes.iter().filter(is_changed).map(line).collect();
        if tagged.changed.is_empty() { Text::from("No tags were changed.") } else { lines }
    })?;
    if plan.refused.is_empty() && tagged.refused.is_empty() { Ok(()) } else { Err(Failure::problems(Text::new())) }
}

/// What the words say.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    skills: Vec<String>,
    add: Vec<String>,
    remove: Vec<String>,
}

impl Wish {
    fn of(words: &[String]) -> Result<Self, Failure> {
        let mut wish = Self { skills: Vec::new(), add: Vec::new(), remove: Vec::new() };
        for word in words {
            if word.starts_with("--") {
                return Err(Failure::usage(format!("{word} is no tag. Options come before the skills.")));
            }
            match (word.strip_prefix('+'), word.strip_prefix('-')) {
                (Some(tag), _) => wish.add.push(tag.to_owned()),
                (_, Some(tag)) => wish.remove.push(tag.to_owned()),
                _ => wish.skills.push(order::skill(word)?),
            }
        }
        if wish.skills.is_empty() || wish.add.is_empty() && wish.remove.is_empty() {
            let message = "Name skills, and tags as +tag or -tag: `skilltender tag tea +drinks`.";
            return Err(Failure::usage(message.to_owned()));
        }
        Ok(wish)
    }
}

fn words(plan: &TagPlan) -> Text {
    let mut text: Text = plan.changes.iter().map(line).chain(plan.refused.iter().map(refusal)).collect();
    if plan.changes.is_empty() {
        text.line("No tags would change.");
    } else {
        text.extend(["", "Nothing was written: `--yes` changes them."]);
    }
    text
}

fn line(change: &TagChange) -> String {
    let tags = |tags: &[String]| if tags.is_empty() { "no tags".to_owned() } else { tags.join(", ") };
    format!("{}: {} -> {}", change.key, tags(&change.before), tags(&change.after))
}

fn refusal(refusal: &TagRefusal) -> String {
    format!("{} is left as it is. {}", refusal.key, refusal.why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_a_sign_are_tags_and_options_come_first() {
        let words = |words: &[&str]| Wish::of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        let wish = words(&["tea", "+drinks", "coffee", "-to-read"]).ok().unwrap();
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let expected = Wish { skills: owned(&["tea", "coffee"]), add: owned(&["drinks"]), remove: owned(&["to-read"]) };
        assert_eq!(wish, expected);
        for wrong in [&["tea"][..], &["+drinks"], &["tea", "+drinks", "--yes"]] {
            assert_eq!(words(wrong).unwrap_err().code, 2, "{wrong:?}");
        }
    }
}
