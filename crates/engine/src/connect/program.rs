//! The path of the program `skilltender` that stands in clients' files: it must survive updates,
//! and the app being moved.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{Machine, machine::make_private};

/// Where packages and installers put programs, and leave them.
const INSTALLED: &[&str] = &["/usr/bin", "/usr/lib", "/usr/local", "/opt", "/Applications", "C:\\Program Files"];

/// Where clients are told to find us: where a package put the program, or else a copy of ours.
pub(super) fn program(machine: &Machine) -> PathBuf {
    if INSTALLED.iter().any(|folder| machine.program.starts_with(folder)) {
        return machine.program.clone();
    }
    let name = machine.program.file_name().unwrap_or("skilltender".as_ref());
    std::path::absolute(&machine.data).unwrap_or_else(|_| machine.data.clone()).join("bin").join(name)
}

/// The same path, with a program behind it: the copy is made, or made anew when it differs from the
/// program that runs now.
///
/// # Errors
/// When there is no program to copy, or no place for the copy.
pub(crate) fn stable_program(machine: &Machine) -> io::Result<PathBuf> {
    let stable = program(machine);
    if stable != machine.program && !is_same(&machine.program, &stable)? {
        copy(&machine.program, &stable)?;
    }
    Ok(stable)
}

/// Renews the copy that clients run, if there is one.
///
/// # Errors
/// As [`stable_program`].
pub(super) fn renew(machine: &Machine) -> io::Result<()> {
    if program(machine) != machine.program && program(machine).exists() {
        stable_program(machine)?;
    }
    Ok(())
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let lengths = (fs::metadata(one)?.len(), fs::metadata(other).map_or(0, |other| other.len()));
    Ok(lengths.0 == lengths.1 && fs::read(one)? == fs::read(other)?)
}

/// Whole or not at all: a client may start the copy at any moment.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("/"));
    make_private(folder)?;
    let mut next = tempfile::Builder::new().prefix(".skilltender-").tempfile_in(folder)?;
    io::copy(&mut fs::File::open(from)?, &mut next)?;
    next.as_file().set_permissions(fs::metadata(from)?.permissions())?;
    next.as_file().sync_all()?;
    next.persist(to)?;
    Ok(())
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

    #[test]
    fn an_installed_program_is_named_where_it_is() {
        let home = tempfile::tempdir().unwrap();
        let machine = Machine::at(home.path()).unwrap();
        assert_eq!(stable_program(&machine).unwrap(), Path::new("/usr/bin/skilltender"));
        assert!(!machine.data.join("bin").exists());
    }

    #[test]
    fn any_other_program_is_copied_and_the_copy_follows_it() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        renew(&machine).unwrap();
        assert!(!program(&machine).exists(), "nobody was connected yet");

        let copy = stable_program(&machine).unwrap();
        assert_eq!(copy, machine.data.join("bin/skilltender"));
        assert_eq!(fs::read(&copy).unwrap(), b"one");
        fs::write(&machine.program, "two").unwrap();
        renew(&machine).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"two");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let machine = machine(home.path());
        fs::remove_file(&machine.program).unwrap();
        assert_eq!(stable_program(&machine).unwrap_err().kind(), io::ErrorKind::NotFound);
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
