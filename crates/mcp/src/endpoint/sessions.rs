//! Sessions of clients that begin with a handshake: whose each is, and what it takes to go on with it
//! after a restart of the engine. Many clients never begin another one when theirs is gone.
//!
//! One file per session, named by its id and readable only by the user: the client's id and what the
//! client said in its handshake. No token is in it, and without the client's token it opens nothing.

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

use crate::{Caller, server::lock};

/// How long a session that nobody uses is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A use is written down again after this long.
const TOUCH: Duration = Duration::from_secs(24 * 60 * 60);
/// How many sessions there are at most. A further one takes the place of another, see [`Sessions::make_room`].
const MOST: usize = 256;

/// Every session that is known.
pub(super) struct Sessions {
    live: Arc<LocalSessionManager>,
    /// Where they are kept; `None` keeps them for this run only.
    folder: Option<PathBuf>,
    known: Mutex<HashMap<String, Known>>,
    /// Handshakes that are answered, until it is known whose they were.
    answered: Mutex<HashMap<String, SessionState>>,
    /// Whether it was said that they cannot be kept, and none was since.
    said: AtomicBool,
}

struct Known {
    client: String,
    used: SystemTime,
}

/// The content of a session's file.
#[derive(Serialize, Deserialize)]
struct Kept {
    client: String,
    state: SessionState,
}

impl Sessions {
    /// Finds the sessions that were kept, and drops those that nobody used for a week.
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

    /// Whether the session is another client's. Otherwise it counts as used now.
    pub(super) fn is_of_another(&self, id: &str, caller: &Caller) -> bool {
        let mut known = lock(&self.known);
        let Some(session) = known.get_mut(id) else { return false };
        if session.client != caller.client {
            return true;
        }
        if session.used.elapsed().is_ok_and(|since| since > TOUCH) {
            self.touch(id);
        }
        session.used = SystemTime::now();
        false
    }

    /// Takes note of whose a new session is, at once, and keeps it. Whoever asked may go before that is done: a session
    /// that nobody is known to own would be open to others, and never make room.
    pub(super) async fn begin(self: &Arc<Self>, id: &str, caller: Caller) {
        let Some(state) = lock(&self.answered).remove(id) else { return };
        let (id, client) = (id.to_owned(), caller.client);
        lock(&self.known).insert(id.clone(), Known { client: client.clone(), used: SystemTime::now() });
        let sessions = Arc::clone(self);
        let kept = tokio::spawn(async move {
            sessions.make_room().await;
            let Some(file) = sessions.file(&id) else { return };
            let written = write(&file, &Kept { client, state }).await;
            let said = sessions.said.swap(written.is_err(), Ordering::Relaxed);
            if let (Err(error), false) = (written, said) {
                tracing::warn!("Sessions end with this run: {} cannot be written: {error}.", file.display());
            }
            if !lock(&sessions.known).contains_key(&id) {
                sessions.forget(&id).await;
            }
        });
        // An error means that the endpoint ends.
        drop(kept.await);
    }

    /// Ends sessions while there are too many: of the client that has most of them, the one unused for longest.
    async fn make_room(&self) {
        while let Some(id) = self.one_too_many() {
            // It may not have been used since the restart, and then nothing of it is open.
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
            // A use that is not written down costs the session a day at most.
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

/// The kept sessions that are not too old. Whatever else lies there is left alone.
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
                known.insert(id.to_owned(), Known { client: kept.client, used });
            }
            _ => drop(fs::remove_file(file.path()).await),
        }
    }
    Ok(known)
}

/// For the user alone; a folder that is missing is made.
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

/// Whether this is an id that we gave out, a UUID. It comes from a request's header and becomes a
/// file's name.
fn is_id(id: &str) -> bool {
    id.len() == 36
        && id.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Waker},
    };

    use rmcp::model::InitializeRequestParams;

    use super::*;

    async fn sessions() -> Arc<Sessions> {
        Arc::new(Sessions::open(Arc::default(), None).await)
    }

    fn caller(client: &str) -> Caller {
        Caller { client: client.to_owned() }
    }

    async fn handshake(sessions: &Arc<Sessions>, id: &str) {
        let state = SessionState::new(InitializeRequestParams::default());
        sessions.store(id, &state).await.unwrap();
    }

    #[tokio::test]
    async fn a_session_has_an_owner_even_if_its_client_goes_before_it_is_kept() {
        let sessions = sessions().await;
        handshake(&sessions, "one").await;
        let begun = pin!(sessions.begin("one", caller("codex"))).poll(&mut Context::from_waker(Waker::noop()));
        assert!(begun.is_pending(), "it went while the session was kept");
        assert!(sessions.is_of_another("one", &caller("other")));
        assert!(!sessions.is_of_another("one", &caller("codex")));
        assert!(lock(&sessions.answered).is_empty());
    }

    #[tokio::test]
    async fn who_begins_many_sessions_takes_none_of_another_client() {
        let sessions = sessions().await;
        for number in 0..MOST + 10 {
            let (id, client) = if number == 0 { ("first".to_owned(), "quiet") } else { (number.to_string(), "busy") };
            handshake(&sessions, &id).await;
            sessions.begin(&id, caller(client)).await;
        }
        assert_eq!(lock(&sessions.known).len(), MOST);
        assert!(sessions.is_of_another("first", &caller("busy")), "it is still there");
        assert!(!lock(&sessions.known).contains_key("1"), "the oldest of the busy one went");
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
