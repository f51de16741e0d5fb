//! Servers' sign-in metadata and its effects: real answers over real connections.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;

/// A server with configurable metadata.
#[derive(Clone)]
struct Said {
    here: String,
    metadata: Arc<Mutex<Value>>,
    /// The requested paths.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Said {
    /// A server on this computer with a valid sign-in.
    async fn serve() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let here = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let metadata = json!({
            "issuer": here,
            "authorization_endpoint": format!("{here}/authorize"),
            "token_endpoint": format!("{here}/token"),
            "registration_endpoint": format!("{here}/register"),
            "code_challenge_methods_supported": ["S256"],
        });
        let said = Self { here, metadata: Arc::new(Mutex::new(metadata)), asked: Arc::default() };
        let router = Router::new().fallback(answer).with_state(said.clone());
        tokio::spawn(async move { drop(axum::serve(listener, router).await) });
        said
    }

    fn says(&self, name: &str, value: Value) -> Value {
        std::mem::replace(&mut self.metadata.lock().unwrap()[name], value)
    }

    async fn begin(&self) -> Result<SignIn, SignInError> {
        SignIn::begin(&format!("{}/mcp", self.here), "tea", &BTreeSet::new()).await
    }

    async fn refusal(&self) -> String {
        self.begin().await.err().map(|error| error.to_string()).unwrap_or_default()
    }

    fn was_asked(&self, path: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|asked| asked == path)
    }
}

async fn answer(State(said): State<Said>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    said.asked.lock().unwrap().push(path.clone());
    let here = &said.here;
    let metadata = said.metadata.lock().unwrap().clone();
    match path.as_str() {
        "/mcp" => {
            let at = format!("Bearer resource_metadata=\"{here}/.well-known/oauth-protected-resource/mcp\"");
            (StatusCode::UNAUTHORIZED, [("www-authenticate", at)]).into_response()
        }
        "/.well-known/oauth-protected-resource/mcp" => {
            json!({"resource": format!("{here}/mcp"), "authorization_servers": [here]}).to_string().into_response()
        }
        "/.well-known/oauth-authorization-server" => match metadata["moved"].as_str() {
            Some(to) => Redirect::temporary(to).into_response(),
            None => metadata.to_string().into_response(),
        },
        "/register" => {
            let to = json!({"client_id": "1", "redirect_uris": []});
            (StatusCode::CREATED, to.to_string()).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

#[tokio::test]
async fn a_sign_in_is_asked_for_with_all_that_keeps_it_from_being_stolen() {
    let said = Said::serve().await;
    let sign_in = said.begin().await.unwrap();
    let address = Url::parse(sign_in.address()).unwrap();
    let one = |name: &str| address.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
    assert_eq!(one("code_challenge_method").as_deref(), Some("S256"));
    assert_eq!(one("resource").unwrap(), format!("{}/mcp", said.here));
    assert!(one("redirect_uri").unwrap().starts_with("http://127.0.0.1:"));
    assert!(one("state").unwrap().len() >= 16 && one("code_challenge").unwrap().len() >= 43);
    assert_eq!(format!("http://{}", sign_in.host()), said.here);
}

#[tokio::test]
async fn an_address_that_nobody_should_open_or_ask_is_refused_before_anything_is_sent_there() {
    let said = Said::serve().await;
    for endpoint in ["authorization_endpoint", "token_endpoint", "registration_endpoint"] {
        for address in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "vscode://sign-in",
            "http://auth.example.com/authorize",
            "https://10.0.0.1/authorize",
            "https://169.254.169.254/latest",
            "https://me:secret@auth.example.com/",
        ] {
            let before = said.says(endpoint, address.into());
            let refusal = said.refusal().await;
            assert!(refusal.starts_with("The server names ") && !refusal.contains("secret"), "{address}: {refusal}");
            said.says(endpoint, before);
        }
    }
    assert!(!said.was_asked("/register") && !said.was_asked("/token"));
}

#[tokio::test]
async fn who_wants_no_sign_in_or_one_that_we_cannot_make_says_so() {
    let said = Said::serve().await;
    let before = said.says("code_challenge_methods_supported", json!(["plain"]));
    assert!(said.refusal().await.contains("PKCE"), "{}", said.refusal().await);
    said.says("code_challenge_methods_supported", before);

    let before = said.says("issuer", "https://somebody.example.com".into());
    assert!(said.refusal().await.starts_with("Where one signs in could not be found out"), "{}", said.refusal().await);
    said.says("issuer", before);

    said.says("scopes_supported", json!(["x".repeat(2 << 20)]));
    assert!(said.refusal().await.contains("answered with more than 1 MiB"), "{}", said.refusal().await);
    said.says("scopes_supported", json!([]));

    let other = Said::serve().await;
    said.says("moved", format!("{}/.well-known/oauth-authorization-server", other.here).into());
    assert!(said.begin().await.is_err(), "another origin may not answer for this one");
    assert_eq!(other.asked.lock().unwrap().len(), 0);
    said.says("moved", Value::Null);

    said.says("registration_endpoint", Value::Null);
    assert!(said.refusal().await.contains("its operator has registered"), "{}", said.refusal().await);

    let nothing = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = nothing.local_addr().unwrap().port();
    tokio::spawn(async move { drop(axum::serve(nothing, Router::new()).await) });
    let none = SignIn::begin(&format!("http://127.0.0.1:{port}/mcp"), "tea", &BTreeSet::new()).await.err();
    assert_eq!(none, Some(SignInError::None));
}
