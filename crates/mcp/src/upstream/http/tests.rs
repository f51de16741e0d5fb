use std::{collections::BTreeMap, time::Duration};

use axum::{
    Router,
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse as _,
    routing::any,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc, time::timeout};

use super::super::Line;

/// A server of a revision with a handshake, which tells the methods in the order of their arrival.
async fn served() -> (String, mpsc::UnboundedReceiver<String>) {
    let (arrived, arrivals) = mpsc::unbounded_channel();
    let answer = move |body: String| {
        let arrived = arrived.clone();
        async move {
            let Ok(message) = serde_json::from_str::<Value>(&body) else {
                return StatusCode::METHOD_NOT_ALLOWED.into_response();
            };
            let method = message["method"].as_str().unwrap_or_default().to_owned();
            let result = match method.as_str() {
                "initialize" => json!({
                    "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "tea", "version": "1"}
                }),
                _ => json!({}),
            };
            arrived.send(method).unwrap();
            match message.get("id") {
                Some(id) => {
                    let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
                    ([(CONTENT_TYPE, "application/json")], answer).into_response()
                }
                None => StatusCode::ACCEPTED.into_response(),
            }
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/mcp", any(answer))).await });
    (url, arrivals)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_sent_right_after_the_greeting_arrives_after_it() {
    for round in 0..50 {
        let (url, mut arrivals) = served().await;
        let mut line = Line::over_http(&url, BTreeMap::new(), None).unwrap();
        let send = |message: Value| line.out.try_send(message.to_string().into_bytes()).unwrap();
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}
        });
        send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        line.heard.recv().await.unwrap().unwrap();
        send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
        let answer = timeout(Duration::from_secs(10), line.heard.recv()).await;
        assert!(matches!(answer, Ok(Some(Ok(_)))), "round {round}: {answer:?}");
        for expected in ["initialize", "notifications/initialized", "tools/list"] {
            assert_eq!(arrivals.recv().await.as_deref(), Some(expected), "round {round}");
        }
    }
}
