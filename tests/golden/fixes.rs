//! What all fixes together must never do, on the corpus, the probes and the cases: cause a new problem, give two
//! skills one name, rename a key to one with another kind of value, use a non-description as a description, or change
//! more on a second run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::Arc,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use skills::{Catalog, Entry, File, Problem};
use tests::{corpus, json, say};

use crate::skill_cases::{files, folders, name, root};

/// A SKILL.md and its other files.
struct Case {
    /// The library that it is in.
    library: String,
    /// Its path there.
    path: String,
    id: String,
    bytes: Vec<u8>,
    files: Vec<File>,
}

/// Every file on which fixes are tried.
fn cases() -> Vec<Case> {
    let mut cases: Vec<_> = folders(&root().join("tests/skills"))
        .iter()
        .map(|folder| Case {
            library: "cases".to_owned(),
            path: name(folder),
            id: name(folder),
            bytes: fs::read(folder.join("SKILL.md")).expect("the corpus has it"),
            files: files(folder),
        })
        .collect();
    let Some(corpus) = corpus() else { return cases };
    for row in json(&corpus.join("expected.json"))["skills"].as_array().expect("the corpus has it") {
        let path = row["path"].as_str().expect("the corpus has it");
        let folder = corpus.join(path).parent().expect("the corpus has it").to_path_buf();
        let (library, place) = path.split_once('/').expect("the corpus has it");
        cases.push(Case {
            library: library.to_owned(),
            path: place.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
            id: name(&folder),
            bytes: fs::read(corpus.join(path)).expect("the corpus has it"),
            files: files(&folder),
        });
    }
    for probe in json(&corpus.join("probes.json"))["probes"].as_array().expect("the corpus has it") {
        let id = probe["id"].as_str().expect("the corpus has it").to_owned();
        let bytes = BASE64_STANDARD
            .decode(probe["skill_md_base64"].as_str().expect("the corpus has it"))
            .expect("the corpus has it");
        cases.push(Case { library: "probes".to_owned(), path: id.clone(), id, bytes, files: Vec::new() });
    }
    cases
}

fn problems(case: &Case, bytes: &[u8]) -> Vec<Problem> {
    let skill = skills::read(&case.id, bytes);
    let content = skills::examine(&skill, bytes, &case.files, &mut |_| None);
    [skill.problems, content].concat()
}

/// The problems after the fixes whose rule was not broken before. A milder problem of the same field does not count:
/// a description that does not say when to use the skill is better than none.
fn brought<'p>(before: &[Problem], after: &'p [Problem]) -> Vec<&'p Problem> {
    let is_new = |problem: &&Problem| !before.iter().any(|other| other.rule == problem.rule);
    let is_milder = |problem: &&Problem| {
        let worse = |other: &&Problem| {
            other.severity > problem.severity
                && (other.field.is_none() && other.rule == "no-frontmatter" || other.field == problem.field)
        };
        before.iter().any(|other| worse(&other) && !after.iter().any(|after| after.rule == other.rule))
    };
    after.iter().filter(is_new).filter(|problem| !is_milder(problem)).collect()
}

#[test]
fn fixes_bring_no_problem_and_doing_them_again_does_nothing() {
    let mut wrong = Vec::new();
    for case in cases() {
        let fixed = skills::fix_all(&case.id, &case.bytes, &case.files);
        let (before, after) = (problems(&case, &case.bytes), problems(&case, &fixed.bytes));
        for problem in brought(&before, &after) {
            wrong.push(format!(
                "{}/{}: {} {} {:?}",
                case.library, case.path, problem.rule, problem.message, fixed.applied
            ));
        }
        let again = skills::fix_all(&case.id, &fixed.bytes, &case.files);
        assert!(again.applied.is_empty() && again.bytes == fixed.bytes, "{}: {:?}", case.path, again.applied);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The case as an entry of its library.
fn entry(case: &Case, bytes: &[u8]) -> Entry {
    Entry {
        skill: Arc::new(skills::read(&case.id, bytes)),
        folder: case.library.clone(),
        path: case.path.clone(),
        location: PathBuf::new(),
        digest: String::new(),
        files: Arc::new([]),
        enabled: true,
        shadowed_by: None,
    }
}

/// The pairs of skills whose names are equal on a case-insensitive disk.
fn equal(entries: &[Entry]) -> BTreeSet<(String, String)> {
    let mut named = BTreeMap::<String, Vec<String>>::new();
    for entry in entries {
        named.entry(entry.skill.name.trim().to_lowercase()).or_default().push(entry.key());
    }
    let pairs = |keys: Vec<String>| {
        let pairs = keys.iter().flat_map(|one| keys.iter().map(move |other| (one.clone(), other.clone())));
        pairs.filter(|(one, other)| one < other).collect::<Vec<_>>()
    };
    named.into_values().flat_map(pairs).collect()
}

#[test]
fn fixes_give_no_two_skills_of_a_library_one_name() {
    let mut libraries = BTreeMap::<String, Vec<Case>>::new();
    for case in cases() {
        libraries.entry(case.library.clone()).or_default().push(case);
    }
    for (library, cases) in libraries {
        let before: Vec<_> = cases.iter().map(|case| entry(case, &case.bytes)).collect();
        let catalog = Catalog::new(before.clone(), &[]);
        let after = cases.iter().zip(&before).map(|(case, before)| {
            let is_taken = |name: &str| catalog.has_name(before, name);
            entry(case, &skills::fix_all_among(&case.id, &case.bytes, &case.files, &is_taken).bytes)
        });
        let (before, after) = (equal(&before), equal(&after.collect::<Vec<_>>()));
        assert!(after.is_subset(&before), "{library}: {:?}", after.difference(&before).collect::<Vec<_>>());
    }
}

#[test]
fn no_description_is_taken_from_what_nobody_reads_as_one() {
    let mut taken = 0;
    for case in cases() {
        let fixed = skills::fix_all(&case.id, &case.bytes, &case.files);
        let is_taken = |applied: &&skills::Applied| ["description-missing", "no-frontmatter"].contains(&applied.rule);
        if !fixed.applied.iter().any(|applied| is_taken(&applied)) {
            continue;
        }
        taken += 1;
        let skill = skills::read(&case.id, &fixed.bytes);
        let says = &skill.description;
        let is_mark = ["<", "`", "!", "[", "|", "---", "+++", "{"].iter().any(|mark| says.starts_with(mark));
        assert!(!is_mark && says.chars().any(char::is_alphanumeric) && !says.contains("-->"), "{}: {says}", case.path);
    }
    say(&format!("corpus: {taken} descriptions taken from the text"));
    assert!(taken > 0);
}

#[test]
fn a_key_is_renamed_only_to_one_that_takes_its_value() {
    for case in cases() {
        let fixed = skills::fix_all(&case.id, &case.bytes, &case.files);
        let after = skills::read(&case.id, &fixed.bytes);
        let kinds = ["key-type", "description-type", "name-type", "server-block", "personal-block"];
        let before = skills::read(&case.id, &case.bytes);
        let count =
            |skill: &skills::Skill| skill.problems.iter().filter(|problem| kinds.contains(&problem.rule)).count();
        assert!(count(&after) <= count(&before), "{}: {:#?}", case.path, after.problems);
    }
}
