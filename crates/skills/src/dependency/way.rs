//! One way to start or reach a server: an address, a program or a container, with placeholders.
//!
//! `read` creates ways and `launch` fills them; the person chooses among several (decision 32).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    mount,
    template::{Piece, after_literal, only_placeholder, pieces},
};

/// How a server is started or reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Way {
    /// A running server, reached over Streamable HTTP.
    Http {
        /// Its address.
        url: String,
        /// The headers of each request.
        headers: BTreeMap<String, String>,
    },
    /// A program on this computer.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment, in addition to the few variables that every server gets.
        env: BTreeMap<String, String>,
        /// Its working folder.
        cwd: Option<String>,
    },
    /// A container on this computer.
    Docker {
        /// The image.
        image: String,
        /// The arguments after the image.
        args: Vec<String>,
        /// Its environment.
        env: BTreeMap<String, String>,
        /// The mounts, as written: `${WORKSPACE}:/work:ro`.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        mounts: Vec<String>,
        /// The port for HTTP; without one it uses stdin and stdout.
        port: Option<u16>,
    },
}

/// The kind of a way: a server has at most one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WayKind {
    /// [`Way::Http`].
    Http,
    /// [`Way::Stdio`].
    Stdio,
    /// [`Way::Docker`].
    Docker,
}

impl WayKind {
    /// The kind as written in a frontmatter.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Stdio => "stdio",
            Self::Docker => "docker",
        }
    }
}

impl Way {
    /// The kind of this way.
    pub fn kind(&self) -> WayKind {
        match self {
            Self::Http { .. } => WayKind::Http,
            Self::Stdio { .. } => WayKind::Stdio,
            Self::Docker { .. } => WayKind::Docker,
        }
    }

    /// Whether any of its texts uses a value.
    pub fn uses(&self, parameter: &str) -> bool {
        self.texts().any(|text| mentions(text, parameter))
    }

    /// Whether a value is only in places where a secret may be (security rule 16).
    pub(super) fn keeps_apart(&self, parameter: &str) -> bool {
        let is_whole = |text: &&String| !mentions(text, parameter) || only_placeholder(text) == Some(parameter);
        let follows = |text: &&String| {
            !mentions(text, parameter) || after_literal(text).is_some_and(|(_, name)| name == parameter)
        };
        let open = |text: &String| mentions(text, parameter);
        match self {
            Self::Http { url, headers } => !open(url) && headers.values().all(|text| follows(&text)),
            Self::Stdio { command, args, env, cwd } => {
                !args.iter().chain(cwd).chain([command]).any(open) && env.values().all(|text| is_whole(&text))
            }
            Self::Docker { image: _, args, env, mounts, port: _ } => {
                !args.iter().chain(mounts).any(open) && env.values().all(|text| is_whole(&text))
            }
        }
    }

    /// The parameters that are whole folders.
    pub(super) fn folders(&self) -> Vec<String> {
        let names: Vec<&str> = match self {
            Self::Http { .. } => Vec::new(),
            Self::Stdio { cwd, .. } => cwd.iter().filter_map(|cwd| only_placeholder(cwd)).collect(),
            Self::Docker { mounts, .. } => {
                mounts.iter().filter_map(|mount| mount::parts(mount).ok()).map(|parts| parts.folder).collect()
            }
        };
        names.into_iter().map(str::to_owned).collect()
    }

    /// Every text that may hold a placeholder.
    fn texts(&self) -> Box<dyn Iterator<Item = &String> + '_> {
        match self {
            Self::Http { url, headers } => Box::new([url].into_iter().chain(headers.values())),
            Self::Stdio { command, args, env, cwd } => {
                Box::new([command].into_iter().chain(args).chain(env.values()).chain(cwd))
            }
            Self::Docker { image: _, args, env, mounts, port: _ } => {
                Box::new(args.iter().chain(env.values()).chain(mounts))
            }
        }
    }
}

fn mentions(text: &str, name: &str) -> bool {
    pieces(text).is_ok_and(|pieces| pieces.contains(&Piece::Placeholder(name)))
}
