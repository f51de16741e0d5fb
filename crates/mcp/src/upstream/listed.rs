//! The tools, prompts and resources of a server, as it describes them.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::{CallContext, Upstream, UpstreamError, wire};

/// The maximum number of items of a kind: more are of no use to clients.
const MOST: usize = 1_000;
/// The maximum number of templates that are searched for an unlisted URI.
const MOST_TEMPLATES: usize = 200;
/// The maximum number of pages of one list.
const MOST_PAGES: usize = 100;

/// One listed item, as the server wrote it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The server's identifier: a name, a URI, or a template.
    pub name: String,
    /// Its whole description, as JSON.
    pub json: Box<RawValue>,
}

/// The listed resources of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedResources {
    /// The resources, by their URIs.
    pub resources: Vec<Listed>,
    /// Their templates.
    pub templates: Vec<Listed>,
}

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.json.get()) == (&other.name, other.json.get())
    }
}

impl Eq for Listed {}

impl Listed {
    /// A digest of the description, independent of the order of its fields.
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
    Resources,
    Templates,
}

impl List {
    fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    /// The word for its items.
    fn word(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "templates",
        }
    }

    /// The identifier in a description.
    fn name(self, json: &RawValue) -> Option<String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Named {
            name: Option<String>,
            uri: Option<String>,
            uri_template: Option<String>,
        }
        let named: Named = serde_json::from_str(json.get()).ok()?;
        match self {
            Self::Tools | Self::Prompts => named.name,
            Self::Resources => named.uri,
            Self::Templates => named.uri_template,
        }
    }
}

impl Upstream {
    /// Lists its tools, in its own order.
    ///
    /// # Errors
    /// If the server answers with an error, not at all, or without an end.
    pub async fn tools(&self) -> Result<Vec<Listed>, UpstreamError> {
        if !self.about().tools {
            return Ok(Vec::new());
        }
        self.list(List::Tools, Beyond::Refuse).await
    }

    /// Lists its prompts, in its own order.
    ///
    /// # Errors
    /// As [`Self::tools`].
    pub async fn prompts(&self) -> Result<Vec<Listed>, UpstreamError> {
        if !self.about().prompts {
            return Ok(Vec::new());
        }
        self.list(List::Prompts, Beyond::Refuse).await
    }

    /// Lists its resources. Of a very long list it returns the first ones: the list is only an offer.
    ///
    /// # Errors
    /// If the server answers with an error, or not at all.
    pub async fn resources(&self) -> Result<ListedResources, UpstreamError> {
        if !self.about().resources {
            return Ok(ListedResources::default());
        }
        let resources = self.list(List::Resources, Beyond::Cut(MOST)).await?;
        // Many servers have none, and answer that the method is unknown.
        let templates = match self.list(List::Templates, Beyond::Cut(MOST_TEMPLATES)).await {
            Err(UpstreamError::Refused { .. }) => Vec::new(),
            listed => listed?,
        };
        Ok(ListedResources { resources, templates })
    }

    /// Reads a list to its end. Items that contain a secret of the server are left out.
    async fn list(&self, list: List, beyond: Beyond) -> Result<Vec<Listed>, UpstreamError> {
        let (method, word) = (list.method(), list.word());
        let (mut listed, mut cursor) = (Vec::new(), None::<String>);
        let (hidden, mut left_out) = (self.shared.hidden(), Vec::new());
        for _ in 0..MOST_PAGES {
            let mut params = wire::object();
            if let Some(cursor) = cursor.take() {
                wire::field(&mut params, "cursor", &cursor);
            }
            let page = self.ask(method, params, CallContext::default()).await?;
            let odd = |error| UpstreamError::Odd(format!("{method}: {error}")).hiding(&hidden);
            let page: Page = serde_json::from_str(page.get()).map_err(odd)?;
            for json in page.items {
                let name = list.name(&json);
                let name = name.ok_or_else(|| UpstreamError::Odd(format!("it lists {word} without a name")))?;
                if hidden.holds(&json) {
                    left_out.push(hidden.text(&name));
                } else {
                    listed.push(Listed { name, json });
                }
            }
            self.shared.leave_out(method, left_out.clone());
            match beyond {
                Beyond::Refuse if listed.len() > MOST => {
                    return Err(UpstreamError::Odd(format!("it lists more than {MOST} {word}")));
                }
                Beyond::Cut(most) if listed.len() >= most => {
                    listed.truncate(most);
                    return Ok(listed);
                }
                Beyond::Refuse | Beyond::Cut(_) => {}
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(listed);
            }
        }
        Err(UpstreamError::Odd(format!("its list of {word} has no end")))
    }
}

/// The treatment of a list that is too long.
#[derive(Clone, Copy)]
enum Beyond {
    /// Fails: a user must see all of it, so nothing may be cut.
    Refuse,
    /// Keeps only the first so many.
    Cut(usize),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(alias = "tools", alias = "prompts", alias = "resources", alias = "resourceTemplates")]
    items: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}
