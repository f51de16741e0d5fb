//! Containers outlive the client that started them, so what is left of them is removed.

use std::{fs, path::PathBuf};

use machine::Machine;
use processes::Ending;
use servers::containers::ContainerRun;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{docker::Docker, gateway, machine, spec, started, until};
use crate::{process::Process, start::start};

/// A home with a docker.
fn home() -> (TempDir, Docker, Machine) {
    let home = tempfile::tempdir().unwrap();
    let docker = Docker::start(home.path());
    let machine = machine(home.path(), &docker.programs());
    (home, docker, machine)
}

fn argv() -> Vec<String> {
    ["docker", "run", "--rm", "-i", "--name", "skilltender-teapot", "tea/pot"].map(str::to_owned).into()
}

/// A container whose process runs.
async fn running(docker: &Docker, machine: &Machine) -> (Process, String) {
    let before = docker.containers();
    let process = started(machine, &docker.client(), &argv()).await;
    until("it runs", || docker.containers().len() > before.len()).await;
    let new = docker.containers().into_iter().find(|id| !before.contains(id)).unwrap();
    (process, new)
}

/// A container whose client was ended with its engine of Skilltender, which had no time to remove it.
async fn left(docker: &Docker, machine: &Machine) -> String {
    let (process, id) = running(docker, machine).await;
    let Process { child, container } = process;
    child.stop().await;
    drop(container);
    assert!(docker.containers().contains(&id) && !docker.has_ended(&id), "a client's end is not that of its container");
    id
}

fn records(machine: &Machine) -> Vec<PathBuf> {
    fs::read_dir(machine.data.join("running")).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

#[tokio::test]
async fn a_container_whose_client_had_to_be_killed_is_removed_and_no_other() {
    let (_home, docker, machine) = home();
    let other = docker.runs("skilltender-kettle", "skilltender=0123456789abcdef").await;
    let (process, id) = running(&docker, &machine).await;
    assert_eq!(process.stop().await, Ending::Signal(9));
    until("it has ended", || docker.has_ended(&id)).await;
    assert_eq!(docker.containers(), [other]);
    assert_eq!(records(&machine), [] as [PathBuf; 0]);
}

#[tokio::test]
async fn a_container_of_another_data_folder_keeps_its_name() {
    let (home, docker, machine) = home();
    let elsewhere = Machine { data: home.path().join("elsewhere"), ..machine.clone() };
    let (theirs, id) = running(&docker, &elsewhere).await;
    let mut ours = started(&machine, &docker.client(), &argv()).await;
    assert_eq!(ours.child.ended().await, Ending::Code(125));
    let log = ours.child.log.clone();
    ours.stop().await;
    assert!(log.lines()[0].1.contains("is already in use"), "{:?}", log.lines());
    ContainerRun::remove_left(ContainerRun::left(&machine, None)).await;
    assert_eq!(docker.containers(), [id]);
    theirs.stop().await;
    assert_eq!(docker.containers(), [""; 0]);
}

#[tokio::test]
async fn what_is_left_of_a_container_makes_way_for_its_next_start() {
    let (_home, docker, machine) = home();
    let before = left(&docker, &machine).await;
    let (gateway, stop) = (gateway(&machine), CancellationToken::new());
    let spec = spec(&machine, &docker.client(), &argv());
    let stopping = async {
        let runs_anew = || matches!(docker.containers().as_slice(), [id] if *id != before);
        until("another runs", runs_anew).await;
        stop.cancel();
    };
    let mut hold = |_: &processes::Child| {};
    let (started, ()) = tokio::join!(start(&gateway, &spec, &stop, &mut hold), stopping);
    assert!(matches!(started, Err(None)));
    until("the first has ended", || docker.has_ended(&before)).await;
    assert_eq!(docker.containers(), [""; 0]);
    assert_eq!(records(&machine), [] as [PathBuf; 0]);
}

#[tokio::test]
async fn what_a_killed_engine_left_is_removed_when_the_next_one_serves() {
    let (_home, docker, machine) = home();
    let id = left(&docker, &machine).await;
    let gateway = gateway(&machine);
    gateway.keep_up();
    until("it has ended", || docker.has_ended(&id)).await;
    until("nothing is recorded", || records(&machine).is_empty()).await;
    assert_eq!(docker.containers(), [""; 0]);
}

#[tokio::test]
async fn what_cannot_be_removed_yet_is_removed_later() {
    let (_home, docker, machine) = home();
    let id = left(&docker, &machine).await;
    docker.set_down(true);
    let runs = || ContainerRun::left(&machine, Some("teapot"));
    ContainerRun::remove_left(runs()).await;
    assert_eq!((docker.containers(), runs().len()), (vec![id], 1));
    docker.set_down(false);
    ContainerRun::remove_left(ContainerRun::left(&machine, Some("kettle"))).await;
    assert_eq!(runs().len(), 1, "it is no kettle");
    ContainerRun::remove_left(runs()).await;
    assert_eq!((docker.containers(), runs().len()), (vec![], 0));
}

#[tokio::test]
async fn an_engine_is_asked_nothing_about_a_container_that_ended_by_itself() {
    let (_home, docker, machine) = home();
    let argv = ["docker", "version"].map(str::to_owned);
    let container = ContainerRun::new(&machine, "teapot", &self::argv());
    let mut process = started(&machine, &docker.client(), &argv).await;
    process.container = container;
    process.container.as_ref().unwrap().record().unwrap();
    assert_eq!(process.stop().await, Ending::Code(0));
    assert_eq!(docker.asked(), "version\n");
    assert_eq!(records(&machine), [] as [PathBuf; 0]);
}
