//! Real libraries: each repository of the corpus is a folder of one library.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use engine::{Engine, Mode, actions, view::Readiness};
use serde_json::Value;

use crate::home::Home;

/// All of the corpus but one, which is called `skill.md`: no client finds that.
const SKILLS: usize = 319;

#[tokio::test]
async fn every_skill_of_the_corpus_is_found_and_opens() {
    let Some(corpus) = corpus() else { return };
    let expected: Value = serde_json::from_slice(&fs::read(corpus.join("expected.json")).unwrap()).unwrap();
    let rows = expected["skills"].as_array().unwrap();
    let repositories: BTreeSet<_> =
        rows.iter().filter_map(|row| row["path"].as_str()?.split('/').next()).map(|name| corpus.join(name)).collect();
    let mode = Mode::Plain { folders: repositories.into_iter().collect() };
    let engine = Engine::start(Home::new().machine, mode).await.unwrap();

    let snapshot = engine.snapshot();
    let places: BTreeSet<_> = snapshot.skills.iter().map(|skill| skill.place.as_str()).collect();
    let wanted: BTreeSet<_> = rows
        .iter()
        .filter_map(|row| row["path"].as_str())
        .filter(|path| path.ends_with("/SKILL.md"))
        .map(|path| corpus.join(path).display().to_string())
        .collect();
    assert_eq!(places, wanted.iter().map(String::as_str).collect());
    assert_eq!(places.len(), SKILLS);

    for skill in &snapshot.skills {
        let page = actions::read_skill(&engine, &skill.key).await.unwrap();
        assert!(page.text.is_some() && page.read_only.is_none(), "{}", skill.place);
        assert_eq!(page.digest, skill.digest, "{}", skill.place);
        let broken = matches!(skill.readiness, Readiness::Problem { .. });
        assert!(!broken || !page.problems.is_empty(), "{}", skill.place);
    }
}

/// The corpus, or `None` where it is not on this machine; in CI that is a failure.
fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = env::var_os("SKILLTENDER_CORPUS").map_or_else(beside, PathBuf::from);
    match corpus.canonicalize() {
        Ok(corpus) => Some(corpus),
        Err(error) => {
            assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{}: {error}", corpus.display());
            None
        }
    }
}
