//! The path of the program `skilltender` in clients' files: it must survive updates and moving the app.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use api::{ActionError, ErrorKind, failed};
use clients::Platform;
use machine::{Machine, make_private, random};
use tempfile::{NamedTempFile, PersistError};

use super::entry::absolute;
use crate::journal;

/// Where packages and installers put programs permanently.
const INSTALLED: &[&str] = &["/usr/bin", "/usr/lib", "/usr/local", "/opt", "/Applications"];

/// What the names of programs begin with that were renamed aside.
const ASIDE: &str = ".skilltender-old-";

/// Where macOS runs a program only temporarily: from a disk image, or from a translocated path for an app that was not
/// moved since its download.
const PASSING: &[(&str, &str)] =
    &[("/Volumes/", "from a disk image"), ("/AppTranslocation/", "from a passing place, because it was never moved")];

/// Where clients find our program: at the place where a package installed it, or else our copy of it. On Windows it is
/// always the copy: an installer cannot replace a program that runs, and clients run it nearly always.
pub(super) fn program(machine: &Machine) -> PathBuf {
    if !machine.in_appimage && stays(machine.places.platform, &machine.program) {
        return machine.program.clone();
    }
    // A fixed name, whatever the program is called, so that every build renews the same copy.
    absolute(&machine.data).join("bin").join(format!("skilltender{}", env::consts::EXE_SUFFIX))
}

/// Whether clients may run a program where it is.
fn stays(platform: Platform, program: &Path) -> bool {
    platform != Platform::Windows && INSTALLED.iter().any(|folder| program.starts_with(folder))
}

/// Refuses to write a program into a client's file when its location is temporary.
///
/// # Errors
/// On macOS, from a disk image or a translocated app.
pub(super) fn refuse_passing(platform: Platform, program: &Path) -> Result<(), ActionError> {
    let path = program.to_string_lossy();
    let passing = PASSING.iter().find(|(part, _)| platform == Platform::MacOs && path.contains(part));
    let Some((_, whence)) = passing else { return Ok(()) };
    let message = format!("Skilltender runs {whence}, so no client would find it there again.");
    let hints = vec!["Move Skilltender into the folder Applications and start it there.".to_owned()];
    Err(ActionError { hints, ..failed(ErrorKind::Refused, message) })
}

/// The path of a program in the form that clients accept. On Windows it has its extension, because not every client
/// looks for one, and no prefix `\\\\?\\`, which most cannot start.
pub(super) fn as_clients_take_it(platform: Platform, program: &str) -> String {
    if platform != Platform::Windows {
        return program.to_owned();
    }
    let plain = match program.strip_prefix(r"\\?\UNC\") {
        Some(share) => format!(r"\\{share}"),
        None => program.strip_prefix(r"\\?\").unwrap_or(program).to_owned(),
    };
    let ends = plain.get(plain.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case(".exe"));
    if ends { plain } else { format!("{plain}.exe") }
}

/// A program and its arguments as typed into this system's shell.
pub(super) fn command_line(platform: Platform, words: &[String]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| quoted(platform, word)).collect();
    quoted.join(" ")
}

fn quoted(platform: Platform, word: &str) -> String {
    let windows = platform == Platform::Windows;
    let plain = |at: char| at.is_ascii_alphanumeric() || "-_./=:,+@".contains(at) || windows && at == '\\';
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if windows {
        // File names on Windows contain no double quotes, and a backslash matters only before one.
        let slashes = word.len() - word.trim_end_matches('\\').len();
        return format!("\"{word}{}\"", "\\".repeat(slashes));
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The same path, ensuring that the program exists there: the copy is made, or replaced when it differs from the
/// running program.
///
/// # Errors
/// When there is no program to copy, or no place for the copy.
pub fn stable_program(machine: &Machine) -> io::Result<PathBuf> {
    let stable = program(machine);
    if stable != machine.program && !is_same(&machine.program, &stable)? {
        copy(&machine.program, &stable)?;
    }
    Ok(stable)
}

/// The path that a person may write down: the program's own, or the copy's where it runs from an AppImage, whose files
/// are gone when it ends. Without room for a copy it is the program's own, too.
pub fn lasting_program(machine: &Machine) -> PathBuf {
    let copied = if machine.in_appimage { stable_program(machine).ok() } else { None };
    copied.unwrap_or_else(|| machine.program.clone())
}

/// Renews the copy that clients run: one that exists, or that clients' entries name and that was deleted.
///
/// # Errors
/// As [`stable_program`].
pub fn renew(machine: &Machine) -> io::Result<()> {
    let copy = program(machine);
    if copy == machine.program {
        return Ok(());
    }
    sweep(&copy);
    if copy.exists() || journal::names_program(&machine.data, &copy) {
        stable_program(machine)?;
    }
    Ok(())
}

/// Restores the copy if it is gone; returns whether it was.
///
/// # Errors
/// As [`stable_program`].
pub fn restore(machine: &Machine) -> io::Result<bool> {
    let gone = program(machine) != machine.program && !program(machine).exists();
    if gone {
        stable_program(machine)?;
    }
    Ok(gone)
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let lengths = (fs::metadata(one)?.len(), fs::metadata(other).map_or(0, |other| other.len()));
    Ok(lengths.0 == lengths.1 && fs::read(one)? == fs::read(other)?)
}

/// Replaces the copy atomically, because a client may start it at any moment.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("/"));
    make_private(folder)?;
    let mut next = tempfile::Builder::new().prefix(".skilltender-").tempfile_in(folder)?;
    io::copy(&mut fs::File::open(from)?, &mut next)?;
    next.as_file().set_permissions(fs::metadata(from)?.permissions())?;
    next.as_file().sync_all()?;
    put(next, to)
}

/// Puts a file in its place. Windows replaces no program that runs, but gives it another name: it is renamed aside, and
/// whoever runs it keeps running it.
fn put(next: NamedTempFile, to: &Path) -> io::Result<()> {
    let Err(PersistError { file, error }) = next.persist(to) else { return Ok(()) };
    let aside = to.with_file_name(format!("{ASIDE}{}", random::hex(&random::bytes::<6>())));
    if fs::rename(to, &aside).is_err() {
        return Err(error);
    }
    file.persist_noclobber(to).map(drop).map_err(|refused| {
        drop(fs::rename(&aside, to));
        refused.error
    })
}

/// Removes programs that were renamed aside and that nobody runs any more.
fn sweep(copy: &Path) {
    let folder = copy.parent().and_then(|folder| fs::read_dir(folder).ok());
    let aside = folder
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(ASIDE)));
    // One that still runs stays for the next start.
    aside.for_each(|entry| drop(fs::remove_file(entry.path())));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(home: &Path) -> Machine {
        let program = home.join("mount/skilltender");
        fs::create_dir_all(home.join("mount")).unwrap();
        fs::write(&program, "one").unwrap();
        Machine { program, ..Machine::at(home).unwrap() }
    }

    #[cfg(unix)]
    #[test]
    fn an_installed_program_is_named_where_it_is() {
        let home = tempfile::tempdir().unwrap();
        let machine = Machine::at(home.path()).unwrap();
        assert_eq!(stable_program(&machine).unwrap(), Path::new("/usr/bin/skilltender"));
        assert!(!machine.data.join("bin").exists());
    }

    #[test]
    fn a_program_in_an_appimage_is_named_as_its_copy_wherever_it_is_mounted() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        assert_eq!(lasting_program(&machine), machine.program);
        assert!(!program(&machine).exists());

        let mounted = Machine { in_appimage: true, ..machine };
        let copy = lasting_program(&mounted);
        let bin = absolute(&mounted.data).join("bin");
        assert_eq!(copy, bin.join(format!("skilltender{}", env::consts::EXE_SUFFIX)));
        assert_eq!(fs::read(&copy).unwrap(), b"one");
        let below_opt = Machine { program: PathBuf::from("/opt/tmp/.mount_Skill/usr/bin/skilltender"), ..mounted };
        assert_eq!(program(&below_opt), copy);
    }

    #[test]
    fn on_windows_clients_run_the_copy_wherever_the_program_is_installed() {
        assert!(stays(Platform::Linux, Path::new("/usr/bin/skilltender")));
        assert!(!stays(Platform::Windows, Path::new("/usr/bin/skilltender")));
    }

    /// A folder refuses to be replaced by a file, as a program that runs does on Windows.
    #[test]
    fn what_cannot_be_replaced_is_renamed_aside_and_an_old_program_goes_at_the_next_start() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        let copy = program(&machine);
        fs::create_dir_all(copy.join("busy")).unwrap();
        let folder = copy.parent().unwrap();
        let mut next = NamedTempFile::new_in(folder).unwrap();
        io::Write::write_all(&mut next, b"two").unwrap();
        put(next, &copy).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"two");

        let aside = || fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| *path != copy);
        let busy = aside().unwrap();
        renew(&machine).unwrap();
        assert!(busy.join("busy").is_dir(), "one that is busy stays");
        fs::remove_dir_all(&busy).unwrap();
        fs::write(&busy, "old").unwrap();
        renew(&machine).unwrap();
        assert_eq!(aside(), None);
        assert_eq!(fs::read(&copy).unwrap(), b"one");
    }

    #[test]
    fn any_other_program_is_copied_and_the_copy_follows_it() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        renew(&machine).unwrap();
        assert!(!program(&machine).exists(), "nobody was connected yet");

        let copy = stable_program(&machine).unwrap();
        let name = format!("skilltender{}", env::consts::EXE_SUFFIX);
        assert_eq!(copy, absolute(&machine.data).join("bin").join(name));
        assert_eq!(fs::read(&copy).unwrap(), b"one");
        fs::write(&machine.program, "two").unwrap();
        renew(&machine).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"two");
    }

    #[test]
    fn a_program_under_any_name_has_one_copy() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        let other = Machine { program: home.path().join("st"), ..machine.clone() };
        assert_eq!(program(&other), program(&machine));
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        fs::remove_file(&machine.program).unwrap();
        assert_eq!(stable_program(&machine).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_program_on_a_disk_image_or_in_a_translocated_app_is_refused_on_macos_alone() {
        let refused = |platform, program: &str| refuse_passing(platform, Path::new(program)).err();
        let image = "/Volumes/Skilltender/Skilltender.app/Contents/MacOS/skilltender";
        let passing = "/private/var/folders/x1/AppTranslocation/2F1C/d/Skilltender.app/Contents/MacOS/skilltender";
        assert!(refused(Platform::MacOs, image).unwrap().message.contains("from a disk image"));
        assert!(refused(Platform::MacOs, passing).unwrap().message.contains("never moved"));
        assert_eq!(refused(Platform::MacOs, "/Applications/Skilltender.app/Contents/MacOS/skilltender"), None);
        assert_eq!(refused(Platform::Linux, image), None);
    }

    #[test]
    fn a_program_of_windows_has_its_ending_and_a_path_that_clients_can_start() {
        let taken = |program| as_clients_take_it(Platform::Windows, program);
        assert_eq!(taken(r"C:\Program Files\Skilltender\skilltender"), r"C:\Program Files\Skilltender\skilltender.exe");
        assert_eq!(taken(r"\\?\C:\Users\Ada\skilltender.EXE"), r"C:\Users\Ada\skilltender.EXE");
        assert_eq!(taken(r"\\?\UNC\server\share\skilltender.exe"), r"\\server\share\skilltender.exe");
        assert_eq!(as_clients_take_it(Platform::Linux, "/usr/bin/skilltender"), "/usr/bin/skilltender");
    }

    #[test]
    fn a_command_line_is_quoted_for_its_shell() {
        let line = |platform, words: &[&str]| {
            command_line(platform, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        let words = [r"C:\Program Files\Skilltender\skilltender.exe", "mcp", "--home", r"D:\my data\"];
        let typed = r#""C:\Program Files\Skilltender\skilltender.exe" mcp --home "D:\my data\\""#;
        assert_eq!(line(Platform::Windows, &words), typed);
        assert_eq!(line(Platform::Linux, &["/opt/it's/x", "mcp", ""]), r"'/opt/it'\''s/x' mcp ''");
    }

    #[cfg(unix)]
    #[test]
    fn the_copy_can_be_run() {
        use std::os::unix::fs::PermissionsExt as _;

        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        fs::set_permissions(&machine.program, fs::Permissions::from_mode(0o755)).unwrap();
        let copy = stable_program(&machine).unwrap();
        assert_eq!(fs::metadata(copy).unwrap().permissions().mode() & 0o777, 0o755);
    }
}
