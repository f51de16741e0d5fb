//! Real libraries: each repository of the corpus is a folder of one library.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use api::{ErrorKind, PackOptions, Readiness};
use engine::{Engine, Mode, actions};
use serde_json::Value;
use tests::corpus;

use crate::{home::Home, packing::unpack_all};

/// All of the corpus but one, which is called `skill.md`: no client finds that.
const SKILLS: usize = 319;
/// How many of them can be packed for an upload as they are, and how many are refused.
const PACKED: usize = 272;
const REFUSED: usize = 47;

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

/// Most skills of the corpus can be uploaded as they are; the refusals of the others have reasons.
#[tokio::test]
async fn every_skill_of_the_corpus_is_packed_or_refused_with_its_reasons() {
    let Some(corpus) = corpus() else { return };
    let repositories = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path());
    let mode = Mode::Plain { folders: repositories.filter(|path| path.is_dir()).collect() };
    let home = Home::new();
    let engine = Engine::start(home.machine.clone(), mode).await.unwrap();
    let (zips, second) = (home.path("zips"), home.path("second.zip"));
    fs::create_dir(&zips).unwrap();
    let options = PackOptions { replace: true, ..PackOptions::default() };
    let (mut packed, mut reasons) = (Vec::new(), BTreeMap::<String, usize>::new());
    for skill in &engine.snapshot().skills {
        let first = zips.join(format!("{}.zip", packed.len()));
        let pack = async |to: &Path| actions::pack_skill(&engine, &skill.key, to.to_str().unwrap(), options).await;
        if let Err(error) = pack(&first).await {
            assert!(error.kind == ErrorKind::Refused && !error.hints.is_empty(), "{}: {error:?}", skill.place);
            *reasons.entry(error.hints[0].clone()).or_default() += 1;
            continue;
        }
        pack(&second).await.unwrap();
        assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap(), "{}", skill.place);
        packed.push(skill.place.clone());
    }
    unpack_all(&zips);
    for (number, place) in packed.iter().enumerate() {
        let folder = fs::read_dir(zips.join(number.to_string())).unwrap().next().unwrap().unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let (before, after) = (fs::read(place).unwrap(), fs::read(folder.join("SKILL.md")).unwrap());
        let (one, other) = (skills::read(name, &before), skills::read(name, &after));
        assert!(other.is_strict(), "{place}: {:?}", other.problems);
        assert_eq!((one.name, one.description), (other.name, other.description), "{place}");
        assert_eq!(before[one.body], after[other.body], "{place}");
    }
    assert_eq!((packed.len(), reasons.values().sum()), (PACKED, REFUSED), "{reasons:#?}");
}
