//! One prompt of another server, under our name for it.

use rmcp::model::Prompt;
use serde_json::Value;

use crate::Listed;

/// One prompt of another server, under our name for it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedPrompt {
    own: String,
    prompt: Prompt,
}

impl OfferedPrompt {
    /// A prompt as its server describes it, with our name; `None` if no client could read the description.
    pub fn new(name: &str, listed: &Listed) -> Option<Self> {
        let mut described: Value = serde_json::from_str(listed.json.get()).ok()?;
        described["name"] = name.into();
        Some(Self { own: listed.name.clone(), prompt: serde_json::from_value(described).ok()? })
    }

    /// Our name for it.
    pub fn name(&self) -> &str {
        &self.prompt.name
    }

    /// The server's name for it.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The server's description.
    pub fn description(&self) -> &str {
        self.prompt.description.as_deref().unwrap_or_default()
    }

    pub(crate) fn prompt(&self) -> &Prompt {
        &self.prompt
    }
}
