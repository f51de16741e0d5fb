//! The library's cache on the disk: read before the first reading, and written by the engine that serves, once a change has
//! settled. Whether anything in it still holds is left to the reading.

use std::{fs::File, io::Read as _, path::PathBuf, sync::atomic::Ordering, time::Duration};

use files::store;
use machine::Mode;
use sha2::{Digest as _, Sha256};

use crate::engine::{Engine, Inner};

/// The largest cache that is read, in bytes: a library of 100,000 skills.
const LARGEST: u64 = 256 << 20;
/// How long after a change it is written. A checkout or an editor changes more than once, and a cache that is older costs
/// only reading.
const LATER: Duration = Duration::from_secs(30);

impl Engine {
    /// Lets the first reading begin where the last engine ended, on this thread.
    pub(super) fn begin_with_cache(&self) {
        if matches!(self.inner.mode, Mode::Plain { .. }) {
            return;
        }
        let mut cache = Vec::new();
        let read = File::open(self.inner.cache()).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut cache));
        if read.is_ok_and(|length| length as u64 <= LARGEST) && self.inner.library().begin_with(&cache) {
            *self.inner.cached.lock() = Some(Sha256::digest(&cache).into());
        }
    }

    /// Keeps the cache up to date as long as the engine runs.
    pub(super) fn keep_cache(&self) {
        let there = self.downgrade();
        let changed = self.inner.reread.clone();
        tokio::spawn(async move {
            loop {
                changed.notified().await;
                tokio::time::sleep(LATER).await;
                let Some(engine) = there() else { return };
                if engine.inner.stopping.load(Ordering::SeqCst) {
                    return;
                }
                // A cache that cannot be written costs the next start its time, and nobody anything else.
                drop(tokio::task::spawn_blocking(move || engine.write_cache()).await);
            }
        });
    }

    fn write_cache(&self) {
        // Only the first one belongs to a start: each edit leads to another.
        let _first = self.inner.cached.lock().is_none().then(|| self.works());
        self.asked();
        let cache = self.inner.library().cache();
        let digest: [u8; 32] = Sha256::digest(&cache).into();
        if cache.is_empty() || *self.inner.cached.lock() == Some(digest) {
            return;
        }
        match store::write(&self.inner.cache(), &cache) {
            Ok(()) => *self.inner.cached.lock() = Some(digest),
            Err(error) => tracing::debug!(%error, "the library's cache is not written"),
        }
    }
}

impl Inner {
    fn cache(&self) -> PathBuf {
        self.machine.data.join("library.cache")
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _, thread};

    use machine::Machine;

    use super::*;

    #[tokio::test]
    async fn the_next_start_begins_where_the_last_one_ended_and_a_cache_that_is_none_is_written_anew() {
        let home = tempfile::tempdir().unwrap();
        let machine = Machine::at(home.path()).unwrap();
        let skill_md = |id: &str| machine.data.join("skills").join(id).join("SKILL.md");
        let write = |id: &str, description: &str| {
            fs::create_dir_all(skill_md(id).parent().unwrap()).unwrap();
            fs::write(skill_md(id), format!("---\nname: {id}\ndescription: {description}\n---\n")).unwrap();
        };
        for id in ["ale", "tea"] {
            write(id, "As it was.");
        }
        thread::sleep(Duration::from_millis(3_200));
        let start = async || Engine::start(machine.clone(), Mode::Writing).await.unwrap();
        let told = |engine: &Engine| {
            let rows = &engine.snapshot().skills;
            rows.iter().map(|row| format!("{} {}", row.id, row.description)).collect::<Vec<_>>()
        };
        let write_cache = async |engine: &Engine| {
            let engine = engine.clone();
            tokio::task::spawn_blocking(move || engine.write_cache()).await.unwrap();
        };
        let first = start().await;
        write_cache(&first).await;
        let before = told(&first);
        first.stop().await;
        drop(first);
        let cache = machine.data.join("library.cache");
        assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o600);
        let kept = fs::read(&cache).unwrap();
        assert!(kept.windows(9).any(|some| some == b"As it was"));

        let second = start().await;
        assert!(second.inner.cached.lock().is_some(), "it was taken");
        assert_eq!(told(&second), before);
        write_cache(&second).await;
        assert!(fs::read(&cache).unwrap() == kept, "nothing is written where nothing changed");
        second.stop().await;
        drop(second);

        // What changed while nobody watched is seen, and what is no cache hinders nobody.
        write("tea", "Another.");
        fs::write(&cache, &kept[..kept.len() / 2]).unwrap();
        let third = start().await;
        assert!(third.inner.cached.lock().is_none());
        assert!(told(&third).iter().any(|row| row.ends_with("tea Another.")), "{:?}", told(&third));
        write_cache(&third).await;
        assert!(fs::read(&cache).unwrap() != kept);
        third.stop().await;
    }
}
