//! Files: how another program's file is replaced, how a skill's files are read without leaving its folder, how a folder
//! is placed and moved as a whole, and how Skilltender's own state is saved.
//!
//! Everything here blocks and announces that to [`machine::waiting`]. What a file means is left to the crates above: of
//! skills this crate knows only [`skills::SkillPath`], a path that cannot lead upwards.

pub mod beneath;
mod digest;
pub mod folder;
pub mod guest;
pub mod ignored;
pub mod moving;
pub mod placing;
pub mod portable;
pub mod store;
pub mod subfolders;
pub mod whole;

pub use digest::digest;
