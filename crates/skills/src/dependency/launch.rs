//! Fills values into a declaration.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Choice, Launch, Missing, Parameter, Server, missing,
    placeholders::changes_other_programs,
    template::{HOME, Piece, only_placeholder, pieces},
};

/// Why a declaration cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Nobody said how the server is started.
    #[error("The skill does not say how the server `{server}` is started.")]
    NotKnown {
        /// The server.
        server: String,
    },
    /// The server runs elsewhere; there is nothing to start.
    #[error("The server `{server}` is not started here; it runs at its own address.")]
    RunsElsewhere {
        /// The server.
        server: String,
    },
    /// Values are missing.
    #[error("The server `{server}` needs {names}, which nobody has given yet.", names = names(.missing))]
    Missing {
        /// The server.
        server: String,
        /// What is missing.
        missing: Vec<Missing>,
    },
    /// A placeholder names no parameter, or is none.
    #[error("The server `{server}` uses `{placeholder}`, which is declared nowhere.")]
    Undeclared {
        /// The server.
        server: String,
        /// The placeholder as written.
        placeholder: String,
    },
    /// A secret stands where others could read it, or is only a part of a value.
    #[error(
        "The server `{server}` uses the secret `{parameter}` outside of a whole environment value, where others could read it."
    )]
    SecretInTheOpen {
        /// The server.
        server: String,
        /// The parameter.
        parameter: String,
    },
    /// A variable would change how other programs load or connect.
    #[error("The server `{server}` wants to set `{variable}`, which changes how programs load or connect.")]
    Variable {
        /// The server.
        server: String,
        /// The variable.
        variable: String,
    },
    /// A value would be taken for an option, or holds what no argument may.
    #[error("The value of `{parameter}` for the server `{server}` {what}.")]
    Value {
        /// The server.
        server: String,
        /// The parameter.
        parameter: String,
        /// What is wrong with it, without showing it.
        what: &'static str,
    },
}

/// Fills `values` into the declaration of a server that is a program. Every element is filled by
/// itself and once, so that a value can neither become a second argument nor name another value.
/// `values` is asked for `HOME` too, and never for a secret.
///
/// # Errors
/// See [`LaunchError`]. No message shows a value.
pub fn launch(server: &Server, values: &impl Fn(&str) -> Option<String>) -> Result<Launch, LaunchError> {
    let name = || server.name.clone();
    let Choice::Stdio { command, args, env, cwd } =
        server.choice.as_ref().ok_or_else(|| LaunchError::NotKnown { server: name() })?
    else {
        return Err(LaunchError::RunsElsewhere { server: name() });
    };
    let secret = |parameter: &str| server.parameters.iter().any(|p| p.sensitive && p.name == parameter);
    let missing = missing(server, &|parameter| secret(parameter) || values(parameter).is_some());
    if !missing.is_empty() {
        return Err(LaunchError::Missing { server: name(), missing });
    }
    let filling = Filling { server, values };
    let mut argv = vec![filling.literal(command)?];
    let mut options_end = false;
    for template in args {
        argv.extend(filling.argument(template, options_end)?);
        options_end |= template == "--";
    }
    let (mut plain, mut secrets) = (BTreeMap::new(), BTreeMap::new());
    for (variable, template) in env {
        if changes_other_programs(variable) {
            return Err(LaunchError::Variable { server: name(), variable: variable.clone() });
        }
        match only_placeholder(template) {
            Some(parameter) if secret(parameter) => {
                secrets.insert(variable.clone(), parameter.to_owned());
            }
            _ => plain.extend(filling.filled(template)?.map(|value| (variable.clone(), value))),
        }
    }
    let cwd = cwd.as_deref().map(|cwd| filling.filled(cwd)).transpose()?.flatten();
    Ok(Launch { argv, env: plain, secrets, cwd })
}

struct Filling<'s, V> {
    server: &'s Server,
    values: &'s V,
}

impl<V: Fn(&str) -> Option<String>> Filling<'_, V> {
    /// A template in which nothing may be filled.
    fn literal(&self, template: &str) -> Result<String, LaunchError> {
        match pieces(template) {
            Ok(pieces) if pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) => Ok(template.to_owned()),
            _ => Err(self.undeclared(template)),
        }
    }

    fn argument(&self, template: &str, options_end: bool) -> Result<Option<String>, LaunchError> {
        let Some(filled) = self.filled(template)? else { return Ok(None) };
        let starts_with_value = template.starts_with("${");
        if let Some(parameter) = first_placeholder(template) {
            if starts_with_value && filled.starts_with('-') && !options_end {
                return Err(self.value(parameter, "starts with `-` and would be taken for an option"));
            }
            if has_password(&filled) && !has_password(template) {
                return Err(self.value(
                    parameter,
                    "holds a password (`user:password@`), which must not be an argument; every program could read it",
                ));
            }
        }
        Ok(Some(filled))
    }

    /// The template with its values; `None` when it is one optional placeholder without a value.
    fn filled(&self, template: &str) -> Result<Option<String>, LaunchError> {
        let pieces = pieces(template).map_err(|rest| self.undeclared(rest))?;
        let alone = pieces.len() == 1;
        let mut filled = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Placeholder(name) => match self.given(name)? {
                    Some(value) => filled.push_str(&value),
                    None if alone => return Ok(None),
                    None => {}
                },
            }
        }
        Ok(Some(filled))
    }

    fn given(&self, name: &str) -> Result<Option<String>, LaunchError> {
        let declared = self.server.parameters.iter().find(|parameter| parameter.name == name);
        let value = match declared {
            Some(Parameter { sensitive: true, .. }) => {
                let (server, parameter) = (self.server.name.clone(), name.to_owned());
                return Err(LaunchError::SecretInTheOpen { server, parameter });
            }
            Some(parameter) => match (self.values)(name) {
                Some(value) => Some(value),
                None => parameter.default.as_deref().map(|default| self.default(default)).transpose()?,
            },
            None if name == HOME => (self.values)(HOME),
            None => return Err(self.undeclared(&format!("${{{name}}}"))),
        };
        match value {
            Some(value) if value.contains(['\0', '\n', '\r']) => {
                Err(self.value(name, "holds a line end or a NUL character"))
            }
            value => Ok(value),
        }
    }

    /// A default is the author's text and may name the home folder.
    fn default(&self, default: &str) -> Result<String, LaunchError> {
        let mut filled = String::new();
        for piece in pieces(default).map_err(|rest| self.undeclared(rest))? {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Placeholder(HOME) => filled.push_str(&(self.values)(HOME).unwrap_or_default()),
                Piece::Placeholder(name) => return Err(self.undeclared(&format!("${{{name}}}"))),
            }
        }
        Ok(filled)
    }

    fn undeclared(&self, placeholder: &str) -> LaunchError {
        LaunchError::Undeclared { server: self.server.name.clone(), placeholder: placeholder.to_owned() }
    }

    fn value(&self, parameter: &str, what: &'static str) -> LaunchError {
        LaunchError::Value { server: self.server.name.clone(), parameter: parameter.to_owned(), what }
    }
}

fn first_placeholder(template: &str) -> Option<&str> {
    pieces(template).ok()?.into_iter().find_map(|piece| match piece {
        Piece::Placeholder(name) => Some(name),
        Piece::Text(_) => None,
    })
}

/// Whether a text holds `user:password@`, alone or in an address.
fn has_password(text: &str) -> bool {
    let addresses = text.split_once("://").map_or(text, |(_, rest)| rest);
    addresses.split("://").any(|rest| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        let password = |(user, host): (&str, &str)| {
            // `image:tag@sha256:...` is no password.
            let word = user.split_once(':').filter(|(user, word)| !user.is_empty() && !word.is_empty());
            word.is_some() && !host.starts_with("sha256:")
        };
        authority.rsplit_once('@').is_some_and(password)
    })
}

fn names(missing: &[Missing]) -> String {
    let names: BTreeSet<_> = missing.iter().map(|missing| format!("`{}`", missing.parameter)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}
