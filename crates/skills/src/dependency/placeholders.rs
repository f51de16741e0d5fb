//! Rules about where a declaration puts its values.

use std::ops::Range;

use super::{
    Server,
    parameter::{self, FOLDERS},
    template::{HOME, Piece, only_placeholder, pieces},
};
use crate::{problem::Fault, yaml::Node};

/// Checks every text of `holder` that may hold placeholders, and gives the server a parameter for
/// each folder that they ask for.
pub(super) fn check(server: &mut Server, holder: &Node, field: &str, faults: &mut Vec<Fault>) {
    for key in ["command", "cwd", "url"] {
        if let Some(node) = holder.get(key) {
            template(server, node, &format!("{field}.{key}"), Where::Open, faults);
        }
    }
    for (index, node) in holder.get("args").map(Node::items).unwrap_or_default().iter().enumerate() {
        template(server, node, &format!("{field}.args[{index}]"), Where::Open, faults);
    }
    for (key, node) in holder.get("env").map(Node::entries).unwrap_or_default() {
        let name = key.text().unwrap_or_default();
        let field = format!("{field}.env.{name}");
        faults.extend(variable(name, key.span.clone(), &field));
        template(server, node, &field, Where::Environment, faults);
    }
}

/// The fault of an environment variable that no skill may set.
pub(super) fn variable(name: &str, span: Range<usize>, field: &str) -> Option<Fault> {
    let message = || format!("`{field}` would change how programs load or connect; a skill may not set it.");
    changes_other_programs(name).then(|| Fault::new("server-environment", span, message()).about(field))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Arguments, addresses, folders: other programs can read them.
    Open,
    Environment,
}

fn template(server: &mut Server, node: &Node, field: &str, place: Where, faults: &mut Vec<Fault>) {
    let text = node.text().unwrap_or_default();
    let undeclared = |placeholder: &str| {
        let message = format!("`{placeholder}` is not declared; add it to the `parameters` of the server.");
        Fault::new("server-placeholder", node.span.clone(), message).about(field)
    };
    let pieces = match pieces(text) {
        Ok(pieces) => pieces,
        Err(rest) => return faults.push(undeclared(rest)),
    };
    for piece in pieces {
        let Piece::Placeholder(name) = piece else { continue };
        if field.ends_with(".command") {
            let message = format!("`{field}` must be written out; a value cannot choose which program is started.");
            faults.push(Fault::new("server-placeholder", node.span.clone(), message).about(field));
            continue;
        }
        match server.parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) if parameter.sensitive => {
                if place == Where::Open || only_placeholder(text).is_none() {
                    let message = format!(
                        "The secret `{name}` stands where other programs can read it. \
                         Pass it in `env`, as a whole value: `NAME: \"${{{name}}}\"`."
                    );
                    faults.push(Fault::new("server-secret", node.span.clone(), message).about(field));
                }
            }
            Some(_) => {}
            None if name == HOME => {}
            None if FOLDERS.contains(&name) => server.parameters.push(parameter::folder(name)),
            None => faults.push(undeclared(&format!("${{{name}}}"))),
        }
    }
}

/// Variables by which a skill could make other programs load its code or talk to its server
/// (security.md, R7).
pub(super) fn changes_other_programs(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let starts = ["LD_", "DYLD_", "GIT_", "NPM_CONFIG_", "BASH_FUNC_"];
    let exact = [
        "PATH",
        "NODE_OPTIONS",
        "NODE_PATH",
        "NODE_EXTRA_CA_CERTS",
        "NODE_TLS_REJECT_UNAUTHORIZED",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "RUBYOPT",
        "RUBYLIB",
        "PERL5OPT",
        "PERL5LIB",
        "JAVA_TOOL_OPTIONS",
        "BASH_ENV",
        "ENV",
        "SHELLOPTS",
        "IFS",
        "HOME",
        "SSL_CERT_FILE",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
    ];
    starts.iter().any(|start| name.starts_with(start)) || exact.contains(&name.as_str()) || name.ends_with("_BASE_URL")
}
