//! The scanner on real, harmless skills: false alarms must stay rare.

use std::{collections::BTreeMap, fs, path::Path};

use skills::{Danger, Finding, SkillPath, scan};

use tests::{corpus, json, say};

/// The number of skills by their worst finding.
const WORST: [(Danger, usize); 3] = [(Danger::Low, 19), (Danger::Medium, 6), (Danger::High, 1)];

#[test]
fn real_skills_are_rarely_found_dangerous() {
    let Some(corpus) = corpus() else { return };
    let expected = json(&corpus.join("expected.json"));
    let rows = expected["skills"].as_array().unwrap();
    let mut worst = BTreeMap::<Danger, usize>::new();
    for row in rows {
        let path = row["path"].as_str().unwrap();
        let files = files(corpus.join(path).parent().unwrap());
        let findings = scan(files.iter().map(|(path, bytes)| (path, bytes.as_slice())));
        for Finding { rule, path: file, place, .. } in findings.iter().filter(|found| found.severity == Danger::High) {
            say(&format!("scanner: {rule} in {path}: {file}:{place}"));
        }
        if let Some(danger) = findings.iter().map(|finding| finding.severity).max() {
            *worst.entry(danger).or_default() += 1;
        }
    }
    say(&format!("scanner: the worst finding in {} real skills: {worst:?}", rows.len()));
    let high = worst.get(&Danger::High).copied().unwrap_or_default();
    assert!(high * 100 <= rows.len() * 2, "{high} of {} skills", rows.len());
    assert_eq!(worst.into_iter().collect::<Vec<_>>(), WORST, "a change of these figures is made on purpose");
}

/// All files below a folder, except those of nested skills.
fn files(folder: &Path) -> Vec<(SkillPath, Vec<u8>)> {
    let mut files = Vec::new();
    collect(folder, "", &mut files);
    files
}

fn collect(folder: &Path, below: &str, files: &mut Vec<(SkillPath, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("the corpus can be read") {
        let entry = entry.expect("the corpus can be listed").path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if !entry.is_dir() {
            let path = SkillPath::new(&format!("{below}{name}")).expect("it stays inside");
            files.push((path, fs::read(&entry).expect("the file can be read")));
        } else if !entry.join("SKILL.md").is_file() {
            collect(&entry, &format!("{below}{name}/"), files);
        }
    }
}
