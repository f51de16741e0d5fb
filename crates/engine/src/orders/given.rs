//! Orders about secrets and values. A secret only goes inwards.

use std::fmt;

use api::{ActionError, ErrorKind, failed};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::{Engine, actions};

/// One request about what skills need. A skill is named as in every [`Order`](super::Order).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum GivenOrder {
    /// Answers with the [`api::SkillNeeds`] of all skills that need servers.
    Read,
    /// Stores a secret; answers with whether it is kept only until the engine quits.
    SetSecret {
        /// Which skill.
        skill: String,
        /// The server's name.
        server: String,
        /// The parameter's name.
        name: String,
        /// Its value.
        value: SecretText,
    },
    /// Forgets a secret.
    DeleteSecret {
        /// Which skill.
        skill: String,
        /// The server's name.
        server: String,
        /// The parameter's name.
        name: String,
    },
    /// Stores a value that is not secret, or forgets it.
    SetValue {
        /// Which skill.
        skill: String,
        /// The server's name.
        server: String,
        /// The parameter's name.
        name: String,
        /// Its value; `None` forgets it.
        value: Option<String>,
    },
}

/// A secret on its way to the engine that stores it. It is never printed, and its memory is wiped.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// Takes ownership of a text.
    #[must_use]
    pub const fn new(text: Zeroizing<String>) -> Self {
        Self(text)
    }
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

/// For the socket to the running engine.
impl Serialize for SecretText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText")
    }
}

pub(super) async fn carry_out(engine: &Engine, order: GivenOrder) -> Result<Value, ActionError> {
    match order {
        GivenOrder::Read => Ok(json!(actions::read_needs(engine))),
        GivenOrder::SetSecret { skill, server, name, mut value } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::set_secret(engine, &key, &server, &name, std::mem::take(&mut *value.0)).await?;
            let only_this_run = actions::is_in_memory_only(engine, &key, &server, &name);
            if only_this_run && !engine.serves() {
                let message = "No keychain answers on this computer, and no Skilltender runs that could keep the secret in \
                               its memory meanwhile, so it was not stored.";
                let hints = vec!["Start a keychain, the app or `skilltender serve`, then set it again.".to_owned()];
                return Err(ActionError { hints, ..failed(ErrorKind::Keychain, message) });
            }
            Ok(json!({"skill": key, "server": server, "name": name, "onlyThisRun": only_this_run}))
        }
        GivenOrder::DeleteSecret { skill, server, name } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::delete_secret(engine, &key, &server, &name).await?;
            Ok(json!({"skill": key, "server": server, "name": name}))
        }
        GivenOrder::SetValue { skill, server, name, value } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::set_value(engine, &key, &server, &name, value.clone()).await?;
            Ok(json!({"skill": key, "server": server, "name": name, "value": value}))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::Order;

    #[test]
    fn an_order_that_carries_a_secret_does_not_print_it_and_arrives_whole() {
        let value = SecretText::new(Zeroizing::new("can\"ary".to_owned()));
        let text = |text: &str| text.to_owned();
        let (skill, server, name) = (text("tea"), text("github"), text("TOKEN"));
        let order = Order::Given(GivenOrder::SetSecret { skill, server, name, value });
        assert!(!format!("{order:?}").contains("ary"), "{order:?}");
        let line = serde_json::to_string(&order).unwrap();
        assert_eq!(serde_json::from_str::<Order>(&line).unwrap(), order);
    }
}
