//! A file that a command was told to write, such as a lock: it is there as a whole, or what was there before is.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

/// Writes the file: it is made beside its place, and moved there.
///
/// # Errors
/// When the disk refuses; then what was there is there.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one.
    let path = &dunce::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let written = fs::File::create_new(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What was not made is not there.
        drop(fs::remove_file(&beside));
    }
    written
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::write;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("skilltender.lock");
        write(&file, "one").unwrap();
        write(&file, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        // What cannot be replaced stays, and what was begun goes.
        let taken = folder.path().join("taken");
        fs::create_dir_all(taken.join("inside")).unwrap();
        assert!(write(&taken, "three").is_err());
        let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        assert_eq!(names, ["skilltender.lock", "taken"]);
    }
}
