//! The tools, prompts and resources of other servers, as our clients see them. The host decides which of them a client
//! may use; `upstream` sends the requests.

mod names;
mod prompt;
mod resource;
mod tool;

use std::sync::Arc;

use serde_json::value::RawValue;

pub use self::{
    names::our_name,
    prompt::OfferedPrompt,
    resource::{OfferedResources, Taken},
    tool::OfferedTool,
};
use crate::UpstreamError;

/// The features of other servers that one client may use now.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// All tools that may be called, listed or not.
    pub tools: Arc<Vec<OfferedTool>>,
    /// The listed tools.
    pub listed: Arc<Vec<OfferedTool>>,
    /// Whether the list holds two tools that never change instead of these: one that finds tools, one that calls them.
    pub search: bool,
    /// The servers' prompts and resources, by server name.
    pub servers: Arc<Vec<OfferedServer>>,
}

/// The prompts and resources of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedServer {
    /// The server's name.
    pub name: String,
    /// Whether the client's lists include them. They may be requested in either case.
    pub listed: bool,
    /// Its prompts, in its own order.
    pub prompts: Arc<Vec<OfferedPrompt>>,
    /// Its resources.
    pub resources: Arc<OfferedResources>,
}

/// A client's request to another server.
#[derive(Debug, Clone, Copy)]
pub enum UpstreamRequest<'w> {
    /// A call of a tool, by our name for it.
    Tool {
        /// Our name.
        name: &'w str,
        /// The arguments as the client wrote them.
        arguments: Option<&'w RawValue>,
    },
    /// A prompt, by our name for it.
    Prompt {
        /// Our name.
        name: &'w str,
        /// The arguments as the client wrote them.
        arguments: Option<&'w RawValue>,
    },
    /// The contents of a URI, by the URI that clients know.
    Resource {
        /// The URI.
        uri: &'w str,
    },
    /// The possible values of a prompt's argument.
    Completion {
        /// Our name for the prompt.
        prompt: &'w str,
        /// The argument and the typed part of its value, as the client wrote it.
        argument: &'w RawValue,
        /// The values of the other arguments.
        context: Option<&'w RawValue>,
    },
}

/// Why another server's answer is missing.
#[derive(Debug, Clone)]
pub enum CallFailure {
    /// Why it was not asked, or did not answer, as a sentence for the model.
    Sentence(String),
    /// The server answered with a protocol error.
    Refused {
        /// The JSON-RPC code.
        code: i64,
        /// The server's message.
        message: String,
        /// The server's additional data.
        data: Option<Box<RawValue>>,
    },
}

impl Offered {
    /// Whether a client may call this tool.
    pub fn has(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name() == name)
    }

    /// The prompt to which we gave this name, and its server.
    pub fn prompt(&self, name: &str) -> Option<(&OfferedServer, &OfferedPrompt)> {
        let of = |server| move |prompt| (server, prompt);
        let mut prompts = self.servers.iter().flat_map(|server| server.prompts.iter().map(of(server)));
        prompts.find(|(_, prompt)| prompt.name() == name)
    }

    /// The server of the resource at a URI, and its own URI for it. `None` if the URI is unknown, ambiguous, or ours.
    pub fn resource<'u>(&self, uri: &'u str) -> Option<(&OfferedServer, &'u str)> {
        if resource::is_ours(uri) {
            return None;
        }
        let behind = |server: &OfferedServer| uri.strip_prefix(server.name.as_str())?.strip_prefix('+');
        for server in self.servers.iter() {
            if let Some(own) = behind(server).filter(|own| server.resources.has(own)) {
                return Some((server, own));
            }
        }
        let mut listing = self.servers.iter().filter(|server| server.resources.lists(uri));
        if let Some(server) = listing.next() {
            return Some((server, uri));
        }
        let mut making = self.servers.iter().filter(|server| server.resources.makes(uri));
        making.next().filter(|_| making.next().is_none()).map(|server| (server, uri))
    }

    /// Whether a client sees the same list of other servers' resources in both.
    pub(crate) fn same_resources(&self, other: &Self) -> bool {
        let of = |offered: &Self| {
            let all = offered.listed_servers().map(|server| Arc::clone(&server.resources));
            all.filter(|resources| !resources.is_empty()).collect::<Vec<_>>()
        };
        Arc::ptr_eq(&self.servers, &other.servers) || of(self) == of(other)
    }

    /// The listed prompts, in the order of their servers.
    pub(crate) fn listed_prompts(&self) -> impl Iterator<Item = &OfferedPrompt> {
        self.listed_servers().flat_map(|server| server.prompts.iter())
    }

    /// Whether a client sees the same list of tools in both.
    pub(crate) fn lists_as(&self, other: &Self) -> bool {
        self.search == other.search && (Arc::ptr_eq(&self.listed, &other.listed) || self.listed == other.listed)
    }

    /// The servers whose prompts and resources are listed.
    pub(crate) fn listed_servers(&self) -> impl Iterator<Item = &OfferedServer> {
        self.servers.iter().filter(|server| server.listed)
    }
}

impl From<UpstreamError> for CallFailure {
    fn from(error: UpstreamError) -> Self {
        match error {
            UpstreamError::Refused { code, message, data } => Self::Refused { code, message, data },
            other => Self::Sentence(format!("The call was not answered: {other}.")),
        }
    }
}
