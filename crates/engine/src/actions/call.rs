//! Calls Skilltender as a client does: by the entry in the client's file, as a program or at its address, and asks for its
//! tools. What the entry says is left to `connect`; here it is only used.

use std::{collections::BTreeMap, process::Stdio, time::Duration};

use api::{ActionError, Client, ClientCall, Standing, Transport};
use clients::Entry;
use machine::background;
use mcp::{Line, Upstream};
use state::{blocking, client_context};
use tokio::{
    process::{Child, Command},
    time::timeout,
};
use zeroize::Zeroizing;

use crate::Engine;

/// How long the whole call may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a program may take to end after its input did.
const ENDING: Duration = Duration::from_secs(5);

/// Calls Skilltender as this client's entry does. A client that shares another's entry is called by that one.
///
/// # Errors
/// When there is no such client, or the entry cannot be known. That nothing answers is no error.
pub async fn call_client(engine: &Engine, client: &str) -> Result<ClientCall, ActionError> {
    let context = client_context(&engine.state().now());
    let snapshot = engine.snapshot();
    context.client(client)?;
    let row = |is: &dyn Fn(&Client) -> bool| snapshot.clients.iter().find(|row| is(row));
    let asked = row(&|row| row.id == client);
    let owner = match asked.map(|row| &row.standing) {
        Some(Standing::Shared { with }) => row(&|row| row.name == *with),
        _ => asked,
    };
    let Some(owner) = owner.filter(|row| row.standing == Standing::Added) else {
        return Ok(ClientCall::NotConnected);
    };
    let known = context.client(&owner.id)?.clone();
    let way = owner.transport.unwrap_or(Transport::Stdio);
    let entry = blocking(move || connect::entry(&context, &known, way)).await?;
    let called = timeout(PATIENCE, async {
        match entry {
            Entry::Stdio { command, args } => of_program(&command, &args).await,
            Entry::Http { url, token } => at_address(&url, &Zeroizing::new(token)).await,
        }
    });
    let silent = |why: String| ClientCall::Silent { why };
    Ok(match called.await {
        Ok(Ok(tools)) => ClientCall::Answered { tools },
        Ok(Err(why)) => silent(why),
        Err(_) => silent(format!("Its entry was called, and did not answer within {} seconds.", PATIENCE.as_secs())),
    })
}

async fn of_program(program: &str, args: &[String]) -> Result<usize, String> {
    let mut command = Command::from(background(program));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| format!("{program} cannot be started: {error}."))?;
    let counted = match (child.stdout.take(), child.stdin.take()) {
        (Some(output), Some(input)) => tools(Line::over_streams(output, input)).await,
        _ => Err(format!("{program} has no input or output.")),
    };
    end(child).await;
    counted
}

/// It ends with its input; one that does not is ended.
async fn end(mut child: Child) {
    if timeout(ENDING, child.wait()).await.is_err() {
        drop(child.kill().await);
    }
}

async fn at_address(url: &str, token: &Zeroizing<String>) -> Result<usize, String> {
    let bearer = Zeroizing::new(format!("Bearer {}", token.as_str()));
    let headers = BTreeMap::from([("Authorization".to_owned(), bearer)]);
    tools(Line::over_http(url, headers, None).map_err(|error| format!("Its entry cannot be called: {error}."))?).await
}

async fn tools(line: Line) -> Result<usize, String> {
    let told = |error: mcp::UpstreamError| format!("Its entry was called: {error}.");
    let upstream = Upstream::open(line).await.map_err(told)?;
    upstream.tools().await.map(|tools| tools.len()).map_err(told)
}
