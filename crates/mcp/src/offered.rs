//! What other servers have for our clients, as these see it: their tools, and what stands beside them. Which of it a
//! client may use is the host's to say; asking for it is `upstream`'s.

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

/// What one client may use of other servers now.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// All tools that may be called, listed or not.
    pub tools: Arc<Vec<OfferedTool>>,
    /// Those that stand in the list.
    pub listed: Arc<Vec<OfferedTool>>,
    /// Whether two tools that never change stand in the list in place of them: one that finds, one that calls.
    pub search: bool,
    /// What the servers have beside tools, in the order of their names.
    pub servers: Arc<Vec<OfferedServer>>,
}

/// What one server has beside tools.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedServer {
    /// Which one.
    pub name: String,
    /// Whether it stands in the client's lists. It may be asked for either way.
    pub listed: bool,
    /// Its prompts, in its own order.
    pub prompts: Arc<Vec<OfferedPrompt>>,
    /// Its resources.
    pub resources: Arc<OfferedResources>,
}

/// What a client asks of another server.
#[derive(Debug, Clone, Copy)]
pub enum Wish<'w> {
    /// A call of a tool, by our name for it.
    Tool {
        /// Our name.
        name: &'w str,
        /// As the client wrote them.
        arguments: Option<&'w RawValue>,
    },
    /// A prompt, by our name for it.
    Prompt {
        /// Our name.
        name: &'w str,
        /// As the client wrote them.
        arguments: Option<&'w RawValue>,
    },
    /// What stands at a URI, by the one that clients know.
    Resource {
        /// That URI.
        uri: &'w str,
    },
    /// What could stand in an argument of a prompt.
    Completion {
        /// Our name of the prompt.
        prompt: &'w str,
        /// The argument and what was typed of it, as the client wrote it.
        argument: &'w RawValue,
        /// What stands in the other arguments.
        context: Option<&'w RawValue>,
    },
}

/// Why another server gave a client nothing.
#[derive(Debug, Clone)]
pub enum CallFailure {
    /// Why it was not asked, or did not answer, as a sentence that the model reads.
    Sentence(String),
    /// The server answered with an error of the protocol.
    Refused {
        /// JSON-RPC's code.
        code: i64,
        /// What it said.
        message: String,
        /// What it added.
        data: Option<Box<RawValue>>,
    },
}

impl Offered {
    /// Whether a client may call this tool.
    pub fn has(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name() == name)
    }

    /// The prompt of this name of ours, and the server that has it.
    pub fn prompt(&self, name: &str) -> Option<(&OfferedServer, &OfferedPrompt)> {
        let of = |server| move |prompt| (server, prompt);
        let mut prompts = self.servers.iter().flat_map(|server| server.prompts.iter().map(of(server)));
        prompts.find(|(_, prompt)| prompt.name() == name)
    }

    /// The server that has what stands at a URI, and its own URI for it. `None` where nobody has it, where it is not
    /// clear who, and where it is ours.
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

    /// The prompts that stand in the list, in the order of their servers.
    pub(crate) fn listed_prompts(&self) -> impl Iterator<Item = &OfferedPrompt> {
        self.listed_servers().flat_map(|server| server.prompts.iter())
    }

    /// Whether a client sees the same list of tools in both.
    pub(crate) fn lists_as(&self, other: &Self) -> bool {
        self.search == other.search && (Arc::ptr_eq(&self.listed, &other.listed) || self.listed == other.listed)
    }

    /// The servers whose prompts and resources stand in the lists.
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
