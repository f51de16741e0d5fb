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
    /// A tool as its server describes it, by our name; `None` where the description is none that a client could read.
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
