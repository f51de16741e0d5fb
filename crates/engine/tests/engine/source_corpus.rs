//! Real repositories as sources: what `npx skills` would find in the same tree is offered or refused with a reason, and what
//! comes is byte for byte what the repository has.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use engine::actions;
use tests::{GitHost, corpus};

use crate::sources::files;

/// Where `npx skills` looks for folders with a SKILL.md, besides the top (vercel-labs/skills, read in September 2026).
const PLACES: &[&str] = &[
    "",
    "skills",
    "skills/.curated",
    "skills/.experimental",
    "skills/.system",
    ".agents/skills",
    ".claude/skills",
    ".codex/skills",
    ".cursor/skills",
    ".gemini/skills",
    ".github/skills",
    ".opencode/skills",
];

#[tokio::test]
async fn what_npx_skills_would_find_in_a_real_repository_is_offered_or_refused_with_a_reason() {
    let Some(corpus) = corpus() else { return };
    let host = GitHost::start();
    let mut offered = 0;
    for folder in fs::read_dir(corpus).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let name = folder.file_name().into_string().unwrap();
        let repository = host.repository(&name);
        let there = files(&folder.path());
        for (path, bytes) in &there {
            repository.write(path, bytes);
        }
        repository.commit("one");
        let home = crate::sources::home();
        let engine = home.start().await;
        let seen = actions::look_at_source(&engine, &repository.address, None).await.unwrap();
        let comes: BTreeSet<_> = seen.plan.skills.iter().map(|skill| skill.path.as_str()).collect();
        let known: BTreeSet<_> =
            comes.iter().copied().chain(seen.plan.refused.iter().map(|one| one.path.as_str())).collect();
        let inside =
            |skill: &str| known.iter().any(|known| known.is_empty() || skill.starts_with(&format!("{known}/")));
        for skill in found(&there) {
            assert!(known.contains(skill) || inside(skill), "{name}: {skill} is neither offered nor refused");
        }
        offered += comes.len();
        let [plan, commit] = [&seen.plan.id, &seen.commit];
        let keys = actions::add_source(&engine, &repository.address, commit, plan, "own", None).await.unwrap();
        for (skill, key) in seen.plan.skills.iter().zip(&keys) {
            let at = home.machine.data.join("skills").join(key.strip_prefix("own/").unwrap());
            let wanted = below(&there, &skill.path);
            for (path, bytes) in files(&at) {
                assert_eq!(wanted.get(&path), Some(&bytes), "{name}: {key}/{path}");
            }
        }
    }
    assert!(offered > 200, "{offered}");
}

/// The folders with a SKILL.md directly below one of the places, and the places themselves.
fn found(files: &BTreeMap<String, Vec<u8>>) -> BTreeSet<&str> {
    let folders =
        files.keys().filter_map(|path| path.strip_suffix("SKILL.md")).map(|folder| folder.trim_end_matches('/'));
    let is_place = |folder: &str| PLACES.contains(&folder);
    let above = |folder: &str| Path::new(folder).parent().and_then(Path::to_str).unwrap_or_default().to_owned();
    folders.filter(|folder| is_place(folder) || is_place(&above(folder))).collect()
}

fn below(files: &BTreeMap<String, Vec<u8>>, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let from = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(&from)?.to_owned(), bytes.clone()))).collect()
}
