//! The performance goals of the library and of serving, each next to the physical limit, measured alternately in the
//! same run: `cargo xtask bench` prints the tables of docs/performance.md.
//!
//! Ratios count, because other work on the machine disturbs both sides alike. The words after `--` select parts:
//! `cold`, `warm`, `read`, `http`, `list`, `fresh`, `memory`, `idle`,
//! `grows`; none means all of them.

#![expect(clippy::print_stdout, reason = "it prints tables")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on says where")]

mod client;
mod grows;
mod http;
mod library;
mod limits;
mod measure;
mod parts;
mod reading;
mod warm;

use std::env;

fn main() {
    if env::args().nth(1).as_deref() == Some(limits::CONSTANT) {
        return limits::answer_constantly();
    }
    let wanted: Vec<_> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, part) in parts::ALL {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            println!("\n### {name}\n");
            part();
        }
    }
}
