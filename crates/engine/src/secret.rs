//! The value of a secret while it passes through us, and the one place where it leaves again.
//!
//! It comes in once, from the window, and goes to the keychain; from there it goes into the
//! environment of one child. A [`Secret`] has no `Debug`, no `Display`, no `Serialize` and no
//! `Clone`, so a leak does not compile. Which secrets there are is left to [`crate::secrets`].

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    process::Command,
};

use skills::Launch;
use zeroize::Zeroizing;

/// The longest secret in bytes: the Windows Credential Manager takes no more.
const LONGEST: usize = 2_560;

/// Variables that every child gets when we have them: nothing starts without the first few, and
/// servers behind a company's proxy reach nothing without the last.
const PASSED_ON: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "PROGRAMDATA",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];

/// The value of a secret. It cannot be printed, written or copied, and its memory is wiped.
///
/// ```
/// let secret = engine::Secret::new("correct horse".to_owned());
/// assert!(secret.is_ok());
/// ```
///
/// ```compile_fail
/// let secret = engine::Secret::new("correct horse".to_owned()).ok().expect("long enough");
/// println!("{secret:?}");
/// ```
///
/// ```compile_fail
/// let secret = engine::Secret::new("correct horse".to_owned()).ok().expect("long enough");
/// println!("{secret}");
/// ```
///
/// ```compile_fail
/// let secret = engine::Secret::new("correct horse".to_owned()).ok().expect("long enough");
/// serde_json::to_string(&secret);
/// ```
pub struct Secret(Zeroizing<String>);

/// Why a text cannot be kept as a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretRefused {
    /// There is nothing in it.
    #[error("The secret is empty. Paste its value, or remove the secret to be without one.")]
    Empty,
    /// No environment variable can hold it.
    #[error("The secret holds a NUL character, which no program can be given. Copy it again from where it was issued.")]
    Nul,
    /// Not every keychain can hold it.
    #[error(
        "The secret has {bytes} bytes; a keychain holds at most {LONGEST}. Keep it in a file and give the server the file's path."
    )]
    TooLong {
        /// How many bytes it has.
        bytes: usize,
    },
}

impl Secret {
    /// Takes a text over. A refused one is wiped too.
    ///
    /// # Errors
    /// When it is empty, holds a NUL or is too long for a keychain.
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
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

/// A declared variable takes a secret that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The secret {name} is missing. Open the skill in Skilltender and enter it under Needs.")]
pub struct SecretMissing {
    /// The parameter's name.
    pub name: String,
}

/// Gives `command` the whole environment of one child: of `ours` the few variables that any program
/// needs, what the declaration says, and the secrets that it names. Nothing else of ours gets there.
///
/// `secrets` holds this server's own secrets by parameter name.
///
/// # Errors
/// When a variable takes a secret that `secrets` does not hold.
pub fn fill_environment(
    command: &mut Command,
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    launch: &Launch,
    secrets: &BTreeMap<String, Secret>,
) -> Result<(), SecretMissing> {
    command.env_clear();
    command.envs(ours.into_iter().filter(|(name, _)| is_passed_on(name)));
    command.envs(&launch.env);
    for (variable, name) in &launch.secrets {
        let secret = secrets.get(name).ok_or_else(|| SecretMissing { name: name.clone() })?;
        command.env(variable, secret.expose());
    }
    Ok(())
}

/// Windows does not mind the case of a variable's name, and proxies are written in both.
fn is_passed_on(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    PASSED_ON.iter().any(|passed| passed.eq_ignore_ascii_case(name)) || name.starts_with("LC_")
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
        assert!(refused("a".repeat(2_561)).starts_with("The secret has 2561 bytes; a keychain holds at most 2560."));
        assert_eq!(secret(&"a".repeat(2_560)).expose().len(), 2_560);
    }

    #[cfg(unix)]
    #[test]
    fn a_child_gets_the_expected_environment_and_nothing_else() {
        let ours = [
            ("PATH", "/usr/bin:/bin"),
            ("HOME", "/home/ada"),
            ("LC_ALL", "C"),
            ("https_proxy", "http://proxy:3128"),
            ("GITHUB_TOKEN", "of the person"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("LD_PRELOAD", "/tmp/evil.so"),
        ];
        let launch = Launch {
            argv: vec!["env".to_owned()],
            env: BTreeMap::from([("MODE".to_owned(), "read-only".to_owned())]),
            secrets: BTreeMap::from([("API_KEY".to_owned(), "KEY".to_owned())]),
            cwd: None,
        };
        let secrets =
            BTreeMap::from([("KEY".to_owned(), secret("a b\"c")), ("OTHER".to_owned(), secret("of another"))]);

        let mut command = Command::new("env");
        command.env("LEFT_OVER", "from before");
        fill_environment(&mut command, ours.map(|(name, value)| (name.into(), value.into())), &launch, &secrets)
            .unwrap();
        let output = command.output().unwrap();

        let printed = String::from_utf8(output.stdout).unwrap();
        let mut lines: Vec<_> = printed.lines().collect();
        lines.sort_unstable();
        assert_eq!(
            lines,
            [
                "API_KEY=a b\"c",
                "HOME=/home/ada",
                "LC_ALL=C",
                "MODE=read-only",
                "PATH=/usr/bin:/bin",
                "https_proxy=http://proxy:3128",
            ]
        );
    }

    #[test]
    fn a_child_is_not_started_without_a_secret_it_declares() {
        let launch = Launch {
            argv: vec!["env".to_owned()],
            env: BTreeMap::new(),
            secrets: BTreeMap::from([("API_KEY".to_owned(), "KEY".to_owned())]),
            cwd: None,
        };
        let missing = fill_environment(&mut Command::new("env"), [], &launch, &BTreeMap::new()).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "The secret KEY is missing. Open the skill in Skilltender and enter it under Needs."
        );
    }
}
