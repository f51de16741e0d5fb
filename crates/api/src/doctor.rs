//! What was found when everything was looked at once, to be explained to a person.

use serde::Serialize;
use ts_rs::TS;

/// What one look at everything found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Checkup {
    /// The version that looked.
    pub version: String,
    /// The system that it runs on: `linux x86_64`.
    pub system: String,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub time: u64,
    /// What was found, one or more of each check, in the order of the checks.
    pub checks: Vec<Check>,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Check {
    /// Names the check: `client-file`, `port`, `keychain` ...
    pub id: String,
    /// Its state.
    pub state: CheckState,
    /// What was found, as a sentence.
    pub what: String,
    /// The file or folder that it is about, for people.
    pub place: Option<String>,
    /// What to do, as a sentence.
    pub todo: Option<String>,
    /// The same for who works at the command line: commands in backquotes.
    pub command: Option<String>,
    /// What to do, for a button.
    pub remedy: Option<Remedy>,
    /// The id of the client that it is about.
    pub client: Option<String>,
    /// What the remedy is about: the id of a folder, the name of a server, the key of a skill.
    pub about: Option<String>,
}

/// What a person does about something that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// Quit Skilltender and start it again.
    Restart,
    /// Choose another port.
    Port,
    /// Put a client's file right.
    File,
    /// Look at what somebody made of our entry.
    Drift,
    /// Add or update our entry in a client.
    Connect,
    /// Take our entry out of a client.
    Disconnect,
    /// Restart a client, so that it reads its file.
    Reload,
    /// Bring a folder of the library back, or remove it.
    Folder,
    /// Install a program.
    Install,
    /// Look at a server.
    Server,
    /// Let two skills share a server.
    Link,
    /// Start or unlock the keychain, then try it again.
    Keychain,
    /// Add a place for the icon to the desktop.
    Tray,
    /// Let the system watch more folders.
    Watches,
    /// Take a file away from other users.
    Private,
    /// Look at a file of ours that was set aside.
    SetAside,
    /// Make room on the disk.
    Room,
}

/// The state of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should.
    Fine,
    /// It could not be found out.
    Unknown,
    /// It works, and somebody should look at it.
    Attention,
    /// Something does not work.
    Problem,
}
