//! Tests that need no program: the golden cases next to this folder, the corpus of real skills, and the boundaries
//! between the crates.

mod able;
mod architecture;
mod client_cases;
mod clients_page;
mod corpus;
mod counts;
mod dockerfile;
#[cfg(target_os = "linux")]
mod example;
mod fixes;
mod house;
mod references;
mod rules_page;
mod scanning;
mod skill_cases;
mod verdicts;
mod window_commands;
