//! What needs no program: the golden cases beside this folder, the corpus of real skills, and
//! the walls between the crates.

mod architecture;
mod client_cases;
mod clients_page;
mod contract;
mod corpus;
mod rules_page;
mod scanning;
mod skill_cases;
mod verdicts;
