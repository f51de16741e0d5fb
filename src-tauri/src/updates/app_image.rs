//! Replacing the AppImage that this program was started from.
//!
//! The new one is written beside the old one and tried there (`try_out`) before one rename puts it in the old one's
//! place, so that at every moment a whole AppImage is there. The old one is kept until the new one has come up
//! (`first_start`). Tauri's updater moves the old one away first and writes the new one in place: killed in between, it
//! leaves none.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Output, Stdio},
    time::Duration,
};

use tauri::async_runtime;
use tokio::time::{sleep, timeout};

use super::{TRY, first_start};

/// The time in which a new version must say so. An AppImage that cannot be mounted unpacks itself first.
const PATIENCE: Duration = Duration::from_secs(120);

/// Replaces the AppImage by these bytes, if they start on this computer and are of this version.
///
/// # Errors
/// When the new one cannot be written or does not start: why, as a sentence. The old one is untouched.
pub(super) async fn replace(image: PathBuf, bytes: Vec<u8>, version: String) -> Result<(), String> {
    let new = beside(&image);
    let written = {
        let (image, new) = (image.clone(), new.clone());
        async_runtime::spawn_blocking(move || write(&image, &new, &bytes)).await
    };
    let said = |why: io::Error| format!("{} cannot be replaced: {why}.", image.display());
    let replaced = match written.map_err(|why| why.to_string()).and_then(|written| written.map_err(said)) {
        Ok(()) => match start(&new, &version).await {
            Ok(()) => {
                first_start::keep(&image, &new, &version).and_then(|()| first_start::put(&new, &image)).map_err(said)
            }
            Err(why) => Err(why),
        },
        Err(why) => Err(why),
    };
    if replaced.is_err() {
        sweep(&image);
        drop(first_start::forget(&image));
    }
    replaced
}

/// Removes what an interrupted update left beside the AppImage.
pub(super) fn sweep(image: &Path) {
    // The old one is a leftover only where nothing is on trial.
    let is_tried = first_start::beside(image, "trial").exists();
    for left in [Some(beside(image)), (!is_tried).then(|| first_start::beside(image, "old"))].into_iter().flatten() {
        match fs::remove_file(&left) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => tracing::warn!("{} stays: {why}", left.display()),
            _ => {}
        }
    }
}

/// The place of the new AppImage until it is proven.
fn beside(image: &Path) -> PathBuf {
    first_start::beside(image, "new")
}

/// Writes the new AppImage with the old one's rights, through to the disk.
fn write(image: &Path, new: &Path, bytes: &[u8]) -> io::Result<()> {
    let rights = fs::metadata(image)?.permissions();
    match fs::remove_file(new) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    // Never through a link that somebody placed there.
    let mut file = OpenOptions::new().write(true).create_new(true).open(new)?;
    file.write_all(bytes)?;
    file.set_permissions(rights)?;
    file.sync_all()
}

/// Starts the new AppImage once: its window's program must load, read what this person has, and be of the version that
/// was signed.
async fn start(new: &Path, version: &str) -> Result<(), String> {
    let name = "The new version";
    let output = match timeout(PATIENCE, output_of(new)).await {
        Ok(Ok(output)) => output,
        Ok(Err(why)) => return Err(format!("{name} does not start here: {why}.")),
        Err(_) => return Err(format!("{name} does not start here in {} seconds.", PATIENCE.as_secs())),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && said.trim() == version {
        return Ok(());
    }
    let wrong = String::from_utf8_lossy(&output.stderr);
    let wrong: String = wrong.trim().chars().filter(|c| !c.is_control() || *c == '\n').take(600).collect();
    Err(format!("{name} does not start here. {wrong}").trim_end().to_owned())
}

async fn output_of(new: &Path) -> io::Result<Output> {
    for _ in 0..50 {
        let mut command = tokio::process::Command::from(engine::background(new));
        command.arg(TRY).stdin(Stdio::null()).kill_on_drop(true);
        match command.output().await {
            // Another thread started a program while the file was still open for writing.
            Err(why) if why.kind() == io::ErrorKind::ExecutableFileBusy => sleep(Duration::from_millis(20)).await,
            ended => return ended,
        }
    }
    Err(io::ErrorKind::ExecutableFileBusy.into())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const OLD: &str = "#!/bin/sh\necho old\n";

    /// An AppImage in a folder of its own, here a script.
    fn old() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("Skilltender.AppImage");
        fs::write(&image, OLD).unwrap();
        fs::set_permissions(&image, fs::Permissions::from_mode(0o750)).unwrap();
        (folder, image)
    }

    fn replace(image: &Path, new: &str) -> Result<(), String> {
        async_runtime::block_on(super::replace(image.to_path_buf(), new.as_bytes().to_vec(), "2.0.0".to_owned()))
    }

    #[test]
    fn one_that_starts_and_says_its_version_takes_the_place_with_the_same_rights() {
        let (folder, image) = old();
        let new = "#!/bin/sh\n[ \"$1\" = --try ] && echo 2.0.0\n";
        replace(&image, new).unwrap();
        assert_eq!(fs::read_to_string(&image).unwrap(), new);
        assert_eq!(fs::metadata(&image).unwrap().permissions().mode() & 0o777, 0o750);
        assert_eq!(fs::read_to_string(first_start::beside(&image, "old")).unwrap(), OLD);
        // While it is on trial, sweeping leaves the old one.
        sweep(&image);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        first_start::forget(&image).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn one_that_does_not_start_or_is_of_another_version_leaves_the_old_one_as_it_was() {
        for (new, said) in [
            ("#!/bin/sh\necho 'libwebkit2gtk-4.1.so.0 is missing' >&2\nexit 1\n", "libwebkit2gtk-4.1.so.0 is missing"),
            ("#!/bin/sh\necho 1.9.0\n", "does not start here"),
            ("not a program", "does not start here"),
        ] {
            let (folder, image) = old();
            let why = replace(&image, new).unwrap_err();
            assert!(why.contains(said), "{why}");
            assert_eq!(fs::read_to_string(&image).unwrap(), OLD);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{new}");
        }
    }

    #[test]
    fn what_an_interrupted_update_left_is_written_over_and_a_link_in_its_place_is_not_followed() {
        let (folder, image) = old();
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, "mine").unwrap();
        std::os::unix::fs::symlink(&elsewhere, beside(&image)).unwrap();
        replace(&image, "#!/bin/sh\necho 2.0.0\n").unwrap();
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
        first_start::forget(&image).unwrap();
        for left in ["new", "old"] {
            fs::write(first_start::beside(&image, left), "half").unwrap();
        }
        sweep(&image);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the AppImage and the file elsewhere");
    }
}
