//! Which folders a client works in: those that it gives as its roots, else the one that its bridge was started in.
//!
//! Roots are asked for only from a client that declares them, and only while the host shows something else in some
//! folders ([`Host::follows_folders`](crate::Host::follows_folders)). A list of such a client waits a moment for the
//! answer, so that it is not told first of what it may not see; one that does not answer in that time is shown what
//! applies without folders, and told of the change when the answer comes. Since 2026-07-28 there are no roots to ask for
//! (SEP-2577).
//!
//! A folder is only compared. Nothing in it is read; whether links lead to it is looked up, but never on a share of
//! another computer, which would be shown the user's name and password of Windows.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use machine::waiting;
use rmcp::{
    Peer, RoleServer,
    model::{ClientResult, CustomRequest, ServerRequest},
};
use serde::Deserialize;
use tokio::{
    sync::{Notify, watch},
    task::spawn_blocking,
    time::timeout,
};

use crate::Caller;

/// How long the first lists wait for a client's roots.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long an answer may take before the client counts as giving none.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);
/// How long the disk may take to say where links lead.
const LOOKING: Duration = Duration::from_secs(2);
/// The maximum number of roots that count.
const MOST: usize = 64;
/// The maximum length of a root's address, in bytes.
const LONGEST: usize = 16 << 10;

/// A folder that a client works in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkFolder {
    /// As the client says it.
    pub path: PathBuf,
    /// Where its links lead; `None` if it is not there or not of this computer.
    pub real: Option<PathBuf>,
}

impl WorkFolder {
    /// The folder under each of its names.
    pub fn spellings(&self) -> impl Iterator<Item = &Path> {
        [Some(self.path.as_path()), self.real.as_deref()].into_iter().flatten()
    }

    /// The folder at a path, with its links looked up. May block.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        let is_share = cfg!(windows) && path.to_str().is_none_or(|path| path.replace('/', "\\").starts_with(r"\\"));
        let real = if is_share || !path.is_absolute() {
            None
        } else {
            waiting::for_disk(&path);
            path.canonicalize().ok()
        };
        Self { path, real }
    }
}

/// The folders of one connection.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The client, with the folder that its bridge told of.
    caller: Caller,
    /// Whether the client declared that it has roots.
    declared: AtomicBool,
    roots: watch::Sender<Roots>,
    /// Notified when the client says that they changed.
    pub(crate) moved: Notify,
}

#[derive(Debug, Default)]
struct Roots {
    folders: Option<Arc<[WorkFolder]>>,
    /// Whether lists wait for them.
    awaited: bool,
}

impl Workspace {
    pub(crate) fn of(caller: Caller) -> Self {
        let (roots, moved) = (watch::Sender::default(), Notify::new());
        Self { caller, declared: AtomicBool::default(), roots, moved }
    }

    /// Records that the client declared roots. If they are `wanted`, lists wait for them.
    pub(crate) fn declare(&self, wanted: bool) {
        self.declared.store(true, Ordering::Relaxed);
        self.roots.send_modify(|roots| roots.awaited = wanted);
    }

    pub(crate) fn has_roots(&self) -> bool {
        self.declared.load(Ordering::Relaxed)
    }

    /// The folders now: a client that gives no root works where its bridge was started.
    pub(crate) fn folders(&self) -> Arc<[WorkFolder]> {
        let given = self.roots.borrow().folders.clone().filter(|folders| !folders.is_empty());
        given.unwrap_or_else(|| Arc::clone(&self.caller.folders))
    }

    /// The client with its folders now.
    pub(crate) fn caller(&self) -> Caller {
        Caller { client: self.caller.client.clone(), folders: self.folders() }
    }

    /// Whether no list waits.
    pub(crate) fn is_settled(&self) -> bool {
        !self.roots.borrow().awaited
    }

    /// Waits until the roots are known, or a moment.
    pub(crate) async fn settled(&self) {
        if self.is_settled() {
            return;
        }
        let mut roots = self.roots.subscribe();
        if timeout(PATIENCE, roots.wait_for(|roots| !roots.awaited)).await.is_err() {
            self.settle();
        }
    }

    /// Lets lists wait no longer. Returns whether they did.
    pub(crate) fn settle(&self) -> bool {
        self.roots.send_if_modified(|roots| std::mem::take(&mut roots.awaited))
    }

    pub(crate) fn set(&self, folders: Arc<[WorkFolder]>) {
        self.roots.send_modify(|roots| roots.folders = Some(folders));
    }

    /// The first answer, as long as lists wait for it.
    pub(crate) async fn in_time<T>(&self, answer: impl Future<Output = T>) -> Option<T> {
        timeout(PATIENCE, answer).await.ok()
    }
}

/// Asks the client for its roots; `None` if it does not answer, or refuses.
pub(crate) async fn ask(peer: Peer<RoleServer>) -> Option<Arc<[WorkFolder]>> {
    #[derive(Deserialize)]
    struct Said {
        roots: Vec<serde_json::Value>,
    }

    let request = ServerRequest::CustomRequest(CustomRequest::new("roots/list", None));
    let said = match timeout(LONGEST_ANSWER, peer.send_request(request)).await.ok()?.ok()? {
        ClientResult::ListRootsResult(said) => serde_json::to_value(said).ok()?,
        ClientResult::CustomResult(said) => serde_json::to_value(said).ok()?,
        _ => return None,
    };
    let Said { roots } = serde_json::from_value(said).ok()?;
    let folder = |root: &serde_json::Value| folder_of(root.get("uri")?.as_str()?, cfg!(windows));
    let mut folders: Vec<_> = roots.iter().filter_map(folder).take(MOST).collect();
    folders.sort();
    folders.dedup();
    let as_said: Arc<[_]> = folders.iter().map(|path| WorkFolder { path: path.clone(), real: None }).collect();
    let looked = timeout(LOOKING, spawn_blocking(move || folders.into_iter().map(WorkFolder::at).collect())).await;
    Some(looked.ok().and_then(Result::ok).unwrap_or(as_said))
}

/// The folder of a root's address; `None` if it is no folder of a disk. Some clients write a path into the address as it
/// is, so a `?`, a `#` and a `%` that begins no escape count as parts of names.
fn folder_of(uri: &str, windows: bool) -> Option<PathBuf> {
    let is_file = uri.len() <= LONGEST && uri.get(..5)?.eq_ignore_ascii_case("file:");
    let rest = uri.get(5..).filter(|_| is_file)?;
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/')?),
        None => ("", rest),
    };
    let path = decoded(path)?;
    if path.contains(char::is_control) {
        return None;
    }
    let local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    match (local, windows) {
        (true, false) => Some(PathBuf::from(path)),
        // `/c:/work` is `c:/work`.
        (true, true) => {
            Some(PathBuf::from(path.strip_prefix('/').filter(|rest| rest.get(1..2) == Some(":")).unwrap_or(&path)))
        }
        (false, true) => Some(PathBuf::from(format!(r"\\{}{}", decoded(host)?, path.replace('/', "\\")))),
        (false, false) => None,
    }
}

/// Percent-decodes once, and leaves what is no escape as it is; `None` if the bytes are not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (text, mut bytes, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = text.get(at) {
        let escaped = match (byte, digit(text.get(at + 1)), digit(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_the_folder_that_its_address_names() {
        for (uri, unix) in [
            ("file:///home/me/tea", Some("/home/me/tea")),
            ("file:///home/me/green%20tea/", Some("/home/me/green tea/")),
            ("file:///home/me/green tea", Some("/home/me/green tea")),
            ("file:///home/me/100%", Some("/home/me/100%")),
            ("file:///home/me/c#?", Some("/home/me/c#?")),
            ("FILE://localhost/home", Some("/home")),
            ("file:/home/me", Some("/home/me")),
            ("file:///a/../b", Some("/a/../b")),
            ("file://host/share", None),
            ("file://host", None),
            ("file:///a%00b", None),
            ("file:///a%0ab", None),
            ("file:///%ff", None),
            ("https://example.com/", None),
            ("untitled:1", None),
            ("é", None),
            ("", None),
        ] {
            assert_eq!(folder_of(uri, false).as_deref(), unix.map(Path::new), "{uri}");
        }
        for (uri, windows) in [
            ("file:///c%3A/Users/me", Some("c:/Users/me")),
            ("file:///C:/work", Some("C:/work")),
            ("file://host/share/tea", Some(r"\\host\share\tea")),
            ("file:////host/share", Some("//host/share")),
        ] {
            assert_eq!(folder_of(uri, true).as_deref(), windows.map(Path::new), "{uri}");
        }
        assert_eq!(folder_of(&format!("file:///{}", "a".repeat(LONGEST)), false), None);
    }

    #[cfg(unix)]
    #[test]
    fn where_a_folder_leads_is_looked_up_and_what_is_not_there_leads_nowhere() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join("a/b")).unwrap();
        assert_eq!(WorkFolder::at(home.join("a/b/../b")).real, Some(home.join("a/b")));
        assert_eq!(WorkFolder::at(home.join("gone")).real, None);
        assert_eq!(WorkFolder::at("a".into()).real, None, "which folder's?");
    }
}
