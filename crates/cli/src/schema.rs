//! `skilltender schema`: the frontmatter of a SKILL.md as a JSON Schema.

use crate::{Failure, print_json};

const AFTER: &str = "\
Editors that use the YAML language server check a frontmatter against it.

  skilltender schema > skill.schema.json";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Print JSON, which it always is
    #[arg(long, hide = true)]
    json: bool,
}

pub(crate) fn run(_: &Arguments) -> Result<(), Failure> {
    print_json(&skills::schema())
}
