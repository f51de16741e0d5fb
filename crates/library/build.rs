//! Names what reads a library: a number of all sources that decide what is read, so that a cache of another program is none.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hash = DefaultHasher::new();
    for crate_ in ["files", "library", "skills", "text"] {
        let sources = here.join("..").join(crate_).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        add(&sources, &mut hash);
    }
    let lock = here.join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    fs::read(lock).unwrap_or_default().hash(&mut hash);
    env::var("PROFILE").unwrap_or_default().hash(&mut hash);
    println!("cargo::rustc-env=SKILLTENDER_READER=skilltender library {:016x}", hash.finish());
}

fn add(folder: &Path, hash: &mut DefaultHasher) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            add(&entry, hash);
        } else {
            entry.file_name().hash(hash);
            fs::read(&entry).unwrap_or_default().hash(hash);
        }
    }
}
