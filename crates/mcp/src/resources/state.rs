//! Detects changes behind a URI, to notify its subscribers. The state is computed from the catalogue alone: no file is
//! read. What a record says beyond the catalogue is its skill's remark, which the host is asked for.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use skills::{Catalog, Entry, SkillPath, Target, address};

use super::family;

/// A number that changes when the contents of this URI change; `None` if it has none.
pub(crate) fn state(catalog: &Catalog, archives: bool, uri: &str) -> Option<u64> {
    let mut hash = DefaultHasher::new();
    match address::resolve(catalog, uri)? {
        Target::File(entry, path) | Target::DocsFile(entry, path) => file(entry, &path, &mut hash)?,
        Target::Document(entry) => {
            file(entry, &SkillPath::skill_md(), &mut hash)?;
            family::record(catalog, entry, None, archives).hash(&mut hash);
        }
        Target::Reference(entry, _, reference) => {
            file(entry, &reference.path, &mut hash)?;
            family::record(catalog, entry, None, archives).hash(&mut hash);
        }
        Target::Record(entry) => family::record(catalog, entry, None, archives).hash(&mut hash),
        Target::Catalog | Target::DocsIndex => family::index(catalog).hash(&mut hash),
        Target::SkillIndex => {
            for entry in catalog.published() {
                (entry.skill_path(), &entry.digest).hash(&mut hash);
                if archives {
                    files(entry, &mut hash);
                }
            }
        }
        Target::Archive(entry) if archives => files(entry, &mut hash),
        Target::DocsUsage => {}
        Target::Archive(_) | Target::Folder(..) => return None,
    }
    Some(hash.finish())
}

/// The skill whose record this URI is.
pub(crate) fn of_record<'c>(catalog: &'c Catalog, uri: &str) -> Option<&'c Entry> {
    match address::resolve(catalog, uri)? {
        Target::Record(entry) => Some(entry),
        _ => None,
    }
}

/// Hashes the size and time of a file, and for SKILL.md its digest.
fn file(entry: &Entry, path: &SkillPath, hash: &mut DefaultHasher) -> Option<()> {
    let file = entry.file(path)?;
    (file.size, file.modified).hash(hash);
    if *path == SkillPath::skill_md() {
        entry.digest.hash(hash);
    }
    Some(())
}

fn files(entry: &Entry, hash: &mut DefaultHasher) {
    entry.digest.hash(hash);
    for file in entry.files.iter() {
        (&file.path, file.size, file.modified).hash(hash);
    }
}
