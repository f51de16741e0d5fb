//! The values and secrets that the user supplies during an installation.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use api::{NeedValue, ValueState};
use engine::actions::{IncomingServer, password_in};
use zeroize::Zeroizing;

use crate::{Failure, ask, prose};

/// The supplied values, by server and name.
#[derive(Default)]
pub(super) struct Given {
    values: BTreeMap<(String, String), String>,
    secrets: BTreeMap<(String, String), Zeroizing<String>>,
}

/// Whether the value need not be supplied: it is stored, or has a default.
pub(super) fn is_there(value: &NeedValue) -> bool {
    match &value.state {
        ValueState::SecretMissing => false,
        ValueState::SecretStored { .. } => true,
        ValueState::Plain { value, default } => value.is_some() || default.is_some(),
    }
}

fn is_secret(value: &NeedValue) -> bool {
    !matches!(value.state, ValueState::Plain { .. })
}

impl Given {
    /// The values on the command line, for every server with a parameter of this name.
    ///
    /// # Errors
    /// If no server has the parameter, it is a secret in plain text, or an environment variable is not set.
    pub(super) fn new(
        values: &[(String, String)],
        from_env: &[(String, String)],
        servers: &[&IncomingServer],
    ) -> Result<Self, Failure> {
        let mut given = Self::default();
        for (name, value) in values {
            open(name, value, servers)?;
            for server in asking(servers, name, false)? {
                given.values.insert((server, name.clone()), value.clone());
            }
        }
        for (name, variable) in from_env {
            let Ok(value) = env::var(variable) else {
                let message = format!("There is no variable {variable} to take {name} from, or it is not UTF-8.");
                return Err(Failure::usage(message));
            };
            let value = Zeroizing::new(value);
            for server in asking(servers, name, true)? {
                given.secrets.insert((server, name.clone()), value.clone());
            }
        }
        Ok(given)
    }

    /// Asks at the terminal for the missing values. An empty answer supplies nothing.
    pub(super) fn ask(&mut self, servers: &[&IncomingServer]) -> Result<(), Failure> {
        for server in servers {
            let name = &server.need.server;
            for value in server.need.values.iter().filter(|value| !is_there(value)) {
                if self.has(name, &value.name) {
                    continue;
                }
                let question = question(name, value);
                let slot = (name.clone(), value.name.clone());
                if is_secret(value) {
                    let answer = ask::secret(&question)?;
                    if !answer.is_empty() {
                        self.secrets.insert(slot, answer);
                    }
                } else {
                    let answer = ask::line(&question)?;
                    if !answer.is_empty() {
                        open(&value.name, &answer, &[server])?;
                        self.values.insert(slot, answer);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a value or secret was supplied.
    pub(super) fn has(&self, server: &str, name: &str) -> bool {
        let slot = (server.to_owned(), name.to_owned());
        self.values.contains_key(&slot) || self.secrets.contains_key(&slot)
    }

    /// The values: server, name and value.
    pub(super) fn values(&self) -> impl Iterator<Item = (String, String, String)> {
        self.values.iter().map(|((server, name), value)| (server.clone(), name.clone(), value.clone()))
    }

    /// The secrets, in the same way.
    pub(super) fn secrets(&self) -> impl Iterator<Item = (String, String, Zeroizing<String>)> {
        self.secrets.iter().map(|((server, name), value)| (server.clone(), name.clone(), value.clone()))
    }
}

/// Refuses a password in a plain value, before anything is installed.
fn open(name: &str, value: &str, servers: &[&IncomingServer]) -> Result<(), Failure> {
    if !skills::holds_password(value) {
        return Ok(());
    }
    let values = servers.iter().flat_map(|server| &server.need.values);
    let secrets = values.filter(|value| is_secret(value)).map(|value| value.name.as_str());
    let store = |secret: &str| format!("--secret-from-env {secret}=VARIABLE");
    Err(Failure::usage(password_in(name, secrets, store)))
}

/// The servers that have a parameter of this name.
fn asking(servers: &[&IncomingServer], name: &str, secret: bool) -> Result<BTreeSet<String>, Failure> {
    let mut asking = BTreeSet::new();
    for server in servers {
        for value in server.need.values.iter().filter(|value| value.name == name) {
            match (is_secret(value), secret) {
                (true, false) => {
                    let message = format!(
                        "{name} is a secret, and every program can read a command line. Give it with \
                         --secret-from-env {name}=VARIABLE, or at a terminal, which asks."
                    );
                    return Err(Failure::usage(message));
                }
                (false, true) => {
                    return Err(Failure::usage(format!("{name} is no secret. Give it with --set {name}=VALUE.")));
                }
                _ => drop(asking.insert(server.need.server.clone())),
            }
        }
    }
    if asking.is_empty() {
        return Err(Failure::usage(format!("No server of this skill that is to be set up asks for {name}.")));
    }
    Ok(asking)
}

fn question(server: &str, value: &NeedValue) -> String {
    let NeedValue { name, description, required, example, .. } = value;
    let description = description.as_ref().map(|text| format!(" ({})", prose(text))).unwrap_or_default();
    let example = example.as_ref().map(|text| format!(", such as {}", prose(text))).unwrap_or_default();
    let optional = if *required { "" } else { ", may stay empty" };
    format!("{name} for {server}{description}{example}{optional}: ")
}

#[cfg(test)]
mod tests {
    use api::Need;

    use super::*;

    fn server() -> IncomingServer {
        let value = |name: &str, state: ValueState| NeedValue {
            name: name.to_owned(),
            description: None,
            required: true,
            example: None,
            state,
        };
        let values = vec![
            value("TOKEN", ValueState::SecretMissing),
            value("REGION", ValueState::Plain { value: None, default: None }),
        ];
        let need = Need {
            server: "stock".to_owned(),
            description: None,
            command: Vec::new(),
            url: None,
            ways: Vec::new(),
            way: None,
            shares_with: None,
            values,
        };
        IncomingServer { need, configured: None, approved: false, absent: None, startable: true }
    }

    fn given(set: &[(&str, &str)]) -> Result<Given, String> {
        let set: Vec<_> = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Given::new(&set, &[], &[&server()]).map_err(|failure| failure.message.to_string())
    }

    #[test]
    fn a_secret_is_not_taken_from_the_command_line() {
        assert!(
            given(&[("TOKEN", "canary")]).err().is_some_and(|said| said.contains("--secret-from-env TOKEN=VARIABLE"))
        );
        assert!(given(&[("REGION", "north")]).is_ok_and(|given| given.has("stock", "REGION")));
        let password = given(&[("REGION", "postgresql://u:pw@h/x")]).err().unwrap_or_default();
        assert!(password.contains("REGION would hold a password") && password.contains("--secret-from-env TOKEN="));
        assert!(!password.contains("u:pw"), "{password}");
        assert!(given(&[("REGOIN", "north")]).err().is_some_and(|said| said.contains("asks for REGOIN")));
    }

    #[test]
    fn what_is_missing_is_said_value_by_value() {
        let server = server();
        let said = |asks| {
            let given = given(&[("REGION", "north")]).unwrap_or_default();
            let missing = super::super::missing::of(&[&server], &given, asks);
            missing.into_iter().map(|missing| missing.message).collect::<Vec<_>>()
        };
        assert_eq!(said(true), ["It needs TOKEN."]);
        assert_eq!(said(false), ["It needs TOKEN.", "No client's file has it, and nobody approved it."]);
    }
}
