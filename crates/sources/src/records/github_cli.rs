//! What `gh skill` writes into the frontmatter, below `metadata`.
//!
//! The tree that it names is that of the folder in the repository, without these keys: they are left out before a
//! skill is compared with it.

use serde_json::{Map, Value};

use super::{Digest, Installer, Record, folder_of, owned, text};

/// The keys that it adds to `metadata`.
pub const KEYS: &[&str] =
    &["github-repo", "github-ref", "github-tree-sha", "github-path", "github-pinned", "local-path"];

/// Reads a skill's `metadata`; `None` if `gh skill` did not install it.
pub fn read(name: &str, metadata: &Map<String, Value>) -> Option<Record> {
    let by = Installer::GitHubCli;
    let Some(repository) = text(metadata, "github-repo") else {
        return text(metadata, "local-path").map(|path| Record::new(by, name, path));
    };
    let short = |name: &str| {
        let short = ["refs/heads/", "refs/tags/"].iter().find_map(|folder| name.strip_prefix(folder));
        short.unwrap_or(name).to_owned()
    };
    Some(Record {
        is_git: true,
        follows: owned(metadata, "github-pinned").or_else(|| text(metadata, "github-ref").map(short)),
        inside: text(metadata, "github-path").map(folder_of).unwrap_or_default(),
        digest: owned(metadata, "github-tree-sha").map(Digest::GitTree),
        ..Record::new(by, name, repository)
    })
}
