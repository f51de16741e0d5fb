//! What the person chose, and where it is kept.
//!
//! [`Choices`] are the library's folders and what is on; [`values`] the settings of servers that are not secret;
//! [`tokens`] what clients show the HTTP endpoint, [`folder_pattern`] for which folders a set is meant. Each is a file in our data folder that keeps what a later version
//! wrote ([`stored`]). What follows from a choice is left to the crates above; secrets are left to `secrets`.

#![forbid(unsafe_code)]

mod choices;
pub mod folder_pattern;
pub mod stored;
pub mod tokens;
mod tracked;
pub mod values;

pub use choices::{
    Choices, Chosen, ClientChoice, CustomChoice, FolderBinding, FolderChoice, MachineName, OWN, Pin, SHARED,
    ServerChoices, ServerLink, SetChoice, Settings, Shared, Stays, file, usually_enables_new,
};
pub use tracked::Tracked;
