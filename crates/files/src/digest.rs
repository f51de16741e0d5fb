//! The digest by which two states of a file are compared.

use sha2::{Digest as _, Sha256};

/// SHA-256 as 64 lowercase hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
