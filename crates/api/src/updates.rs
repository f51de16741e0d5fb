//! New versions of Skilltender, as the settings page and the tray show them.

use serde::Serialize;
use ts_rs::TS;

/// Whether new versions are looked for, and what is known of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
pub struct Updates {
    /// Whether the person switched on looking for them once a day (decision 65).
    pub on: bool,
    /// What the app knows in this run.
    pub state: UpdateState,
}

/// What the app knows of new versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum UpdateState {
    /// Nobody has looked in this run.
    #[default]
    Unknown,
    /// This program never looks.
    Never {
        /// Why, as a sentence.
        why: String,
    },
    /// It is looking.
    Looking,
    /// There is no newer version.
    Newest,
    /// A newer version is there.
    Found {
        /// The new version.
        version: String,
        /// What is new in it, as the page of releases says it. Nobody has signed this text.
        notes: Option<String>,
        /// Whether the app replaces itself; if not, it fetches a package that the person installs.
        itself: bool,
    },
    /// The new version is fetched.
    Loading {
        /// The new version.
        version: String,
        /// How much of it is here, in percent, if that is known.
        percent: Option<u8>,
    },
    /// The new version is in place, and runs when the app starts again.
    Installed {
        /// The new version.
        version: String,
    },
    /// The package of the new version is here and its signature holds; the person installs it.
    Saved {
        /// The new version.
        version: String,
        /// The command that installs it, or the path of the package.
        command: String,
    },
    /// Looking for or taking a new version failed; the old one is as it was.
    Failed {
        /// Why, as a sentence.
        why: String,
    },
}
