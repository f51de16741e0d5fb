//! Fills values into a declaration.

use std::collections::BTreeMap;

use super::{
    Container, Launch, LaunchError, Parameter, Remote, SecretHeader, Server, Start, Way,
    container::{Mount, is_image},
    environment::{is_refused, is_refused_in_containers, is_variable},
    header, missing, mount,
    start::is_safe_address,
    template::{HOME, Piece, after_literal, holds_password, only_placeholder, pieces},
};

/// Fills `values` into one way of a server. Each element is filled separately and once, so a value cannot become a
/// second argument or name another value. `values` is asked for `HOME` too, and never for a secret.
///
/// # Errors
/// See [`LaunchError`]. No message shows a value.
pub fn launch(server: &Server, way: &Way, values: &impl Fn(&str) -> Option<String>) -> Result<Start, LaunchError> {
    let filling = Filling { server, values };
    let missing = missing(server, Some(way), &|parameter| filling.is_secret(parameter) || values(parameter).is_some());
    if !missing.is_empty() {
        return Err(LaunchError::Missing { server: server.name.clone(), missing });
    }
    match way {
        Way::Http { url, headers } => {
            let (plain, secrets) = filling.headers(headers)?;
            Ok(Start::Address(Remote { url: filling.address(url)?, headers: plain, secrets }))
        }
        Way::Stdio { command, args, env, cwd } => {
            let mut argv = vec![filling.literal(command)?];
            argv.extend(filling.arguments(args)?);
            let (plain, secrets) = filling.environment(env, is_refused)?;
            let cwd = cwd.as_deref().map(|cwd| filling.filled(cwd)).transpose()?.flatten();
            Ok(Start::Program(Launch { argv, env: plain, secrets, cwd }))
        }
        Way::Docker { image, args, env, mounts, port } => {
            if !is_image(image) {
                return Err(LaunchError::Image { server: server.name.clone() });
            }
            let (plain, secrets) = filling.environment(env, is_refused_in_containers)?;
            let (image, args) = (image.clone(), filling.arguments(args)?);
            let mounts = mounts.iter().map(|mount| filling.mount(mount)).collect::<Result<_, _>>()?;
            Ok(Start::Container(Container { image, args, env: plain, secrets, mounts, port: *port }))
        }
    }
}

/// The plain values and the places of secrets, both by name.
type Apart<S> = (BTreeMap<String, String>, BTreeMap<String, S>);

struct Filling<'s, V> {
    server: &'s Server,
    values: &'s V,
}

impl<V: Fn(&str) -> Option<String>> Filling<'_, V> {
    fn is_secret(&self, parameter: &str) -> bool {
        self.server.parameters.iter().any(|declared| declared.sensitive && declared.name == parameter)
    }

    fn arguments(&self, templates: &[String]) -> Result<Vec<String>, LaunchError> {
        let (mut arguments, mut options_end) = (Vec::new(), false);
        for template in templates {
            arguments.extend(self.argument(template, options_end)?);
            options_end |= template == "--";
        }
        Ok(arguments)
    }

    fn environment(
        &self,
        templates: &BTreeMap<String, String>,
        is_refused: fn(&str) -> bool,
    ) -> Result<Apart<String>, LaunchError> {
        let (mut plain, mut secrets) = (BTreeMap::new(), BTreeMap::new());
        for (variable, template) in templates {
            if is_refused(variable) || !is_variable(variable) {
                let (server, variable) = (self.server.name.clone(), variable.clone());
                return Err(LaunchError::Variable { server, variable });
            }
            match only_placeholder(template) {
                Some(parameter) if self.is_secret(parameter) => {
                    secrets.insert(variable.clone(), parameter.to_owned());
                }
                _ => plain.extend(self.filled(template)?.map(|value| (variable.clone(), value))),
            }
        }
        Ok((plain, secrets))
    }

    fn headers(&self, templates: &BTreeMap<String, String>) -> Result<Apart<SecretHeader>, LaunchError> {
        let (mut plain, mut secrets) = (BTreeMap::new(), BTreeMap::new());
        for (name, template) in templates {
            let wrong = || LaunchError::Header { server: self.server.name.clone(), header: name.clone() };
            if header::wrong_name(name).is_some() || !header::is_value(template) {
                return Err(wrong());
            }
            match after_literal(template) {
                Some((before, parameter)) if self.is_secret(parameter) => {
                    let (before, parameter) = (before.to_owned(), parameter.to_owned());
                    secrets.insert(name.clone(), SecretHeader { before, parameter });
                }
                _ => {
                    let Some(value) = self.filled(template)? else { continue };
                    if !header::is_value(&value) {
                        return Err(wrong());
                    }
                    plain.insert(name.clone(), value);
                }
            }
        }
        Ok((plain, secrets))
    }

    /// The address with its values. A value in the host stays in the host.
    fn address(&self, template: &str) -> Result<String, LaunchError> {
        let wrong = || LaunchError::Address { server: self.server.name.clone() };
        let start = template.find("://").ok_or_else(wrong)? + 3;
        let end = template[start..].find(['/', '?', '#']).map_or(template.len(), |at| start + at);
        let host = self.filled(&template[..end])?.ok_or_else(wrong)?;
        let rest = self.filled(&template[end..])?.unwrap_or_default();
        let leaves_the_host = host.get(start..).is_none_or(|host| host.contains(['/', '?', '#']));
        let address = host + &rest;
        let is_plain = address.bytes().all(|b| matches!(b, b'!'..=b'~'));
        if leaves_the_host || !is_plain || !is_safe_address(&address) { Err(wrong()) } else { Ok(address) }
    }

    /// A mount with its value: an absolute path, so that it is the folder that was approved.
    fn mount(&self, template: &str) -> Result<Mount, LaunchError> {
        let wrong = || LaunchError::Mount { server: self.server.name.clone(), mount: template.to_owned() };
        let parts = mount::parts(template).map_err(|_| wrong())?;
        let source = self.filled(parts.source)?.ok_or_else(wrong)?;
        if !source.starts_with('/') || source.split('/').any(|part| part == "..") {
            return Err(self.value(parts.folder, "is no whole path of a folder"));
        }
        Ok(Mount { source, target: parts.target.to_owned(), read_only: parts.read_only })
    }

    /// A template without placeholders.
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
            if holds_password(&filled) && !holds_password(template) {
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
