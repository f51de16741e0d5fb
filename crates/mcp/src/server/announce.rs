//! Notifies one client of changes: `list_changed` when a list that it can see really differs, `resources/updated` for
//! the URIs that it subscribed to. The client is either one with a handshake, which is notified unasked, or a
//! `subscriptions/listen` stream, which gets what it asked for.

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::Pin,
    sync::{Arc, Mutex},
};

use rmcp::{
    Peer, RoleServer,
    model::{ResourceUpdatedNotification, ResourceUpdatedNotificationParam, ServerNotification},
    service::{SubscriptionSendError, SubscriptionSink},
};
use skills::{Catalog, Entry};
use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::DropGuard;

use crate::{
    Caller, Host, Offered, Surface, Surfaces, Updated, WorkFolder,
    lock::lock,
    prompts, resources,
    workspace::{self, Workspace},
};

/// Compares the client's previous view with the current one, at every change.
pub(super) struct Announcer<H: Host> {
    host: Arc<H>,
    workspace: Arc<Workspace>,
    changes: watch::Receiver<u64>,
    /// Updates that other servers report.
    updates: broadcast::Receiver<Updated>,
    /// The subscriptions at other servers, by the URIs that the client asked for.
    watching: BTreeMap<String, DropGuard>,
    /// The question for the client's roots, while it is open.
    asking: Option<Asking>,
    /// Whether the client was asked for them.
    asked: bool,
    seen: View,
}

/// A question for a client's roots.
type Asking = Pin<Box<dyn Future<Output = Option<Arc<[WorkFolder]>>> + Send>>;

/// The subscriptions of a client with a handshake.
#[derive(Default)]
pub(super) struct Subscriptions {
    /// The URIs.
    pub(super) uris: Mutex<BTreeSet<String>>,
    /// Wakes the announcer when they change.
    pub(super) changed: Notify,
}

/// The receiver of the notifications.
pub(super) enum Listener {
    /// A client with a handshake, and the URIs that it subscribed to.
    Connection(Peer<RoleServer>, Arc<Subscriptions>),
    /// One `subscriptions/listen`.
    Listen(SubscriptionSink),
}

/// One client's view at one moment.
#[derive(Clone)]
struct View {
    /// The parts of the server that show anything.
    open: Surfaces,
    archives: bool,
    catalog: Arc<Catalog>,
    offered: Offered,
    /// Why the skills cannot be used whose records the client subscribed to, by URI.
    remarks: BTreeMap<String, Option<String>>,
}

/// The open parts while serving is paused.
const NOTHING: Surfaces = Surfaces { tools: false, prompts: false, resources: false, skills: false };

/// The client is gone.
struct Gone;

impl<H: Host> Announcer<H> {
    /// Takes the first view. The change receivers are created before it, so that no change is missed.
    pub(super) fn new(host: Arc<H>, workspace: Arc<Workspace>) -> Self {
        let (changes, updates) = (host.changes(), host.updates());
        let seen = View::of(&*host, &workspace.caller());
        Self { host, workspace, changes, updates, watching: BTreeMap::new(), asking: None, asked: false, seen }
    }

    /// Runs for a client that may have missed changes: as if everything had been closed until now.
    pub(super) async fn run_after_a_gap(mut self, listener: Listener) {
        self.settle(&listener).await;
        let before = View { open: NOTHING, ..self.seen.clone() };
        if listener.announce(&before, &self.seen).await.is_ok() {
            self.run(listener).await;
        }
    }

    /// Runs until the client or the host is gone.
    pub(super) async fn run(mut self, listener: Listener) {
        self.settle(&listener).await;
        loop {
            self.keep_watching(&listener);
            self.seen.look_at_remarks(&*self.host, &self.workspace.caller(), listener.uris());
            if !self.asked && self.host.follows_folders() {
                self.ask(&listener);
            }
            tokio::select! {
                changed = self.changes.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                () = listener.asked_otherwise() => continue,
                () = self.workspace.moved.notified(), if self.asking.is_none() => {
                    if self.asked {
                        self.ask(&listener);
                    }
                    continue;
                }
                answered = answer(&mut self.asking) => {
                    self.asking = None;
                    let Some(folders) = answered else { continue };
                    self.workspace.set(folders);
                }
                updated = next(&mut self.updates) => {
                    if listener.tell_updated(&self.seen, &updated).await.is_err() {
                        return;
                    }
                    continue;
                }
            }
            let mut now = View::of(&*self.host, &self.workspace.caller());
            now.look_at_remarks(&*self.host, &self.workspace.caller(), listener.uris());
            if listener.announce(&self.seen, &now).await.is_err() {
                return;
            }
            self.seen = now;
        }
    }

    /// Lets the first lists wait for the client's roots, and takes what they show as what the client knows: none was
    /// given before.
    async fn settle(&mut self, listener: &Listener) {
        if self.workspace.is_settled() {
            return;
        }
        self.ask(listener);
        let workspace = Arc::clone(&self.workspace);
        if let Some(answered) = workspace.in_time(answer(&mut self.asking)).await {
            self.asking = None;
            if let Some(folders) = answered {
                workspace.set(folders);
            }
        }
        let seen = View::of(&*self.host, &workspace.caller());
        if workspace.settle() {
            self.seen = seen;
        }
    }

    /// Asks the client for its roots, if it has any.
    fn ask(&mut self, listener: &Listener) {
        if let Listener::Connection(peer, _) = listener
            && self.workspace.has_roots()
        {
            self.asked = true;
            self.asking = Some(Box::pin(workspace::ask(peer.clone())));
        }
    }

    /// Subscribes at other servers to the URIs that the client asks for now. A server that lacked one before may have
    /// it now.
    fn keep_watching(&mut self, listener: &Listener) {
        let uris = listener.uris();
        self.watching.retain(|uri, _| uris.contains(uri));
        for uri in uris {
            if !self.watching.contains_key(&uri)
                && let Some(watching) = self.host.watch(&self.workspace.caller(), &uri)
            {
                self.watching.insert(uri, watching);
            }
        }
    }
}

impl View {
    fn of<H: Host>(host: &H, caller: &Caller) -> Self {
        let open = if host.paused() { NOTHING } else { host.surfaces(caller) };
        let (archives, catalog, offered) = (host.archives(), host.seen(caller), host.offered(caller));
        Self { open, archives, catalog, offered, remarks: BTreeMap::new() }
    }

    /// Notes remarks that are not noted yet: a record says them, and they are no part of the catalogue.
    fn look_at_remarks<H: Host>(&mut self, host: &H, caller: &Caller, uris: impl IntoIterator<Item = String>) {
        for uri in uris {
            if let Some(entry) = resources::of_record(&self.catalog, &uri)
                && !self.remarks.contains_key(&uri)
            {
                let remark = host.remark(caller, entry);
                self.remarks.insert(uri, remark);
            }
        }
    }

    /// Whether this part of the server was opened or closed in between.
    fn switched(&self, now: &Self, surface: Surface) -> bool {
        self.open.allow(surface) != now.open.allow(surface)
    }

    fn state(&self, uri: &str) -> Option<u64> {
        resources::state(&self.catalog, self.archives, uri)
    }

    fn same_resources(&self, now: &Self) -> bool {
        self.archives == now.archives
            && same_lists(&self.catalog, &now.catalog)
            && (!now.open.resources || self.offered.same_resources(&now.offered))
    }
}

impl Listener {
    async fn announce(&self, before: &View, now: &View) -> Result<(), Gone> {
        let switched = |surface| before.switched(now, surface);
        if switched(Surface::Tools) || (now.open.tools && !before.offered.lists_as(&now.offered)) {
            self.send(ServerNotification::ToolListChangedNotification(Default::default())).await?;
        }
        let same_prompts =
            || prompts::same(&before.catalog, &now.catalog) && prompts::same_theirs(&before.offered, &now.offered);
        if switched(Surface::Prompts) || (now.open.prompts && !same_prompts()) {
            self.send(ServerNotification::PromptListChangedNotification(Default::default())).await?;
        }
        // The tools list skills too and have no notification for that: clients of either receive this one.
        let open = [Surface::Tools, Surface::Resources].into_iter().any(|surface| now.open.allow(surface));
        if switched(Surface::Resources) || switched(Surface::Skills) || (open && !before.same_resources(now)) {
            self.send(ServerNotification::ResourceListChangedNotification(Default::default())).await?;
        }
        if !now.open.allow(Surface::Resources) {
            return Ok(());
        }
        // After a closed period, every file is reported as updated.
        let reopened = switched(Surface::Resources);
        for uri in self.uris() {
            if reopened || before.state(&uri) != now.state(&uri) || before.remarks.get(&uri) != now.remarks.get(&uri) {
                let updated = ResourceUpdatedNotification::new(ResourceUpdatedNotificationParam::new(uri));
                self.send(ServerNotification::ResourceUpdatedNotification(updated)).await?;
            }
        }
        Ok(())
    }

    /// Reports an updated resource of another server, by the URI under which the client watches it.
    async fn tell_updated(&self, seen: &View, updated: &Updated) -> Result<(), Gone> {
        if !seen.open.allow(Surface::Resources) {
            return Ok(());
        }
        let is = |uri: &String| {
            let found = seen.offered.resource(uri);
            found.is_some_and(|(server, own)| server.name == updated.server && own == updated.uri)
        };
        for uri in self.uris().into_iter().filter(is) {
            let updated = ResourceUpdatedNotification::new(ResourceUpdatedNotificationParam::new(uri));
            self.send(ServerNotification::ResourceUpdatedNotification(updated)).await?;
        }
        Ok(())
    }

    /// Waits until the client's subscriptions change.
    async fn asked_otherwise(&self) {
        match self {
            Self::Connection(_, subscriptions) => subscriptions.changed.notified().await,
            Self::Listen(_) => std::future::pending().await,
        }
    }

    fn uris(&self) -> Vec<String> {
        match self {
            Self::Connection(_, subscriptions) => lock(&subscriptions.uris).iter().cloned().collect(),
            Self::Listen(sink) => sink.accepted().resource_subscriptions.clone().unwrap_or_default(),
        }
    }

    /// Sends one notification; a `listen` stream that did not ask for its kind does not receive it.
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

/// The client's roots; waits forever if it was not asked.
async fn answer(asking: &mut Option<Asking>) -> Option<Arc<[WorkFolder]>> {
    match asking {
        Some(asking) => asking.await,
        None => std::future::pending().await,
    }
}

/// The next update. Missed ones were followed by others; without a gateway it waits forever.
async fn next(updates: &mut broadcast::Receiver<Updated>) -> Updated {
    loop {
        match updates.recv().await {
            Ok(updated) => return updated,
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Whether `list_skills`, `resources/list` and the frontmatter in `skills/list` are the same in both. SEP-2640 has no
/// notification of its own for skills: their changes are reported as changes of the resources.
fn same_lists(before: &Catalog, now: &Catalog) -> bool {
    let lines = |catalog| Catalog::served(catalog).map(move |entry| (entry, catalog.publishes(entry)));
    before.served_from("").len() == now.served_from("").len()
        && lines(before).zip(lines(now)).all(|(before, now)| before.1 == now.1 && same_line(before.0, now.0))
}

fn same_line(before: &Entry, now: &Entry) -> bool {
    let (old, new) = (&before.skill, &now.skill);
    let same_skill = Arc::ptr_eq(old, new)
        || (&old.id, &old.name, &old.description) == (&new.id, &new.name, &new.description) && old.says_the_same(new);
    same_skill && before.skill_path() == now.skill_path() && before.files == now.files
}
