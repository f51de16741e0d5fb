//! Compares the verdict per client with the clients' real behaviour on 320 skills and 65 probes.
//!
//! Differences are listed in `verdicts.deviations` with their reasons; a listed line that no longer differs fails the
//! test, so the list stays correct.

use std::{collections::BTreeMap, fs, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use skills::{Outcome, Verdict};

use tests::{corpus, json as read_json, say};

/// The number of compared facts about real clients: whether a skill loads, and its name and description when they
/// were recorded.
const COMPARED: usize = 3531;

/// `<skill path or probe id> <client> <what>`, a colon, the reason.
const DEVIATIONS: &str = include_str!("verdicts.deviations");

/// Constructed files, and the name and description under which each client loaded them: observed in the programs for
/// Codex, Copilot, opencode and skills-ref, and in their reading functions for the others. Further differences
/// concern YAML that no skill has, such as `!!int x`.
const RUNS: &str = include_str!("verdicts.runs.jsonl");
const RUN: usize = 279;

/// The observed behaviour of a client, and its place in the corpus.
const SKILL_ORACLES: &[(&str, &str)] = &[
    ("codex", "/clients/codex/loads"),
    ("gemini-cli", "/clients/gemini/loads"),
    ("copilot", "/clients/copilot/loads"),
    ("opencode", "/clients/opencode_model/loads"),
    ("skills-cli", "/clients/vercel_skills_model/loads"),
    ("claude-code", "/clients/claude_code/loads"),
];
const PROBE_ORACLES: &[(&str, &str)] = &[
    ("codex", "/codex/loads"),
    ("gemini-cli", "/gemini/loads"),
    ("copilot", "/copilot/loads"),
    ("opencode", "/opencode/loads"),
    ("skills-cli", "/vercel_skills_cli"),
    ("openskills", "/openskills"),
    ("claude-code", "/claude_code/loads"),
];

#[test]
fn every_verdict_is_what_the_client_really_did() {
    let Some(corpus) = corpus() else { return };
    let mut compared = Compared::default();
    let expected = read_json(&corpus.join("expected.json"));
    for row in expected["skills"].as_array().unwrap() {
        let path = row["path"].as_str().unwrap();
        let folder = Path::new(path).parent().and_then(Path::file_name).unwrap().to_str().unwrap();
        let file = fs::read(corpus.join(path)).unwrap();
        let verdicts = verdicts(folder, &file);
        for (client, pointer) in SKILL_ORACLES {
            compared.see(path, client, "loads", &loads(&verdicts[client]), row.pointer(pointer).unwrap());
        }
        let described = &row["clients"]["claude_code"]["described_to_model"];
        compared.see(path, "claude-code", "described", &has_own_description(folder, &file, &verdicts), described);
        compared.see(path, "skills-ref", "verdict", &validity(&verdicts), &row["skills_ref"]["verdict"]);
    }
    for probe in read_json(&corpus.join("probes.json"))["probes"].as_array().unwrap() {
        let id = probe["id"].as_str().unwrap();
        let file = BASE64_STANDARD.decode(probe["skill_md_base64"].as_str().unwrap()).unwrap();
        let verdicts = verdicts(id, &file);
        for (client, pointer) in PROBE_ORACLES {
            compared.see(id, client, "loads", &loads(&verdicts[client]), probe.pointer(pointer).unwrap());
        }
        for (client, oracle) in
            [("codex", "codex"), ("gemini-cli", "gemini"), ("copilot", "copilot"), ("opencode", "opencode")]
        {
            if probe[oracle]["loads"] == true {
                let verdict = &verdicts[client];
                compared.see(id, client, "name", &verdict.name_shown.clone().into(), &probe[oracle]["name"]);
                let description = verdict.description_shown.clone().into();
                compared.see(id, client, "description", &description, &probe[oracle]["description"]);
            }
        }
        let claude = &probe["claude_code"];
        let listed = verdicts["claude-code"].description_shown.clone().unwrap_or_default();
        // The recording has only the first line of what the model sees.
        let first = listed.lines().next().unwrap_or_default().to_owned();
        if !claude["listed_to_model_as"].is_null() {
            compared.see(id, "claude-code", "description", &first.into(), &claude["listed_to_model_as"]);
        }
        let validity = validity(&verdicts);
        compared.see(
            id,
            "skills-ref",
            "read",
            &(validity != "parse_error").into(),
            &(probe["skills_ref_read_properties"] == "y").into(),
        );
        let valid = probe["skills_ref_validate"] == "valid";
        compared.see(id, "skills-ref", "valid", &(validity == "valid").into(), &valid.into());
    }
    compared.finish();
}

#[test]
fn every_client_takes_a_file_under_the_name_and_description_that_it_showed() {
    let mut files = 0;
    for line in RUNS.lines() {
        let run: Value = serde_json::from_str(line).expect("a run is JSON");
        let (id, file) = (run["id"].as_str().unwrap(), run["file"].as_str().unwrap());
        for verdict in skills::verdicts(id, file.as_bytes()) {
            let ours = match verdict.verdict {
                Outcome::Refused => Value::Null,
                Outcome::Loads | Outcome::Changed => json!([verdict.name_shown, verdict.description_shown]),
            };
            assert_eq!(ours, run[verdict.client], "{id}, {}: {file:?} {:?}", verdict.client, verdict.why);
            assert!(verdict.verdict == Outcome::Loads || !verdict.why.is_empty(), "{id}: no reason given");
        }
        files += 1;
    }
    say(&format!("verdicts: {files} files of our own, each as eight clients took them"));
    assert_eq!(files, RUN);
}

fn verdicts(folder: &str, file: &[u8]) -> BTreeMap<&'static str, Verdict> {
    skills::verdicts(folder, file).into_iter().map(|verdict| (verdict.client, verdict)).collect()
}

fn loads(verdict: &Verdict) -> Value {
    (verdict.verdict != Outcome::Refused).into()
}

/// Whether the description is the skill's own.
fn has_own_description(folder: &str, file: &[u8], verdicts: &BTreeMap<&str, Verdict>) -> Value {
    let authored = skills::read(folder, file);
    let verdict = &verdicts["claude-code"];
    let own = authored.frontmatter().contains_key("description")
        && verdict.description_shown.as_deref().map(str::trim) == Some(authored.description.trim());
    own.into()
}

/// The verdict of skills-ref in the form of the corpus: it may read a skill and find it invalid.
fn validity(verdicts: &BTreeMap<&str, Verdict>) -> Value {
    let verdict = &verdicts["skills-ref"];
    match verdict.verdict {
        Outcome::Refused => "parse_error",
        _ if !verdict.why.iter().any(|why| why.contains("skills-ref says") || why.contains("skills-ref finds")) => {
            "valid"
        }
        _ => "invalid",
    }
    .into()
}

/// The compared facts and the differences.
#[derive(Default)]
struct Compared {
    statements: usize,
    /// By client: the number of differences, and of comparisons.
    clients: BTreeMap<String, (usize, usize)>,
    differing: BTreeMap<String, String>,
}

impl Compared {
    fn see(&mut self, skill: &str, client: &str, what: &str, ours: &Value, theirs: &Value) {
        self.statements += 1;
        let (differ, of) = self.clients.entry(client.to_owned()).or_default();
        *of += 1;
        if ours != theirs {
            *differ += 1;
            self.differing.insert(format!("{skill} {client} {what}"), format!("ours {ours}, theirs {theirs}"));
        }
    }

    fn finish(self) {
        for (client, (differ, of)) in &self.clients {
            say(&format!("verdicts: {client}: {of} statements, {differ} deviate"));
        }
        let listed: BTreeMap<&str, &str> = DEVIATIONS
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{line:?} gives no reason")))
            .collect();
        let unlisted: Vec<_> = self.differing.iter().filter(|(key, _)| !listed.contains_key(key.as_str())).collect();
        assert!(unlisted.is_empty(), "these deviate and are not listed: {unlisted:#?}");
        let settled: Vec<_> = listed.keys().filter(|key| !self.differing.contains_key(**key)).collect();
        assert!(settled.is_empty(), "these no longer deviate: {settled:#?}");
        assert_eq!(self.statements, COMPARED);
    }
}
