//! Skilltender's MCP server: what clients list, read and call.
//!
//! The only crate that knows rmcp. It learns what to serve through one trait, [`Host`], which hides where skills come
//! from. `server` answers requests from an immutable [`skills::Catalog`]; `endpoint` puts it on a transport: a byte
//! stream (stdio, a socket, a pipe in a test) or HTTP on 127.0.0.1 behind `guard`; `bridge` keeps a client connected
//! over the restart of the engine.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bridge;
mod completion;
mod elicitation;
mod endpoint;
mod fast_path;
mod forwarded;
mod host;
mod instructions;
mod json;
mod lock;
mod memory_budget;
mod offered;
mod pagination;
mod peer;
mod prompts;
mod resources;
mod server;
mod sign_in;
mod skill_md;
mod skills_extension;
mod surface;
mod tools;
mod upstream;
mod workspace;

pub use bridge::{Reached, Visitor, bridge, hear_hello, say_hello};
pub use elicitation::Person;
pub use endpoint::{Access, Entrance, Limits, Token, serve_http, serve_stream};
pub use files::{FileDigest, Manifest, Part};
pub use forwarded::says_it_failed;
pub use host::{CallTrouble, Caller, ClientEvent, Host, Updated};
pub use instructions::instructions;
pub use memory_budget::MemoryBudget;
pub use offered::{
    CallFailure, Offered, OfferedPrompt, OfferedResources, OfferedServer, OfferedTool, Taken, UpstreamRequest, our_name,
};
pub use peer::{Peer, Transport};
pub use sign_in::{SignIn, SignInError, SignedIn};
pub use surface::{Surface, Surfaces};
pub use tools::{about_line_tokens, about_list_tokens, about_tools_tokens};
pub use upstream::{
    About, Bearer, CallContext, Keep, Line, Listed, ListedResources, Progress, Upstream, UpstreamError,
};
pub use workspace::WorkFolder;

/// Log targets that print requests and answers below `warn`. The tracing setup caps them there, whatever the
/// environment asks for (decision 30).
pub const QUIET_TARGETS: &[&str] = &["rmcp", "hyper", "h2", "tower"];

/// The log target that prints a server's answer to a refused request, which may repeat the request. The caller reports
/// the refusal itself.
pub const TURNED_AWAY_TARGET: &str = "rmcp::transport::worker";

/// The log target that reports a client leaving before its last answer as an error.
pub const LEAVING_TARGET: &str = "rmcp::service";
