//! Two tools that never change, for clients that read their list once: one finds another server's tool by its purpose,
//! the other calls it.

use std::{borrow::Cow, sync::LazyLock};

use rmcp::model::{Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{Given, failure, schema};
use crate::{Offered, OfferedTool};

const FIND: &str = "find_tools";
const CALL: &str = "call_tool";
/// The maximum number of results: enough to choose from, and few enough to read.
const MOST: usize = 10;

/// The meaning of a call of a tool that is not one of our two.
pub(super) enum Meant<'c> {
    /// A call of another server's tool.
    Call { name: Cow<'c, str>, arguments: Option<Cow<'c, RawValue>> },
    /// A call that is answered here.
    Answer(Given),
}

/// Both tools, always in this order.
pub(super) fn both() -> &'static [Tool] {
    static BOTH: LazyLock<[Tool; 2]> = LazyLock::new(|| {
        let find = json!({
            "type": "object",
            "properties": {"query": {"type": "string", "description": "Words for what the tool should do; empty for every tool"}},
            "required": ["query"],
        });
        let call = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The tool's name, as find_tools tells it"},
                "arguments": {"type": "object", "description": "Its arguments, as its input schema says"},
            },
            "required": ["name"],
        });
        let hints = ToolAnnotations::with_title("Find tools").read_only(true).destructive(false).idempotent(true);
        [
            Tool::new(
                FIND,
                "Find tools of the servers that skills use, by what they do. Returns the name, the description and the \
                 input schema of each; call one with call_tool.",
                schema(find),
            )
            .with_annotations(hints.open_world(false)),
            Tool::new(CALL, "Call a tool that find_tools found, by its name.", schema(call))
                .with_annotations(ToolAnnotations::with_title("Call a tool")),
        ]
    });
    &*BOTH
}

/// The meaning of a call by this name. A client that was not offered the two tools gets the same answer as for any
/// unknown name.
pub(super) fn meant<'c>(
    offered: &Offered,
    name: &'c str,
    arguments: Option<&'c RawValue>,
    why: impl Fn(&str) -> Option<String>,
) -> Meant<'c> {
    let given = || -> Asked { arguments.and_then(|given| serde_json::from_str(given.get()).ok()).unwrap_or_default() };
    match name {
        FIND if offered.search => Meant::Answer(find(offered, &given().query)),
        CALL if offered.search => match given() {
            Asked { name: Some(name), arguments, .. } if offered.has(&name) => {
                Meant::Call { name: name.into(), arguments: arguments.map(Cow::Owned) }
            }
            Asked { name: Some(name), .. } => {
                let none = || format!("There is no tool named {name}. Call find_tools first.");
                Meant::Answer(failure(why(&name).unwrap_or_else(none)))
            }
            _ => Meant::Answer(failure("call_tool needs the name of a tool. Call find_tools to find one.")),
        },
        name => Meant::Call { name: name.into(), arguments: arguments.map(Cow::Borrowed) },
    }
}

/// The arguments of the two tools.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    query: String,
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
}

fn find(offered: &Offered, query: &str) -> Given {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut found: Vec<(usize, &OfferedTool)> =
        offered.tools.iter().map(|tool| (fit(tool, &words), tool)).filter(|(fit, _)| *fit > 0).collect();
    // Equally good tools stay in the order of their servers.
    found.sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
    let told = |tool: &OfferedTool| {
        let tool = tool.tool();
        json!({"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema})
    };
    let tools: Vec<Value> = found.into_iter().take(MOST).map(|(_, tool)| told(tool)).collect();
    Given::Answer { json: Value::Array(tools).to_string(), key: Some("tools"), remark: None }
}

/// How well a tool fits: words in its name count most. Without words, every tool fits.
fn fit(tool: &OfferedTool, words: &[String]) -> usize {
    let (name, description) = (tool.name().to_lowercase(), tool.description().to_lowercase());
    let of = |word: &String| 3 * usize::from(name.contains(word)) + usize::from(description.contains(word));
    if words.is_empty() { 1 } else { words.iter().map(of).sum() }
}
