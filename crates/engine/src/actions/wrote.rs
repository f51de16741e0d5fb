//! The list of what Skilltender wrote at the person's wish: `wrote.json` in the data folder. Actions add to it; showing
//! it and undoing its entries is left to `writes`.

use std::path::{Path, PathBuf};

use api::{PlaceWay, Wrote};
use files::store;
use machine::{clock, waiting::Turn};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use state::blocking;

use crate::{Engine, Mode};

/// The file's name in the data folder.
const FILE: &str = "wrote.json";

/// The most entries that are kept.
const MOST: usize = 200;

/// Held while the file is read and replaced. Only one engine writes it.
static WRITING: Turn<()> = Turn::new(());

/// What undoes an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(super) enum Back {
    /// Switches these skills again.
    Switch { keys: Vec<String>, on: bool },
    /// Moves these skills to the trash.
    Trash { keys: Vec<String> },
    /// Moves the skill to this folder of the library.
    Move { key: String, folder: String },
    /// Restores this from the trash.
    Restore { id: String },
    /// Puts the version of this moment back, as long as the file is as it was written.
    Version { key: String, moment: u64, written: String },
    /// Goes back to the version before, as long as the one that came at this time is the present one.
    Earlier { key: String, at: u64 },
    /// Takes our skills out of this folder, or puts them there.
    Folder { path: String, way: Option<PlaceWay> },
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    /// Newest first.
    pub writes: Vec<Entry>,
    /// What a later program wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One thing that was done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The moment; two of one moment differ.
    pub id: u64,
    pub what: Wrote,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<Back>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// Where the list is.
pub(super) fn path(engine: &Engine) -> PathBuf {
    engine.machine().data.join(FILE)
}

/// Records what was done. What cannot be recorded was done all the same, so that is only logged.
pub(super) async fn wrote(engine: &Engine, what: Wrote, back: Option<Back>) {
    wrote_all(engine, vec![(what, back)]).await;
}

/// The same for several things, the first of them first.
pub(super) async fn wrote_all(engine: &Engine, all: Vec<(Wrote, Option<Back>)>) {
    change(engine, move |record| {
        for (what, back) in all {
            let last = record.writes.first().map_or(0, |entry| entry.id);
            record.writes.insert(0, Entry { id: clock::now().max(last + 1), what, back, undone: false });
        }
        record.writes.truncate(MOST);
    })
    .await;
}

/// Changes the list, and saves it.
pub(super) async fn change(engine: &Engine, change: impl FnOnce(&mut Record) + Send + 'static) {
    if *engine.mode() != Mode::Writing {
        return;
    }
    let path = path(engine);
    let saved = blocking(move || {
        let _writing = WRITING.wait();
        // A file of a later program stays as it is.
        if store::is_newer(&path) {
            return Ok(());
        }
        let (mut record, unreadable) = store::load::<Record>(&path);
        if let Some(unreadable) = unreadable {
            tracing::warn!("{}", unreadable.message);
        }
        change(&mut record);
        save(&path, &record);
        Ok(())
    });
    // An error means that the engine is quitting.
    drop(saved.await);
}

fn save(path: &Path, record: &Record) {
    if let Err(error) = store::save(path, record) {
        tracing::warn!("what was written is not recorded: {error}");
    }
}
