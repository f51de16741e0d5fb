//! What the command line asks of the engine that writes: an action, by its name. Where one runs, the
//! order goes to it over the socket, so that the window shows at once what was done; where none
//! does, an engine starts for the one order and ends with it.
//!
//! An order is one line of JSON and so is its answer. Who may come to the socket is left to
//! [`crate::socket`], what an action does to [`actions`].

use std::{io, time::Duration};

use mcp::{Surface, Visitor, say_hello};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, split},
    time::timeout,
};

use crate::{
    Engine, Machine, StartError,
    actions::{self, failed},
    lock::LockError,
    socket,
    view::{ActionError, ErrorKind, Saved, SkillPage},
};

/// The longest order or answer, in bytes.
const LONGEST: u64 = 64 << 20;

/// How long a running engine may take to let us in. One that takes longer hangs.
const HELLO: Duration = Duration::from_secs(5);

/// One thing that a person asks for on the command line. A skill is named by its key, its id, or
/// the absolute path of its folder or SKILL.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// Switches skills on or off; answers with their keys.
    Enable {
        /// Which.
        skills: Vec<String>,
        /// On or off.
        on: bool,
    },
    /// Makes a skill from a template; answers with its key.
    New {
        /// The id or the absolute path of a folder of the library.
        folder: String,
        /// The new skill's.
        id: String,
        /// What it begins as.
        template: String,
    },
    /// Makes a copy; answers with its key.
    Duplicate {
        /// Which.
        skill: String,
        /// The copy's.
        id: String,
    },
    /// Throws a skill away; answers with its name in the trash.
    Trash {
        /// Which.
        skill: String,
    },
    /// Brings it back; answers with its key.
    Restore {
        /// Its name in the trash.
        id: String,
    },
    /// Switches a part of the server, for one client or for all.
    SetSurface {
        /// For which client; without one, for all that have no switch of their own.
        client: Option<String>,
        /// Which part.
        surface: Surface,
        /// Without a value, the switch is taken away.
        on: Option<bool>,
    },
    /// Offers packed skills, or no longer.
    SetArchives {
        /// Whether.
        on: bool,
    },
    /// Applies every fix to skills; answers with the keys of those that changed.
    Fix {
        /// Which.
        skills: Vec<String>,
    },
}

/// What comes back.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Done(Value),
    Failed(ActionError),
}

/// Has an order carried out, by the running engine or by one of this process.
///
/// # Errors
/// When the action fails, or the engine that runs cannot be reached.
pub async fn give(machine: Machine, order: Order) -> Result<Value, ActionError> {
    if let Some(answer) = ask_running(&machine, &order).await? {
        return answer;
    }
    let engine = match Engine::start_alone(machine).await {
        Ok(engine) => engine,
        Err(error) => {
            let hints = match &error {
                StartError::Lock(LockError::Held { .. }) => {
                    vec!["It does not answer on its socket: quit it, then try again.".to_owned()]
                }
                _ => Vec::new(),
            };
            return Err(ActionError { hints, ..failed(ErrorKind::System, error.to_string()) });
        }
    };
    let done = carry_out(&engine, order).await;
    engine.stop().await;
    done
}

/// Hears one order of a visitor at the socket and answers it.
///
/// # Errors
/// When the stream breaks.
pub(crate) async fn hear(
    engine: &Engine,
    read: impl AsyncRead + Unpin,
    mut write: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let line = line(read).await?;
    let done = match serde_json::from_str(&line) {
        Ok(order) => carry_out(engine, order).await,
        Err(error) => Err(failed(
            ErrorKind::Input,
            format!(
                "The running Skilltender does not know this order ({error}). It may be another version: restart it."
            ),
        )),
    };
    let answer = match done {
        Ok(value) => Answer::Done(value),
        Err(error) => Answer::Failed(error),
    };
    send(&mut write, &answer).await
}

/// The answer of the running engine; `None` where none runs.
async fn ask_running(machine: &Machine, order: &Order) -> Result<Option<Result<Value, ActionError>>, ActionError> {
    let Ok(stream) = socket::connect(&machine.data).await else { return Ok(None) };
    let (mut read, mut write) = split(stream);
    let lost =
        |error: io::Error| failed(ErrorKind::System, format!("The running Skilltender did not answer: {error}."));
    match timeout(HELLO, say_hello(&mut read, &mut write, &Visitor::Orders)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) if error.kind() == io::ErrorKind::Unsupported => {
            return Err(failed(ErrorKind::Refused, error.to_string()));
        }
        Ok(Err(error)) => return Err(lost(error)),
        Err(late) => return Err(lost(late.into())),
    }
    send(&mut write, order).await.map_err(lost)?;
    let line = line(read).await.map_err(lost)?;
    match serde_json::from_str(&line) {
        Ok(Answer::Done(value)) => Ok(Some(Ok(value))),
        Ok(Answer::Failed(error)) => Ok(Some(Err(error))),
        Err(error) => Err(lost(error.into())),
    }
}

async fn carry_out(engine: &Engine, order: Order) -> Result<Value, ActionError> {
    match order {
        Order::Enable { skills, on } => {
            let keys = keys(engine, &skills)?;
            actions::enable_skills(engine, &keys, on).await?;
            Ok(keys.into())
        }
        Order::New { folder, id, template } => {
            let folder = find_folder(engine, &folder)?;
            Ok(actions::new_skill(engine, &folder, &id, &template).await?.into())
        }
        Order::Duplicate { skill, id } => {
            let key = actions::find_skill(engine, &skill)?;
            Ok(actions::duplicate_skill(engine, &key, &id).await?.into())
        }
        Order::Trash { skill } => {
            let key = actions::find_skill(engine, &skill)?;
            Ok(actions::trash_skill(engine, &key).await?.into())
        }
        Order::Restore { id } => Ok(actions::restore_skill(engine, &id).await?.into()),
        Order::SetSurface { client, surface, on } => {
            actions::set_surface(engine, client, surface, on).await?;
            Ok(Value::Null)
        }
        Order::SetArchives { on } => {
            actions::set_archives(engine, on).await?;
            Ok(Value::Null)
        }
        Order::Fix { skills } => {
            let mut changed = Vec::new();
            for key in keys(engine, &skills)? {
                let before = actions::read_skill(engine, &key).await?;
                if fix(engine, &before).await? {
                    changed.push(key);
                }
            }
            Ok(changed.into())
        }
    }
}

/// Applies every fix to the skill of this page, and says whether anything changed.
async fn fix(engine: &Engine, page: &SkillPage) -> Result<bool, ActionError> {
    match actions::fix_skill(engine, &page.key, &page.digest).await? {
        Saved::Saved { page: after } => Ok(after.digest != page.digest),
        Saved::Changed { .. } => {
            let message = format!("{} changed on the disk meanwhile, so it was left as it is. Try again.", page.key);
            Err(failed(ErrorKind::Changed, message))
        }
    }
}

fn keys(engine: &Engine, skills: &[String]) -> Result<Vec<String>, ActionError> {
    skills.iter().map(|skill| actions::find_skill(engine, skill)).collect()
}

/// The id of a folder of the library that is named by its id or its path.
fn find_folder(engine: &Engine, word: &str) -> Result<String, ActionError> {
    let snapshot = engine.snapshot();
    let named = snapshot.folders.iter().find(|folder| folder.id == word || folder.path == word);
    named.map(|folder| folder.id.clone()).ok_or_else(|| {
        let known: Vec<_> = snapshot.folders.iter().map(|folder| folder.place.as_str()).collect();
        failed(ErrorKind::NotFound, format!("{word} is not a folder of the library. There are: {}.", known.join(", ")))
    })
}

async fn send(write: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    write.write_all(&line).await?;
    write.flush().await
}

async fn line(read: impl AsyncRead + Unpin) -> io::Result<String> {
    let mut line = String::new();
    let read = BufReader::new(read.take(LONGEST)).read_line(&mut line).await?;
    if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(line) }
}
