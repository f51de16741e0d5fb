//! Runs the seeds of the fuzz targets through the bodies that fuzzing uses (`fuzz/bodies`). Every finding of fuzzing
//! becomes a seed.

#[path = "../../../fuzz/bodies/address.rs"]
mod address;
#[path = "../../../fuzz/bodies/document.rs"]
mod document;
#[path = "../../../fuzz/bodies/frontmatter.rs"]
mod frontmatter;
#[path = "../../../fuzz/bodies/scan.rs"]
mod scan;

use std::{fs, path::Path};

#[test]
fn every_seed_of_the_document_holds() {
    replay("document", document::run);
}

#[test]
fn every_seed_of_the_frontmatter_holds() {
    replay("frontmatter", frontmatter::run);
}

#[test]
fn every_seed_of_addresses_holds() {
    replay("address", address::run);
}

#[test]
fn every_seed_of_the_scanner_holds() {
    replay("scan", scan::run);
}

fn replay(target: &str, run: fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let seeds: Vec<_> =
        fs::read_dir(&seeds).expect("the seeds are there").map(|seed| seed.expect("it is listed")).collect();
    assert!(!seeds.is_empty());
    for seed in seeds {
        run(&fs::read(seed.path()).expect("the seed is read"));
    }
}
