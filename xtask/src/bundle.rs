//! `cargo xtask bundle`: the installable packages of this system, both programs inside.

use crate::{
    node::Node,
    packages,
    step::{Done, Failed},
};

pub(crate) fn bundle(yes: bool, _debug: bool) -> Done {
    packages::ensure(&[packages::WINDOW], yes)?;
    debug_deb(&Node::ensure()?)
}

/// A package for Debian from the development build; its content is checked.
pub(crate) fn debug_deb(_node: &Node) -> Done {
    Err(Failed("not yet".to_owned()))
}
