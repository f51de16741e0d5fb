//! The tools that the test parts share: the pinned Node, Python, the built programs. Each is set up on first use, so
//! a single part sets up only what it needs.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use crate::{
    node::Node,
    packages,
    programs::{self, Programs},
    python,
    step::Done,
};

#[derive(Default)]
pub(crate) struct Tools {
    /// Whether missing system packages are installed without a prompt.
    pub(crate) yes: bool,
    /// Whether to run many more generated cases.
    pub(crate) long: bool,
    /// Words that choose among the tests of a part.
    pub(crate) filter: Vec<String>,
    node: OnceCell<Node>,
    window: OnceCell<()>,
    python: OnceCell<PathBuf>,
    programs: OnceCell<Programs>,
}

impl Tools {
    pub(crate) fn new(yes: bool, long: bool, filter: &[String]) -> Self {
        Self { yes, long, filter: filter.to_vec(), ..Self::default() }
    }

    pub(crate) fn packages(&self) -> Done {
        packages::ensure(&[packages::WINDOW, packages::TESTS], self.yes)
    }

    pub(crate) fn node(&self) -> Done<&Node> {
        first(&self.node, Node::ensure)
    }

    pub(crate) fn python(&self) -> Done<&Path> {
        first(&self.python, python::ensure).map(PathBuf::as_path)
    }

    /// The window's code, built into `ui/dist`.
    pub(crate) fn window(&self) -> Done {
        first(&self.window, || programs::build_window(self.node()?)).copied()
    }

    /// Both programs, with the window as its code is now; in a part of a larger run those that it has built.
    pub(crate) fn programs(&self) -> Done<&Programs> {
        first(&self.programs, || {
            if let Some(given) = programs::given() {
                return Ok(given);
            }
            self.window()?;
            programs::build()
        })
    }
}

fn first<T>(cell: &OnceCell<T>, bring: impl FnOnce() -> Done<T>) -> Done<&T> {
    if let Some(there) = cell.get() {
        return Ok(there);
    }
    let brought = bring()?;
    Ok(cell.get_or_init(|| brought))
}
