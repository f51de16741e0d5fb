//! The rows of the list, made when somebody first looks at them: an engine without a window publishes
//! one snapshot after the other, and nobody there looks.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::{Arc, OnceLock},
};

use serde::{Serialize, Serializer};

use super::SkillRow;

/// The rows of the list, sorted by name.
#[derive(Clone)]
pub struct SkillRows(Arc<Lazy>);

struct Lazy {
    rows: OnceLock<Vec<SkillRow>>,
    make: Box<dyn Fn() -> Vec<SkillRow> + Send + Sync>,
}

impl SkillRows {
    /// Rows that `make` makes when they are first looked at.
    pub fn new(make: impl Fn() -> Vec<SkillRow> + Send + Sync + 'static) -> Self {
        Self(Arc::new(Lazy { rows: OnceLock::new(), make: Box::new(make) }))
    }

    /// Whether they are known to be the same. When nobody looked at the old ones, nobody asks.
    pub fn is_unchanged(&self, old: &Self) -> bool {
        Arc::ptr_eq(&self.0, &old.0) || old.0.rows.get().is_some_and(|old| *old == **self)
    }
}

impl Deref for SkillRows {
    type Target = Vec<SkillRow>;

    fn deref(&self) -> &Vec<SkillRow> {
        self.0.rows.get_or_init(&self.0.make)
    }
}

impl<'r> IntoIterator for &'r SkillRows {
    type Item = &'r SkillRow;
    type IntoIter = std::slice::Iter<'r, SkillRow>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl DerefMut for SkillRows {
    fn deref_mut(&mut self) -> &mut Vec<SkillRow> {
        // Others may look at the rows as they were.
        *self = self.iter().cloned().collect();
        let own = Arc::get_mut(&mut self.0).and_then(|own| own.rows.get_mut());
        own.expect("the rows were just made, and nobody else has them")
    }
}

impl FromIterator<SkillRow> for SkillRows {
    fn from_iter<I: IntoIterator<Item = SkillRow>>(rows: I) -> Self {
        let rows = OnceLock::from(Vec::from_iter(rows));
        Self(Arc::new(Lazy { rows, make: Box::new(Vec::new) }))
    }
}

impl PartialEq for SkillRows {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl Serialize for SkillRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl fmt::Debug for SkillRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
