//! The guard of the HTTP server. It refuses unwanted requests of web pages, other users and other programs on this
//! computer by their head alone, before their body is read and before rmcp sees them (security rules 1 and 2). No
//! answer carries a header that would let a page read it.

use std::sync::Arc;

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, Version,
    header::{AUTHORIZATION, HOST, ORIGIN},
};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};

use crate::Caller;

/// The path of the server.
pub(crate) const PATH: &str = "/mcp";

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The current rules of access.
#[derive(Clone, Default)]
pub struct Access {
    /// One bearer token per client.
    pub tokens: Vec<Token>,
    /// Origins of web pages that may call, compared letter by letter: `http://localhost:5173`. Empty unless the user
    /// adds some.
    pub origins: Vec<String>,
}

/// The credentials of one client. It cannot be printed.
#[derive(Clone)]
pub struct Token {
    /// The client that it belongs to.
    pub client: String,
    /// The token itself.
    pub value: String,
}

/// The names by which a request may call us, in its `Host` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// This computer, with this port.
    ThisComputer(u16),
    /// Whatever a proxy or a container's network calls us: names are theirs to choose. Against a page that was led here
    /// by a name of its own, the other rules and the token stand.
    Any,
}

/// Called for every request, because tokens and origins change while the endpoint runs.
pub(crate) type AccessNow = Arc<dyn Fn() -> Arc<Access> + Send + Sync>;

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is addressed to another server, or a web page sent it.
    Forbidden,
    /// It has no token, or an unknown one.
    Unauthorized,
    /// The path does not exist.
    NotFound,
}

impl Refusal {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::NotFound => StatusCode::NOT_FOUND,
        }
    }
}

/// Checks a request and returns its client.
pub(crate) fn admit<B>(request: &Request<B>, hosts: Hosts, access: &Access) -> Result<Caller, Refusal> {
    let headers = request.headers();
    let addressed = is_origin_form(request.uri(), request.method()) && names_us(headers, hosts);
    if !addressed || request.version() == Version::HTTP_2 || comes_from_a_page(headers, &access.origins) {
        return Err(Refusal::Forbidden);
    }
    let client = client_of(headers, &access.tokens).ok_or(Refusal::Unauthorized)?;
    if request.uri().path() != PATH {
        return Err(Refusal::NotFound);
    }
    Ok(Caller::of(client))
}

/// Accepts `POST /mcp`, but neither `POST http://elsewhere/mcp` nor `CONNECT` nor `OPTIONS *`.
fn is_origin_form(uri: &Uri, method: &Method) -> bool {
    uri.scheme().is_none() && uri.authority().is_none() && uri.path().starts_with('/') && method != Method::CONNECT
}

/// Whether the request has exactly one Host header, with a name and a port of ours.
fn names_us(headers: &HeaderMap, hosts: Hosts) -> bool {
    let mut named = headers.get_all(HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else { return false };
    let Hosts::ThisComputer(port) = hosts else { return true };
    let ours =
        |name: &str, given: &str| matches!(name, "127.0.0.1" | "localhost" | "[::1]") && given == port.to_string();
    host.to_str().ok().and_then(|host| host.rsplit_once(':')).is_some_and(|(name, given)| ours(name, given))
}

/// Browsers send `Origin` or `Sec-Fetch-Site` with every request that a page can make them send.
fn comes_from_a_page(headers: &HeaderMap, origins: &[String]) -> bool {
    let allowed = |origin: &HeaderValue| origins.iter().any(|other| origin.as_bytes() == other.as_bytes());
    !headers.get_all(ORIGIN).iter().all(allowed) || headers.get_all(SEC_FETCH_SITE).iter().any(|site| site != "none")
}

/// Whether the credentials of an admitted request are still valid.
pub(crate) fn is_key(shown: &HeaderValue, access: &Access) -> bool {
    token_of(shown, &access.tokens).is_some()
}

/// The client that a request's token belongs to.
fn client_of(headers: &HeaderMap, tokens: &[Token]) -> Option<String> {
    let mut shown = headers.get_all(AUTHORIZATION).iter();
    let (Some(shown), None) = (shown.next(), shown.next()) else { return None };
    Some(token_of(shown, tokens)?.client.clone())
}

/// The token in this header. Every token is compared to its end, so that the time reveals nothing.
fn token_of<'t>(shown: &HeaderValue, tokens: &'t [Token]) -> Option<&'t Token> {
    let (scheme, token) = shown.as_bytes().split_at_checked("Bearer ".len())?;
    if !scheme.eq_ignore_ascii_case(b"bearer ") {
        return None;
    }
    let mut at = u64::MAX;
    for (index, known) in (0..).zip(tokens) {
        let usable = Choice::from(u8::from(!known.value.is_empty()));
        at.conditional_assign(&index, known.value.as_bytes().ct_eq(token) & usable);
    }
    tokens.get(usize::try_from(at).ok()?)
}
