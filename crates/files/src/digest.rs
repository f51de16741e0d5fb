//! The digest by which two states of a file are compared.

use sha2::{Digest as _, Sha256};

/// SHA-256 as 64 lowercase hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    digits(Sha256::digest(bytes).into())
}

/// A SHA-256 as 64 lowercase hexadecimal digits.
pub fn digits(digest: [u8; 32]) -> String {
    format!("{:x}", sha2::digest::Output::<Sha256>::from(digest))
}
