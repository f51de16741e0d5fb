//! The tools of other servers, as our clients see them.

use std::sync::Arc;

use rmcp::model::Tool;
use serde_json::{Value, value::RawValue};

use crate::{ListedTool, UpstreamError};

/// One tool of another server, under our name for it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    tool: Tool,
    tokens: usize,
}

/// The tools of other servers that one client may use now.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// All that may be called, listed or not.
    pub tools: Arc<Vec<OfferedTool>>,
    /// Those that stand in the list.
    pub listed: Arc<Vec<OfferedTool>>,
    /// Whether two tools that never change stand in the list in place of them: one that finds, one that calls.
    pub search: bool,
}

/// Why a call of another server's tool has no result of its own.
#[derive(Debug, Clone)]
pub enum CallFailure {
    /// Why it was not made, or not answered, as a sentence that the model reads.
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

impl OfferedTool {
    /// A tool as its server describes it, by our name; `None` where the description is none that a client could read.
    pub fn new(name: &str, listed: &ListedTool) -> Option<Self> {
        let mut described: Value = serde_json::from_str(listed.json.get()).ok()?;
        described["name"] = name.into();
        let tool: Tool = serde_json::from_value(described).ok()?;
        let tokens = skills::about_tokens(&serde_json::to_string(&tool).unwrap_or_default());
        Some(Self { tool, tokens })
    }

    /// Our name for it.
    pub fn name(&self) -> &str {
        &self.tool.name
    }

    /// What the server says that it does.
    pub fn description(&self) -> &str {
        self.tool.description.as_deref().unwrap_or_default()
    }

    /// What a client gets to read of it, byte for byte.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.tool).unwrap_or_default()
    }

    /// About how many tokens of a model's window it takes.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    pub(crate) fn tool(&self) -> &Tool {
        &self.tool
    }
}

impl Offered {
    /// Whether a client may call this.
    pub fn has(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name() == name)
    }

    /// Whether a client sees the same list in both.
    pub(crate) fn lists_as(&self, other: &Self) -> bool {
        self.search == other.search && (Arc::ptr_eq(&self.listed, &other.listed) || self.listed == other.listed)
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
