//! Receives the browser's redirect: one port of this computer, one path, and one answer with the issued state; then the
//! port is closed. The page that it shows has no script and loads nothing.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::{Request, State},
    http::{Method, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use reqwest::Url;
use subtle::ConstantTimeEq as _;
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{lock::lock, peer::tidied};

const PATH: &str = "/signed-in";

/// The address that the browser is redirected to.
pub(super) fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}{PATH}")
}

/// The content of the redirect.
pub(super) struct Answer {
    /// The code, or the authorization server's error.
    pub(super) said: Result<String, String>,
    /// The state, already compared.
    pub(super) state: String,
    /// The issuer that the answer names.
    pub(super) issuer: Option<String>,
}

/// The outcome of the sign-in, for the page.
type Ending = Result<(), String>;
/// The answer, and the channel for the outcome.
type Heard = (Answer, oneshot::Sender<Ending>);

/// A port that waits for one answer.
pub(super) struct Redirect {
    answers: mpsc::Receiver<Heard>,
    /// The channel for the outcome.
    page: Option<oneshot::Sender<Ending>>,
    serving: JoinHandle<()>,
    stop: Option<oneshot::Sender<()>>,
}

struct Waiting {
    host: String,
    state: String,
    name: String,
    /// Taken by the single answer.
    answer: Mutex<Option<mpsc::Sender<Heard>>>,
}

impl Redirect {
    /// Waits on this port for the answer with this state.
    pub(super) fn listen(listener: TcpListener, port: u16, state: String, name: String) -> Self {
        let (answer, answers) = mpsc::channel(1);
        let waiting = Waiting { host: format!("127.0.0.1:{port}"), state, name, answer: Mutex::new(Some(answer)) };
        let router = Router::new().fallback(handle).with_state(Arc::new(waiting));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move { drop(stopped.await) });
        let serving = tokio::spawn(async move { drop(serving.await) });
        Self { answers, page: None, serving, stop: Some(stop) }
    }

    /// Waits for the answer.
    pub(super) async fn answer(&mut self) -> Option<Answer> {
        let (answer, page) = self.answers.recv().await?;
        self.page = Some(page);
        Some(answer)
    }

    /// Shows the outcome on the page, and closes the port.
    pub(super) async fn end(mut self, ending: Ending) {
        if let Some(page) = self.page.take() {
            // The user may have closed the page.
            drop(page.send(ending));
        }
        drop(self.stop.take());
        // A browser that keeps its connection open is not waited for.
        drop(tokio::time::timeout(std::time::Duration::from_secs(1), &mut self.serving).await);
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn handle(State(waiting): State<Arc<Waiting>>, request: Request) -> Response {
    let refuse = |status: StatusCode, text: &str| page(status, "Skilltender", text);
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if host != Some(&waiting.host) || request.uri().path() != PATH {
        return refuse(StatusCode::NOT_FOUND, "There is nothing here.");
    }
    if request.method() != Method::GET {
        return refuse(StatusCode::METHOD_NOT_ALLOWED, "There is nothing here.");
    }
    let Some(answer) = read(request.uri().query().unwrap_or_default(), &waiting.state) else {
        return refuse(
            StatusCode::BAD_REQUEST,
            "This answer is not for the sign-in that Skilltender waits for, so it was not taken.",
        );
    };
    let taken = lock(&waiting.answer).take();
    let (tell, told) = oneshot::channel();
    let heard = match taken {
        Some(sender) => sender.send((answer, tell)).await.is_ok(),
        None => false,
    };
    if !heard {
        return refuse(StatusCode::GONE, "This answer was heard already. You can close this page.");
    }
    let name = &waiting.name;
    match told.await {
        Ok(Ok(())) => {
            page(StatusCode::OK, "Signed in", &format!("You are signed in to {name}. You can close this page."))
        }
        Ok(Err(why)) => page(
            StatusCode::BAD_REQUEST,
            "Not signed in",
            &format!("You are not signed in to {name}. {why} You can close this page and try again in Skilltender."),
        ),
        Err(_) => page(StatusCode::GONE, "Not signed in", "Skilltender does not wait for this sign-in any more."),
    }
}

/// The content of a query with the right state and no field twice.
fn read(query: &str, state: &str) -> Option<Answer> {
    let url = Url::parse(&format!("http://127.0.0.1/?{query}")).ok()?;
    let one = |wanted: &str| {
        let mut found = url.query_pairs().filter(|(name, _)| name == wanted);
        let first = found.next().map(|(_, value)| value.into_owned());
        found.next().is_none().then_some(first)
    };
    let (code, given, issuer, error) = (one("code")?, one("state")??, one("iss")?, one("error")?);
    if !bool::from(given.as_bytes().ct_eq(state.as_bytes())) {
        return None;
    }
    let described = one("error_description")?.and_then(|text| tidied(&text));
    let said = match (error, code) {
        (Some(error), _) => Err(described.or_else(|| tidied(&error)).unwrap_or_default()),
        (None, Some(code)) => Ok(code),
        (None, None) => return None,
    };
    Some(Answer { said, state: given, issuer })
}

fn page(status: StatusCode, title: &str, text: &str) -> Response {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<h1>{title}</h1>\n<p>{text}</p>\n</html>\n"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
        ),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONNECTION, "close"),
    ];
    (status, headers, html).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn listening() -> (Redirect, u16) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        (Redirect::listen(listener, port, "right".to_owned(), "<tea> & co".to_owned()), port)
    }

    /// Requests the path as a browser would, and returns the status and the page.
    async fn visit(port: u16, path: &str) -> (u16, String) {
        crate::upstream::use_ring();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let response = client.get(format!("http://127.0.0.1:{port}{path}")).send().await.unwrap();
        let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        (response.status().as_u16(), response.text().await.unwrap())
    }

    #[tokio::test]
    async fn only_the_right_state_on_the_right_path_is_an_answer_and_only_once() {
        let (mut redirect, port) = listening().await;
        for (path, status) in [
            ("/", 404),
            ("/signed-in/?code=1&state=right", 404),
            ("/signed-in", 400),
            ("/signed-in?code=1", 400),
            ("/signed-in?code=1&state=wrong", 400),
            ("/signed-in?code=1&state=right&state=right", 400),
            ("/signed-in?code=1&code=2&state=right", 400),
            ("/signed-in?state=right", 400),
        ] {
            assert_eq!(visit(port, path).await.0, status, "{path}");
        }
        let browser = tokio::spawn(visit(port, "/signed-in?code=4711&state=right&iss=https%3A%2F%2Fa"));
        let answer = redirect.answer().await.unwrap();
        assert_eq!((answer.said.as_deref(), answer.issuer.as_deref()), (Ok("4711"), Some("https://a")));
        assert_eq!(visit(port, "/signed-in?code=4711&state=right").await.0, 410);
        redirect.end(Ok(())).await;
        let (status, said) = browser.await.unwrap();
        assert_eq!(status, 200);
        assert!(said.contains("You are signed in to &lt;tea&gt; &amp; co.") && !said.contains("4711"), "{said}");
        let closed = tokio::net::TcpStream::connect(("127.0.0.1", port)).await;
        assert!(closed.is_err(), "nobody listens any more");
    }

    #[tokio::test]
    async fn a_refusal_is_told_in_the_words_of_the_other_side() {
        let (mut redirect, port) = listening().await;
        let path = "/signed-in?error=access_denied&error_description=You%20said%20no%0D&state=right";
        let browser = tokio::spawn(visit(port, path));
        let answer = redirect.answer().await.unwrap();
        assert_eq!(answer.said.unwrap_err(), "You said no");
        redirect.end(Err("The sign-in was refused: You said no.".to_owned())).await;
        let (status, said) = browser.await.unwrap();
        assert!(status == 400 && said.contains("You are not signed in") && said.contains("You said no"), "{said}");
    }

    #[tokio::test]
    async fn a_visitor_who_takes_the_port_for_another_host_finds_nothing() {
        let (_redirect, port) = listening().await;
        crate::upstream::use_ring();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("http://127.0.0.1:{port}/signed-in?code=1&state=right");
        let response = client.get(url).header("host", format!("evil.example:{port}")).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 404);
    }
}
