//! The library: folders of skills as they are on the disk. They are found and read ([`walk`], [`Library`]), watched
//! ([`watch`]) and searched ([`search`]); skills come in from folders and archives ([`import`]) and from templates.
//!
//! Everything here is computed from folders and bytes, and nothing is changed. Which folders are chosen, which skills are
//! on and what clients are told is left to the engine.

pub mod disk_latency;
pub mod import;
mod library;
pub mod search;
pub mod templates;
pub mod walk;
pub mod watch;
mod work_tree;

pub use library::{FolderReading, LARGEST, Library, Reading, Root, Unread, folder_trouble, why};
pub use work_tree::work_tree;
