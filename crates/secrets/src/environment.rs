//! The complete environment of one child process, and the only place where secrets leave Skilltender.
//!
//! A child gets the few variables that any program needs, the declared ones, and the secrets that it names. Starting it
//! is left to `engine`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    path::PathBuf,
    process::Command,
};

use skills::Launch;
use zeroize::Zeroizing;

use crate::Secret;

/// Variables that every child gets if they are set: programs do not start without the first few, and servers behind a
/// company's proxy cannot connect without the last.
const PASSED_ON: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "USERNAME",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "PUBLIC",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMDATA",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
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
/// let environment = secrets::environment([], &launch, &[].into()).ok().expect("no secret is missing");
/// println!("{environment:?}");
/// ```
pub struct Environment(BTreeMap<OsString, Value>);

/// The value of a variable.
enum Value {
    /// A value that is not secret.
    Plain(OsString),
    /// A value that was entered as a secret.
    Secret(Zeroizing<String>),
}

/// A declared variable needs a secret that is not stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The secret {name} is missing. Open the skill in Skilltender and enter it under Needs.")]
pub struct SecretMissing {
    /// The parameter's name.
    pub name: String,
}

/// The complete environment of one child: from `ours` the few variables that any program needs, the declared ones, and
/// the secrets that it names. Nothing else is passed on.
///
/// `secrets` contains this server's own secrets by parameter name.
///
/// # Errors
/// When a variable needs a secret that `secrets` does not contain.
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

/// The environment of a helper program that is not a server: what any child gets, `PATH` set to the search folders, and
/// those of our variables whose names begin with one of `more`.
pub fn of_tool(ours: impl IntoIterator<Item = (OsString, OsString)>, search: &[PathBuf], more: &[&str]) -> Environment {
    // A folder whose name contains the separator cannot be expressed in `PATH`.
    let path = env::join_paths(search).unwrap_or_default();
    let ours = ours.into_iter().filter(|(name, _)| name != "PATH" && (is_passed_on(name) || begins(name, more)));
    let all = ours.chain([("PATH".into(), path)]);
    Environment(all.map(|(name, value)| (name, Value::Plain(value))).collect())
}

impl Environment {
    /// Sets this as the whole environment of a program that is started without `child`.
    pub fn give(&self, command: &mut Command) {
        command.env_clear().envs(self.variables());
    }

    /// Every variable with its value.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> + Clone {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// The secret values.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
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

/// The names of our variables that every child gets, and of those that begin with one of `more`, sorted.
pub fn passed_on(more: &[&str]) -> impl Iterator<Item = String> {
    let ours = env::vars_os().map(|(name, _)| name).filter(|name| is_passed_on(name) || begins(name, more));
    ours.filter_map(|name| name.into_string().ok()).collect::<BTreeSet<_>>().into_iter()
}

/// Whether a variable's name begins with one of these.
pub fn begins(name: &OsStr, with: &[&str]) -> bool {
    name.to_str().is_some_and(|name| with.iter().any(|begin| name.starts_with(begin)))
}

/// Windows ignores the case of variable names, and proxy variables are written in both cases.
fn is_passed_on(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    PASSED_ON.iter().any(|passed| passed.eq_ignore_ascii_case(name)) || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_gets_what_any_child_gets_and_what_is_its_own() {
        let ours = ["HOME", "PATH", "OP_ACCOUNT", "XDG_RUNTIME_DIR", "GITHUB_TOKEN", "OPENAI_API_KEY", "lc_all"];
        let ours = ours.map(|name| (name.into(), "ours".into()));
        let given = of_tool(ours, &["/a".into(), "/b".into()], &["OP_", "XDG_"]);
        let given: Vec<_> = given.variables().map(|(name, value)| (name.to_str(), value.to_str())).collect();
        let path = env::join_paths(["/a", "/b"]).unwrap();
        assert_eq!(
            given,
            [
                (Some("HOME"), Some("ours")),
                (Some("OP_ACCOUNT"), Some("ours")),
                (Some("PATH"), path.to_str()),
                (Some("XDG_RUNTIME_DIR"), Some("ours")),
            ]
        );
    }

    #[test]
    fn a_server_on_windows_gets_what_programs_there_ask_for() {
        let asked = ["HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "PUBLIC", "USERNAME"];
        let ours = asked.into_iter().chain(["ProgramFiles(x86)", "OneDrive", "USERDOMAIN"]);
        let launch = Launch { argv: vec![], env: BTreeMap::new(), secrets: BTreeMap::new(), cwd: None };
        let given = environment(ours.map(|name| (name.into(), "ours".into())), &launch, &BTreeMap::new()).unwrap();
        let given: Vec<_> = given.variables().filter_map(|(name, _)| name.to_str()).collect();
        let (other_case, rest): (Vec<&str>, Vec<&str>) = given.into_iter().partition(|name| name.contains("(x86)"));
        assert_eq!((other_case, rest), (vec!["ProgramFiles(x86)"], asked.to_vec()), "and nothing else");
    }

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
