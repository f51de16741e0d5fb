//! The whole environment of one child, and the one place where secrets leave us.
//!
//! A child gets the few variables that any program needs, what its declaration says, and the secrets
//! that it names. Starting it is left to [`crate::child`].

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    process::Command,
};

use skills::Launch;
use zeroize::Zeroizing;

use crate::Secret;

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

/// The variables of one child. They cannot be printed, written or copied, and the memory of those that
/// are secrets is wiped.
///
/// ```compile_fail
/// let launch = skills::Launch { argv: vec![], env: [].into(), secrets: [].into(), cwd: None };
/// let environment = engine::environment([], &launch, &[].into()).ok().expect("no secret is missing");
/// println!("{environment:?}");
/// ```
pub struct Environment(BTreeMap<OsString, Value>);

/// What a variable holds.
enum Value {
    /// What anybody may read.
    Plain(OsString),
    /// What was entered as a secret.
    Secret(Zeroizing<String>),
}

/// A declared variable takes a secret that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The secret {name} is missing. Open the skill in Skilltender and enter it under Needs.")]
pub struct SecretMissing {
    /// The parameter's name.
    pub name: String,
}

/// The whole environment of one child: of `ours` the few variables that any program needs, what the
/// declaration says, and the secrets that it names. Nothing else of ours gets there.
///
/// `secrets` holds this server's own secrets by parameter name.
///
/// # Errors
/// When a variable takes a secret that `secrets` does not hold.
pub fn environment(
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    launch: &Launch,
    secrets: &BTreeMap<String, Secret>,
) -> Result<Environment, SecretMissing> {
    let ours = ours.into_iter().filter(|(name, _)| is_passed_on(name));
    let declared = launch.env.iter().map(|(name, value)| (name.into(), value.into()));
    let mut variables: BTreeMap<_, _> = ours.chain(declared).map(|(name, value)| (name, Value::Plain(value))).collect();
    for (variable, name) in &launch.secrets {
        let secret = secrets.get(name).ok_or_else(|| SecretMissing { name: name.clone() })?;
        variables.insert(variable.into(), Value::Secret(Zeroizing::new(secret.expose().to_owned())));
    }
    Ok(Environment(variables))
}

impl Environment {
    /// Makes this the environment of a program that is started without [`crate::child`], in place of
    /// whatever it would have got.
    pub fn give(&self, command: &mut Command) {
        command.env_clear().envs(self.variables());
    }

    /// Every variable with its value.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> + Clone {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// The values that nobody may read.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.0.values().filter_map(|value| match value {
            Value::Plain(_) => None,
            Value::Secret(text) => Some(text.as_str()),
        })
    }
}

impl Value {
    fn as_os_str(&self) -> &OsStr {
        match self {
            Self::Plain(text) => text,
            Self::Secret(text) => OsStr::new(text.as_str()),
        }
    }
}

/// The names of our variables that every child gets, in order.
pub(crate) fn passed_on() -> impl Iterator<Item = String> {
    let ours = env::vars_os().map(|(name, _)| name).filter(|name| is_passed_on(name));
    ours.filter_map(|name| name.into_string().ok()).collect::<BTreeSet<_>>().into_iter()
}

/// Windows does not mind the case of a variable's name, and proxies are written in both.
fn is_passed_on(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    PASSED_ON.iter().any(|passed| passed.eq_ignore_ascii_case(name)) || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_not_started_without_a_secret_it_declares() {
        let launch = Launch {
            argv: vec!["env".to_owned()],
            env: BTreeMap::new(),
            secrets: BTreeMap::from([("API_KEY".to_owned(), "KEY".to_owned())]),
            cwd: None,
        };
        let missing = environment([], &launch, &BTreeMap::new()).err().unwrap();
        assert_eq!(
            missing.to_string(),
            "The secret KEY is missing. Open the skill in Skilltender and enter it under Needs."
        );
    }
}
