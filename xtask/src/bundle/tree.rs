//! The installed files of the Debian package, from which the other packages for Linux are made.
//!
//! Tauri writes into the app in which kind of package it is, so that an update takes the right one. A copy of the
//! files for another kind has the built app with that kind's mark.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::step::{Done, Failed, run};

/// How a built app names the kind of its package until it is packed.
const UNKNOWN: &[u8] = b"__TAURI_BUNDLE_TYPE_VAR_UNK";

/// A kind of package that is made from the files.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Rpm,
    AppImage,
}

/// Copies the package's `usr` into an emptied folder, with the built app marked for that kind.
pub(super) fn copy(deb: &Path, app: &Path, kind: Kind, to: &Path) -> Done<PathBuf> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(Failed::because)?;
    }
    fs::create_dir_all(to).map_err(Failed::because)?;
    run(Command::new("cp").arg("--archive").arg(deb.join("usr")).arg(to))?;
    let packed = to.join("usr/bin/skilltender-app");
    let built = fs::read(app).map_err(Failed::because)?;
    fs::write(&packed, marked(built, kind)?).map_err(Failed::because)?;
    run(Command::new("strip").arg("--strip-unneeded").arg(&packed))?;
    Ok(to.to_path_buf())
}

/// The program with its mark changed to this kind's.
fn marked(mut program: Vec<u8>, kind: Kind) -> Done<Vec<u8>> {
    let own: &[u8] = match kind {
        Kind::Rpm => b"RPM",
        Kind::AppImage => b"APP",
    };
    let places: Vec<_> =
        program.windows(UNKNOWN.len()).enumerate().filter(|(_, at)| *at == UNKNOWN).map(|(at, _)| at).collect();
    let [place] = places[..] else {
        return Err(Failed(format!("The app leaves the kind of its package open {} times, not once.", places.len())));
    };
    let end = place + UNKNOWN.len();
    program[end - own.len()..end].copy_from_slice(own);
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_is_marked_once_and_one_that_is_marked_already_is_refused() {
        let program = [b"start ", UNKNOWN, b" end"].concat();
        let marked = |program: &[u8], kind| super::marked(program.to_vec(), kind);
        assert_eq!(marked(&program, Kind::AppImage).unwrap(), b"start __TAURI_BUNDLE_TYPE_VAR_APP end");
        assert_eq!(marked(&program, Kind::Rpm).unwrap(), b"start __TAURI_BUNDLE_TYPE_VAR_RPM end");
        assert!(marked(b"start __TAURI_BUNDLE_TYPE_VAR_DEB end", Kind::Rpm).is_err());
        assert!(marked(&program.repeat(2), Kind::Rpm).is_err());
    }
}
