//! Files that another program holds for a moment: on Windows a scanner, an indexer or a backup opens what was just written,
//! and until it closes that, nothing takes the file's name. Elsewhere nothing waits here.

use std::{io, thread::sleep, time::Duration};

/// Between the attempts, in milliseconds: a second in all. Scanners need a few, a loaded machine more.
const PAUSES: [u64; 7] = [5, 15, 30, 50, 100, 300, 500];

/// Does what gives a file another name, and again while another program holds it.
///
/// # Errors
/// The last one, when the file is still held; any other one at once.
pub(crate) fn patiently<T>(act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    while_so(is_held, act)
}

fn while_so<T>(is_held: fn(&io::Error) -> bool, mut act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for pause in PAUSES {
        match act() {
            Err(error) if is_held(&error) => sleep(Duration::from_millis(pause)),
            done => return done,
        }
    }
    act()
}

/// Whether Windows says so: in use (32, 33), no access, which it also says of a file in use (5), or the file in use that
/// `ReplaceFileW` did not touch (1175). See "System Error Codes" and `ReplaceFileW` in Microsoft's documentation.
fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && error.raw_os_error().is_some_and(|code| [5, 32, 33, 1175].contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_for_a_moment_is_done_and_what_fails_otherwise_fails_at_once() {
        let held = || io::Error::from(io::ErrorKind::ResourceBusy);
        let is_held = |error: &io::Error| error.kind() == io::ErrorKind::ResourceBusy;
        let mut times = 0;
        let mut count = || {
            times += 1;
            times
        };
        assert_eq!(while_so(is_held, || Some(count()).filter(|times| *times == 4).ok_or_else(held)).unwrap(), 4);
        let missing = while_so(is_held, || if count() == 5 { Err(io::ErrorKind::NotFound.into()) } else { Ok(()) });
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(windows)]
    #[test]
    fn a_file_that_another_program_has_open_is_replaced_once_it_is_closed() {
        use std::{fs, os::windows::fs::OpenOptionsExt as _, path::Path, thread};

        use crate::{replace_file, replace_file::ReplaceError, store};

        type Replace = fn(&Path) -> Result<(), ReplaceError>;

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("choices.json");
        let of_ours = |file: &Path| store::write(file, b"new");
        let of_another = |file: &Path| replace_file::replace(file, Some(b"old"), Some(b"new"));
        for replace in [of_ours as Replace, of_another] {
            fs::write(&file, "old").unwrap();
            // Others may read it meanwhile, as a scanner allows, but neither replace nor rename it.
            let scanner = fs::OpenOptions::new().read(true).share_mode(1).open(&file).unwrap();
            assert!(fs::rename(&file, folder.path().join("moved")).is_err(), "it is held");
            let closes = thread::spawn(move || {
                sleep(Duration::from_millis(200));
                drop(scanner);
            });
            replace(&file).unwrap();
            closes.join().unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        }
    }

    #[test]
    fn what_stays_held_is_told_in_the_end() {
        let error = while_so(|_| true, || Err::<(), _>(io::Error::other("in use"))).unwrap_err();
        assert_eq!(error.to_string(), "in use");
    }
}
