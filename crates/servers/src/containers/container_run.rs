//! One run of a container, which can be found and removed when its client has ended.
//!
//! The program that runs a container is only its client. When that is killed, the engine goes on with the container:
//! with its secrets, and under its name, which then blocks every later start. So each run has a label with a random
//! value, and a record in `running/` in our own folder from before its start until its container is known to be gone.
//! Only what has a recorded label is removed, so a container of another data folder, or one that a client runs in
//! direct mode, is left alone.

use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use machine::{Machine, make_private, private, random, waiting::for_disk};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::{ENGINES, LABEL, PATIENCE, command, is_one, labelled};
use crate::paths::{find_program, search};

/// The folder of the records, in our own folder; supervisors have theirs there too (`processes`).
const FOLDER: &str = "running";

/// How their names end.
const END: &str = "container";

/// How long an engine may take to end and remove a container. Podman asks it to end, and kills it 10 seconds later.
const REMOVING: Duration = Duration::from_secs(20);

/// One run of a container.
#[derive(Debug)]
pub struct ContainerRun {
    /// The value of its label, which no other run has.
    run: String,
    record: PathBuf,
    of: Record,
    /// The folders to search for the engine's program.
    search: Vec<PathBuf>,
}

/// The content of a record.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The name of the server that it is.
    server: String,
    /// The program that runs it, by its name: a record names no other program.
    engine: String,
}

impl ContainerRun {
    /// A new run of this server, if its command line runs a container.
    pub fn new(machine: &Machine, server: &str, argv: &[String]) -> Option<Self> {
        let engine = argv.first().filter(|_| is_one(argv))?.clone();
        let run = random::hex(&random::bytes::<16>());
        let record = machine.data.join(FOLDER).join(format!("{run}.{END}"));
        Some(Self { run, record, of: Record { server: server.to_owned(), engine }, search: search(machine) })
    }

    /// The command line with the label of this run.
    pub fn argv(&self, argv: &[String]) -> Vec<String> {
        labelled(argv, &self.run)
    }

    /// Records the run, before it starts. Blocks while it writes a small file.
    ///
    /// # Errors
    /// When the disk refuses. The run can still be removed, but not by a later Skilltender.
    pub fn record(&self) -> io::Result<()> {
        for_disk(&self.record);
        self.record.parent().map_or(Ok(()), make_private)?;
        let mut file = private().create(true).write(true).truncate(true).open(&self.record)?;
        file.write_all(&serde_json::to_vec(&self.of)?)
    }

    /// Whether its container exists; `None` when the engine does not answer.
    pub async fn exists(&self) -> Option<bool> {
        Some(!self.containers().await?.is_empty())
    }

    /// Removes the record: nothing of the run is left, as its client said, or it never started.
    pub fn forget(self) {
        for_disk(&self.record);
        // It may not exist.
        drop(fs::remove_file(self.record));
    }

    /// Removes its container after its client has ended in another way than by the container's own end. Takes 25
    /// seconds at most.
    pub async fn remove(self) {
        // An engine that was just asked for a container may still make it, so only what was removed is gone.
        if self.remove_all().await == Some(true) {
            self.forget();
        }
    }

    /// The runs that were recorded and not forgotten, of all servers or of this one. Blocks while it reads a few small
    /// files.
    pub fn left(machine: &Machine, server: Option<&str>) -> Vec<Self> {
        let folder = machine.data.join(FOLDER);
        for_disk(&folder);
        let records = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut left = records.filter_map(|record| Self::read(machine, record)).collect::<Vec<_>>();
        left.retain(|run| server.is_none_or(|server| run.of.server == server));
        left
    }

    /// Removes what is left of earlier runs. What an engine that does not answer has of them waits for the next time.
    pub async fn remove_left(left: Vec<Self>) {
        let mut silent = Vec::new();
        for run in left {
            if silent.contains(&run.of.engine) {
                continue;
            }
            match run.remove_all().await {
                Some(_) => run.forget(),
                None => silent.push(run.of.engine),
            }
        }
    }

    fn read(machine: &Machine, record: PathBuf) -> Option<Self> {
        let run = record.file_stem()?.to_str()?.to_owned();
        let is_ours = record.extension().is_some_and(|end| end == END) && is_id(&run);
        let of: Record = serde_json::from_slice(&fs::read(&record).ok().filter(|_| is_ours)?).ok()?;
        ENGINES.contains(&of.engine.as_str()).then(|| Self { run, record, of, search: search(machine) })
    }

    /// Removes its container, and returns whether there was one; `None` when the engine does not answer.
    async fn remove_all(&self) -> Option<bool> {
        let containers = self.containers().await?;
        if containers.is_empty() {
            return Some(false);
        }
        let remove = ["rm", "--force", "--volumes"].map(str::to_owned);
        self.ask(remove.into_iter().chain(containers), REMOVING).await.map(|_| true)
    }

    /// The ids of the containers with its label.
    async fn containers(&self) -> Option<Vec<String>> {
        let label = format!("label={LABEL}={}", self.run);
        let list = ["ps", "--all", "--quiet", "--no-trunc", "--filter", &label].map(str::to_owned);
        let said = self.ask(list, PATIENCE).await?;
        // Whatever else it says must not become an option of the next question.
        Some(said.lines().map(str::trim).filter(|line| is_id(line)).map(str::to_owned).collect())
    }

    /// What the engine says; `None` when it does not answer in time, or with an error.
    async fn ask(&self, words: impl IntoIterator<Item = String>, patience: Duration) -> Option<String> {
        let program = find_program(&self.of.engine, &self.search)?;
        let mut question = command(&program, &self.search);
        let said = timeout(patience, question.args(words).stdout(Stdio::piped()).output()).await.ok()?.ok()?;
        said.status.success().then(|| String::from_utf8_lossy(&said.stdout).into_owned())
    }
}

/// Whether this is an id as engines write them, or one of ours.
fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_recorded_until_it_is_forgotten_and_a_record_names_no_program_but_an_engines() {
        let home = tempfile::tempdir().unwrap();
        let machine = Machine::at(home.path()).unwrap();
        let runs = |server: Option<&str>| ContainerRun::left(&machine, server).into_iter().map(|run| run.run);
        let [teapot, kettle] = ["teapot", "kettle"].map(|server| {
            let run = ContainerRun::new(&machine, server, &["podman".to_owned(), "run".to_owned()]).unwrap();
            run.record().unwrap();
            run
        });
        assert_eq!(runs(None).count(), 2);
        assert_eq!(runs(Some("teapot")).collect::<Vec<_>>(), [teapot.run.as_str()]);
        kettle.forget();
        assert_eq!(runs(None).collect::<Vec<_>>(), [teapot.run.as_str()]);

        for engine in ["/tmp/podman", "sh"] {
            fs::write(&teapot.record, format!(r#"{{"server": "teapot", "engine": "{engine}"}}"#)).unwrap();
            assert_eq!(runs(None).count(), 0, "{engine}");
        }
    }
}
