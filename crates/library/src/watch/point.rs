//! Where to watch a path that may come and go, with the links on the way to it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A path that is watched from a folder above it, because it may come and go.
pub(super) struct Point {
    /// The watched path.
    pub(super) path: PathBuf,
    /// Where it would be, by the real path of the folder above it.
    pub(super) real: PathBuf,
    /// The nearest existing folder above it.
    pub(super) above: PathBuf,
}

impl Point {
    /// The points from which a path is seen coming and going: the nearest existing folder above it and, for
    /// links on the way, the one above each of their targets, which may be on a removable disk.
    pub(super) fn of(path: &Path) -> Vec<Self> {
        const LINKS: usize = 40; // as many as Linux follows
        let mut points = Vec::new();
        let mut next = Some(path.to_path_buf());
        for _ in 0..=LINKS {
            let Some(at) = next.take() else { break };
            next = behind_link(&at);
            points.extend(Self::at(path, &at));
        }
        points
    }

    /// The point for `path` when its target is searched for at `at`.
    fn at(path: &Path, at: &Path) -> Option<Self> {
        let above = at.ancestors().skip(1).find(|above| above.is_dir())?;
        let real = above.canonicalize().ok()?;
        let below = at.strip_prefix(above).ok()?;
        Some(Self { path: path.to_path_buf(), real: real.join(below), above: real })
    }
}

/// The path that the first link on the way of this one leads to; `None` without a link.
fn behind_link(path: &Path) -> Option<PathBuf> {
    let mut ways: Vec<_> = path.ancestors().collect();
    ways.reverse();
    let (link, target) = ways.into_iter().find_map(|way| Some((way, fs::read_link(way).ok()?)))?;
    let rest = path.strip_prefix(link).ok()?;
    Some(link.parent()?.join(target).join(rest))
}
