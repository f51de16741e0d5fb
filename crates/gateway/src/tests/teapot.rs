//! A server that speaks HTTP, as one in a container does.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

/// Serves at this port, and tells the methods that it is asked.
pub(super) async fn serve(port: u16) -> mpsc::UnboundedReceiver<String> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let (asked, heard) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(answer(connection, asked.clone()));
        }
    });
    heard
}

/// Answers the one request of a connection.
async fn answer(connection: TcpStream, asked: mpsc::UnboundedSender<String>) {
    let mut connection = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await.unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(said) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = said.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.unwrap();
    let (status, body) = match serde_json::from_slice::<Value>(&body) {
        Ok(message) => {
            let method = message["method"].as_str().unwrap_or_default();
            // Nobody may listen.
            drop(asked.send(method.to_owned()));
            match (message.get("id"), method) {
                (None, _) => ("202 Accepted", String::new()),
                (Some(id), "initialize") => {
                    let server = json!({"name": "teapot", "version": "1"});
                    let result =
                        json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": server});
                    ("200 OK", json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
                }
                (Some(id), _) => {
                    let error = json!({"code": -32601, "message": "no"});
                    ("200 OK", json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
                }
            }
        }
        Err(_) => ("405 Method Not Allowed", String::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    // The asker may be gone.
    drop(connection.write_all((head + &body).as_bytes()).await);
}
