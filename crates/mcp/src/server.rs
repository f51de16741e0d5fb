//! Our MCP server, written by hand on rmcp's `ServerHandler`: every request is answered from what the host currently
//! shows this caller. It serves both eras, with the `initialize` handshake (up to 2025-11-25) and without (2026-07-28),
//! and delivers in both what it advertises.

mod announce;
mod calls;
mod meanwhile;

use std::{
    sync::{Arc, Mutex, OnceLock},
    time::SystemTime,
};

use axum::http::request::Parts;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, Extensions,
        GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult, Implementation,
        InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListSkillsResult, ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
        ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
        SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
    transport::streamable_http_server::session::SessionRestoreMarker,
};
use serde::Serialize;
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) use self::calls::{Call, Met};
use self::{
    announce::{Announcer, Listener, Subscriptions},
    meanwhile::attend,
};
use crate::{
    Caller, ClientEvent, Host, Peer, Transport, completion,
    elicitation::Modes,
    endpoint::Asking,
    fast_path::request::Era,
    lock::lock,
    memory_budget::{Outlet, Reader},
    pagination, prompts, resources, skills_extension, tools,
    workspace::Workspace,
};

/// The maximum number of URIs that one connection or one `subscriptions/listen` may watch.
const MOST_SUBSCRIPTIONS: usize = 64;

const INSTRUCTIONS: &str = "Skills are packages of instructions, scripts and resources for particular kinds of task. \
    Call list_skills to see which there are; when the description of one matches the task or objective at hand, call \
    get_skill with its id. It returns the instructions and the absolute path of the SKILL.md: files that it names are \
    relative to that file's folder and are read or run with your own tools.";

/// The server of one connection: a byte stream, a session over HTTP, or one HTTP request without a session.
pub(crate) struct Server<H: Host> {
    host: Arc<H>,
    way: Way,
    /// The connected client, once it spoke. Only for byte streams: HTTP connections do not last.
    connected: OnceLock<Caller>,
    /// The state that a client with a handshake could see before its first list.
    announcer: Mutex<Option<Announcer<H>>>,
    /// The subscriptions of a client with a handshake.
    subscriptions: Arc<Subscriptions>,
    /// Where a client of a session over HTTP works; the client of a stream is in `way`.
    session: OnceLock<Arc<Workspace>>,
    /// Identifies this connection.
    connection: Arc<()>,
    /// Cancelled when the connection or the endpoint ends.
    closed: CancellationToken,
    _closing: DropGuard,
}

/// How the caller is identified.
pub(crate) enum Way {
    /// As the client at the other end of the stream.
    Stream {
        /// The client, and where it works.
        workspace: Arc<Workspace>,
        /// When the client began: its bridge may come from another engine.
        since: SystemTime,
        /// The client's outlet.
        outlet: Arc<Outlet>,
        /// Receives the way in which the client names its revision; direct answers wait for it.
        spoken: Arc<OnceLock<Era>>,
        /// Asks the user of the client.
        asking: Arc<Asking>,
    },
    /// By the request's token, as the guard recorded it.
    Http(Arc<Met>),
}

/// Whether a handshake is the client's own, or repeated by us to continue its session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handshake {
    New,
    Restored,
}

impl<H: Host> Server<H> {
    /// A server for one connection. `closed` is cancelled when the other end is gone.
    pub(crate) fn new(host: Arc<H>, way: Way, closed: CancellationToken) -> Self {
        Self {
            host,
            way,
            connected: OnceLock::new(),
            announcer: Mutex::default(),
            subscriptions: Arc::default(),
            session: OnceLock::new(),
            connection: Arc::default(),
            _closing: closed.clone().drop_guard(),
            closed,
        }
    }

    fn caller(&self, extensions: &Extensions) -> Result<Caller, ErrorData> {
        if let Some(workspace) = self.workspace() {
            return Ok(workspace.caller());
        }
        let known = extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Caller>());
        known.cloned().ok_or_else(|| ErrorData::internal_error("This request came past the guard.", None))
    }

    /// Where the client of this connection works; `None` over HTTP without a session.
    fn workspace(&self) -> Option<&Arc<Workspace>> {
        match &self.way {
            Way::Stream { workspace, .. } => Some(workspace),
            Way::Http(_) => self.session.get(),
        }
    }

    /// Notifies the host of this client: once for a stream, and over HTTP at each handshake and whenever the client
    /// looks new.
    fn greet(&self, caller: &Caller, handshake: Option<Handshake>, peer: impl FnOnce(Transport) -> Peer) {
        match &self.way {
            Way::Stream { since, .. } => {
                let caller = caller.clone();
                if self.connected.set(caller.clone()).is_ok() {
                    self.host.note(ClientEvent::Connected { caller, peer: peer(Transport::Stdio), since: *since });
                }
            }
            Way::Http(met) => {
                met.meet(&*self.host, caller, peer(Transport::Http), handshake == Some(Handshake::New));
            }
        }
    }

    /// Records how the client at the other end of a stream names its revision.
    fn speaks(&self, era: Era) {
        if let Way::Stream { spoken, .. } = &self.way {
            spoken.get_or_init(|| era);
        }
    }

    /// Begins one call and records its caller, its target and its start.
    async fn begin(
        &self,
        context: &RequestContext<RoleServer>,
        method: &'static str,
        target: &str,
        params: &(impl Serialize + Sync),
    ) -> Result<Call<'_, H>, ErrorData> {
        if let Some(workspace) = self.workspace() {
            workspace.settled().await;
        }
        let caller = self.caller(&context.extensions)?;
        self.greet(&caller, None, |transport| {
            let protocol = context.protocol_version().map(|version| version.to_string()).unwrap_or_default();
            let (client, capabilities) = (context.client_info(), context.client_capabilities());
            Peer::new(client.as_ref(), capabilities.as_ref(), &protocol, transport)
        });
        if context.meta.protocol_version().is_some() {
            self.speaks(Era::Inline);
        }
        Ok(Call::begin(&*self.host, caller, method, target, params))
    }

    /// The reader of files for this request.
    fn reader(&self, context: &RequestContext<RoleServer>) -> Reader {
        let outlet = match &self.way {
            Way::Stream { outlet, .. } => Some(outlet),
            Way::Http(_) => context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Arc<Outlet>>()),
        };
        let outlet = outlet.cloned().unwrap_or_default();
        Reader { outlet, id: context.id.clone(), unwanted: context.ct.clone() }
    }

    /// Subscribes to a URI, which may be empty so far: a skill may be added later.
    fn watch(&self, uri: String) -> Result<(), ErrorData> {
        let mut subscriptions = lock(&self.subscriptions.uris);
        if subscriptions.len() >= MOST_SUBSCRIPTIONS && !subscriptions.contains(&uri) {
            let sentence =
                format!("A connection can watch {MOST_SUBSCRIPTIONS} resources. Unsubscribe from one first.");
            return Err(ErrorData::invalid_request(sentence, None));
        }
        subscriptions.insert(uri);
        self.subscriptions.changed.notify_one();
        Ok(())
    }
}

impl<H: Host> Drop for Server<H> {
    fn drop(&mut self) {
        if let Some(caller) = self.connected.take() {
            self.host.note(ClientEvent::Disconnected { caller });
        }
    }
}

impl<H: Host> ServerHandler for Server<H> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_skills_with_directory_read()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("skilltender", env!("CARGO_PKG_VERSION")).with_title("Skilltender"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let answer = self.negotiate_initialize(&request)?;
        let caller = self.caller(&context.extensions)?;
        let restored = context.extensions.get::<SessionRestoreMarker>().is_some();
        let handshake = if restored { Handshake::Restored } else { Handshake::New };
        self.greet(&caller, Some(handshake), |transport| {
            let protocol = answer.protocol_version.to_string();
            Peer::new(Some(&request.client_info), Some(&request.capabilities), &protocol, transport)
        });
        if let (Way::Stream { asking, .. }, Some(modes)) =
            (&self.way, Modes::of(request.capabilities.elicitation.as_ref()))
        {
            asking.may(modes);
        }
        let workspace = match &self.way {
            Way::Stream { workspace, .. } => workspace,
            Way::Http(_) => self.session.get_or_init(|| Arc::new(Workspace::of(caller))),
        };
        if request.capabilities.roots.is_some() {
            workspace.declare(self.host.follows_folders());
        }
        context.peer.set_peer_info(request);
        let announcer = Announcer::new(self.host.clone(), Arc::clone(workspace));
        *lock(&self.announcer) = Some(announcer);
        // rmcp reads the client's next line only once this is answered. Most clients ask for a list together with the end
        // of the handshake, which is heard too late for that.
        self.speaks(Era::Handshake);
        Ok(answer)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let Some(announcer) = lock(&self.announcer).take() else { return };
        let restored = context.extensions.get::<SessionRestoreMarker>().is_some();
        let listener = Listener::Connection(context.peer, self.subscriptions.clone());
        let announcing = async move {
            if restored { announcer.run_after_a_gap(listener).await } else { announcer.run(listener).await }
        };
        tokio::spawn(self.closed.clone().run_until_cancelled_owned(announcing));
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        if let Some(workspace) = self.workspace() {
            workspace.moved.notify_one();
        }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let call = self.begin(&context, "tools/list", "", &request).await?;
        let offered = || self.host.offered(call.caller());
        let tools = if call.closed().is_some() { Vec::new() } else { tools::listed(&offered()) };
        let page = pagination::only_page("tools", request);
        call.end(page.map(|()| ListToolsResult::with_all_items(tools)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut call = self.begin(&context, "tools/call", &request.name, &request).await?;
        call.is_about(request.arguments.as_ref());
        let (reader, arguments) = (self.reader(&context), request.arguments.as_ref());
        let (meanwhile, questions) = self.meanwhile(&context);
        let calling = tools::call(&*self.host, &reader, call.caller(), &request.name, arguments, meanwhile);
        let given = attend(&context, questions, calling).await;
        let fine = given.as_ref().is_ok_and(|given| !given.is_failure());
        let result = given.map(CallToolResult::from);
        call.end_as(fine, result).map(CallToolResponse::from)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let call = self.begin(&context, "prompts/list", "", &request).await?;
        let result = match call.closed() {
            None => {
                let catalog = self.host.catalog(call.caller()).await;
                prompts::list(&catalog, &self.host.offered(call.caller()), request)
            }
            Some(_) => Ok(ListPromptsResult::default()),
        };
        call.end(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let call = self.begin(&context, "prompts/get", &request.name, &request).await?;
        let result = match call.refuse_if_closed() {
            Ok(()) => {
                let (reader, (meanwhile, questions)) = (self.reader(&context), self.meanwhile(&context));
                let catalog = self.host.seen(call.caller());
                let theirs = prompts::is_theirs(&*self.host, call.caller(), &catalog, &request.name);
                let getting = prompts::get(&*self.host, &reader, call.caller(), &request, meanwhile);
                if theirs { attend(&context, questions, getting).await } else { getting.await }
            }
            Err(closed) => Err(closed),
        };
        call.end(result).map(GetPromptResponse::from)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let call = self.begin(&context, "resources/list", "", &request).await?;
        let result = match call.closed() {
            None => resources::list(&*self.host, call.caller(), request).await,
            Some(_) => Ok(ListResourcesResult::default()),
        };
        call.end(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let call = self.begin(&context, "resources/templates/list", "", &request).await?;
        let offered = || self.host.offered(call.caller());
        let templates = if call.closed().is_some() { Vec::new() } else { resources::templates(&offered()) };
        let page = pagination::only_page("templates", request);
        call.end(page.map(|()| ListResourceTemplatesResult::with_all_items(templates)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let call = self.begin(&context, "resources/read", &request.uri, &request).await?;
        let result = match call.refuse_if_closed() {
            Ok(()) => {
                let (reader, (meanwhile, questions)) = (self.reader(&context), self.meanwhile(&context));
                let catalog = self.host.seen(call.caller());
                let theirs = resources::is_theirs(&*self.host, call.caller(), &catalog, &request.uri);
                let reading = resources::read(&*self.host, &reader, call.caller(), &request.uri, meanwhile);
                // A local read counts until it ends, even if it is no longer wanted.
                if theirs { attend(&context, questions, reading).await } else { reading.await }
            }
            Err(closed) => Err(closed),
        };
        call.end(result).map(ReadResourceResponse::from)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let call = self.begin(&context, "completion/complete", "", &request).await?;
        let result = completion::complete(&*self.host, call.caller(), &request).await;
        call.end(Ok(CompleteResult::new(result)))
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let call = self.begin(&context, "skills/list", "", &request).await?;
        let result = match call.closed() {
            None => skills_extension::list(&*self.host, call.caller(), request).await,
            Some(_) => Ok(ListSkillsResult::default()),
        };
        call.end(result)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let call = self.begin(&context, "skills/get", &request.uri, &request).await?;
        let result = match call.refuse_if_closed() {
            Ok(()) => skills_extension::get(&*self.host, call.caller(), &request.uri).await,
            Err(closed) => Err(closed),
        };
        call.end(result)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let call = self.begin(&context, "resources/directory/read", &request.uri, &request).await?;
        let result = match call.refuse_if_closed() {
            Ok(()) => skills_extension::read_directory(&*self.host, call.caller(), request).await,
            Err(closed) => Err(closed),
        };
        call.end(result)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let call = self.begin(&context, "resources/subscribe", &request.uri, &request).await?;
        // A pause does not refuse it: nothing is sent during the pause, and the subscription is valid afterwards.
        if !self.host.paused()
            && let Err(closed) = call.refuse_if_closed()
        {
            return call.end(Err(closed));
        }
        call.end(self.watch(request.uri))
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let call = self.begin(&context, "resources/unsubscribe", &request.uri, &request).await?;
        lock(&self.subscriptions.uris).remove(&request.uri);
        self.subscriptions.changed.notify_one();
        call.end(Ok(()))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.truncate(MOST_SUBSCRIPTIONS);
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let call = self.begin(context.request_context(), "subscriptions/listen", "", context.sink().accepted()).await?;
        // Who listens has no roots to change.
        let workspace = Arc::new(Workspace::of(call.caller().clone()));
        let announcer = Announcer::new(self.host.clone(), workspace);
        call.end(Ok(()))?;
        tokio::select! {
            () = announcer.run(Listener::Listen(context.sink().clone())) => {}
            () = context.cancelled() => {}
            () = self.closed.cancelled() => {}
        }
        Ok(())
    }
}
