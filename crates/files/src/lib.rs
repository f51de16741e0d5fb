//! Files: how another program's file is replaced, how a skill's files are read without leaving its folder, how a folder
//! is placed and moved as a whole, and how Skilltender's own state is saved.
//!
//! Everything here blocks and announces that to [`machine::waiting`]. What a file means is left to the crates above: of
//! skills this crate knows only their paths, which cannot lead upwards, and their lists of files.

pub mod all_files;
pub mod confined;
mod digest;
mod digests;
pub mod file_names;
pub mod folder;
mod held;
pub mod ignored;
mod manifest;
pub mod move_dir;
mod name;
pub mod replace_file;
pub mod staged_dir;
pub mod store;
pub mod subfolders;
pub mod tar_headers;

pub use digest::{digest, digits};
pub use digests::Digests;
pub use manifest::{FileDigest, Manifest, Part};
pub use name::Name;
