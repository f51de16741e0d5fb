//! What needs no program: the golden cases beside this folder, the corpus of real skills, and
//! the walls between the crates.

mod architecture;
mod client_cases;
mod corpus;
<<<<<<< HEAD
mod scanning;
=======
mod schema;
>>>>>>> 69b2843 (schema: the frontmatter as a JSON Schema that editors use, of one mind with our checks)
mod skill_cases;
mod verdicts;
