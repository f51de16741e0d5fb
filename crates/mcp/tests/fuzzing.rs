//! Runs the seeds of the guard's fuzz target through the fuzzing body (`fuzz/bodies`).

#[path = "../../../fuzz/bodies/guard.rs"]
mod body;

use std::{fs, path::Path};

use body::Caller;

#[test]
fn every_seed_of_the_guard_holds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/guard");
    let seeds: Vec<_> =
        fs::read_dir(seeds).expect("the seeds are there").map(|seed| seed.expect("it is listed")).collect();
    assert!(!seeds.is_empty());
    for seed in seeds {
        body::run(&fs::read(seed.path()).expect("the seed is read"));
    }
}
