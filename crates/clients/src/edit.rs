//! One editor per file format: text in, one splice out, every other byte kept.

pub(crate) mod json;
