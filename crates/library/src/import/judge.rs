//! Whether one skill of a source may be imported: by the names, number, sizes and kinds of its files.

use std::collections::HashMap;

use files::file_names;
use unicode_normalization::UnicodeNormalization as _;

use super::{Member, Refused, size_of};

/// The maximum number of files of one skill.
const MOST_FILES: usize = 512;
/// The maximum size of one skill, in bytes.
pub(super) const MOST_BYTES: u64 = 16 << 20;
/// The maximum depth of nested folders.
const DEEPEST: usize = 16;

/// Whether a path leads out of its folder on some system; no honest program packs one.
pub(super) fn leads_out(path: &str) -> bool {
    path.split('/').any(|name| matches!(name, "" | "." | "..") || name.contains(['\\', ':']))
}

/// Checks the skill in the folder `top` by the source's list of its files.
pub(super) fn skill(top: &str, members: &[&Member]) -> Result<(), Refused> {
    let what = if top.is_empty() { "The skill" } else { top };
    if members.len() > MOST_FILES {
        return Err(Refused(format!("{what} has more than {MOST_FILES} files, which is more than clients take.")));
    }
    if size_of(members) > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(Refused(format!("{what} has more than {most} MiB, which is more than clients take.")));
    }
    for member in members {
        name(&member.path)?;
        if let Some(trouble) = &member.trouble {
            return Err(Refused(trouble.clone()));
        }
        if member.link {
            return Err(Refused(format!("`{}` is a link, and a skill that is imported has none.", member.path)));
        }
    }
    told_apart(members)
}

fn name(path: &str) -> Result<(), Refused> {
    if let Some(trouble) = path.split('/').find_map(file_names::trouble) {
        return Err(Refused(format!("A name in `{}` {trouble}.", path.escape_debug())));
    }
    if path.split('/').count() > DEEPEST {
        return Err(Refused(format!("`{path}` is more than {DEEPEST} folders deep.")));
    }
    Ok(())
}

/// The form that is equal for two paths that are one on some system: by case, or by how an accent is written.
fn folded(path: &str) -> String {
    file_names::folded(path).nfc().collect()
}

/// Whether the files have distinct names on every system.
fn told_apart(members: &[&Member]) -> Result<(), Refused> {
    let mut files = HashMap::new();
    for member in members {
        if let Some(other) = files.insert(folded(&member.path), &member.path) {
            return Err(Refused(format!("`{other}` and `{}` are one file on many systems.", member.path)));
        }
    }
    let mut folders = HashMap::new();
    for member in members {
        for (at, _) in member.path.match_indices('/') {
            let folder = &member.path[..at];
            if files.contains_key(&folded(folder)) {
                return Err(Refused(format!("`{folder}` is a file and a folder at once.")));
            }
            if let Some(other) = folders.insert(folded(folder), folder).filter(|other| *other != folder) {
                return Err(Refused(format!("`{other}` and `{folder}` are one folder on many systems.")));
            }
        }
    }
    Ok(())
}
