//! Tells one client what changed: `list_changed` when a list that it can see really differs,
//! `resources/updated` for the URIs that it asked about. The client is either one of a handshake,
//! which hears it unasked, or a `subscriptions/listen` stream, which gets what it asked for.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use rmcp::{
    Peer, RoleServer,
    model::{ResourceUpdatedNotification, ResourceUpdatedNotificationParam, ServerNotification},
    service::{SubscriptionSendError, SubscriptionSink},
};
use skills::{Catalog, Entry, File, SkillPath, address};
use tokio::sync::watch;

use super::lock;
use crate::{Caller, Host, Surface, Surfaces};

/// Compares what a client could see with what it can see now, at every change.
pub(super) struct Announcer<H: Host> {
    host: Arc<H>,
    caller: Caller,
    changes: watch::Receiver<u64>,
    seen: View,
}

/// To whom it is told.
pub(super) enum Listener {
    /// A client of a handshake, and the URIs that it subscribed to.
    Connection(Peer<RoleServer>, Arc<Mutex<BTreeSet<String>>>),
    /// One `subscriptions/listen`.
    Listen(SubscriptionSink),
}

/// What one client could see at one moment.
struct View {
    /// Which parts of the server show anything.
    open: Surfaces,
    archives: bool,
    catalog: Arc<Catalog>,
}

/// What is open while serving is paused.
const NOTHING: Surfaces = Surfaces { tools: false, prompts: false, resources: false, skills: false };

/// The client is gone.
struct Gone;

impl<H: Host> Announcer<H> {
    /// Takes the first view. Changes count from before it, so that none is missed.
    pub(super) async fn new(host: Arc<H>, caller: Caller) -> Self {
        let changes = host.changes();
        let seen = View::of(&*host, &caller).await;
        Self { host, caller, changes, seen }
    }

    /// Runs until the client or the host is gone.
    pub(super) async fn run(mut self, listener: Listener) {
        while self.changes.changed().await.is_ok() {
            let now = View::of(&*self.host, &self.caller).await;
            if listener.tell(&self.seen, &now).await.is_err() {
                return;
            }
            self.seen = now;
        }
    }
}

impl View {
    async fn of<H: Host>(host: &H, caller: &Caller) -> Self {
        let open = if host.paused() { NOTHING } else { host.surfaces(caller) };
        Self { open, archives: host.archives(), catalog: host.catalog(caller).await }
    }

    /// Whether this part of the server was opened or closed in between.
    fn switched(&self, now: &Self, surface: Surface) -> bool {
        self.open.allow(surface) != now.open.allow(surface)
    }

    fn same_resources(&self, now: &Self) -> bool {
        self.archives == now.archives && same_lists(&self.catalog, &now.catalog)
    }
}

impl Listener {
    async fn tell(&self, before: &View, now: &View) -> Result<(), Gone> {
        let switched = |surface| before.switched(now, surface);
        if switched(Surface::Tools) {
            self.send(ServerNotification::ToolListChangedNotification(Default::default())).await?;
        }
        if switched(Surface::Prompts) {
            self.send(ServerNotification::PromptListChangedNotification(Default::default())).await?;
        }
        // The tools list skills too, and have no notification for it: whoever keeps either hears this.
        let open = [Surface::Tools, Surface::Resources].into_iter().any(|surface| now.open.allow(surface));
        if switched(Surface::Resources) || switched(Surface::Skills) || (open && !before.same_resources(now)) {
            self.send(ServerNotification::ResourceListChangedNotification(Default::default())).await?;
        }
        if !now.open.allow(Surface::Resources) {
            return Ok(());
        }
        // Whoever could not look for a while is told of every file.
        let reopened = switched(Surface::Resources);
        for uri in self.uris() {
            if reopened || state(&before.catalog, &uri) != state(&now.catalog, &uri) {
                let updated = ResourceUpdatedNotification::new(ResourceUpdatedNotificationParam::new(uri));
                self.send(ServerNotification::ResourceUpdatedNotification(updated)).await?;
            }
        }
        Ok(())
    }

    fn uris(&self) -> Vec<String> {
        match self {
            Self::Connection(_, uris) => lock(uris).iter().cloned().collect(),
            Self::Listen(sink) => sink.accepted().resource_subscriptions.clone().unwrap_or_default(),
        }
    }

    /// Sends one notification; a `listen` stream that did not ask for its kind is left in peace.
    async fn send(&self, notification: ServerNotification) -> Result<(), Gone> {
        match self {
            Self::Connection(peer, _) => peer.send_notification(notification).await.map_err(|_| Gone),
            Self::Listen(sink) => match sink.send(notification).await {
                Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => Ok(()),
                Err(_) => Err(Gone),
            },
        }
    }
}

/// Whether `list_skills` and `resources/list` show the same from both. SEP-2640 has no notification
/// of its own for skills: a change of either is told as one of the resources.
fn same_lists(before: &Catalog, now: &Catalog) -> bool {
    before.served().map(|entry| shown(entry)).eq(now.served().map(|entry| shown(entry)))
}

/// What the lists show of one skill.
fn shown(entry: &Entry) -> (&str, &str, &str, bool, &str, &[File]) {
    let skill = &entry.skill;
    (&skill.id, &skill.name, &skill.description, entry.strict(), entry.skill_path(), &entry.files)
}

/// What differs when the file behind this URI changed: its size and time, and for SKILL.md its digest.
fn state<'a>(catalog: &'a Catalog, uri: &str) -> Option<(&'a File, Option<&'a str>)> {
    let (entry, path) = address::find_skill_file(catalog, uri)?;
    Some((entry.file(&path)?, (path == SkillPath::skill_md()).then_some(entry.digest.as_str())))
}
