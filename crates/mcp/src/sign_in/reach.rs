//! Where requests of a sign-in may go (security rule 22): to `https` addresses of the public network. Only a server
//! that is itself on this computer, or by its IP address in a private network, may name other addresses there.
//!
//! Names are resolved here and checked by their addresses, so that the checked address is the one that is asked. No
//! redirect is followed except those that rmcp follows within one origin; an answer may take ten seconds and one MiB.

use std::{error::Error, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::http::{Request, Response};
use machine::network::Net;
use reqwest::{
    Client, Url,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect::Policy,
};
use rmcp::transport::auth::{OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRequest};

use super::Kept;

/// The maximum duration of a request.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum size of an answer in bytes.
const LONGEST: usize = 1 << 20;
/// The error for a resolved name.
const ELSEWHERE: &str = "leads into a network that may not be asked";
const CANNOT: &str = "it is no address that can be asked";

/// Sends requests to the allowed addresses.
pub(super) struct Reach {
    client: Client,
    /// The network of the server itself.
    server: Net,
}

impl Reach {
    /// For the sign-in of a server.
    ///
    /// # Errors
    /// If signing in at this server is not allowed: the address and the reason.
    pub(super) fn of(server: &str) -> Result<Self, (String, &'static str)> {
        let url = Url::parse(server).map_err(|_| (String::new(), CANNOT))?;
        let net = literal(&url).unwrap_or(Net::Public);
        allow(&url, net).map_err(|why| (bare(&url), why))?;
        let builder = Client::builder().timeout(PATIENCE).redirect(Policy::none()).pool_max_idle_per_host(0);
        let builder = builder.dns_resolver(Arc::new(Lookup(net)));
        // A proxy cannot reach the servers of this computer.
        let builder = if net == Net::Here { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|_| (bare(&url), CANNOT))?;
        Ok(Self { client, server: net })
    }

    /// Checks an address that the server names before it is requested or opened.
    ///
    /// # Errors
    /// The address without its query, and the reason why it is refused.
    pub(super) fn allow(&self, text: &str) -> Result<Url, (String, &'static str)> {
        let url = Url::parse(text).map_err(|_| (crate::peer::tidied(text).unwrap_or_default(), CANNOT))?;
        allow(&url, self.server).map_err(|why| (bare(&url), why))?;
        Ok(url)
    }

    /// Sends a form in the name of the registered client.
    ///
    /// # Errors
    /// If the request fails.
    pub(super) async fn post<'a>(
        &self,
        at: &str,
        mut form: Vec<(&'a str, &'a str)>,
        from: &'a Kept,
    ) -> Result<Response<Vec<u8>>, OAuthHttpClientError> {
        let identity = from.identify(&mut form);
        let mut body = Url::parse("http://form/")?;
        body.query_pairs_mut().extend_pairs(form);
        let body = body.query().unwrap_or_default().as_bytes().to_vec();
        let mut request = Request::post(at).header("content-type", "application/x-www-form-urlencoded");
        if let Some(identity) = identity {
            request = request.header("authorization", identity);
        }
        self.ask(request.header("accept", "application/json").body(body)?).await
    }

    async fn ask(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, OAuthHttpClientError> {
        let request = reqwest::Request::try_from(request)?;
        allow(request.url(), self.server).map_err(|why| format!("{} is refused: {why}", bare(request.url())))?;
        let host = request.url().host_str().unwrap_or_default().to_owned();
        // reqwest's messages contain the whole address, which may hold private data.
        let lost = |error: reqwest::Error| {
            let mut cause: &dyn Error = &error;
            while let Some(inner) = cause.source() {
                cause = inner;
            }
            let what = match cause.to_string() {
                cause if cause == ELSEWHERE => ELSEWHERE,
                _ if error.is_timeout() => "did not answer in time",
                _ => "did not answer",
            };
            OAuthHttpClientError::from(format!("{host} {what}"))
        };
        let mut response = self.client.execute(request).await.map_err(lost)?;
        let mut built = Response::builder().status(response.status());
        for (name, value) in response.headers() {
            built = built.header(name, value);
        }
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(lost)? {
            if body.len() + piece.len() > LONGEST {
                return Err(format!("{host} answered with more than 1 MiB").into());
            }
            body.extend_from_slice(&piece);
        }
        if response.status().is_client_error() || response.status().is_server_error() {
            body = only_the_code(&body);
        }
        Ok(built.body(body)?)
    }
}

impl OAuthHttpClient for Reach {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(self.ask(request.request))
    }
}

/// Reduces a refusal to its code: the rest is a server's own text, which may repeat a token and would reach the log.
fn only_the_code(body: &[u8]) -> Vec<u8> {
    let code = serde_json::from_slice::<serde_json::Value>(body).ok().and_then(|said| {
        let code = said.get("error")?.as_str()?;
        let plain = code.len() < 64 && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        plain.then(|| code.to_owned())
    });
    code.map_or_else(Vec::new, |code| serde_json::json!({ "error": code }).to_string().into_bytes())
}

/// Resolves names only to the allowed addresses.
struct Lookup(Net);

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        let server = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.filter(|found| Net::of(found.ip()).may_be_named_in(server)).collect();
            if found.is_empty() {
                return Err(io::Error::other(ELSEWHERE).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn allow(url: &Url, server: Net) -> Result<(), &'static str> {
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it holds a name and a password");
    }
    let there = literal(url).unwrap_or(Net::Public);
    match url.scheme() {
        "https" => {}
        "http" if there == Net::Here => {}
        "http" => return Err("what is said there can be read by others on its way, because it is not https"),
        _ => return Err("it is not https"),
    }
    if there.may_be_named_in(server) { Ok(()) } else { Err("it is not on the public network, as the server is") }
}

/// The network of an address with a literal IP; a name has none before it is resolved.
fn literal(url: &Url) -> Option<Net> {
    Net::of_host(url.host_str()?)
}

/// An address without its query.
fn bare(url: &Url) -> String {
    crate::peer::tidied(&format!("{}://{}{}", url.scheme(), super::host(url), url.path())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(server: &str, text: &str) -> bool {
        crate::upstream::use_ring();
        Reach::of(server).is_ok_and(|reach| reach.allow(text).is_ok())
    }

    #[test]
    fn a_public_server_may_name_https_addresses_of_the_public_network_only() {
        let server = "https://mcp.example.com/mcp";
        for text in ["https://auth.example.org/authorize?a=b", "https://8.8.8.8/", "https://[2606:4700::1111]/token"] {
            assert!(may(server, text), "{text}");
        }
        for text in [
            "http://auth.example.org/authorize",
            "https://user:word@auth.example.org/",
            "https://localhost/authorize",
            "https://a.localhost./authorize",
            "http://127.0.0.1:80/authorize",
            "https://127.0.0.1/token",
            "https://0x7f.1/token",
            "https://2130706433/token",
            "https://10.0.0.9/token",
            "https://172.31.255.1/",
            "https://192.168.1.1/",
            "https://100.64.0.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://0.0.0.0/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[64:ff9b::a9fe:a9fe]/",
            "https://[2002:7f00:1::]/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ftp://auth.example.org/",
            "vscode://auth",
            "data:text/html,x",
            "not an address",
        ] {
            assert!(!may(server, text), "{text}");
        }
    }

    #[test]
    fn a_server_of_this_computer_may_name_this_computer_and_one_of_a_private_network_its_like() {
        for server in ["http://127.0.0.1:9000/mcp", "http://localhost:9000/mcp", "http://[::1]:9000/mcp"] {
            assert!(may(server, "http://127.0.0.1:9001/authorize"), "{server}");
            assert!(may(server, "https://auth.example.org/authorize"), "{server}");
            assert!(!may(server, "http://auth.example.org/authorize"), "{server}");
            assert!(!may(server, "https://10.0.0.9/"), "{server}");
        }
        assert!(may("https://10.0.0.1/mcp", "https://10.2.3.4/authorize"));
        assert!(!may("https://10.0.0.1/mcp", "http://10.2.3.4/authorize"));
        assert!(!may("https://10.0.0.1/mcp", "https://127.0.0.1/authorize"));
    }

    #[test]
    fn nobody_signs_in_at_a_server_whose_words_others_can_read_on_their_way() {
        for server in ["http://mcp.example.com/mcp", "http://10.0.0.1/mcp", "https://169.254.1.1/mcp", "ws://x/", ""] {
            assert!(Reach::of(server).is_err(), "{server}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_into_this_computer_is_not_asked_for_a_server_elsewhere() {
        let leads = |server| Lookup(server).resolve("localhost".parse().unwrap());
        assert!(leads(Net::Public).await.is_err());
        assert!(leads(Net::Private).await.is_err());
        assert!(leads(Net::Here).await.is_ok());
    }

    #[test]
    fn of_a_refusal_only_its_code_is_heard() {
        let said = br#"{"error":"invalid_grant","error_description":"the token canary is old"}"#.to_vec();
        assert_eq!(only_the_code(&said), br#"{"error":"invalid_grant"}"#);
        assert_eq!(only_the_code(br#"{"error":"Canary 4711"}"#), b"");
        assert_eq!(only_the_code(b"canary"), b"");
    }
}
