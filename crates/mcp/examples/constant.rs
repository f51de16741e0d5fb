//! The cost of rmcp and axum alone: a server whose tool `get_skill` always returns the same 5.4 kB. The speed bench
//! measures it and Skilltender in turns.
//!
//! `constant stdio` speaks MCP on standard input and output. `constant http` and `constant axum` serve it at `/mcp` on
//! 127.0.0.1 and print the port; axum serves it without knowledge of MCP.

#![expect(clippy::print_stdout, reason = "the bench reads the port")]

use std::{error::Error, sync::Arc};

use axum::{Router, body::Bytes, http::header::CONTENT_TYPE, routing::post, serve::ListenerExt as _};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, ServerCapabilities, ServerConfig},
    service::RequestContext,
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let answer = answer();
    match std::env::args().nth(1).as_deref() {
        Some("stdio") => drop(Constant { answer }.serve(stdio()).await?.waiting().await?),
        Some("http") => {
            let server = move || Ok(Constant { answer: answer.clone() });
            let sessions = Arc::new(LocalSessionManager::default());
            let service = StreamableHttpService::new(server, sessions, StreamableHttpServerConfig::default());
            serve(Router::new().fallback_service(service)).await?;
        }
        Some("axum") => {
            let reply = move |request: Bytes| {
                let request: Value = serde_json::from_slice(&request).unwrap_or_default();
                let reply = Reply { jsonrpc: "2.0", id: &request["id"], result: &answer };
                let reply = serde_json::to_string(&reply).unwrap_or_default();
                std::future::ready(([(CONTENT_TYPE, "application/json")], reply))
            };
            serve(Router::new().route("/mcp", post(reply))).await?;
        }
        _ => return Err("stdio, http or axum?".into()),
    }
    Ok(())
}

async fn serve(app: Router) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    let undelayed = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    Ok(axum::serve(undelayed, app).await?)
}

#[derive(Serialize)]
struct Reply<'a> {
    jsonrpc: &'a str,
    id: &'a Value,
    result: &'a CallToolResult,
}

struct Constant {
    answer: CallToolResult,
}

impl ServerHandler for Constant {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(self.answer.clone().into())
    }
}

/// The answer of `get_skill`.
fn answer() -> CallToolResult {
    let content = "Two or three words, and then a few more.\n".repeat(130);
    CallToolResult::structured(json!({
        "path": "/home/somebody/skills/tea/SKILL.md",
        "name": "tea",
        "description": "Makes tea, green or black. Use when somebody is thirsty.",
        "content": content,
    }))
}
