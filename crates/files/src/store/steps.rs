//! The versions of our files: what each was changed by.

use std::{path::Path, sync::OnceLock};

use serde_json::{Map, Value};

/// Brings the content of a file from one version to the next. The path says which file: `choices.json` in our folder, a
/// record in `journal/<client>`. Of the log of calls a content is a line.
pub type Step = fn(file: &Path, content: &mut Map<String, Value>);

/// The first from version 1 to 2. Each comes with a folder of the version before it in `tests/golden/state`.
const STEPS: &[Step] = &[];

static TRIED: OnceLock<&'static [Step]> = OnceLock::new();

/// Makes this process a program of a later version, with these steps in place of ours. Only tests do that, once, before
/// any file is read. Returns whether it is the first time.
pub fn try_steps(steps: &'static [Step]) -> bool {
    TRIED.set(steps).is_ok()
}

/// The steps that this process knows.
pub(super) fn known() -> &'static [Step] {
    TRIED.get().copied().unwrap_or(STEPS)
}

/// The version that this process writes.
pub(super) fn ours() -> u32 {
    version_after(known())
}

/// The version that the last of these steps leads to.
pub(super) fn version_after(steps: &[Step]) -> u32 {
    u32::try_from(steps.len()).map_or(u32::MAX, |steps| steps.saturating_add(1))
}

/// The steps that a file of this version is yet to take; `None` for a version that never was, and for a later one.
pub(super) fn from(steps: &[Step], version: u32) -> Option<&[Step]> {
    usize::try_from(version).ok()?.checked_sub(1).and_then(|taken| steps.get(taken..))
}
