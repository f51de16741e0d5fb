//! What was found in the content of skills: bodies, links and files.

use std::{collections::HashMap, sync::Arc};

use api::ProblemCounts;
use skills::Entry;

/// The number of problems of each severity in the content of each skill, by its key.
#[derive(Debug, Clone, Default)]
pub struct Examined(pub HashMap<String, Content>);

/// The content of a skill that was checked.
#[derive(Debug, Clone)]
pub struct Content {
    pub entry: Arc<Entry>,
    pub problems: ProblemCounts,
}

impl Examined {
    /// The problems in the content of a skill, if it is unchanged since the check.
    pub fn problems(&self, entry: &Entry) -> Option<ProblemCounts> {
        let content = self.0.get(&entry.key())?;
        let same = content.entry.digest == entry.digest && content.entry.files == entry.files;
        same.then_some(content.problems)
    }
}
