//! The effects of a replacement on a file.

#[cfg(unix)]
mod recovering;
#[cfg(target_os = "linux")]
mod volumes;

use super::*;

fn folder_with(name: &str, bytes: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn replaces_a_file_that_is_as_expected_and_leaves_nothing_beside_it() {
    let (folder, path) = folder_with("a", "old");
    replace(&path, Some(b"old"), Some(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn leaves_a_file_alone_that_changed_meanwhile() {
    let (folder, path) = folder_with("a", "theirs");
    for expected in [Some("old".as_bytes()), Some(b"their"), Some(b"theirs!"), None] {
        for new in [Some("new".as_bytes()), None] {
            assert!(matches!(replace(&path, expected, new), Err(ReplaceError::Changed(_))));
        }
    }
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn a_file_that_went_away_counts_as_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    assert!(matches!(replace(&path, Some(b"old"), Some(b"new")), Err(ReplaceError::Changed(_))));
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn makes_and_deletes_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    replace(&path, None, Some(b"new")).unwrap();
    assert_eq!(read(&path, 100).unwrap().as_deref(), Some("new".as_bytes()));
    replace(&path, Some(b"new"), None).unwrap();
    assert_eq!(read(&path, 100).unwrap(), None);
}

#[test]
fn a_missing_folder_and_a_folder_in_the_files_place_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("none/a");
    assert!(matches!(replace(&below, None, Some(b"new")), Err(ReplaceError::NoFolder(_))));
    assert!(matches!(replace(folder.path(), None, Some(b"new")), Err(ReplaceError::NotAFile(_))));
}

#[test]
fn a_file_that_may_not_be_read_is_not_called_read_only() {
    // An administrator may read everything, so the system error is simulated here.
    let refused = ReplaceError::from_reading(Path::new("/a"), io::ErrorKind::PermissionDenied.into());
    assert_eq!(
        refused.to_string(),
        "/a may not be read, so nothing was changed. Allow it in the file's permissions and try again."
    );
}

#[test]
fn reads_no_more_than_it_is_allowed_to() {
    let (_folder, path) = folder_with("a", "0123456789");
    assert_eq!(read(&path, 4).unwrap().unwrap(), b"01234");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn keeps_the_mode_and_makes_new_files_private() {
        let (folder, path) = folder_with("a", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
        replace(&path, Some(b"old"), Some(b"new")).unwrap();
        assert_eq!(mode(&path), 0o664);
        let made = folder.path().join("b");
        replace(&made, None, Some(b"new")).unwrap();
        assert_eq!(mode(&made), 0o600);
    }

    #[test]
    fn writes_the_target_of_a_chain_of_links_and_keeps_the_links() {
        let (folder, real) = folder_with("real", "old");
        let home = folder.path().join("home");
        fs::create_dir(&home).unwrap();
        symlink("../second", home.join("first")).unwrap();
        symlink(&real, folder.path().join("second")).unwrap();
        replace(&home.join("first"), Some(b"old"), Some(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::read_link(home.join("first")).is_ok() && fs::read_link(folder.path().join("second")).is_ok());
        assert_eq!(names(&home), ["first"]);
    }

    #[test]
    fn makes_the_missing_target_of_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("real", &link).unwrap();
        replace(&link, None, Some(b"new")).unwrap();
        assert_eq!(fs::read(folder.path().join("real")).unwrap(), b"new");
        assert!(fs::read_link(&link).is_ok());
    }

    #[test]
    fn links_that_lead_in_a_circle_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        symlink("b", folder.path().join("a")).unwrap();
        symlink("a", folder.path().join("b")).unwrap();
        assert!(matches!(replace(&folder.path().join("a"), None, Some(b"x")), Err(ReplaceError::Circle(_))));
    }

    #[test]
    fn a_link_to_where_no_folder_is_names_both() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("a");
        symlink("none/b", &link).unwrap();
        let refused = replace(&link, None, Some(b"x")).unwrap_err().to_string();
        let target = folder.path().join("none/b");
        assert_eq!(
            refused,
            format!(
                "{} is a link to {}, whose folder does not exist, so there is nowhere to write to.",
                link.display(),
                target.display()
            )
        );
    }

    #[test]
    fn a_file_with_two_names_is_neither_parted_nor_written_into() {
        let (folder, path) = folder_with("a", "old");
        let other = folder.path().join("b");
        fs::hard_link(&path, &other).unwrap();
        for new in [Some("new".as_bytes()), None] {
            let refused = replace(&path, Some(b"old"), new).unwrap_err();
            assert!(matches!(refused, ReplaceError::Linked { names: 2, .. }), "{refused}");
        }
        assert_eq!((fs::read(&path).unwrap(), fs::read(&other).unwrap()), (b"old".to_vec(), b"old".to_vec()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_that_another_program_has_open_for_writing_is_left_alone() {
        let (folder, path) = folder_with("a", "old");
        let open = File::options().append(true).open(&path).unwrap();
        for new in [Some("new".as_bytes()), None] {
            assert!(matches!(replace(&path, Some(b"old"), new), Err(ReplaceError::InUse(_))));
        }
        drop(open);
        assert_eq!(names(folder.path()), ["a"]);
        replace(&path, Some(b"old"), Some(b"new")).unwrap();
    }

    #[test]
    fn read_only_files_and_folders_are_refused_even_to_an_administrator() {
        let (folder, path) = folder_with("a", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = replace(&path, Some(b"old"), Some(b"new")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{} is read-only, so nothing was written. Make it writable and try again.", path.display())
        );

        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        assert!(matches!(replace(&path, Some(b"old"), Some(b"new")), Err(ReplaceError::ReadOnly(_))));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}
