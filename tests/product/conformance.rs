//! The official conformance suite against the running product, through a forwarder that adds the token.
//!
//! `tests/conformance/applicable.json` names the scenarios and revisions to run, `not-applicable.json` the others,
//! each with the reason. A scenario in neither list, or one that the suite does not know, is a failure.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;
use tests::{Forwarder, Home, Serving, conformance};

/// One scenario to run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Applicable {
    /// The revisions in which it runs.
    pub(crate) revisions: Vec<String>,
    /// Checks that need a feature which this product lacks, with the reason: exactly these fail.
    #[serde(default)]
    failing: BTreeMap<String, String>,
}

/// wire contract 9, 27
#[test]
fn every_applicable_scenario_passes_in_both_eras() {
    let home = Home::new();
    // The suite needs a folder inside the first skill.
    home.write("skills/coffee/references/beans.md", "Grind them.\n");
    let forwarder = Forwarder::bind().unwrap();
    let port = forwarder.port;
    let origins = [format!("http://localhost:{port}"), format!("http://127.0.0.1:{port}")];
    let serving = Serving::start_with(&home, |command| {
        origins.iter().fold(command, |command, origin| command.args(["--allow-origin", origin]))
    });
    forwarder.forward(serving.port(), &serving.token);

    let (mut runs, mut checks, mut wrong) = (0, 0, Vec::new());
    for (scenario, applicable) in applicable() {
        for revision in &applicable.revisions {
            let (count, failed) = judge(&scenario, revision, &applicable, conformance::run(&scenario, revision, port));
            runs += 1;
            checks += count;
            wrong.extend(failed);
        }
    }
    say(&format!("conformance: {runs} runs, {checks} checks"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_scenario_of_the_suite_is_in_one_of_the_lists() {
    let (run, left): (_, BTreeMap<String, String>) = (applicable(), list("not-applicable"));
    let known = conformance::scenarios();
    for scenario in known.keys() {
        let lists = usize::from(run.contains_key(scenario)) + usize::from(left.contains_key(scenario));
        assert_eq!(lists, 1, "{scenario} must be in exactly one of the lists");
    }
    for scenario in run.keys().chain(left.keys()) {
        assert!(known.contains_key(scenario), "{scenario} is unknown to the suite");
    }
    assert!(left.values().all(|reason| reason.ends_with('.')), "each with the reason, as a sentence");
}

/// The number of checks of one run, and what in it is not as the list says.
pub(crate) fn judge(
    scenario: &str,
    revision: &str,
    Applicable { failing, .. }: &Applicable,
    (count, failed): (usize, Vec<(String, String)>),
) -> (usize, Vec<String>) {
    let unexpected = failed.iter().filter(|(id, _)| !failing.contains_key(id));
    let mut wrong: Vec<_> = unexpected.map(|(id, said)| format!("{scenario} in {revision}: {id}: {said}")).collect();
    let cured = failing.keys().filter(|id| !failed.iter().any(|(failed, _)| failed == *id));
    wrong.extend(cured.map(|id| format!("{scenario} in {revision}: {id} passes now: take it off the list")));
    if count == 0 {
        wrong.push(format!("{scenario} in {revision}: nothing was checked"));
    }
    (count, wrong)
}

pub(crate) fn applicable() -> BTreeMap<String, Applicable> {
    list("applicable")
}

fn list<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(name).with_extension("json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[expect(clippy::print_stdout, reason = "the counts are for people who read the test run")]
fn say(line: &str) {
    println!("{line}");
}
