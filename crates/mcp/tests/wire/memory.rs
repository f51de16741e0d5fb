//! A host with its skills in memory: the second implementation of `mcp::Host`.

use std::{
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp::{
    CallContext, CallFailure, Caller, ClientEvent, FileDigest, Host, Manifest, MemoryBudget, Offered, Part, Surfaces,
    Updated, Upstream, UpstreamRequest, WorkFolder,
};
use serde_json::value::RawValue;
use skills::{Catalog, Entry, File, SkillPath};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Skills by their path below one folder, each with its files.
type Library = BTreeMap<String, BTreeMap<String, Vec<u8>>>;

pub(crate) struct Memory {
    library: Mutex<Library>,
    disabled: Mutex<Vec<String>>,
    empty_folders: Mutex<Vec<String>>,
    paused: AtomicBool,
    archives: AtomicBool,
    surfaces: Mutex<Surfaces>,
    /// Why skills are not ready, by id.
    remarks: Mutex<BTreeMap<String, String>>,
    /// Why skills cannot be read, by id.
    unread: Mutex<BTreeMap<String, String>>,
    /// A catalogue that is shown although it is outdated.
    frozen: Mutex<Option<Arc<Catalog>>>,
    changes: watch::Sender<u64>,
    /// Whether reads of files are blocked.
    held: watch::Sender<bool>,
    room: MemoryBudget,
    /// How often the room was asked for.
    asked_for_room: AtomicUsize,
    notes: Mutex<Vec<ClientEvent>>,
    /// Another server, and its offer.
    gateway: Mutex<Option<(Upstream, Offered)>>,
    /// The watched URIs of that server.
    watched: Arc<Mutex<Vec<String>>>,
    updates: broadcast::Sender<Updated>,
    /// The skills that clients see in a folder instead of all.
    bound: Mutex<BTreeMap<PathBuf, &'static str>>,
}

impl Memory {
    /// A library of three: one with files, one named for people, one plain. Its room is smaller than a real host's, so
    /// that smaller files exceed it.
    pub(crate) fn new() -> Arc<Self> {
        Self::within(Duration::from_secs(2))
    }

    /// The same, with the time without progress after which an answer gives way to others.
    pub(crate) fn within(still: Duration) -> Arc<Self> {
        let memory = Self {
            library: Mutex::default(),
            disabled: Mutex::default(),
            empty_folders: Mutex::default(),
            paused: AtomicBool::default(),
            archives: AtomicBool::default(),
            surfaces: Mutex::default(),
            remarks: Mutex::default(),
            unread: Mutex::default(),
            frozen: Mutex::default(),
            changes: watch::Sender::new(0),
            held: watch::Sender::new(false),
            room: MemoryBudget::new(8 << 20, still),
            asked_for_room: AtomicUsize::default(),
            notes: Mutex::default(),
            gateway: Mutex::default(),
            watched: Arc::default(),
            updates: broadcast::Sender::new(16),
            bound: Mutex::default(),
        };
        memory.write(
            "tea",
            "SKILL.md",
            b"---\nname: tea\ndescription: Brews tea.\n---\n\n# Tea\n\nSee references/green tea.md.\n",
        );
        memory.write("tea", "references/green tea.md", b"\xef\xbb\xbfSeventy degrees.\r\n");
        memory.write("tea", "assets/leaf.png", b"\x89PNG\xff\xfe");
        memory.write("tea", "scripts/brew", b"#!/bin/sh\n");
        memory.write("team/coffee", "SKILL.md", b"---\nname: coffee\ndescription: Brews coffee.\n---\nGrind it.\n");
        memory.write("water", "SKILL.md", b"---\nname: Water for People\ndescription: Pours water.\n---\nPour it.\n");
        Arc::new(memory)
    }

    /// A library of this many skills with only a SKILL.md each.
    pub(crate) fn of(count: usize) -> Arc<Self> {
        let memory = Self::new();
        memory.library.lock().unwrap().clear();
        for number in 0..count {
            let id = format!("skill-{number:04}");
            let text = format!("---\nname: {id}\ndescription: Number {number}.\n---\nBody.\n");
            memory.write(&id, "SKILL.md", text.as_bytes());
        }
        memory
    }

    pub(crate) fn write(&self, skill: &str, file: &str, bytes: &[u8]) {
        self.library.lock().unwrap().entry(skill.to_owned()).or_default().insert(file.to_owned(), bytes.to_owned());
        self.announce();
    }

    pub(crate) fn remove(&self, skill: &str, file: &str) {
        self.library.lock().unwrap().get_mut(skill).unwrap().remove(file);
        self.announce();
    }

    /// The bytes of one file.
    pub(crate) fn bytes(&self, skill: &str, file: &str) -> Vec<u8> {
        self.library.lock().unwrap()[skill][file].clone()
    }

    /// Every file of a skill.
    pub(crate) fn files(&self, skill: &str) -> BTreeMap<String, Vec<u8>> {
        self.library.lock().unwrap()[skill].clone()
    }

    /// Keeps the present catalogue from now on, whatever is written.
    pub(crate) async fn freeze_catalog(&self) {
        let now = self.catalog(&crate::client::me()).await;
        *self.frozen.lock().unwrap() = Some(now);
    }

    /// The other server.
    pub(crate) fn gateway(&self) -> Upstream {
        self.gateway.lock().unwrap().as_ref().unwrap().0.clone()
    }

    /// Offers tools of another server.
    pub(crate) fn offer(&self, upstream: Upstream, offered: Offered) {
        *self.gateway.lock().unwrap() = Some((upstream, offered));
        self.announce();
    }

    /// The watched URIs of the other server.
    pub(crate) fn watched(&self) -> Vec<String> {
        self.watched.lock().unwrap().clone()
    }

    /// Reports that this URI of the other server changed.
    pub(crate) fn update(&self, uri: &str) {
        self.updates.send(Updated { server: "pot".to_owned(), uri: uri.to_owned() }).unwrap();
    }

    pub(crate) fn add_empty_folder(&self, folder: &str) {
        self.empty_folders.lock().unwrap().push(folder.to_owned());
    }

    pub(crate) fn enable(&self, id: &str, on: bool) {
        let mut disabled = self.disabled.lock().unwrap();
        disabled.retain(|other| other != id);
        if !on {
            disabled.push(id.to_owned());
        }
        drop(disabled);
        self.announce();
    }

    pub(crate) fn pause(&self, on: bool) {
        self.paused.store(on, Ordering::SeqCst);
        self.announce();
    }

    pub(crate) fn offer_archives(&self, on: bool) {
        self.archives.store(on, Ordering::SeqCst);
        self.announce();
    }

    /// Sets the parts that every client may use.
    pub(crate) fn open(&self, surfaces: Surfaces) {
        *self.surfaces.lock().unwrap() = surfaces;
        self.announce();
    }

    /// Sets why this skill is not ready.
    pub(crate) fn remark_on(&self, id: &str, remark: &str) {
        self.remarks.lock().unwrap().insert(id.to_owned(), remark.to_owned());
    }

    /// Sets why this skill cannot be read.
    pub(crate) fn cannot_read(&self, id: &str, why: &str) {
        self.unread.lock().unwrap().insert(id.to_owned(), why.to_owned());
    }

    /// Reports a possible change, even if nothing changed.
    pub(crate) fn announce(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Shows only this skill to clients that work in a folder.
    pub(crate) fn bind(&self, folder: impl Into<PathBuf>, skill: &'static str) {
        self.bound.lock().unwrap().insert(folder.into(), skill);
        self.announce();
    }

    /// Blocks every read of a file, or unblocks them.
    pub(crate) fn hold(&self, on: bool) {
        self.held.send_replace(on);
    }

    /// How often a large answer asked for its memory, or took it: twice for one that has it, once for one that waits.
    pub(crate) fn asked_for_room(&self) -> usize {
        self.asked_for_room.load(Ordering::SeqCst)
    }

    pub(crate) fn notes(&self) -> Vec<ClientEvent> {
        self.notes.lock().unwrap().clone()
    }
}

impl Host for Memory {
    fn offered(&self, _: &Caller) -> Offered {
        self.gateway.lock().unwrap().as_ref().map(|(_, offered)| offered.clone()).unwrap_or_default()
    }

    async fn ask(
        &self,
        caller: &Caller,
        wish: UpstreamRequest<'_>,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, CallFailure> {
        let upstream = self.gateway.lock().unwrap().as_ref().map(|(upstream, _)| upstream.clone()).unwrap();
        let (offered, meanwhile) = (self.offered(caller), meanwhile.asked_by("pot"));
        let prompt = |name| offered.prompt(name).unwrap().1.own();
        Ok(match wish {
            UpstreamRequest::Tool { name, arguments } => {
                let tool = name.split_once("__").map_or(name, |(_, tool)| tool);
                upstream.call_tool(tool, arguments, meanwhile).await?
            }
            UpstreamRequest::Prompt { name, arguments } => {
                upstream.get_prompt(prompt(name), arguments, meanwhile).await?
            }
            UpstreamRequest::Resource { uri } => {
                upstream.read_resource(offered.resource(uri).unwrap().1, meanwhile).await?
            }
            UpstreamRequest::Completion { prompt: name, argument, context } => {
                upstream.complete(prompt(name), argument, context).await?
            }
        })
    }

    fn watch(&self, caller: &Caller, uri: &str) -> Option<DropGuard> {
        let own = self.offered(caller).resource(uri)?.1.to_owned();
        let (watched, over) = (Arc::clone(&self.watched), CancellationToken::new());
        watched.lock().unwrap().push(own.clone());
        tokio::spawn({
            let over = over.clone();
            async move {
                over.cancelled().await;
                watched.lock().unwrap().retain(|other| *other != own);
            }
        });
        Some(over.drop_guard())
    }

    fn updates(&self) -> broadcast::Receiver<Updated> {
        self.updates.subscribe()
    }

    async fn catalog(&self, caller: &Caller) -> Arc<Catalog> {
        self.seen(caller)
    }

    fn follows_folders(&self) -> bool {
        !self.bound.lock().unwrap().is_empty()
    }

    fn seen(&self, caller: &Caller) -> Arc<Catalog> {
        if let Some(frozen) = &*self.frozen.lock().unwrap() {
            return frozen.clone();
        }
        let library = self.library.lock().unwrap();
        let disabled = self.disabled.lock().unwrap();
        let bound = self.bound.lock().unwrap();
        let spelled = caller.folders.iter().flat_map(WorkFolder::spellings);
        let only: Vec<_> = spelled.filter_map(|folder| bound.get(folder)).collect();
        let in_folders =
            |(place, _): &(&String, _)| only.is_empty() || only.iter().any(|skill| place.ends_with(**skill));
        let entries = library.iter().filter(in_folders).map(|(place, files)| {
            let id = place.rsplit('/').next().unwrap();
            Entry {
                skill: Arc::new(skills::read(id, &files["SKILL.md"])),
                folder: "memory".into(),
                path: place.clone(),
                location: format!("/memory/{place}").into(),
                digest: FileDigest::of(&files["SKILL.md"], false).to_string().replace("sha256:", ""),
                files: files
                    .iter()
                    .map(|(path, bytes)| File {
                        path: SkillPath::new(path).unwrap(),
                        size: bytes.len() as u64,
                        modified: 1_780_000_000_000,
                    })
                    .collect(),
                enabled: !disabled.iter().any(|other| other == id),
                shadowed_by: None,
            }
        });
        Arc::new(Catalog::new(entries.collect(), &["memory".to_owned()]))
    }

    async fn read(&self, entry: &Entry, path: &SkillPath) -> io::Result<Vec<u8>> {
        self.held.subscribe().wait_for(|held| !held).await.expect("the memory is still there");
        let library = self.library.lock().unwrap();
        let file = library.get(&entry.path).and_then(|files| files.get(path.as_str()));
        file.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    async fn manifests(&self, entries: Vec<Arc<Entry>>, part: Part) -> Vec<io::Result<Manifest>> {
        let library = self.library.lock().unwrap();
        let manifest = |entry: &Arc<Entry>| {
            let files = library.get(&entry.path).ok_or(io::ErrorKind::NotFound)?.iter();
            let wanted = files.filter(|(path, _)| part == Part::Everything || *path == "SKILL.md");
            Ok(wanted
                .map(|(path, bytes)| {
                    (SkillPath::new(path).unwrap(), FileDigest::of(bytes, path.starts_with("scripts/")))
                })
                .collect())
        };
        entries.iter().map(manifest).collect()
    }

    async fn folders(&self, entry: &Entry, within: Option<&SkillPath>) -> io::Result<Vec<String>> {
        let empty = self.empty_folders.lock().unwrap();
        let inside = within.map_or_else(|| entry.path.clone(), |within| format!("{}/{within}", entry.path));
        if empty.contains(&inside) {
            return Ok(Vec::new());
        }
        let names: Vec<_> = empty
            .iter()
            .filter_map(|folder| folder.strip_prefix(&format!("{inside}/")))
            .filter(|name| !name.contains('/'))
            .map(str::to_owned)
            .collect();
        if names.is_empty() && within.is_some() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) }
    }

    fn paused(&self) -> bool {
        self.paused.load(Ordering::SeqCst)
    }

    fn surfaces(&self, _: &Caller) -> Surfaces {
        *self.surfaces.lock().unwrap()
    }

    fn archives(&self) -> bool {
        self.archives.load(Ordering::SeqCst)
    }

    fn unread(&self, _: &Caller, id: &str) -> Option<String> {
        self.unread.lock().unwrap().get(id).cloned()
    }

    fn remark(&self, _caller: &Caller, entry: &Entry) -> Option<String> {
        self.remarks.lock().unwrap().get(&entry.skill.id).cloned()
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn room(&self) -> &MemoryBudget {
        self.asked_for_room.fetch_add(1, Ordering::SeqCst);
        &self.room
    }

    fn note(&self, note: ClientEvent) {
        self.notes.lock().unwrap().push(note);
    }
}
