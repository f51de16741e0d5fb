//! The corpus of 320 real skills and 65 probes, each with the results of real clients.
//!
//! It is third-party text and never part of this repository: it is where `SKILLTENDER_CORPUS` says, else next to the
//! repository in `../shared/corpus`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;
use skills::{Catalog, Entry, Reading, Severity, Skill};
use tests::{corpus, json, say};

use crate::skill_cases::{assert_all_fixed, assert_fixes_help, examined, files};

const SKILLS: usize = 320;
const PROBES: usize = 65;
/// The number that load: all with frontmatter.
const LOADED: usize = 308;
/// The number of skills whose frontmatter a strict reader could read, for comparison.
const STRICT: usize = 283;

/// Clients whose loading is compared. Claude Code loads every readable file by its folder's name; it counts only when
/// it found the skill's own description.
const CLIENTS: &[&str] = &["codex", "gemini", "copilot", "opencode", "opencode_model"];

#[test]
fn every_skill_that_a_client_loads_is_loaded_and_strict_frontmatter_is_equal() {
    let Some(corpus) = corpus() else { return };
    let expected = json(&corpus.join("expected.json"));
    let (mut judged, mut loaded, mut compared, mut fixes, mut applied) = (0, 0, 0, 0, 0);
    let mut repositories = BTreeMap::<&str, Vec<Entry>>::new();
    for row in expected["skills"].as_array().unwrap() {
        let path = row["path"].as_str().unwrap();
        let folder = Path::new(path).parent().and_then(Path::file_name).unwrap().to_str().unwrap();
        let file = fs::read(corpus.join(path)).unwrap();
        let skill = skills::read(folder, &file);
        judged += 1;
        fixes += assert_fixes_help(folder, &file);
        applied += assert_all_fixed(folder, &file, &files(corpus.join(path).parent().unwrap()));

        let claude = row["clients"]["claude_code"]["described_to_model"] == true;
        let wanted = claude || CLIENTS.iter().any(|client| row["clients"][client]["loads"] == true);
        assert!(skill.loads() || !wanted, "{path}: a client loads it, we do not: {:#?}", skill.problems);
        assert!(skill.loads() || !skill.problems.is_empty(), "{path}: broken without a reason");
        loaded += usize::from(skill.loads());

        let (repository, place) = path.split_once('/').unwrap();
        repositories.entry(repository).or_default().push(entry(repository, place, &skill));

        let strict = row["strict_yaml"]["ok"] == true;
        assert_eq!(skill.reading == Reading::Strict, strict, "{path}: {:#?}", skill.problems);
        if strict {
            assert_frontmatter(path, &skill, &row["strict_yaml"]);
            compared += 1;
        }
    }
    say(&format!(
        "corpus: {judged} skills judged, {loaded} loaded, {compared} strict frontmatters equal, {fixes} fixes help, {applied} at once"
    ));
    assert_eq!((judged, loaded, compared), (SKILLS, LOADED, STRICT));

    for (repository, entries) in repositories {
        let catalog = Catalog::new(entries, &[]);
        for entry in catalog.entries().iter().filter(|entry| entry.skill.loads()) {
            let reached = catalog.get(&entry.skill.id).is_some_and(|first| first.served());
            assert!(reached, "{repository}: {} is not reached", entry.path);
            let said = catalog.problems_of(entry).iter().any(|problem| problem.rule == "duplicate-id");
            assert!(entry.served() || said, "{repository}: {} is lost", entry.path);
        }
    }
}

/// A rule that most good skills break is useless: errors and warnings about the content must stay rare. Files that
/// the corpus omits for their size or kind do not count as missing.
#[test]
fn content_rules_are_right_about_most_skills() {
    let Some(corpus) = corpus() else { return };
    let expected = json(&corpus.join("expected.json"));
    let left_out = ["link-broken", "file-missing"];
    let mut broken = BTreeMap::<&str, usize>::new();
    for row in expected["skills"].as_array().unwrap() {
        let file = corpus.join(row["path"].as_str().unwrap());
        let (folder, bytes) = (file.parent().unwrap(), fs::read(&file).unwrap());
        let skill = skills::read(&folder.file_name().unwrap().to_string_lossy(), &bytes);
        let rules: BTreeSet<_> = examined(folder, &skill, &bytes).iter().map(|problem| problem.rule).collect();
        for rule in rules {
            *broken.entry(rule).or_default() += 1;
        }
    }
    say(&format!("corpus: content rules and how many of {SKILLS} skills break them: {broken:?}"));
    for rule in skills::RULES.iter().filter(|rule| rule.severity > Severity::Advice && !left_out.contains(&rule.id)) {
        let count = broken.get(rule.id).copied().unwrap_or_default();
        assert!(count * 20 <= SKILLS, "{} fires on {count} skills", rule.id);
    }
    assert!(broken.values().all(|count| count * 3 <= SKILLS), "{broken:?}");
}

#[test]
fn probes_load_when_any_client_loads_them() {
    let Some(corpus) = corpus() else { return };
    let probes = json(&corpus.join("probes.json"));
    let (mut judged, mut described) = (0, 0);
    for probe in probes["probes"].as_array().unwrap() {
        let id = probe["id"].as_str().unwrap();
        let file = BASE64_STANDARD.decode(probe["skill_md_base64"].as_str().unwrap()).unwrap();
        let skill = skills::read(id, &file);
        judged += 1;
        assert_fixes_help(id, &file);
        assert_all_fixed(id, &file, &[]);

        let claude = probe["claude_code"]["own_description"] == true;
        let wanted = claude || CLIENTS.iter().any(|client| probe[client]["loads"] == true);
        assert_eq!(skill.loads(), wanted, "{id}: {:#?}", skill.problems);

        let description = |client: &str| probe[client]["description"].as_str();
        if let (Some(codex), Some(gemini)) = (description("codex"), description("gemini"))
            && codex == gemini
        {
            assert_eq!(skill.description, codex, "{id}");
            described += 1;
        }
    }
    say(&format!("corpus: {judged} probes judged, {described} descriptions equal"));
    assert_eq!(judged, PROBES);
}

/// The frontmatter equals the strict reader's, except that a date stays text (the oracle converts it to a point in
/// time).
fn assert_frontmatter(path: &str, skill: &Skill, strict: &Value) {
    let expected = strict["frontmatter"].as_object().expect("the corpus has it");
    let keys = |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&skill.frontmatter()), keys(expected), "{path}");
    for (key, value) in expected {
        let ours = &skill.frontmatter()[key];
        if strict["types"][key] == "datetime" {
            let text = ours.as_str().unwrap_or_else(|| panic!("{path}: {key} is no text"));
            assert_eq!(
                text.replace('Z', "+00:00"),
                value.as_str().expect("the oracle writes dates as text"),
                "{path}: {key}"
            );
        } else {
            assert_eq!(ours, value, "{path}: {key}");
        }
    }
}

/// A skill as an entry of the library made of its repository.
fn entry(repository: &str, place: &str, skill: &Skill) -> Entry {
    Entry {
        skill: Arc::new(skill.clone()),
        folder: repository.to_owned(),
        path: place.strip_suffix("/SKILL.md").unwrap_or_default().to_owned(),
        location: PathBuf::new(),
        digest: String::new(),
        files: Arc::new([]),
        enabled: true,
        shadowed_by: None,
    }
}
