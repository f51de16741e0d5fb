//! What a server offers, as it describes it: its tools and its prompts.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::{Meanwhile, Upstream, UpstreamError, wire};

/// More of a kind than this no server has any use for, and no client a place.
const MOST: usize = 1_000;
/// A server that always has another page is not followed for ever.
const MOST_PAGES: usize = 100;

/// One thing that a server lists, as the server wrote it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// What the server calls it.
    pub name: String,
    /// All that it says of it, as JSON.
    pub json: Box<RawValue>,
}

impl Listed {
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

/// A list of a server.
#[derive(Clone, Copy)]
enum List {
    Tools,
    Prompts,
}

impl List {
    fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
        }
    }

    /// What stands in it.
    fn word(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
        }
    }
}

impl Upstream {
    /// Asks for its tools, in its own order.
    ///
    /// # Errors
    /// When it answers with an error, not at all, or without an end.
    pub async fn tools(&self) -> Result<Vec<Listed>, UpstreamError> {
        if !self.about().tools {
            return Ok(Vec::new());
        }
        self.list(List::Tools).await
    }

    /// Asks for its prompts, in its own order.
    ///
    /// # Errors
    /// As [`Self::tools`].
    pub async fn prompts(&self) -> Result<Vec<Listed>, UpstreamError> {
        if !self.about().prompts {
            return Ok(Vec::new());
        }
        self.list(List::Prompts).await
    }

    /// Follows a list to its end.
    async fn list(&self, list: List) -> Result<Vec<Listed>, UpstreamError> {
        let (method, word) = (list.method(), list.word());
        let (mut listed, mut cursor) = (Vec::new(), None::<String>);
        for _ in 0..MOST_PAGES {
            let mut params = wire::object();
            if let Some(cursor) = cursor.take() {
                wire::field(&mut params, "cursor", &cursor);
            }
            let page = self.ask(method, params, Meanwhile::default()).await?;
            let page: Page =
                serde_json::from_str(page.get()).map_err(|error| UpstreamError::Odd(format!("{method}: {error}")))?;
            for json in page.items {
                let named: Named = serde_json::from_str(json.get())
                    .map_err(|_| UpstreamError::Odd(format!("it lists {word} without a name")))?;
                listed.push(Listed { name: named.name, json });
            }
            if listed.len() > MOST {
                return Err(UpstreamError::Odd(format!("it lists more than {MOST} {word}")));
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(listed);
            }
        }
        Err(UpstreamError::Odd(format!("its list of {word} has no end")))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(alias = "tools", alias = "prompts")]
    items: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}
