//! `skilltender instructions`: the same text as the prompt `init-skills`.

use crate::{Failure, args::Instructions, print};

pub(crate) fn run(command: &Instructions) -> Result<(), Failure> {
    Ok(print(&engine::instructions(!command.no_xml))?)
}
