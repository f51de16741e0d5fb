//! One tool of another server, under our name for it.

use rmcp::model::Tool;
use serde_json::Value;

use crate::Listed;

/// One tool of another server, under our name for it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    tool: Tool,
    tokens: usize,
}

impl OfferedTool {
    /// A tool as its server describes it, with our name; `None` if no client could read the description.
    pub fn new(name: &str, listed: &Listed) -> Option<Self> {
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

    /// The server's description.
    pub fn description(&self) -> &str {
        self.tool.description.as_deref().unwrap_or_default()
    }

    /// The description sent to clients, byte for byte.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.tool).unwrap_or_default()
    }

    /// The approximate number of tokens that it takes in a model's context window.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    pub(crate) fn tool(&self) -> &Tool {
        &self.tool
    }
}
