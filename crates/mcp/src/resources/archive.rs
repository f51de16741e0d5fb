//! A skill as one packed file, `skill://<skill-path>.tar.gz` (the draft of the skills extension), if the user enabled
//! that (decision 31).
//!
//! The same files always produce the same bytes: plain ustar, sorted by path, SKILL.md at the root, with no time, owner
//! or mode except whether a file is executable; gzip without a time. This module only packs and never unpacks foreign
//! archives.

use std::{
    collections::HashMap,
    io,
    path::Path,
    sync::{Arc, LazyLock, Mutex},
};

use flate2::{Compression, GzBuilder};
use rmcp::model::Resource;
use sha2::{Digest as _, Sha256};
use skills::{Entry, address};
use tar::{Builder, EntryType, Header};

use crate::{FileDigest, Host, Manifest, Part, lock::lock, memory_budget::Reader};

pub(super) const MIME: &str = "application/gzip";

/// The maximum number of cached digests: the index of a large library asks for all of them.
const MOST_DIGESTS: usize = 20_000;

/// The gzip value for an unknown system.
const UNKNOWN_SYSTEM: u8 = 255;

/// The digests of packed skills, keyed by their contents: the same files always give the same bytes, so an entry never
/// becomes wrong.
static DIGESTS: LazyLock<Mutex<HashMap<[u8; 32], FileDigest>>> = LazyLock::new(Mutex::default);

/// The packed skill as a listed resource.
pub(super) fn resource(entry: &Entry) -> Resource {
    let id = &entry.skill.id;
    Resource::new(address::archive_uri(entry), format!("{id}.tar.gz"))
        .with_title(format!("{id}, packed"))
        .with_mime_type(MIME)
}

/// Whether all paths of the skill fit into ustar: 100 bytes of name below 155 of folders.
pub(super) fn fits(entry: &Entry) -> bool {
    entry.files.iter().all(|file| Header::new_ustar().set_path(file.path.as_str()).is_ok())
}

/// The skill, packed in its current state.
pub(super) async fn read<H: Host>(host: &H, reader: &Reader, entry: &Arc<Entry>) -> io::Result<Vec<u8>> {
    reader.carry(host, size(entry)).await?;
    let manifest = host.manifests(vec![entry.clone()], Part::Everything).await.into_iter().next();
    pack(host, entry, manifest.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()))?).await
}

/// The digest of the packed skill, that is, of the bytes that [`read`] returns.
pub(super) async fn digest<H: Host>(host: &H, entry: &Entry, manifest: Manifest) -> io::Result<FileDigest> {
    let packed = identity(&manifest);
    if let Some(known) = lock(&DIGESTS).get(&packed) {
        return Ok(*known);
    }
    let archive = host.room().hold(size(entry), pack(host, entry, manifest)).await?;
    let digest = FileDigest::of(&archive, false);
    let mut digests = lock(&DIGESTS);
    if digests.len() >= MOST_DIGESTS {
        digests.clear();
    }
    digests.insert(packed, digest);
    Ok(digest)
}

/// The total size of a skill's files in bytes.
fn size(entry: &Entry) -> u64 {
    entry.files.iter().map(|file| file.size).sum()
}

/// Identifies a packed skill before it is packed.
fn identity(manifest: &Manifest) -> [u8; 32] {
    let mut hash = Sha256::new();
    for (path, digest) in manifest {
        hash.update(path.as_str());
        hash.update([0, u8::from(digest.executable)]);
        hash.update(digest.sha256);
    }
    hash.finalize().into()
}

/// Reads the files of the manifest and packs them, if they still match it.
async fn pack<H: Host>(host: &H, entry: &Entry, manifest: Manifest) -> io::Result<Vec<u8>> {
    let mut files = Vec::with_capacity(manifest.len());
    for (path, digest) in manifest {
        let bytes = host.read(entry, &path).await?;
        if FileDigest::of(&bytes, digest.executable) != digest {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "a file was written while it was packed"));
        }
        files.push((path, bytes, digest.executable));
    }
    let pack = move || {
        let gzip = GzBuilder::new().mtime(0).operating_system(UNKNOWN_SYSTEM).write(Vec::new(), Compression::default());
        let mut archive = Builder::new(gzip);
        for (path, bytes, executable) in &files {
            archive.append(&header(Path::new(path.as_str()), bytes.len(), *executable)?, bytes.as_slice())?;
        }
        archive.into_inner()?.finish()
    };
    tokio::task::spawn_blocking(pack).await?
}

fn header(path: &Path, size: usize, executable: bool) -> io::Result<Header> {
    let mut header = Header::new_ustar();
    header.set_path(path)?;
    header.set_entry_type(EntryType::Regular);
    header.set_size(size as u64);
    header.set_mode(if executable { 0o755 } else { 0o644 });
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.set_cksum();
    Ok(header)
}
