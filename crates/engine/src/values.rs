//! `values.json`: what people gave for the parameters of servers that are no secrets.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::{Mode, guest::GuestError, state::Parameter, store, view::Notice};

/// Where the values are, in our data folder.
pub(crate) const FILE: &str = "values.json";

/// What the file holds.
#[derive(Default, Serialize, Deserialize)]
struct Values {
    #[serde(default)]
    values: Vec<Value>,
    /// What a later version wrote.
    #[serde(flatten)]
    rest: Map<String, serde_json::Value>,
}

/// One value.
#[derive(Serialize, Deserialize)]
struct Value {
    #[serde(flatten)]
    parameter: Parameter,
    value: String,
}

/// What the file at `path` holds, with a notice when it had to be set aside.
pub(crate) fn open(path: &Path, mode: &Mode) -> (BTreeMap<Parameter, String>, Option<Notice>) {
    let (Values { values, .. }, notice) = store::open(path, mode);
    (values.into_iter().map(|Value { parameter, value }| (parameter, value)).collect(), notice)
}

/// Makes the file hold these values.
pub(crate) fn save(path: &Path, values: &BTreeMap<Parameter, String>) -> Result<(), GuestError> {
    let (mut file, _) = store::load::<Values>(path);
    file.values =
        values.iter().map(|(parameter, value)| Value { parameter: parameter.clone(), value: value.clone() }).collect();
    store::save(path, &file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_what_we_do_not_know_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values.json");
        std::fs::write(&path, r#"{"version": 1, "later": true}"#).unwrap();
        let parameter = Parameter { key: "f1/tea".to_owned(), server: "github".to_owned(), name: "OWNER".to_owned() };
        let values = BTreeMap::from([(parameter, "ada".to_owned())]);
        save(&path, &values).unwrap();
        assert_eq!(open(&path, &Mode::Writing), (values, None));
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"later\": true"));
    }
}
