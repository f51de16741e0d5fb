//! Every statement of the wire contract (`docs/wire-contract.md`) has a test that names it: `/// wire contract 12`.

use std::{collections::BTreeSet, fs};

use crate::{
    architecture::{root, sources},
    references::numbers_of,
};

#[test]
fn every_statement_of_the_contract_is_named_by_a_test() {
    let mut named = BTreeSet::new();
    for folder in ["crates", "tests"] {
        for source in sources(&root().join(folder), "rs") {
            let text = fs::read_to_string(&source).unwrap();
            let lines: Vec<_> = text.lines().map(str::trim).collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(numbers) = line.strip_prefix("/// wire contract ") else { continue };
                let below: Vec<_> = lines[at..].iter().take_while(|line| line.starts_with(['/', '#'])).collect();
                let (runs, ignored) = ("test", "#[ignore");
                let is_test = below.iter().any(|line| line.starts_with("#[") && line.contains(runs));
                let is_run = is_test && !below.iter().any(|line| line.starts_with(ignored));
                assert!(is_run, "{}:{}: this names a statement and is no test that runs", source.display(), at + 1);
                named.extend(numbers.split(", ").map(|number| number.parse::<u32>().unwrap()));
            }
        }
    }
    let stated = numbers_of("docs/wire-contract.md");
    assert!(stated.len() >= 46, "statements have gone from the page");
    assert_eq!(named, stated, "a statement that no test names, or a test that names no statement");
}
