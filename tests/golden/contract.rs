//! Every statement that the server is accepted by (section 7 of the wire contract, 1 to 46) has a
//! test that names it: `/// mcp-contract 7.12`.

use std::{collections::BTreeSet, fs};

use crate::architecture::{root, sources};

#[test]
fn every_statement_of_the_contract_is_named_by_a_test() {
    let mut named = BTreeSet::new();
    for folder in ["crates", "tests"] {
        for source in sources(&root().join(folder), "rs") {
            let text = fs::read_to_string(&source).unwrap();
            let lines: Vec<_> = text.lines().map(str::trim).collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(numbers) = line.strip_prefix("/// mcp-contract ") else { continue };
                let below: Vec<_> = lines[at..].iter().take_while(|line| line.starts_with(['/', '#'])).collect();
                let (runs, ignored) = ("test", "#[ignore");
                let is_test = below.iter().any(|line| line.starts_with("#[") && line.contains(runs));
                let is_run = is_test && !below.iter().any(|line| line.starts_with(ignored));
                assert!(is_run, "{}:{}: this names a statement and is no test that runs", source.display(), at + 1);
                named.extend(numbers.split(", ").filter_map(|number| number.strip_prefix("7.")?.parse::<u32>().ok()));
            }
        }
    }
    let missing: Vec<_> = (1..=46).filter(|number| !named.contains(number)).collect();
    assert!(missing.is_empty(), "no test names {missing:?}");
}
