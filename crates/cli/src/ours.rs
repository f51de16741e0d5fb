//! What Skilltender itself wrote, for `skilltender activity --ours`: newest first, with what undoes each.

use api::{Edit, OwnWrite, Snapshot, Wrote};
use text::{counted, some_of};

use crate::{Text, activity::ago};

/// The writes, and the last change of each client's file, as lines.
pub(crate) fn words(writes: &[OwnWrite], snapshot: &Snapshot) -> Text {
    let line = |OwnWrite { id, time, what, undo, undone }: &OwnWrite| {
        let undo = match (undone, undo) {
            (true, _) => "  (undone)".to_owned(),
            (false, true) => format!("  (`skilltender activity --undo {id}`)"),
            (false, false) => String::new(),
        };
        (*time, format!("{}  {}{undo}", ago(*time), said(what)))
    };
    let of_clients = snapshot.clients.iter().filter_map(|client| {
        let undo = client.undo.as_ref()?;
        let what = match (undo.moved, undo.added) {
            _ if undo.switched > 0 => {
                format!("Switched {} in the settings of {}", counted(undo.switched, "skill"), client.name)
            }
            (0, true) => format!("Added Skilltender to {}", client.name),
            (0, false) => format!("Took Skilltender out of {}", client.name),
            (moved, _) => format!("Moved {} out of the file of {}", counted(moved, "secret"), client.name),
        };
        Some((undo.time, format!("{}  {what}  (`skilltender undo {}`)", ago(undo.time), client.id)))
    });
    let mut lines: Vec<_> = writes.iter().map(line).chain(of_clients).collect();
    lines.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    lines.into_iter().map(|(_, line)| line).collect()
}

fn said(what: &Wrote) -> String {
    let named = |skills: &[String]| match skills {
        [one] => one.clone(),
        many => format!("{} ({})", counted(many.len(), "skill"), some_of(many)),
    };
    let named_sources = |sources: &[String]| match sources {
        [one] => one.clone(),
        many => format!("{} ({})", counted(many.len(), "source"), some_of(many)),
    };
    match what {
        Wrote::Switched { skills, on } => format!("Switched {} {}", if *on { "on" } else { "off" }, named(skills)),
        Wrote::Added { skills, place, imported: true } => format!("Imported {} into {place}", named(skills)),
        Wrote::Added { skills, place, imported: false } => format!("Made {} in {place}", named(skills)),
        Wrote::Moved { skill, from, to } => format!("Moved {skill} from {from} to {to}"),
        Wrote::Trashed { skill, place } => format!("Moved {skill} from {place} to the trash"),
        Wrote::Restored { skill, place } => format!("Put {skill} back to {place}"),
        Wrote::Edited { skill, how: Edit::Saved } => format!("Saved an edit of {skill}"),
        Wrote::Edited { skill, how: Edit::Fixed } => format!("Fixed problems of {skill}"),
        Wrote::Edited { skill, how: Edit::Tagged } => format!("Changed the tags of {skill}"),
        Wrote::Edited { skill, how: Edit::Back } => format!("Put an earlier version of {skill} back"),
        Wrote::Updated { skill, source, to, back: false, .. } => {
            format!("Updated {skill} from {source} to {}", short(to))
        }
        Wrote::Updated { skill, to, back: true, .. } => format!("Went back to {} of {skill}", short(to)),
        Wrote::Asked { sources, silent: 0 } => format!("Asked {}", named_sources(sources)),
        Wrote::Asked { sources, silent } => format!("Asked {}; {silent} did not answer", named_sources(sources)),
        Wrote::Pulled { place, upstream, to } => format!("Pulled {upstream} into {place}: {}", short(to)),
        Wrote::Committed { place, upstream, commit, pushed: true } => {
            format!("Pushed {} of {place} to {upstream}", short(commit))
        }
        Wrote::Committed { place, commit, pushed: false, .. } => {
            format!("Committed {} in {place}; it was not pushed", short(commit))
        }
        Wrote::Placed { place, there: true } => format!("Put the skills that are on into {place}"),
        Wrote::Placed { place, there: false } => format!("Took our skills out of {place}"),
    }
}

/// The first digits of a commit or a digest, which people tell it by.
pub(crate) fn short(version: &str) -> &str {
    let digits = version.find(':').map_or(0, |colon| colon + 1);
    version.get(..digits + 12).unwrap_or(version)
}
