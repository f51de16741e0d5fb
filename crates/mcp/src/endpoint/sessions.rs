//! Sessions of clients that begin with a handshake: their owners, and the state to continue them after a restart of the
//! engine. Many clients never begin another session when theirs is gone.
//!
//! One file per session, named by its id and readable only by the user, holds the client's id and its handshake. It
//! contains no token, and without the client's token it opens nothing.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use rmcp::transport::streamable_http_server::session::{
    SessionManager as _,
    local::LocalSessionManager,
    store::{SessionState, SessionStore, SessionStoreError},
};
use serde::{Deserialize, Serialize};
use tokio::fs;

use crate::{Caller, lock::lock};

/// How long an unused session is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The interval at which the use of a session is recorded.
const TOUCH: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum number of sessions in memory, where each takes more than a hundred kilobytes. The others rest: their
/// next request restores them from their files, as after a restart.
const HELD: usize = 32;
/// The maximum number of sessions. A further one replaces another, see [`Sessions::make_room`].
const MOST: usize = 256;

/// All known sessions.
pub(super) struct Sessions {
    live: Arc<LocalSessionManager>,
    /// The folder of their files; `None` keeps them for this run only.
    folder: Option<PathBuf>,
    known: Mutex<HashMap<String, Known>>,
    /// Answered handshakes whose owner is not known yet.
    answered: Mutex<HashMap<String, SessionState>>,
    /// Whether a failure to keep sessions was logged and none has been kept since.
    said: AtomicBool,
}

struct Known {
    client: String,
    used: SystemTime,
    /// The last use that its file tells.
    recorded: SystemTime,
    /// Also held by each of its requests that is being answered, such as a stream of news.
    answered: Arc<()>,
    /// Whether its file exists.
    kept: bool,
}

impl Known {
    fn new(client: String, used: SystemTime, kept: bool) -> Self {
        Self { client, used, recorded: used, answered: Arc::default(), kept }
    }

    /// Whether its file says too old a use. From now on the file counts as saying `now`.
    fn is_to_be_recorded(&mut self, now: SystemTime) -> bool {
        let is_old = now.duration_since(self.recorded).is_ok_and(|since| since > TOUCH);
        if is_old {
            self.recorded = now;
        }
        is_old
    }

    /// Whether it can leave memory without loss.
    fn may_rest(&self) -> bool {
        self.kept && Arc::strong_count(&self.answered) == 1
    }
}

/// The content of a session's file.
#[derive(Serialize, Deserialize)]
struct Kept {
    client: String,
    state: SessionState,
}

impl Sessions {
    /// Finds the kept sessions, and deletes those unused for a week.
    pub(super) async fn open(live: Arc<LocalSessionManager>, folder: Option<PathBuf>) -> Self {
        let mut known = HashMap::new();
        if let Some(folder) = &folder {
            match found(folder).await {
                Ok(found) => known = found,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => tracing::warn!("Sessions cannot be read from {}: {error}.", folder.display()),
            }
        }
        let (known, said) = (Mutex::new(known), AtomicBool::default());
        let sessions = Self { live, folder, known, answered: Mutex::default(), said };
        sessions.make_room().await;
        sessions
    }

    /// Whether the session belongs to another client. If not, it counts as used now.
    pub(super) fn is_of_another(&self, id: &str, caller: &Caller) -> bool {
        let mut known = lock(&self.known);
        let Some(session) = known.get_mut(id) else { return false };
        if session.client != caller.client {
            return true;
        }
        let now = SystemTime::now();
        if session.is_to_be_recorded(now) {
            self.touch(id);
        }
        session.used = now;
        false
    }

    /// Marks the session as being answered until the result is dropped.
    pub(super) fn answer(&self, id: &str) -> Option<Arc<()>> {
        lock(&self.known).get(id).map(|session| Arc::clone(&session.answered))
    }

    /// Moves sessions out of memory while it holds too many: those unused for longest.
    pub(super) async fn rest(&self) {
        let held: Vec<_> = self.live.sessions.read().await.keys().map(|id| id.to_string()).collect();
        let Some(many) = held.len().checked_sub(HELD).filter(|many| *many > 0) else { return };
        let resting = {
            let known = lock(&self.known);
            let held =
                held.iter().filter_map(|id| Some((known.get(id).filter(|session| session.may_rest())?.used, id)));
            let mut held: Vec<_> = held.collect();
            held.sort();
            held.truncate(many);
            held.into_iter().map(|(_, id)| id.clone()).collect::<Vec<_>>()
        };
        for id in resting {
            // A session that has ended by itself needs no closing.
            drop(self.live.close_session(&id.into()).await);
        }
    }

    /// Records the owner of a new session, and keeps it. It must complete even if the request is dropped: a session
    /// without a known owner would be open to others, and never removed.
    pub(super) async fn begin(&self, id: &str, caller: Caller) {
        let Some(state) = lock(&self.answered).remove(id) else { return };
        let client = caller.client;
        lock(&self.known).insert(id.to_owned(), Known::new(client.clone(), SystemTime::now(), false));
        self.make_room().await;
        let Some(file) = self.file(id) else { return };
        let written = write(&file, &Kept { client, state }).await;
        if let Some(session) = lock(&self.known).get_mut(id) {
            session.kept = written.is_ok();
        }
        let said = self.said.swap(written.is_err(), Ordering::Relaxed);
        if let (Err(error), false) = (written, said) {
            tracing::warn!("Sessions end with this run: {} cannot be written: {error}.", file.display());
        }
        if !lock(&self.known).contains_key(id) {
            self.forget(id).await;
        }
    }

    /// Ends sessions while there are too many: the longest unused one of the client that has the most.
    async fn make_room(&self) {
        while let Some(id) = self.one_too_many() {
            // It may be unused since the restart, and then no part of it is open.
            drop(self.live.close_session(&id.as_str().into()).await);
            self.forget(&id).await;
        }
    }

    fn one_too_many(&self) -> Option<String> {
        let known = lock(&self.known);
        if known.len() <= MOST {
            return None;
        }
        let mut counts = HashMap::<&str, usize>::new();
        for session in known.values() {
            *counts.entry(&session.client).or_default() += 1;
        }
        let busiest = counts.into_iter().max_by_key(|(_, count)| *count)?.0;
        let sessions = known.iter().filter(|(_, session)| session.client == busiest);
        sessions.min_by_key(|(_, session)| session.used).map(|(id, _)| id.clone())
    }

    async fn forget(&self, id: &str) {
        lock(&self.known).remove(id);
        let Some(file) = self.file(id) else { return };
        if let Err(error) = fs::remove_file(&file).await
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!("{} cannot be deleted: {error}.", file.display());
        }
    }

    fn touch(&self, id: &str) {
        let Some(file) = self.file(id) else { return };
        tokio::task::spawn_blocking(move || {
            // A use that is not recorded costs the session a day at most.
            drop(
                std::fs::File::options().append(true).open(file).and_then(|file| file.set_modified(SystemTime::now())),
            );
        });
    }

    fn file(&self, id: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref().filter(|_| is_id(id))?.join(format!("{id}.json")))
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let file = self.file(id).filter(|_| lock(&self.known).contains_key(id));
        let Some(file) = file else { return Ok(None) };
        let kept = fs::read(&file).await.ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        if kept.is_some() {
            self.touch(id);
        }
        Ok(kept.map(|kept| kept.state))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        lock(&self.answered).insert(id.to_owned(), state.clone());
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.forget(id).await;
        Ok(())
    }
}

/// The kept sessions that are not too old. Other files in the folder are left alone.
async fn found(folder: &Path) -> io::Result<HashMap<String, Known>> {
    let mut known = HashMap::new();
    let mut files = fs::read_dir(folder).await?;
    while let Some(file) = files.next_entry().await? {
        let name = file.file_name();
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".json")).filter(|id| is_id(id)) else {
            continue;
        };
        let used = file.metadata().await?.modified()?;
        let kept = fs::read(file.path()).await.ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        match kept {
            Some(kept) if !used.elapsed().is_ok_and(|since| since > KEPT) => {
                known.insert(id.to_owned(), Known::new(kept.client, used, true));
            }
            _ => drop(fs::remove_file(file.path()).await),
        }
    }
    Ok(known)
}

/// Writes the file for the user alone; a missing folder is created.
async fn write(file: &Path, kept: &Kept) -> io::Result<()> {
    use tokio::io::AsyncWriteExt as _;

    if let Some(folder) = file.parent() {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        builder.mode(0o700);
        builder.recursive(true).create(folder).await?;
    }
    let mut options = fs::File::options();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(file).await?;
    file.write_all(&serde_json::to_vec(kept)?).await?;
    file.flush().await
}

/// Whether this has the form of our ids, a UUID. It comes from a request's header and becomes a file name.
fn is_id(id: &str) -> bool {
    id.len() == 36
        && id.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use rmcp::model::InitializeRequestParams;

    use super::*;

    async fn sessions() -> Arc<Sessions> {
        Arc::new(Sessions::open(Arc::default(), None).await)
    }

    fn caller(client: &str) -> Caller {
        Caller::of(client)
    }

    async fn handshake(sessions: &Arc<Sessions>, id: &str) {
        let state = SessionState::new(InitializeRequestParams::default());
        sessions.store(id, &state).await.unwrap();
    }

    #[tokio::test]
    async fn who_begins_many_sessions_takes_none_of_another_client() {
        let sessions = sessions().await;
        for number in 0..MOST + 10 {
            let (id, client) = if number == 0 { ("first".to_owned(), "quiet") } else { (number.to_string(), "busy") };
            handshake(&sessions, &id).await;
            sessions.begin(&id, caller(client)).await;
        }
        assert_eq!((lock(&sessions.known).len(), lock(&sessions.answered).len()), (MOST, 0));
        assert!(sessions.is_of_another("first", &caller("busy")), "it is still there");
        assert!(!lock(&sessions.known).contains_key("1"), "the oldest of the busy one went");
    }

    #[test]
    fn a_session_that_is_used_all_the_time_is_recorded_once_a_day() {
        let (start, hour) = (SystemTime::UNIX_EPOCH, Duration::from_secs(60 * 60));
        let mut session = Known::new("busy".to_owned(), start, true);
        let mut recorded = Vec::new();
        for hours in 1..=72 {
            let now = start + hour * hours;
            if session.is_to_be_recorded(now) {
                recorded.push(hours);
            }
            session.used = now;
        }
        assert_eq!(recorded, [25, 50]);
    }

    #[test]
    fn only_a_uuid_is_an_id() {
        assert!(is_id("3f2b8c1e-0d4a-4b6f-9c7d-5e8f0a1b2c3d"));
        for id in [
            "",
            "../../../../etc/passwd",
            "3F2B8C1E-0D4A-4B6F-9C7D-5E8F0A1B2C3D",
            "3f2b8c1e-0d4a-4b6f-9c7d-5e8f0a1b2c3d0",
            "3f2b8c1e00d4a-4b6f-9c7d-5e8f0a1b2c3d",
            "3f2b8c1e-0d4a-4b6f-9c7d-5e8f0a1b2c/.",
        ] {
            assert!(!is_id(id), "{id}");
        }
    }
}
