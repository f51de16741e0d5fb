//! The files of a skill with the digest of each, as SEP-2640 lists them.

use std::fmt;

use sha2::{Digest as _, Sha256};
use skills::SkillPath;

/// Which files of a skill a manifest includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// SKILL.md.
    SkillMd,
    /// Every file that is part of the skill.
    Everything,
}

/// The files of a skill, in the order of [`skills::Entry::files`]. A deleted file is left out; an unreadable one is an error of
/// the whole manifest.
pub type Manifest = Vec<(SkillPath, FileDigest)>;

/// Identifies the bytes of a file. It is displayed as a digest of SEP-2640: `sha256:` and 64 lowercase hexadecimal
/// digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileDigest {
    /// SHA-256 of the bytes.
    pub sha256: [u8; 32],
    /// Their number.
    pub size: u64,
    /// Whether the file is executable.
    pub executable: bool,
}

impl FileDigest {
    /// Whether these 64 lowercase hexadecimal digits are this SHA-256.
    pub fn is(&self, hexadecimal: &str) -> bool {
        let digit = |half: u8| char::from_digit(half.into(), 16);
        let digits = self.sha256.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        hexadecimal.chars().map(Some).eq(digits)
    }

    /// The digest of these bytes.
    pub fn of(bytes: &[u8], executable: bool) -> Self {
        Self { sha256: Sha256::digest(bytes).into(), size: bytes.len() as u64, executable }
    }
}

impl fmt::Display for FileDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.sha256.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
