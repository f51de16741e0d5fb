//! What a server offers, as it describes it: its tools, its prompts, and its resources.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::{Meanwhile, Upstream, UpstreamError, wire};

/// More of a kind than this no server has any use for, and no client a place.
const MOST: usize = 1_000;
/// So many templates are searched when somebody asks for what is in no list.
const MOST_TEMPLATES: usize = 200;
/// A server that always has another page is not followed for ever.
const MOST_PAGES: usize = 100;

/// One thing that a server lists, as the server wrote it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// What the server calls it: its name, its URI, or its template.
    pub name: String,
    /// All that it says of it, as JSON.
    pub json: Box<RawValue>,
}

/// What a server lists of its resources.
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

    /// What stands in it.
    fn word(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "templates",
        }
    }

    /// What the server calls one that it describes so.
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
    /// Asks for its tools, in its own order.
    ///
    /// # Errors
    /// When it answers with an error, not at all, or without an end.
    pub async fn tools(&self) -> Result<Vec<Listed>, UpstreamError> {
        if !self.about().tools {
            return Ok(Vec::new());
        }
        self.list(List::Tools, Beyond::Refuse).await
    }

    /// Asks for its prompts, in its own order.
    ///
    /// # Errors
    /// As [`Self::tools`].
    pub async fn prompts(&self) -> Result<Vec<Listed>, UpstreamError> {
        if !self.about().prompts {
            return Ok(Vec::new());
        }
        self.list(List::Prompts, Beyond::Refuse).await
    }

    /// Asks for its resources. Of very many it gives the first: such a list is no more than an offer.
    ///
    /// # Errors
    /// When it answers with an error, or not at all.
    pub async fn resources(&self) -> Result<ListedResources, UpstreamError> {
        if !self.about().resources {
            return Ok(ListedResources::default());
        }
        let resources = self.list(List::Resources, Beyond::Cut(MOST)).await?;
        // Many servers have none, and say so by not knowing the question.
        let templates = match self.list(List::Templates, Beyond::Cut(MOST_TEMPLATES)).await {
            Err(UpstreamError::Refused { .. }) => Vec::new(),
            listed => listed?,
        };
        Ok(ListedResources { resources, templates })
    }

    /// Follows a list to its end. What holds a secret of the server is left out.
    async fn list(&self, list: List, beyond: Beyond) -> Result<Vec<Listed>, UpstreamError> {
        let (method, word) = (list.method(), list.word());
        let (mut listed, mut cursor) = (Vec::new(), None::<String>);
        let (hidden, mut left_out) = (self.shared.hidden(), Vec::new());
        for _ in 0..MOST_PAGES {
            let mut params = wire::object();
            if let Some(cursor) = cursor.take() {
                wire::field(&mut params, "cursor", &cursor);
            }
            let page = self.ask(method, params, Meanwhile::default()).await?;
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

/// What is done about a list that is too long.
#[derive(Clone, Copy)]
enum Beyond {
    /// A person is to see all of it, so nothing is taken from it.
    Refuse,
    /// The first so many are taken.
    Cut(usize),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(alias = "tools", alias = "prompts", alias = "resources", alias = "resourceTemplates")]
    items: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}
