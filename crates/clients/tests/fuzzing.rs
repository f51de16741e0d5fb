//! Runs the seeds of the fuzz target, and every golden case, through the fuzzing body (`fuzz/bodies`). Findings of
//! fuzzing become seeds.

#[path = "../../../fuzz/bodies/edit.rs"]
mod edit;

use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn every_seed_of_an_edit_holds() {
    let seeds = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/edit"));
    assert!(!seeds.is_empty());
    for seed in seeds {
        edit::run(&fs::read(seed).expect("the seed is read"));
    }
}

#[test]
fn every_golden_file_of_one_client_is_refused_or_kept_by_the_others() {
    let mut files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients"));
    files.retain(|file| file.file_stem().is_some_and(|name| name == "before"));
    assert!(files.len() > 300);
    for file in files {
        let bytes = fs::read(file).expect("the file is read");
        // Longer cases add nothing for the fuzzing body and are slow.
        if bytes.len() < 1024 {
            edit::run(&bytes);
        }
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it is listed").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
