//! The engine as [`mcp::Host`]: answers the MCP server's requests from the library.

use std::{io, path::Path, sync::Arc, time::Duration};

use api::EndpointState;
use files::{confined, subfolders::subfolders};
use mcp::{
    CallContext, CallFailure, Caller, ClientEvent, Host, Manifest, MemoryBudget, Offered, Part, Surfaces, Updated,
    UpstreamRequest,
};
use serde_json::value::RawValue;
use skills::{Catalog, Entry, SkillPath};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::DropGuard;

use crate::{Engine, Mode, audit::Call};

/// The maximum age of a list while everything is watched (decision 24).
const LIST_AGE: Duration = Duration::from_millis(500);

/// The largest file of a skill that is served, in bytes; also the limit for all files of a published skill together
/// (SEP-2640).
const LARGEST: u64 = 16 << 20;

impl Host for Engine {
    async fn catalog(&self, caller: &Caller) -> Arc<Catalog> {
        self.refresh(LIST_AGE).await;
        self.state().catalog_for(caller)
    }

    async fn known(&self, caller: &Caller) -> Arc<Catalog> {
        if !self.watches_all() {
            self.refresh(LIST_AGE).await;
        }
        self.state().catalog_for(caller)
    }

    fn seen(&self, caller: &Caller) -> Arc<Catalog> {
        self.state().catalog_for(caller)
    }

    async fn read(&self, entry: &Entry, path: &SkillPath) -> io::Result<Vec<u8>> {
        let roots = self.state().roots();
        let root = roots.iter().find(|root| root.id == entry.folder).map(|root| root.path.as_path());
        let read = |root: Option<&Path>, location: &Path, path: &SkillPath| match root {
            Some(root) if *path == SkillPath::skill_md() => confined::read_skill_md(root, location, LARGEST),
            _ => confined::read(location, path, LARGEST),
        };
        if let Some(bytes) = self.pace().here(|| read(root, &entry.location, path)) {
            return bytes;
        }
        let (root, location, path) = (root.map(Path::to_path_buf), entry.location.clone(), path.clone());
        tokio::task::spawn_blocking(move || read(root.as_deref(), &location, &path)).await?
    }

    async fn manifests(&self, entries: Vec<Arc<Entry>>, part: Part) -> Vec<io::Result<Manifest>> {
        let (engine, count) = (self.clone(), entries.len());
        let look = move || {
            let roots = engine.state().roots();
            let root =
                |entry: &Entry| roots.iter().find(|root| root.id == entry.folder).map(|root| root.path.as_path());
            engine.digests().forget_all_but(engine.state().catalog().entries());
            entries.iter().map(|entry| engine.digests().manifest(root(entry), entry, part)).collect()
        };
        let looked = tokio::task::spawn_blocking(look).await;
        looked.unwrap_or_else(|_| (0..count).map(|_| Err(io::ErrorKind::Interrupted.into())).collect())
    }

    async fn folders(&self, entry: &Entry, within: Option<&SkillPath>) -> io::Result<Vec<String>> {
        let (location, within) = (entry.location.clone(), within.cloned());
        tokio::task::spawn_blocking(move || subfolders(&location, within.as_ref())).await?
    }

    fn unread(&self, caller: &Caller, id: &str) -> Option<String> {
        let why = Self::unread(self, id)?;
        // A disabled skill counts as absent, readable or not.
        let catalog = self.state().catalog_for(caller);
        let mut same = catalog.entries().iter().filter(|entry| entry.skill.id == id).peekable();
        let is_off = same.peek().is_some() && same.all(|entry| !entry.enabled);
        (!is_off).then_some(why)
    }

    fn paused(&self) -> bool {
        self.snapshot().endpoint.state == EndpointState::Paused
    }

    fn surfaces(&self, caller: &Caller) -> Surfaces {
        self.state().surfaces(&caller.client)
    }

    fn follows_folders(&self) -> bool {
        self.state().binds_folders()
    }

    fn archives(&self) -> bool {
        self.snapshot().settings.archives
    }

    fn remark(&self, caller: &Caller, entry: &Entry) -> Option<String> {
        // The plain server stores no values, so it does not know which are missing.
        if entry.skill.servers.is_empty() && entry.skill.problems.is_empty()
            || matches!(self.mode(), Mode::Plain { .. })
        {
            return None;
        }
        self.state().remark(&caller.client, entry)
    }

    fn offered(&self, caller: &Caller) -> Offered {
        self.state().offered(caller)
    }

    fn not_offered(&self, caller: &Caller, name: &str) -> Option<String> {
        self.state().not_offered(caller, name)
    }

    async fn ask(
        &self,
        caller: &Caller,
        wish: UpstreamRequest<'_>,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, CallFailure> {
        self.gateway().ask(caller, wish, meanwhile).await
    }

    fn watch(&self, caller: &Caller, uri: &str) -> Option<DropGuard> {
        self.gateway().watch(caller, uri)
    }

    fn updates(&self) -> broadcast::Receiver<Updated> {
        self.gateway().watched().updates()
    }

    fn opened(&self, caller: &Caller, entry: &Entry) {
        if entry.skill.servers.is_empty() {
            return;
        }
        let (client, key) = (caller.client.clone(), entry.key());
        self.state().change_soon(move |state| state.opened.entry(client).or_default().extend([key]));
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.state().news()
    }

    fn room(&self) -> &MemoryBudget {
        self.room_for_answers()
    }

    fn note(&self, note: ClientEvent) {
        self.asked();
        if let (Some(audit), Some(call)) = (self.audit(), Call::of(&note)) {
            audit.write(call);
        }
        self.state().note(note);
    }
}
