//! Containers that speak over a port.

use mcp::UpstreamError;
use secrets::Redaction;
use servers::containers::ContainerRun;

use super::{Duration, docker::Docker, machine, shell, teapot, until};
use crate::start::{ended, free_port, open, wait_for};

#[tokio::test]
async fn a_client_may_write_as_long_as_it_runs_and_its_input_stays_open_until_it_is_stopped() {
    let port = free_port().unwrap();
    let _heard = teapot::serve(port).await;
    let writes = "exec 3<&0; (cat <&3; echo its input has ended >&2) & while sleep 0.02; do echo brewing; done";
    let (_home, mut process) = shell(writes).await;
    let upstream = open(&mut process, Some(port)).await.unwrap();
    let mut lines = process.child.log.changes();
    let before = *lines.borrow();
    tokio::select! {
        ending = process.child.ended() => panic!("{ending}"),
        more = lines.wait_for(|&lines| lines > before + 10) => drop(more.unwrap()),
    }
    let said = |log: &processes::Log| log.lines().into_iter().map(|(_, line)| line).collect::<Vec<_>>();
    let log = process.child.log.clone();
    assert!(said(&log).iter().all(|line| line == "brewing"), "{:?}", said(&log));
    drop(upstream);
    process.stop().await;
    assert!(said(&log).iter().any(|line| line == "its input has ended"), "{:?}", said(&log));
}

#[tokio::test]
async fn a_client_that_ends_before_its_container_listens_says_how_and_whoever_has_the_port_then_is_not_asked() {
    let port = free_port().unwrap();
    let (_home, mut process) = shell("echo 'docker: no such image' >&2; exit 125").await;
    // Nobody listens yet.
    let error = open(&mut process, Some(port)).await.err().unwrap();
    assert!(matches!(error, UpstreamError::Closed), "{error}");
    let mut heard = teapot::serve(port).await;
    let error = open(&mut process, Some(port)).await.err().unwrap();
    assert_eq!(
        ended("teapot", process, &error).await,
        "teapot ended before it answered. It ended with exit code 125. Its last words: docker: no such image"
    );
    wait_for(port, &Redaction::default(), None, super::PATIENCE).await.unwrap();
    let asked = [heard.recv().await, heard.recv().await];
    assert_eq!(asked.map(Option::unwrap), ["server/discover", "initialize"], "nobody asked it before");
}

#[tokio::test]
async fn a_container_counts_as_silent_only_once_its_image_is_fetched() {
    let home = tempfile::tempdir().unwrap();
    let docker = Docker::start(home.path());
    let machine = machine(home.path(), &docker.programs());
    let argv = ["docker", "run", "tea/pot"].map(str::to_owned);
    let run = ContainerRun::new(&machine, "teapot", &argv).unwrap();
    let label = run.argv(&argv)[2].replace("--label=", "");
    let (port, moment) = (free_port().unwrap(), Duration::from_millis(20));
    let nothing = Redaction::default();

    // The engine has made no container yet.
    let fetched = async {
        until("it was asked thrice", || docker.asked().lines().count() > 2).await;
        teapot::serve(port).await
    };
    let (opened, _heard) = tokio::join!(wait_for(port, &nothing, Some(&run), moment), fetched);
    drop(opened.unwrap());

    docker.runs("skilltender-teapot", &label).await;
    let port = free_port().unwrap();
    let error = wait_for(port, &nothing, Some(&run), moment).await.err().unwrap();
    assert!(matches!(error, UpstreamError::Silent), "{error}");
}
