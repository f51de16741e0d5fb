//! Where skills came from, as the snapshot shows it: the origin of one skill, and the sources of all.

use std::collections::BTreeMap;

use api::{SkillOrigin, SourceRow};
use origins::Record;
use skills::Catalog;

use crate::state::State;

/// The origin of a skill.
pub(crate) fn origin(record: &Record) -> SkillOrigin {
    SkillOrigin {
        source: record.source(),
        inside: record.inside.clone(),
        follows: record.follows.clone(),
        commit: record.now.named(),
        since: record.now.at,
        newer: record.newest.as_ref().filter(|_| record.is_outdated()).map(origins::Newest::named),
        versions: u32::try_from(record.before.len()).unwrap_or(u32::MAX),
    }
}

/// The sources of the skills that are in the library.
pub(crate) fn rows(state: &State, catalog: &Catalog) -> Vec<SourceRow> {
    let mut rows = BTreeMap::<String, SourceRow>::new();
    for record in state.origins.values().filter(|record| catalog.by_key(&record.key).is_some()) {
        let row = rows.entry(record.followed()).or_insert_with_key(|id| SourceRow {
            id: id.clone(),
            source: record.source(),
            follows: record.follows.clone(),
            skills: Vec::new(),
            outdated: Vec::new(),
            asked: state.asked.get(id).map(|asked| asked.at),
            trouble: state.asked.get(id).and_then(|asked| asked.trouble.clone()),
        });
        row.skills.push(record.key.clone());
        if record.is_outdated() {
            row.outdated.push(record.key.clone());
        }
        row.asked = row.asked.max(record.newest.as_ref().map(|newest| newest.at));
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.sort_by(|one, other| (&one.source, &one.follows).cmp(&(&other.source, &other.follows)));
    rows
}
