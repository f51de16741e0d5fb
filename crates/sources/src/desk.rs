//! The file of one machine in a shared folder of skills: which skills are on there, and which sets there are.
//!
//! Each machine of a person writes one such file and reads those of the others, so that git never has to merge one. An
//! entry says what holds and how often that changed: of two entries the one with the larger count holds, and of two with
//! one count always the same one. So the files mean the same in any order, whichever of them arrive. Skills are named by
//! their paths in the folder and sets by their names; there is nothing else in it: no path of a computer, no time, no
//! client, no server, no secret. What follows for one machine is [`agree`]'s; the file itself is left to others.

mod agree;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use agree::{Agreed, Here, HereSet, Switch, agree};

use crate::{
    lock::{conflict, is_plain},
    yaml::{self, Fault},
};

/// The version of the format that this program writes, and the newest that it reads.
const VERSION: u32 = 1;
/// The most bytes that are read.
pub const MOST_BYTES: usize = 4 << 20;
/// The most values and keys.
const MOST_NODES: usize = 250_000;
/// The largest count: one above it could never be outdone.
const LARGEST: u64 = 1_000_000_000;
/// The longest name of a set, and the longest path, in characters.
const LONGEST_NAME: usize = 80;
const LONGEST_PATH: usize = 1_000;

/// What something is said of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The switch of the skill at this path in the folder.
    Skill(String),
    /// A set, by the lower case of its name.
    Set(String),
    /// Whether a skill is in a set: the set as above, and the skill's path.
    Member(String, String),
}

/// What is said. Of two at one time the later one in this list holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// The skill is on, or in the set.
    On,
    /// The skill is off, or not in the set.
    Off,
    /// There is no such set.
    Gone,
    /// The set is there, with this name.
    Named(String),
}

/// A value, and how often it changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    /// How often it changed; 0 where it was never said to others.
    pub count: u64,
    /// What holds.
    pub value: Value,
}

/// What is said of each switch and set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Desk(pub BTreeMap<Key, Said>);

/// Why a machine's file cannot be read, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// It is not of this format.
    #[error("{file} is left out and stays as it is: {why}.")]
    Broken {
        /// Its path, for people.
        file: String,
        /// Why, as a part of a sentence.
        why: String,
    },
    /// A place in it is not of this format.
    #[error("{file} is left out and stays as it is: line {line}, column {column}: {why}.")]
    At {
        /// Its path, for people.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: u64,
        /// Why, as a part of a sentence.
        why: String,
    },
    /// git merged it and left a conflict in it.
    #[error("{0} is left out and stays as it is: line {1}, column 1: git left a conflict there.")]
    Conflict(String, usize),
    /// A newer program wrote it.
    #[error("{0} is left out and stays as it is: it is of version {1}, which a newer Skilltender reads.")]
    Newer(String, u32),
}

impl Desk {
    /// Reads the text of a machine's file. `file`: its path, for people.
    ///
    /// # Errors
    /// When it is of another format or a newer version, too large, or a name in it leads out of the folder.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, DeskError> {
        let broken = |why: &str| DeskError::Broken { file: file.to_owned(), why: why.to_owned() };
        if bytes.len() > MOST_BYTES {
            return Err(broken("it is larger than 4 MiB"));
        }
        let text = str::from_utf8(bytes).map_err(|_| broken("it is no text"))?;
        if let Some(line) = conflict(text) {
            return Err(DeskError::Conflict(file.to_owned(), line));
        }
        // The version first: a newer file may have anything else in it.
        let Version { version } = parsed(file, text)?;
        if version > VERSION {
            return Err(DeskError::Newer(file.to_owned(), version));
        }
        if version == 0 {
            return Err(broken("its version is 0"));
        }
        let written: Written = parsed(file, text)?;
        Self::try_from(written).map_err(|why| broken(&why))
    }

    /// Adds what another desk says, where that is newer.
    pub fn merge(&mut self, other: &Self) {
        for (key, said) in &other.0 {
            self.learn(key, said);
        }
    }

    /// Adds one thing that is said, where it is newer.
    pub fn learn(&mut self, key: &Key, said: &Said) {
        match self.0.get_mut(key) {
            Some(mine) if *mine >= *said => {}
            Some(mine) => mine.clone_from(said),
            None => drop(self.0.insert(key.clone(), said.clone())),
        }
    }

    /// What a machine's own file says: all that it knows and was in its file, unless a file of another says it or something
    /// newer. So nothing is lost where somebody removed a file.
    pub fn own(known: &Self, file: &Self, others: &Self) -> Self {
        let mut own = known.clone();
        own.merge(file);
        own.0.retain(|key, said| said.count > 0 && others.0.get(key).is_none_or(|other| other < said));
        own
    }

    /// What this desk says that another does not.
    pub fn beyond(&self, other: &Self) -> BTreeMap<Key, Said> {
        let new = self.0.iter().filter(|(key, said)| other.0.get(key) != Some(said));
        new.map(|(key, said)| (key.clone(), said.clone())).collect()
    }
}

/// Whether a skill's path can be written, so that every system reads it as the same one.
pub fn is_path(path: &str) -> bool {
    is_plain(path) && path.chars().count() <= LONGEST_PATH && !path.contains(is_unseen)
}

/// Whether a set's name can be written.
pub fn is_set(name: &str) -> bool {
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    fits && name.trim() == name && !name.contains(|c: char| c.is_control() || is_unseen(c))
}

/// Characters that make a name look like another one. Those that join letters and signs are not among them.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}')
}

/// A set's name as a key.
pub fn key_of(name: &str) -> String {
    name.to_lowercase()
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skills: BTreeMap<Path, Word>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sets: BTreeMap<SetKey, WrittenSet>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSet {
    /// Its name; without one there is no such set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Name>,
    /// How often that changed; without one nothing is said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skills: BTreeMap<Path, Word>,
}

/// A part of the file that is judged where it stands, so that a fault has its place.
macro_rules! judged {
    ($name:ident, $of:ty, $written:ty, $judge:expr, $write:expr) => {
        impl TryFrom<$written> for $name {
            type Error = &'static str;

            fn try_from(written: $written) -> Result<Self, Self::Error> {
                let judge: fn($written) -> Option<$of> = $judge;
                judge(written).map(Self).ok_or("it is not what belongs there")
            }
        }

        impl From<$name> for $written {
            fn from($name(value): $name) -> Self {
                let write: fn($of) -> $written = $write;
                write(value)
            }
        }
    };
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Path(String);
judged!(Path, String, String, |path| is_path(&path).then_some(path), |path| path);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct SetKey(String);
judged!(SetKey, String, String, |key| (is_set(&key) && key_of(&key) == key).then_some(key), |key| key);

#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Name(String);
judged!(Name, String, String, |name| is_set(&name).then_some(name), |name| name);

#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
struct Count(u64);
judged!(Count, u64, u64, |count| (count <= LARGEST).then_some(count), |count| count);

/// `on 3`: a value and its count.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Word(Said);
judged!(Word, Said, String, |word| word_of(&word), |said| write::word(&said));

fn word_of(word: &str) -> Option<Said> {
    let (value, count) = word.split_once(' ')?;
    let value = match value {
        "on" => Value::On,
        "off" => Value::Off,
        _ => return None,
    };
    let is_number = count.bytes().all(|byte| byte.is_ascii_digit());
    let count = count.parse().ok().filter(|count| is_number && *count <= LARGEST)?;
    Some(Said { count, value })
}

fn parsed<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, DeskError> {
    yaml::parsed(text, MOST_BYTES, MOST_NODES).map_err(|Fault { place, why }| match place {
        Some((line, column)) => DeskError::At { file: file.to_owned(), line, column, why },
        None => DeskError::Broken { file: file.to_owned(), why },
    })
}

impl TryFrom<Written> for Desk {
    type Error = String;

    fn try_from(Written { version: _, skills, sets }: Written) -> Result<Self, Self::Error> {
        let mut all = BTreeMap::new();
        all.extend(skills.into_iter().map(|(Path(path), Word(said))| (Key::Skill(path), said)));
        for (SetKey(set), WrittenSet { name, count, skills }) in sets {
            let value = match name {
                Some(Name(name)) if key_of(&name) != set => {
                    return Err(format!("the set {set:?} has the name {name:?}, which is another's"));
                }
                Some(_) if count.is_none() => return Err(format!("the set {set:?} has no count")),
                Some(Name(name)) => Value::Named(name),
                None => Value::Gone,
            };
            if let Some(Count(count)) = count {
                all.insert(Key::Set(set.clone()), Said { count, value });
            }
            let member = |(Path(path), Word(said))| (Key::Member(set.clone(), path), said);
            all.extend(skills.into_iter().map(member));
        }
        Ok(Self(all))
    }
}

impl From<Desk> for Written {
    fn from(desk: Desk) -> Self {
        let mut written = Self { version: VERSION, skills: BTreeMap::new(), sets: BTreeMap::new() };
        for (key, said) in desk.0 {
            match key {
                Key::Skill(path) => drop(written.skills.insert(Path(path), Word(said))),
                Key::Set(set) => {
                    let entry = written.sets.entry(SetKey(set)).or_default();
                    entry.count = Some(Count(said.count));
                    entry.name = if let Value::Named(name) = said.value { Some(Name(name)) } else { None };
                }
                Key::Member(set, path) => {
                    drop(written.sets.entry(SetKey(set)).or_default().skills.insert(Path(path), Word(said)));
                }
            }
        }
        written
    }
}
