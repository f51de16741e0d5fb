//! What a server offers: its tools, as it describes them.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::{Upstream, UpstreamError, wire};

/// More than this no server has any use for, and no client a place.
const MOST_TOOLS: usize = 1_000;
/// A server that always has another page is not followed for ever.
const MOST_PAGES: usize = 100;

/// One tool of a server, as the server wrote it.
#[derive(Debug, Clone)]
pub struct ListedTool {
    /// What the server calls it.
    pub name: String,
    /// All that it says of it, as JSON.
    pub json: Box<RawValue>,
}

impl ListedTool {
    /// A digest of all that is said of it, whatever the order in which it is said.
    pub fn digest(&self) -> [u8; 32] {
        let value: Value = serde_json::from_str(self.json.get()).unwrap_or_default();
        Sha256::digest(sorted(value).to_string()).into()
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

impl Upstream {
    /// Asks for its tools, in its own order.
    ///
    /// # Errors
    /// When it answers with an error, not at all, or without an end.
    pub async fn tools(&self) -> Result<Vec<ListedTool>, UpstreamError> {
        if !self.about().tools {
            return Ok(Vec::new());
        }
        let (mut tools, mut cursor) = (Vec::new(), None::<String>);
        for _ in 0..MOST_PAGES {
            let mut params = wire::object();
            if let Some(cursor) = cursor.take() {
                wire::field(&mut params, "cursor", &cursor);
            }
            let page = self.ask("tools/list", params, None).await?;
            let page: Page =
                serde_json::from_str(page.get()).map_err(|error| UpstreamError::Odd(format!("tools/list: {error}")))?;
            for json in page.tools {
                let named: Named = serde_json::from_str(json.get())
                    .map_err(|_| UpstreamError::Odd("it lists a tool without a name".to_owned()))?;
                tools.push(ListedTool { name: named.name, json });
            }
            if tools.len() > MOST_TOOLS {
                return Err(UpstreamError::Odd(format!("it lists more than {MOST_TOOLS} tools")));
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(tools);
            }
        }
        Err(UpstreamError::Odd("its list of tools has no end".to_owned()))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    tools: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}
