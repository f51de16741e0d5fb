//! `values.json`: the values of servers' parameters that are not secret.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

use api::Notice;
use files::{replace_file::ReplaceError, store};
use machine::Mode;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use skills::Slot;

use crate::stored;

/// The file of the values, in the data folder.
pub const FILE: &str = "values.json";

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
struct Values {
    #[serde(default)]
    values: Vec<Value>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, serde_json::Value>,
}

/// One value.
#[derive(Serialize, Deserialize)]
struct Value {
    #[serde(flatten)]
    parameter: Slot,
    value: String,
}

/// The content of the file at `path`, with a notice when it had to be set aside.
pub fn open(path: &Path, mode: &Mode) -> (BTreeMap<Slot, String>, Option<Notice>) {
    let (Values { values, .. }, notice) = stored::open(path, mode);
    (values.into_iter().map(|Value { parameter, value }| (parameter, value)).collect(), notice)
}

/// Writes these values to the file.
///
/// # Errors
/// When the disk refuses; the file stays as it was.
pub fn save(path: &Path, values: &BTreeMap<Slot, String>) -> Result<(), ReplaceError> {
    let (mut file, _) = stored::load::<Values>(path);
    file.values =
        values.iter().map(|(parameter, value)| Value { parameter: parameter.clone(), value: value.clone() }).collect();
    store::save(path, &file)
}

/// Why a plain value with a password in it is refused, and how to store it as a secret: as one of the `secrets`
/// that the server also takes, if any. `store` says how to store a secret of a name.
pub fn password_in<'s>(
    name: &str,
    mut secrets: impl Iterator<Item = &'s str>,
    store: impl Fn(&str) -> String,
) -> String {
    let instead = match secrets.next() {
        Some(secret) => {
            format!("Leave the password out of it, and store it as the secret {secret}: {}.", store(secret))
        }
        None => format!(
            "Its author has to declare {name} with `sensitive: true` and pass it in `env`; after that, store it with {}.",
            store(name)
        ),
    };
    format!("{name} would hold a password, and what is no secret is kept and shown as it is. {instead}")
}

/// The folder that a person means, as an absolute path: `~` is their home.
///
/// # Errors
/// When it is not an absolute path, or no folder exists there, as a sentence.
pub fn folder(home: &Path, name: &str, value: &str) -> Result<String, String> {
    let written = value.trim();
    let path = match written.strip_prefix('~') {
        Some("") => home.to_path_buf(),
        Some(rest) if rest.starts_with(['/', std::path::MAIN_SEPARATOR]) => home.join(&rest[1..]),
        _ => PathBuf::from(written),
    };
    if !path.is_absolute() {
        return Err(format!("{name} is a folder, and needs its whole path, such as {}.", home.join("notes").display()));
    }
    let found = fs::metadata(&path).and_then(|found| match found.is_dir() {
        false => Err(io::ErrorKind::NotADirectory.into()),
        // A path with `..` leads elsewhere once a link on the way changes.
        true if path.components().any(|part| part == Component::ParentDir) => dunce::canonicalize(&path),
        true => Ok(path.clone()),
    });
    let path = found.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("{name} is a folder, and there is none at {}.", path.display()),
        io::ErrorKind::NotADirectory => format!("{name} is a folder, and {} is a file.", path.display()),
        _ => format!("{name} is a folder, and {} cannot be read: {error}.", path.display()),
    })?;
    path.into_os_string().into_string().map_err(|_| format!("{name} cannot be a folder whose name is not UTF-8."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_what_we_do_not_know_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values.json");
        std::fs::write(&path, r#"{"version": 1, "later": true}"#).unwrap();
        let parameter = Slot { key: "f1/tea".to_owned(), server: "github".to_owned(), name: "OWNER".to_owned() };
        let values = BTreeMap::from([(parameter, "ada".to_owned())]);
        save(&path, &values).unwrap();
        assert_eq!(open(&path, &Mode::Writing), (values, None));
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"later\": true"));
    }

    #[test]
    fn a_folder_is_whole_and_there_and_a_tilde_is_home() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("tea/leaves")).unwrap();
        fs::write(home.path().join("tea/list"), "").unwrap();
        let at = |path: &str| home.path().join(path).display().to_string();
        let folder = |value: &str| folder(home.path(), "WORKSPACE", value);
        assert_eq!(folder("~"), Ok(home.path().display().to_string()));
        assert_eq!(folder(" ~/tea "), Ok(at("tea")));
        assert_eq!(folder(&at("tea/leaves")), Ok(at("tea/leaves")));
        let up = dunce::canonicalize(home.path().join("tea")).unwrap();
        assert_eq!(folder(&at("tea/leaves/..")), Ok(up.display().to_string()));
        for (value, said) in [
            ("tea", "needs its whole path"),
            ("", "needs its whole path"),
            ("./tea", "needs its whole path"),
            ("~ada/tea", "needs its whole path"),
            (&at("milk"), "there is none at"),
            ("~/milk", "there is none at"),
            (&at("tea/list"), "is a file"),
            // Windows says no more than that there is none.
            (&at("tea/list/leaves"), if cfg!(windows) { "there is none at" } else { "is a file" }),
            (&at("tea\0"), "cannot be read"),
        ] {
            assert!(folder(value).is_err_and(|message| message.contains(said)), "{value:?}: {:?}", folder(value));
        }
    }

    #[test]
    fn a_password_is_sent_to_a_secret_of_the_same_server() {
        let store = |name: &str| format!("store {name}");
        let with = password_in("URL", ["PW"].into_iter(), store);
        assert!(with.ends_with("store it as the secret PW: store PW."), "{with}");
        let without = password_in("URL", [].into_iter(), store);
        assert!(without.contains("declare URL with `sensitive: true`"), "{without}");
    }
}
