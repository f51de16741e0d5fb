//! Tokens of HTTP: one per client, created on demand, replaced while the endpoint runs.

use api::ErrorKind;
use engine::{
    Engine, Machine, Mode, actions,
    orders::{self, Order},
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::home::{ADD, Home, REMOVE, change_client};

const CLIENT: &str = "claude-desktop";

/// The status with which the running endpoint answers a request with this token.
async fn knock(engine: &Engine, token: &str) -> u16 {
    let url = engine.connection().unwrap().url.unwrap();
    let address = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let request =
        format!("GET /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

fn has_token(engine: &Engine) -> bool {
    engine.snapshot().clients.iter().find(|client| client.id == CLIENT).unwrap().token
}

#[tokio::test]
async fn a_token_opens_at_once_and_a_replaced_one_no_more() {
    let home = Home::new();
    let engine = home.start().await;
    assert!(!has_token(&engine));
    let first = actions::client_token(&engine, CLIENT).await.unwrap();
    assert_eq!(actions::client_token(&engine, CLIENT).await.unwrap(), first, "it is made once");
    assert!(has_token(&engine));
    assert_ne!(knock(&engine, &first).await, 401);

    let second = actions::replace_token(&engine, CLIENT).await.unwrap();
    assert_eq!(knock(&engine, &first).await, 401);
    assert_ne!(knock(&engine, &second).await, 401);

    let by_hand = engine.connection().unwrap().token;
    let other = actions::replace_token(&engine, "by-hand").await.unwrap();
    assert_eq!(engine.connection().unwrap().token, other);
    assert_eq!(knock(&engine, &by_hand).await, 401);
    assert_ne!(knock(&engine, &second).await, 401, "the client's own stays");
}

#[tokio::test]
async fn tokens_outlive_the_engine() {
    let home = Home::new();
    let engine = home.start().await;
    let token = actions::client_token(&engine, CLIENT).await.unwrap();
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    assert!(has_token(&engine));
    assert_eq!(actions::client_token(&engine, CLIENT).await.unwrap(), token);
}

#[tokio::test]
async fn disconnecting_a_client_takes_its_token_away() {
    let home = Home::new();
    let engine = home.start().await;
    change_client(&engine, CLIENT, ADD).await;
    let token = actions::client_token(&engine, CLIENT).await.unwrap();
    change_client(&engine, CLIENT, REMOVE).await;
    assert_eq!(knock(&engine, &token).await, 401);
    assert!(!has_token(&engine));
}

#[tokio::test]
async fn only_clients_that_are_known_have_tokens_and_by_hand_always_has_one() {
    let home = Home::new();
    let engine = home.start().await;
    assert_eq!(actions::client_token(&engine, "notepad").await.unwrap_err().kind, ErrorKind::Unknown);
    assert_eq!(actions::forget_token(&engine, "by-hand").await.unwrap_err().kind, ErrorKind::Refused);
}

#[tokio::test]
async fn an_engine_that_only_reads_makes_no_tokens() {
    let home = Home::new();
    let reading = Engine::start(home.machine.clone(), Mode::Reading).await.unwrap();
    assert_eq!(actions::client_token(&reading, CLIENT).await.unwrap_err().kind, ErrorKind::Refused);
}

async fn token(machine: &Machine, replace: bool) -> Value {
    orders::give(machine.clone(), Order::Token { client: CLIENT.to_owned(), replace }).await.unwrap()
}

#[tokio::test]
async fn the_command_line_gets_tokens_with_and_without_a_running_engine() {
    let home = Home::new();
    let first = token(&home.machine, false).await;
    assert_eq!(token(&home.machine, false).await, first);
    let engine = home.start().await;
    assert_ne!(knock(&engine, first.as_str().unwrap()).await, 401);
    let second = token(&home.machine, true).await;
    assert_eq!(knock(&engine, first.as_str().unwrap()).await, 401);
    assert_ne!(knock(&engine, second.as_str().unwrap()).await, 401);
    let forget = Order::ForgetToken { client: CLIENT.to_owned() };
    orders::give(home.machine.clone(), forget).await.unwrap();
    assert_eq!(knock(&engine, second.as_str().unwrap()).await, 401);
}
