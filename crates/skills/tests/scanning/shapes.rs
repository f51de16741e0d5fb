//! Makes malicious skills: each payload of `shapes.txt` once, in a carrier, changed by a disguise. The payload's
//! number selects both, so every run makes the same skills.

use crate::{
    carriers::{self, Carrier},
    disguises::{self, Disguise},
};

/// A malicious skill.
pub(crate) struct Malice {
    /// Family, language, carrier and disguise.
    pub(crate) name: String,
    pub(crate) set: Set,
    /// Its files, by path.
    pub(crate) files: Vec<(String, String)>,
}

/// When the rules met a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    /// The rules were written with it in mind.
    Known,
    /// It was held out while the rules were written.
    HeldOut,
    /// It was written after the rules.
    Late,
}

/// Every shape.
pub(crate) fn all() -> Vec<Malice> {
    payloads(include_str!("shapes.txt")).enumerate().map(|(number, payload)| made(number, &payload)).collect()
}

struct Payload<'a> {
    family: &'a str,
    language: &'a str,
    text: &'a str,
}

fn payloads(text: &str) -> impl Iterator<Item = Payload<'_>> {
    text.split("\n=== ").skip(1).map(|payload| {
        let (head, text) = payload.split_once('\n').expect("a payload is below its head");
        let (family, language) = head.split_once(' ').expect("a head names family and language");
        Payload { family, language, text: text.trim_end() }
    })
}

fn made(number: usize, payload: &Payload<'_>) -> Malice {
    let (disguise, text) = disguised(number, payload);
    let carriers = carriers::of(payload.language);
    let fits = |carrier: &&Carrier| (carrier.holds)(&text);
    let carrier = carriers.iter().cycle().skip(number).take(carriers.len()).find(fits).expect("one carrier takes all");
    Malice {
        name: format!("{number} {} {} in {}, {disguise}", payload.family, payload.language, carrier.name),
        set: set(number, payload),
        files: carriers::skill(carrier, &text),
    }
}

fn set(number: usize, payload: &Payload<'_>) -> Set {
    match number % 10 {
        _ if payload.family == "late" => Set::Late,
        2 | 5 | 8 => Set::HeldOut,
        _ => Set::Known,
    }
}

/// Two of five payloads stay undisguised; the others get the first disguise that suits them.
fn disguised(number: usize, payload: &Payload<'_>) -> (&'static str, String) {
    let marked = (payload.family == "invisible").then_some(payload.text).and_then(|text| text[1..].split_once(']'));
    if let Some((how, rest)) = marked {
        return ("invisible", disguises::invisible(how, rest));
    }
    let disguises = disguises::of(payload.language);
    let start = number / 5 * 3 + number % 5;
    let bent = |disguise: &Disguise| Some((disguise.name, (disguise.bend)(payload.text)?));
    let found =
        (number % 5 > 1).then(|| disguises.iter().cycle().skip(start).take(disguises.len()).find_map(bent)).flatten();
    found.unwrap_or_else(|| ("plain", payload.text.to_owned()))
}
