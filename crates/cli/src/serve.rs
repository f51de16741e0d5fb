//! `skilltender serve`: the engine without a window, until it is stopped.

use std::{
    io,
    path::{Path, PathBuf},
};

use engine::{Connection, Engine, Machine, Mode, actions, orders};
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
    let Arguments { skills_dir, allow_origin, take_over, archives, strict, json } = command;
    let stop = engine::asked_to_stop()?;
    let skills_dir = skills_dirs(skills_dir, &machine)?;
    if strict && skills_dir.is_empty() {
        let message = "--strict is for a server of its own: name its folders with --skills-dir.";
        return Err(Failure::usage(message.to_owned()));
    }
    tokio::pin!(stop);
    // A separate task, so that a slow folder does not delay stopping.
    let starting = tokio::spawn(async move {
        if skills_dir.is_empty() {
            if take_over {
                orders::take_over(&machine).await?;
            }
            let engine = Engine::start(machine, Mode::Writing).await?;
            if engine.snapshot().first_run {
                let joined = actions::begin_alone(&engine).await?;
                say(joined.iter().map(joined_words).collect::<Text>());
            }
            return Ok::<_, Failure>(engine);
        }
        let engine = mcp::plain(machine, skills_dir, strict).await?;
        engine.serve().await?;
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
            print_json_line(&one_line(&connection))?;
        } else {
            print(in_words(&engine, &connection))?;
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

/// For scripts: where to connect, and with which token.
fn one_line(connection: &Connection) -> Value {
    let mut line = json!({"url": connection.url, "token": connection.token});
    if let Some(trouble) = &connection.trouble {
        line["why"] = json!(trouble);
    }
    line
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
