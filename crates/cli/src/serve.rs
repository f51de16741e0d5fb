//! `skilltender serve`: the engine without a window, until it is stopped.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use engine::{Connection, Engine, Listen, Machine, Mode, ServeAt, actions, orders};
use serde_json::{Value, json};
use text::counted;

use crate::{
    Failure, Text, mcp,
    output::print_json_line,
    print, runtime, say,
    words::{Archives, absolute, skills_dirs},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Serve this folder instead of the library (may be repeated)
    #[arg(long, value_name = "FOLDER", value_parser = absolute)]
    skills_dir: Vec<PathBuf>,
    /// Serve HTTP here instead of at the library's port: unix:/run/skilltender.sock, or with --skills-dir 127.0.0.1:PORT
    #[arg(long, value_name = "PLACE")]
    listen: Option<String>,
    /// Who may connect to that socket: this user (600), or also its group (660)
    #[arg(long, value_name = "MODE", requires = "listen", value_parser = ["600", "660"])]
    listen_mode: Option<String>,
    /// Accept the token in this file too, so that several instances have the same
    #[arg(long, value_name = "FILE", value_parser = absolute)]
    token_file: Option<PathBuf>,
    /// Accept requests with this Origin, such as http://localhost:5173 (may be repeated)
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// End the Skilltender that is running, and take its place
    #[arg(long, conflicts_with = "skills_dir")]
    take_over: bool,
    /// Also offer each skill as a packed file
    #[arg(long, value_name = "FORM")]
    archives: Option<Archives>,
    /// Exit with code 2 if a skill of these folders has errors or is left out, or a folder was not searched
    #[arg(long)]
    strict: bool,
    /// Print one line of JSON: the address (or why there is none) and the token
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    runtime()?.block_on(serve(command, machine))
}

async fn serve(command: Arguments, machine: Machine) -> Result<(), Failure> {
    let Arguments { skills_dir, listen, listen_mode, token_file, allow_origin, take_over, archives, strict, json } =
        command;
    let stop = engine::asked_to_stop()?;
    let skills_dir = skills_dirs(skills_dir, &machine)?;
    if strict && skills_dir.is_empty() {
        let message = "--strict is for a server of its own: name its folders with --skills-dir.";
        return Err(Failure::usage(message.to_owned()));
    }
    let at = place(listen, listen_mode.as_deref(), token_file.as_deref(), skills_dir.is_empty(), machine.container)?;
    let (listens, has_file) = (at.listen.clone(), at.token.is_some());
    tokio::pin!(stop);
    // A separate task, so that a slow folder does not delay stopping.
    let starting = tokio::spawn(async move {
        if skills_dir.is_empty() {
            if take_over {
                orders::take_over(&machine).await?;
            }
            let engine = Engine::start_at(machine, Mode::Writing, at).await?;
            if engine.snapshot().first_run {
                let joined = actions::begin_alone(&engine).await?;
                say(joined.iter().map(joined_words).collect::<Text>());
            }
            return Ok::<_, Failure>(engine);
        }
        let engine = mcp::plain(machine, skills_dir, strict).await?;
        engine.serve(at).await?;
        Ok(engine)
    });
    let engine = tokio::select! {
        started = starting => started.map_err(io::Error::other)??,
        () = &mut stop => return Ok(()),
    };
    engine.allow_origins(allow_origin);
    if let Some(Archives::Gzip) = archives {
        engine.offer_archives().await;
    }
    if let Some(connection) = engine.connection() {
        if json {
            print_json_line(&one_line(&connection, socket(listens.as_ref())))?;
        } else {
            print(match &listens {
                Some(listen) => at_a_place(&engine, &connection, listen, has_file),
                None => in_words(&engine, &connection),
            })?;
        }
    }
    // The window's notices are printed instead.
    for notice in &engine.snapshot().notices {
        say(notice.message.as_str());
    }
    tokio::select! {
        () = stop => {}
        () = engine.asked_to_end() => say("Another Skilltender takes over."),
    }
    engine.stop().await;
    Ok(())
}

fn joined_words(place: &String) -> String {
    format!(
        "{place} joined the library. Its skills are off: `skilltender list` names them, `skilltender enable` switches them on."
    )
}

/// The longest file that may hold a token, in bytes.
const LONGEST_TOKEN_FILE: usize = 4096;
/// The fewest characters of a token: whoever may connect can try as many as they like.
const SHORTEST_TOKEN: usize = 32;

/// Where HTTP is to be served, and with which token.
fn place(
    listen: Option<String>,
    mode: Option<&str>,
    token: Option<&Path>,
    is_library: bool,
    container: bool,
) -> Result<ServeAt, Failure> {
    let listen = listen.map(|text| Listen::read(&text, container)).transpose().map_err(Failure::usage)?;
    if is_library && matches!(listen, Some(Listen::ThisComputer(_))) {
        let message = "Clients' files name the library's port, so it is a setting: `skilltender settings port 8400`. --listen 127.0.0.1:PORT is for folders named with --skills-dir.";
        return Err(Failure::usage(message));
    }
    if mode.is_some() && !matches!(listen, Some(Listen::Socket(_))) {
        return Err(Failure::usage("--listen-mode is for a socket: --listen unix:/run/skilltender.sock."));
    }
    let mode = mode.and_then(|mode| u32::from_str_radix(mode, 8).ok());
    Ok(ServeAt { listen, mode, token: token.map(read_token).transpose().map_err(Failure::usage)? })
}

/// The token in a file: its one line.
fn read_token(file: &Path) -> Result<String, String> {
    let place = file.display();
    let bytes = fs::read(file).map_err(|error| format!("The token in {place} cannot be read: {error}."))?;
    let token = str::from_utf8(&bytes).map(str::trim).unwrap_or_default();
    let plain = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    if bytes.len() > LONGEST_TOKEN_FILE || !plain {
        return Err(format!(
            "{place} holds no token: one line of letters, digits and signs, such as `openssl rand -hex 32` writes."
        ));
    }
    if token.len() < SHORTEST_TOKEN {
        return Err(format!(
            "The token in {place} is too short: `openssl rand -hex 32` writes one that nobody guesses."
        ));
    }
    Ok(token.to_owned())
}

fn socket(listens: Option<&Listen>) -> Option<&Path> {
    match listens {
        Some(Listen::Socket(path)) => Some(path),
        _ => None,
    }
}

/// For scripts: where to connect, and with which token.
fn one_line(connection: &Connection, socket: Option<&Path>) -> Value {
    let mut line = json!({"url": connection.url, "token": connection.token});
    if let Some(socket) = socket {
        line["socket"] = json!(socket);
    } else if let Some(trouble) = &connection.trouble {
        line["why"] = json!(trouble);
    }
    line
}

/// For people, at a place that they named. What is written to a container's log is kept: a token of a file is not.
fn at_a_place(engine: &Engine, connection: &Connection, listen: &Listen, has_file: bool) -> Text {
    let served = counted(engine.snapshot().endpoint.served, "skill");
    let place = match listen {
        Listen::Socket(path) => format!("the socket {}", path.display()),
        Listen::ThisComputer(address) => format!("http://{address}/mcp"),
        Listen::Container(address) => format!("/mcp of port {}, on every network of this container", address.port()),
    };
    let token = if has_file {
        "Requests show the token of the file.".to_owned()
    } else {
        format!("Requests show this token:\n\nAuthorization: Bearer {}", connection.token)
    };
    Text::page(&format!("Skilltender serves {served} at {place}.\n{token}\n\nCtrl-C stops it."))
}

/// For people.
fn in_words(engine: &Engine, connection: &Connection) -> Text {
    let endpoint = &engine.snapshot().endpoint;
    let served = counted(endpoint.served, "skill");
    let (program, words) = connection.command.split_first().unzip();
    let stdio = entry(&json!({"command": program, "args": words}));
    let first = match (&connection.url, &connection.trouble) {
        (Some(url), _) => format!("Skilltender serves {served} at {url}."),
        (None, Some(why)) => format!("Skilltender serves {served} over stdio only. {why}"),
        (None, None) => format!("Skilltender serves {served} over stdio only."),
    };
    let mut said: Text = [first.as_str(), "", "For a client that starts its servers itself:"].into_iter().collect();
    said.append(stdio);
    if let Some(url) = &connection.url {
        let bearer = json!({"Authorization": format!("Bearer {}", connection.token)});
        let http = entry(&json!({"type": "http", "url": url, "headers": bearer}));
        said.extend(["", "For a client that connects over HTTP (the token is for connecting by hand):"]);
        said.append(http);
    }
    said.extend(["", "Ctrl-C stops it."]);
    said
}

/// An entry in the form of most clients' files.
fn entry(server: &Value) -> Text {
    Text::json(&json!({"mcpServers": {"skilltender": server}}))
}
