//! A client folder where the system makes no links.

use std::{fs, io, path::Path};

use api::{PlaceWay, PlacedState};
use skills::{File, SkillPath, read};

use super::*;

/// Fails as a junction does on a drive that has none: what it began with stays.
fn no_link(_: &Path, place: &Path) -> io::Result<()> {
    fs::create_dir(place)?;
    Err(io::ErrorKind::Unsupported.into())
}

fn entry(library: &Path, id: &str) -> Entry {
    let text = format!("---\nname: {id}\ndescription: Makes {id}.\n---\nBoil.\n");
    fs::create_dir_all(library.join(id)).unwrap();
    fs::write(library.join(id).join("SKILL.md"), &text).unwrap();
    Entry {
        skill: Arc::new(read(id, text.as_bytes())),
        folder: "f1".to_owned(),
        path: id.to_owned(),
        location: library.join(id),
        digest: String::new(),
        files: Arc::from([File { path: SkillPath::skill_md(), size: text.len() as u64, modified: 0 }]),
        enabled: true,
        shadowed_by: None,
    }
}

fn shelf(machine: &Machine, skills: &[&str]) -> Shelf {
    let library = machine.home.join("library");
    let entries: Vec<_> = skills.iter().map(|id| entry(&library, id)).collect();
    let catalog = Catalog::new(entries, &["f1".to_owned()]);
    let roots = vec![Root { id: "f1".to_owned(), path: library, made_later: false }];
    let shelf = Shelf::new(
        Arc::new(machine.clone()),
        &Mode::Writing,
        Arc::new(catalog),
        Arc::new(roots),
        Arc::<Digests>::default(),
    );
    Shelf { link: no_link, ..shelf }
}

#[test]
fn where_no_link_can_be_made_skills_are_copied_and_that_is_said_once() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::at(home.path()).unwrap();
    fs::create_dir_all(&machine.data).unwrap();
    let target = Target::named(&machine, "claude-code").unwrap();
    let mut first = shelf(&machine, &["tea"]);
    let carried = first.carry_out(&target, FolderRequest::Place(PlaceWay::Link)).unwrap();
    assert_eq!(carried.troubles, [""; 0]);
    let said = carried.copied_instead.unwrap();
    assert!(said.starts_with("No link can be made in ~/.claude/skills (") && said.contains("copied"), "{said}");
    assert!(target.path.join("tea/SKILL.md").is_file());

    let mut second = shelf(&machine, &["tea", "coffee"]);
    assert_eq!(second.carry_out(&target, FolderRequest::Renew).unwrap(), Carried::default());
    let folder = second.folder(&target);
    assert_eq!(folder.way, Some(PlaceWay::Copy));
    assert!(folder.skills.iter().all(|skill| skill.state == PlacedState::Copied), "{:?}", folder.skills);
    assert_eq!(fs::read_dir(&target.path).unwrap().count(), 2);

    assert_eq!(second.carry_out(&target, FolderRequest::Clear).unwrap(), Carried::default());
    assert!(!target.path.exists());
}

#[test]
fn a_folder_that_is_linked_and_then_makes_no_more_links_goes_on_with_copies() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::at(home.path()).unwrap();
    fs::create_dir_all(&machine.data).unwrap();
    let target = Target::named(&machine, "claude-code").unwrap();
    let works = |_: &Path, place: &Path| fs::create_dir(place);
    let mut first = Shelf { link: works, ..shelf(&machine, &[]) };
    assert_eq!(first.carry_out(&target, FolderRequest::Place(PlaceWay::Link)).unwrap(), Carried::default());
    let mut second = shelf(&machine, &["tea"]);
    let carried = second.carry_out(&target, FolderRequest::Renew).unwrap();
    assert!(carried.copied_instead.is_some());
    assert!(target.path.join("tea/SKILL.md").is_file());
    assert_eq!(shelf(&machine, &["tea"]).folder(&target).way, Some(PlaceWay::Copy));
}

#[test]
fn a_copy_in_which_somebody_keeps_more_than_the_skill_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::at(home.path()).unwrap();
    fs::create_dir_all(&machine.data).unwrap();
    let target = Target::named(&machine, "claude-code").unwrap();
    let placed = || {
        shelf(&machine, &["tea"]).carry_out(&target, FolderRequest::Place(PlaceWay::Copy)).unwrap();
        target.path.join("tea")
    };
    let edited = |path: &str| {
        let tea = placed();
        let path = tea.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        // The skill is switched off.
        shelf(&machine, &[]).carry_out(&target, FolderRequest::Renew).unwrap();
        let stays = path.is_file();
        drop(fs::remove_dir_all(tea));
        shelf(&machine, &[]).carry_out(&target, FolderRequest::Clear).unwrap();
        stays
    };
    for path in [".git/HEAD", "notes/.git", ".SKILL.md.swp", "SKILL.md~", "notes/.skilltender-plan.md.1"] {
        assert!(edited(path), "{path} stays");
    }
    // Running a script of the skill is no edit.
    for path in ["__pycache__/timer.pyc", "node_modules/tea/index.js", ".DS_Store"] {
        assert!(!edited(path), "{path} goes with the copy");
    }
}

#[test]
fn a_copy_that_changes_while_it_is_removed_stays() {
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("tea");
    fs::create_dir(&copy).unwrap();
    fs::write(copy.join("SKILL.md"), "new").unwrap();
    let refused = disk::clear_copy(&copy, Some("the digest of what was there before")).unwrap_err();
    assert!(refused.to_string().contains("was changed by something else"), "{refused}");
    assert_eq!(fs::read_to_string(copy.join("SKILL.md")).unwrap(), "new");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}
