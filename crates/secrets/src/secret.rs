//! The value of a secret while it passes through Skilltender.
//!
//! It comes in once, from the window, and goes to the keychain; from there it goes into the
//! [`Environment`](crate::Environment) of one child. A [`Secret`] has no `Debug`, no `Display`, no `Serialize`
//! and no `Clone`, so a leak does not compile. The list of secrets is left to [`crate::Secrets`].

use zeroize::Zeroizing;

/// The longest secret in bytes: the maximum length of one variable on Windows.
const LONGEST: usize = 32_767;

/// The value of a secret. It cannot be printed, written or copied, and its memory is wiped.
///
/// ```
/// let secret = secrets::Secret::new("correct horse".to_owned());
/// assert!(secret.is_ok());
/// ```
///
/// ```compile_fail
/// let secret = secrets::Secret::new("correct horse".to_owned()).ok().expect("long enough");
/// println!("{secret:?}");
/// ```
///
/// ```compile_fail
/// let secret = secrets::Secret::new("correct horse".to_owned()).ok().expect("long enough");
/// println!("{secret}");
/// ```
///
/// ```compile_fail
/// let secret = secrets::Secret::new("correct horse".to_owned()).ok().expect("long enough");
/// serde_json::to_string(&secret);
/// ```
pub struct Secret(Zeroizing<String>);

/// Why a text cannot be kept as a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretRefused {
    /// It is empty.
    #[error("The secret is empty. Paste its value, or remove the secret to be without one.")]
    Empty,
    /// No environment variable can hold it.
    #[error("The secret holds a NUL character, which no program can be given. Copy it again from where it was issued.")]
    Nul,
    /// Not every system can pass it to a program.
    #[error(
        "The secret has {bytes} bytes; a program can be given at most {LONGEST}. Keep it in a file and give the server the file's path."
    )]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
}

impl Secret {
    /// Takes ownership of a text. A refused one is wiped too.
    ///
    /// # Errors
    /// When it is empty, holds a NUL or is too long to be passed to a program.
    pub fn new(text: String) -> Result<Self, SecretRefused> {
        let text = Zeroizing::new(text);
        if text.is_empty() {
            return Err(SecretRefused::Empty);
        }
        if text.contains('\0') {
            return Err(SecretRefused::Nul);
        }
        if text.len() > LONGEST {
            return Err(SecretRefused::TooLong { bytes: text.len() });
        }
        Ok(Self(text))
    }

    /// The value itself: for the keychain and for a child's environment only.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned()).unwrap_or_else(|refused| panic!("{refused}"))
    }

    fn refused(text: String) -> String {
        Secret::new(text).map_or_else(|refused| refused.to_string(), |_| "it was taken".to_owned())
    }

    #[test]
    fn a_text_that_no_keychain_or_program_can_hold_is_refused_with_a_sentence() {
        assert_eq!(
            refused(String::new()),
            "The secret is empty. Paste its value, or remove the secret to be without one."
        );
        assert!(refused("a\0b".to_owned()).starts_with("The secret holds a NUL character"));
        assert!(refused("a".repeat(32_768)).starts_with("The secret has 32768 bytes; a program can be given at most"));
        assert_eq!(secret(&"a".repeat(32_767)).expose().len(), 32_767);
    }
}
