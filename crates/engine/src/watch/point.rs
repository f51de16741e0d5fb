//! From where a path is watched that may come and go, with the links on the way to it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A path that is watched from a folder above it, because it may come and go.
pub(super) struct Point {
    /// The path that somebody wants to know about.
    pub(super) path: PathBuf,
    /// Where it would be, by the real path of the folder above it.
    pub(super) real: PathBuf,
    /// The nearest folder above it that is there.
    pub(super) above: PathBuf,
}

impl Point {
    /// From where a path is seen coming and going: from the nearest folder above it that is there and, where links stand
    /// on the way, from that above each of their targets, which may lie on a disk that comes and goes.
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

    /// The point of `path` where what it stands for is looked for at another one.
    fn at(path: &Path, at: &Path) -> Option<Self> {
        let above = at.ancestors().skip(1).find(|above| above.is_dir())?;
        let real = above.canonicalize().ok()?;
        let below = at.strip_prefix(above).ok()?;
        Some(Self { path: path.to_path_buf(), real: real.join(below), above: real })
    }
}

/// The path that the first link on the way of this one leads to; `None` where no link stands.
fn behind_link(path: &Path) -> Option<PathBuf> {
    let mut ways: Vec<_> = path.ancestors().collect();
    ways.reverse();
    let (link, target) = ways.into_iter().find_map(|way| Some((way, fs::read_link(way).ok()?)))?;
    let rest = path.strip_prefix(link).ok()?;
    Some(link.parent()?.join(target).join(rest))
}
