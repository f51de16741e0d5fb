//! One file, asked for until it is here, refused or given up.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Once},
    time::{Duration, Instant},
};

use machine::network::Net;
use reqwest::{
    Client, StatusCode, Url,
    dns::{Addrs, Name, Resolve, Resolving},
    header::LOCATION,
    redirect::Policy,
};

use super::{
    refusal::{ELSEWHERE, refused, sent_on, status},
    validator::Validator,
};
use crate::{Cancel, FetchError, running::LONGEST};

/// How often a person's wish to end it is looked at.
const BEAT: Duration = Duration::from_millis(25);
/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(30);
/// How often somebody may send on.
const MOST_WAYS: usize = 10;
/// The fewest bytes a second, as for git.
const SLOWEST: u64 = 100;

/// A file that is wanted.
pub(super) struct Wanted<'w> {
    pub(super) address: &'w str,
    /// The address of who named it, if it was no person.
    pub(super) by: Option<&'w str>,
    /// The most bytes.
    pub(super) most: u64,
    /// How long nothing may come.
    pub(super) patience: Duration,
    /// What the host said of the file that is here.
    pub(super) here: Option<&'w Validator>,
}

/// How a host answered.
pub(super) enum Answer {
    /// Its bytes were handed on; it may be known again by this.
    Came(Option<Validator>),
    /// It is the file that is here.
    Unchanged,
}

/// Asks for a file, and hands its bytes on.
pub(super) fn ask(
    wanted: &Wanted<'_>,
    cancel: &Cancel,
    take: &mut dyn FnMut(&[u8]) -> Result<(), FetchError>,
) -> Result<Answer, FetchError> {
    use_ring();
    let address = wanted.address;
    let other = |error: io::Error| FetchError::Other(address.to_owned(), error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(other)?;
    let outcome = runtime.block_on(async {
        let cancelled = async {
            while !cancel.is() {
                tokio::time::sleep(BEAT).await;
            }
        };
        tokio::select! {
            done = tokio::time::timeout(LONGEST, fetched(wanted, take)) => {
                done.unwrap_or_else(|_| Err(FetchError::TooSlow(address.to_owned(), LONGEST.as_secs() / 60)))
            }
            () = cancelled => Err(FetchError::Cancelled),
        }
    });
    // A name that is being looked up holds nobody up.
    runtime.shutdown_background();
    outcome
}

async fn fetched(
    &Wanted { address, by, most, patience, here }: &Wanted<'_>,
    take: &mut dyn FnMut(&[u8]) -> Result<(), FetchError>,
) -> Result<Answer, FetchError> {
    let parsed =
        |address: &str| Url::parse(address).map_err(|error| FetchError::Other(address.to_owned(), error.to_string()));
    let mut url = parsed(address)?;
    let source = network(&by.map_or_else(|| Ok(url.clone()), parsed)?).await;
    if let Some(by) = by {
        url = allowed(by, url, source)?;
    }
    let client = client(source, patience).map_err(|error| refused(address, patience, &error))?;
    let mut response = None;
    for _ in 0..MOST_WAYS {
        let request = client.get(url.clone());
        let request = if let Some(here) = here { here.asked(&url, request) } else { request };
        let answer = request.send().await.map_err(|error| refused(address, patience, &error))?;
        match onward(&url, &answer) {
            Some(next) => url = allowed(address, next, source)?,
            None => {
                response = Some(answer);
                break;
            }
        }
    }
    let mut response = response.ok_or_else(|| sent_on(address, &url, "it was sent on too often"))?;
    if here.is_some() && response.status() == StatusCode::NOT_MODIFIED {
        return Ok(Answer::Unchanged);
    }
    status(address, response.status())?;
    let validator = Validator::of(&url, response.headers());
    let too_large = || FetchError::LargeFile(address.to_owned(), most);
    if response.content_length().is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let (mut came, mut since, mut lately) = (0, Instant::now(), 0);
    while let Some(piece) = response.chunk().await.map_err(|error| refused(address, patience, &error))? {
        came += piece.len() as u64;
        lately += piece.len() as u64;
        if came > most {
            return Err(too_large());
        }
        if since.elapsed() > patience {
            if lately < SLOWEST * patience.as_secs().max(1) {
                return Err(FetchError::Silent(address.to_owned(), patience.as_secs()));
            }
            (since, lately) = (Instant::now(), 0);
        }
        take(&piece)?;
    }
    Ok(Answer::Came(validator))
}

/// Where an answer sends on to; `None` for one that is the file or a refusal.
fn onward(from: &Url, answer: &reqwest::Response) -> Option<Url> {
    let moved = [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    let to = moved.contains(&answer.status()).then(|| answer.headers().get(LOCATION)).flatten()?;
    from.join(to.to_str().ok()?).ok()
}

/// Judges where somebody sends on to. A name is judged again by the addresses that it leads to.
fn allowed(address: &str, next: Url, source: Net) -> Result<Url, FetchError> {
    let there = next.host_str().and_then(Net::of_host).unwrap_or(Net::Public);
    let why = match next.scheme() {
        _ if !next.username().is_empty() || next.password().is_some() => "it holds a name and a password",
        "http" if there == Net::Here && source == Net::Here => return Ok(next),
        "https" if there.may_be_named_in(source) => return Ok(next),
        "https" | "http" if !there.may_be_named_in(source) => "it is in a network that this source is not in",
        _ => "it is not https",
    };
    Err(sent_on(address, &next, why))
}

/// The network that the source itself is in: what a person wrote may be anywhere but where nothing is.
async fn network(url: &Url) -> Net {
    let host = url.host_str().unwrap_or_default();
    if let Some(net) = Net::of_host(host) {
        return net;
    }
    // A name that is not found may be one that only a proxy knows.
    let found = tokio::net::lookup_host((host, url.port_or_known_default().unwrap_or(443))).await;
    let nets: Vec<_> = found.into_iter().flatten().map(|found| Net::of(found.ip())).collect();
    let first = nets.iter().copied().find(|net| *net != Net::Public);
    first.unwrap_or(Net::Public)
}

fn client(source: Net, patience: Duration) -> Result<Client, reqwest::Error> {
    let builder = Client::builder().redirect(Policy::none()).pool_max_idle_per_host(0);
    let builder = builder.connect_timeout(CONNECTING.min(patience)).read_timeout(patience);
    let builder = builder.user_agent(concat!("skilltender/", env!("CARGO_PKG_VERSION"))).referer(false);
    let builder = builder.dns_resolver(Arc::new(Lookup { source, proxies: proxies() }));
    // A proxy cannot reach this computer.
    if source == Net::Here { builder.no_proxy().build() } else { builder.build() }
}

/// The hosts of the proxies that this computer names.
fn proxies() -> Vec<String> {
    let named = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
    let host = |name: &&str| {
        let written = std::env::var(name).ok()?;
        let url = Url::parse(&written).ok().filter(Url::has_host);
        url.or_else(|| Url::parse(&format!("http://{written}")).ok())?.host_str().map(str::to_ascii_lowercase)
    };
    named.iter().filter_map(host).collect()
}

/// Looks names up, and only to where they may lead. A proxy is wherever the person's computer says.
struct Lookup {
    source: Net,
    proxies: Vec<String>,
}

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        let source = self.source;
        let is_proxy = self.proxies.contains(&name.as_str().to_ascii_lowercase());
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let may = |found: &SocketAddr| is_proxy || Net::of(found.ip()).may_be_named_in(source);
            let found: Vec<SocketAddr> = found.filter(may).collect();
            if found.is_empty() {
                return Err(io::Error::other(ELSEWHERE).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Selects `ring` for TLS, before the first client is made.
fn use_ring() {
    static PROVIDER: Once = Once::new();
    // A second installation is refused and would be the same.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_into_this_computer_only_for_a_source_that_is_there_or_to_a_proxy() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let leads = |source, proxies: &[&str]| {
            let lookup = Lookup { source, proxies: proxies.iter().map(|host| (*host).to_owned()).collect() };
            runtime.block_on(lookup.resolve("localhost".parse().unwrap())).is_ok()
        };
        assert!(!leads(Net::Public, &[]) && !leads(Net::Private, &["proxy.example.net"]));
        assert!(leads(Net::Here, &[]) && leads(Net::Public, &["localhost"]));
    }
}
