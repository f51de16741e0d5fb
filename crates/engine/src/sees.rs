//! What one client sees of a catalog's skills: pure except for the reading of files, which the caller passes
//! in.

use std::sync::Arc;

use api::{EndpointList, ListBudget, NativeList, PartlySeen, SeenSkill};
use mcp::{Surface, Surfaces, about_list_tokens};
use skills::{Catalog, Entry, Listed, Outcome, listing};

/// What a client gets from the endpoint, given the catalog that it is shown and its switches.
pub(crate) fn by_endpoint(
    catalog: &Catalog,
    surfaces: Surfaces,
    (set, folder): (Option<String>, Option<String>),
    paused: bool,
) -> EndpointList {
    let told = catalog.served().filter(|entry| entry.skill.for_models()).count();
    let tools = surfaces.allow(Surface::Tools) && !paused;
    EndpointList {
        set,
        folder,
        skills: if tools { number(told) } else { 0 },
        tokens: if tools { number(about_list_tokens(catalog)) } else { 0 },
        off: off(surfaces, paused),
        partly: catalog.served().filter_map(|entry| partly(catalog, entry)).collect(),
    }
}

fn off(surfaces: Surfaces, paused: bool) -> Vec<String> {
    if paused {
        return vec!["Skilltender is paused: every client sees an empty list.".to_owned()];
    }
    let off = Surface::ALL.into_iter().filter(|surface| !surfaces.allow(*surface));
    off.map(|surface| {
        let without = match surface {
            Surface::Tools => "Tools are off: its model does not learn of any skill by itself.",
            Surface::Prompts => "Prompts are off: no skill is a slash command.",
            Surface::Resources => "Resources are off: it cannot read the files of a skill from us.",
            Surface::Skills => "The skills extension is off: a client that knows it finds no skills there.",
        };
        without.to_owned()
    })
    .collect()
}

/// A skill that is missing somewhere, and why.
fn partly(catalog: &Catalog, entry: &Arc<Entry>) -> Option<PartlySeen> {
    let skill = &entry.skill;
    let mut why = Vec::new();
    let mut say = |is: bool, sentence: &str| {
        if is {
            why.push(sentence.to_owned());
        }
    };
    say(
        !skill.for_models(),
        "Its model is not told of it: `disable-model-invocation` is set. It is still a slash command, and can be read by its id.",
    );
    say(!skill.for_people(), "It is no slash command: `user-invocable` is off.");
    say(
        !entry.cataloged(),
        "It is not in the catalogue of `resource://`: its folder's name is not lowercase words with hyphens.",
    );
    say(
        entry.cataloged() && !catalog.publishes(entry),
        "It is not in the skills extension: it does not follow the specification to the letter, or has more files than are published.",
    );
    (!why.is_empty()).then(|| PartlySeen { key: entry.key(), name: skill.name.clone(), why })
}

/// What the loader of this id makes of the enabled skills; `None` when the loader is unknown. A SKILL.md that
/// cannot be read is left out: the client cannot read it either.
pub(crate) fn natively(
    loader: &str,
    catalog: &Catalog,
    read: impl Fn(&Entry) -> Option<Vec<u8>>,
) -> Option<NativeList> {
    let files: Vec<_> = catalog.served().filter_map(|entry| Some((entry, read(entry)?))).collect();
    let named = files.iter().map(|(entry, file)| (entry.skill.id.as_str(), file.as_slice()));
    let list = listing(loader, named)?;
    let count = |is: &dyn Fn(&Listed) -> bool| number(list.skills.iter().filter(|listed| is(listed)).count());
    let of = |outcome: Outcome| count(&|listed| listed.verdict.verdict == outcome);
    let over = list.is_over();
    let budget =
        list.budget.map(|budget| ListBudget { tokens: number(budget.tokens), rule: budget.rule.to_owned(), over });
    let (loads, changed, refused) = (of(Outcome::Loads), of(Outcome::Changed), of(Outcome::Refused));
    let (cut, tokens) = (count(&|listed| listed.cut.is_some()), number(list.tokens));
    let mut skills: Vec<_> = files.iter().zip(list.skills).map(|((entry, _), listed)| seen(entry, listed)).collect();
    skills.sort_by_key(|seen| match seen.verdict {
        Outcome::Refused => 0,
        Outcome::Changed => 1,
        Outcome::Loads if seen.cut.is_some() => 2,
        Outcome::Loads => 3,
    });
    Some(NativeList { loads, changed, refused, cut, tokens, budget, skills })
}

fn seen(entry: &Entry, listed: Listed) -> SeenSkill {
    let mut why = listed.verdict.why;
    if let Some(cut) = listed.cut {
        why.push(format!("{} shows the first {cut} characters of its description.", listed.verdict.name));
    }
    SeenSkill {
        key: entry.key(),
        name: entry.skill.name.clone(),
        verdict: listed.verdict.verdict,
        cut: listed.cut.map(number),
        tokens: number(listed.tokens),
        why,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, text: &str) -> Entry {
        Entry {
            skill: Arc::new(skills::read(id, text.as_bytes())),
            folder: "f1".to_owned(),
            path: id.to_owned(),
            location: id.into(),
            files: Arc::from([]),
            digest: String::new(),
            enabled: true,
            shadowed_by: None,
        }
    }

    fn text(name: &str, more: &str) -> String {
        format!("---\nname: {name}\ndescription: Makes {name}.\n{more}---\nBoil.\n")
    }

    fn catalog(skills: &[(&str, String)]) -> Catalog {
        let entries = skills.iter().map(|(id, text)| entry(id, text)).collect::<Vec<_>>();
        Catalog::new(entries, &["f1".to_owned()])
    }

    #[test]
    fn the_endpoint_lists_what_models_are_told_of_and_says_where_the_others_are() {
        let catalog = catalog(&[
            ("tea", text("tea", "")),
            ("milk", text("milk", "disable-model-invocation: true\n")),
            ("Oat Milk", text("oat-milk", "")),
        ]);
        let list = by_endpoint(&catalog, Surfaces::default(), (None, None), false);
        assert_eq!(list.skills, 2);
        assert!(list.tokens > 0 && list.off.is_empty());
        let partly: Vec<_> = list.partly.iter().map(|seen| (seen.name.as_str(), seen.why.len())).collect();
        assert_eq!(partly, [("oat-milk", 1), ("milk", 1)]);
    }

    #[test]
    fn what_is_switched_off_is_said_and_lists_nothing() {
        let catalog = catalog(&[("tea", text("tea", ""))]);
        let without = Surfaces { tools: false, ..Surfaces::default() };
        let list = by_endpoint(&catalog, without, (None, None), false);
        assert_eq!((list.skills, list.tokens, list.off.len()), (0, 0, 1));
        assert_eq!(by_endpoint(&catalog, Surfaces::default(), (None, None), true).skills, 0);
    }

    #[test]
    fn what_a_client_refuses_comes_first_with_its_reason() {
        let long = "x".repeat(65);
        let texts = [("tea".to_owned(), text("tea", "")), ("long".to_owned(), text(&long, ""))];
        let catalog = catalog(&[("tea", texts[0].1.clone()), ("long", texts[1].1.clone())]);
        let read = |entry: &Entry| {
            texts.iter().find(|(id, _)| *id == entry.skill.id).map(|(_, text)| text.clone().into_bytes())
        };
        let list = natively("codex", &catalog, read).unwrap();
        assert_eq!((list.loads, list.refused), (1, 1));
        assert_eq!(list.skills[0].key, "f1/long");
        assert!(list.skills[0].why[0].contains("65 characters"), "{:?}", list.skills[0].why);
        assert_eq!(natively("notepad", &catalog, read), None);
    }
}
