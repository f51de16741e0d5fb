//! `skilltender instructions`: the same text as the prompt `init-skills`.

use crate::args::Instructions;

pub(crate) fn run(command: &Instructions) {
    print!("{}", engine::instructions(!command.no_xml));
}
