//! Whether a test may be left out on this machine: one place for the tests and for `cargo xtask`, which includes this
//! file. `able` and xtask's `step` say it.

use std::env;

/// The variable that names what this machine lacks: words with blanks between them.
const UNABLE: &str = "SKILLTENDER_UNABLE";

/// Why what needs `what` may not be left out: in CI, unless `SKILLTENDER_UNABLE` names it.
pub(crate) fn refusal(what: &str, why: &str) -> Option<String> {
    let is_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let unable = env::var(UNABLE).unwrap_or_default();
    let is_named = unable.split_whitespace().any(|word| word == what);
    let refused = is_ci && !is_named;
    refused.then(|| format!("{what}: {why}. For a machine that cannot have it, {UNABLE} has to name {what}."))
}
