//! A skill leaves as a zip file: an independent program unpacks exactly what was packed.

use std::{fs, path::Path, process::Command};

use api::{ErrorKind, PackOptions};
use engine::{Engine, actions};

use crate::home::Home;

const TEA: &str = "---\nname: tea\nversion: 1.2.0\ndescription: Makes tea. Use when tea is wanted.\n\
    x-personal-mcp:\n  id: tea\n  version: 1.0.0\n  capabilities: [resource://skills/tea/document]\n---\n# Tea\n";

async fn home() -> (Home, Engine) {
    let home = Home::new();
    let tea = home.library().join("tea");
    fs::create_dir_all(tea.join("references")).unwrap();
    fs::write(tea.join("SKILL.md"), TEA).unwrap();
    fs::write(tea.join("references/guide.md"), "guide\n").unwrap();
    fs::write(tea.join("cup.png"), [137, 80, 78, 71, 0, 255]).unwrap();
    let engine = home.start_with_library().await;
    (home, engine)
}

/// Unpacks `x.zip` into the folder `x` next to it, for every zip file of a folder, with Python's own zipfile.
pub(crate) fn unpack_all(folder: &Path) {
    const UNPACK: &str = "import pathlib, sys, zipfile\n\
        for path in pathlib.Path(sys.argv[1]).glob('*.zip'):\n    \
        zipfile.ZipFile(path).extractall(path.with_suffix(''))";
    let python = Command::new("python3").args(["-c", UNPACK]).arg(folder).status();
    assert!(python.expect("this test needs Python 3").success());
}

#[tokio::test]
async fn an_independent_program_unpacks_what_was_packed() {
    let (home, engine) = home().await;
    let to = home.path("out");
    fs::create_dir(&to).unwrap();
    let packed = actions::pack_skill(&engine, "f1/tea", to.to_str().unwrap(), PackOptions::default()).await.unwrap();
    assert_eq!((packed.place.as_str(), packed.files), ("~/out/tea.zip", 3));
    assert_eq!((packed.dropped, packed.moved), (vec!["version".to_owned()], vec!["x-personal-mcp".to_owned()]));
    unpack_all(&to);
    let to = to.join("tea");
    assert_eq!(fs::read_to_string(to.join("tea/references/guide.md")).unwrap(), "guide\n");
    assert_eq!(fs::read(to.join("tea/cup.png")).unwrap(), [137, 80, 78, 71, 0, 255]);
    let skill_md = fs::read_to_string(to.join("tea/SKILL.md")).unwrap();
    assert!(skill_md.ends_with("\nmetadata:\n  x-personal-mcp: '{\"id\":\"tea\",\"version\":\"1.0.0\",\"capabilities\":[\"resource://skills/tea/document\"]}'\n---\n# Tea\n"));
    assert_eq!(fs::read_to_string(home.library().join("tea/SKILL.md")).unwrap(), TEA, "the skill stays as it is");

    let again = PackOptions { flat: true, ..PackOptions::default() };
    let flat = home.path("out/flat.zip");
    actions::pack_skill(&engine, "f1/tea", flat.to_str().unwrap(), again).await.unwrap();
    unpack_all(flat.parent().unwrap());
    assert!(home.path("out/flat/SKILL.md").exists());
}

#[tokio::test]
async fn a_packed_skill_can_be_imported_again() {
    let (home, engine) = home().await;
    let to = home.path("tea.zip");
    let path = to.to_str().unwrap();
    actions::pack_skill(&engine, "f1/tea", path, PackOptions::default()).await.unwrap();
    let plan = actions::look_at_import(&engine, path, None).await.unwrap();
    assert_eq!(plan.skills[0].problems.error + plan.skills[0].problems.warning, 0);
    let keys = actions::import_skill(&engine, path, &plan.id, "own", None).await.unwrap();
    assert_eq!(keys, ["own/tea"]);
}

#[tokio::test]
async fn a_file_is_replaced_only_when_the_person_says_so_and_nothing_is_half_written() {
    let (home, engine) = home().await;
    let to = home.path("tea.zip");
    fs::write(&to, "mine").unwrap();
    let pack = async |to: &str, replace: bool| {
        actions::pack_skill(&engine, "f1/tea", to, PackOptions { replace, ..PackOptions::default() }).await
    };
    let path = to.to_str().unwrap();
    assert_eq!(pack(path, false).await.unwrap_err().kind, ErrorKind::Refused);
    assert_eq!(fs::read(&to).unwrap(), b"mine");
    // Only a packed skill is replaced, whatever its name, and no other file gets such a name.
    let evil = [b"#!/bin/sh\n".as_slice(), include_bytes!("../../../../tests/skills/README.md")].concat();
    for foreign in [b"mine".to_vec(), evil, b"PK\x03\x04 no zip file".to_vec(), Vec::new()] {
        fs::write(&to, &foreign).unwrap();
        let refused = pack(path, true).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Refused, "{refused:?}");
        assert_eq!(fs::read(&to).unwrap(), foreign);
    }
    for name in [".profile", ".zip", "authorized_keys", "tea.zip.sh", "tea"] {
        let named = home.path(name);
        assert_eq!(pack(named.to_str().unwrap(), true).await.unwrap_err().kind, ErrorKind::Input, "{name}");
        assert!(!named.exists(), "{name}");
    }
    fs::remove_file(&to).unwrap();
    let first = pack(path, true).await.unwrap();
    let bytes = fs::read(&to).unwrap();
    assert_eq!((first.size, pack(path, true).await.unwrap()), (bytes.len() as u64, first.clone()));
    assert_eq!(fs::read(&to).unwrap(), bytes, "the same skill gives the same bytes");

    assert_eq!(pack("tea.zip", false).await.unwrap_err().kind, ErrorKind::Input);
    assert_eq!(pack(home.path("none/tea.zip").to_str().unwrap(), false).await.unwrap_err().kind, ErrorKind::System);
}

#[tokio::test]
async fn every_reason_of_a_refusal_is_said() {
    let (home, engine) = home().await;
    let file = home.library().join("tea/SKILL.md");
    fs::write(&file, "---\nname: my-claude\ndescription: Makes <b>tea</b>.\n---\n").unwrap();
    let to = home.path("tea.zip");
    let error = actions::pack_skill(&engine, "f1/tea", to.to_str().unwrap(), PackOptions::default()).await.unwrap_err();
    assert_eq!((error.kind, error.hints.len()), (ErrorKind::Refused, 2), "{:?}", error.hints);
    assert!(!to.exists());
}
