//! The engine's readable state: what its loop published last. Nothing here waits or reads the disk.

use std::sync::Arc;

use api::{ActionError, ErrorKind, Snapshot, failed};
use library::Root;
use mcp::Surfaces;
use servers::{Offers, Requirement};
use skills::{Catalog, Entry};
use tokio::sync::watch;

use super::Engine;

impl Engine {
    /// The current snapshot.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.published.snapshot()
    }

    /// The current snapshot and later ones.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.inner.published.snapshots()
    }

    /// The remark for a client's agent on a skill that is not ready.
    pub(crate) fn remark_on(&self, client: &str, entry: &Entry) -> Option<String> {
        self.inner.published.remark(client, entry)
    }

    /// What servers offer to clients.
    pub(crate) fn offers(&self) -> Arc<Offers> {
        self.inner.published.offers()
    }

    /// The server of this name, if it may run now.
    ///
    /// # Errors
    /// Why it may not, as a sentence.
    pub(crate) fn agreed(&self, server: &str) -> Result<Requirement, String> {
        self.inner.published.agreed(server)
    }

    /// The approved servers whose tools are not known yet.
    pub(crate) fn unseen(&self) -> Vec<Requirement> {
        self.inner.published.unseen()
    }

    /// Why a client is not offered the tool or prompt that it calls by one of our names, if known.
    pub(crate) fn not_offered(&self, client: &str, name: &str) -> Option<String> {
        self.inner.published.not_offered(client, name)
    }

    /// Incremented when the servers that skills require may have changed.
    pub(crate) fn wants(&self) -> watch::Receiver<u64> {
        self.inner.published.wants()
    }

    /// The current catalog, without reading the disk.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.inner.published.catalog()
    }

    /// The part of the catalog that one client may see.
    pub(crate) fn catalog_of(&self, client: &str) -> Arc<Catalog> {
        self.inner.published.catalog_of(client)
    }

    /// Incremented when a skill, one of its files or a choice may have changed.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.inner.published.news()
    }

    /// The surfaces that this client may use now.
    pub(crate) fn surfaces_of(&self, client: &str) -> Surfaces {
        self.inner.published.surfaces(client)
    }

    /// The current folders of the library.
    pub(crate) fn roots(&self) -> Arc<Vec<Root>> {
        self.inner.published.roots()
    }

    /// The skill of this key.
    ///
    /// # Errors
    /// When it does not exist (any more).
    pub(crate) fn entry(&self, key: &str) -> Result<Arc<Entry>, ActionError> {
        self.catalog()
            .by_key(key)
            .cloned()
            .ok_or_else(|| failed(ErrorKind::NotFound, format!("There is no skill {key} any more.")))
    }
}
