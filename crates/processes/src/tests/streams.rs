//! The server's input and output: the environment, the streams, the log.

use std::time::Duration;

use rustix::process::getpid;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;
use crate::stat;

async fn said(child: &mut Child) -> String {
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).await.unwrap();
    said
}

#[tokio::test]
async fn a_child_gets_the_expected_environment_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let mut child = start(&machine(home.path()), recipe("env", &[])).await.unwrap();
    let printed = said(&mut child).await;
    let mut lines: Vec<_> = printed.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            format!("API_KEY={SECRET}").as_str(),
            "HOME=/home/ada",
            "LC_ALL=C",
            "MODE=read-only",
            "PATH=/usr/bin:/bin",
            "https_proxy=http://proxy:3128",
        ]
    );
    assert_eq!(child.ended().await, Ending::Code(0));
}

#[tokio::test]
async fn a_secret_stands_in_no_argument_and_not_in_the_supervisors_environment() {
    let (home, mut child) = shell("echo ready; cat").await;
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).await.unwrap();
    let supervisor = i32::try_from(child.id()).unwrap();
    let everybody = stat::all(Path::new("/proc"));
    let processes = stat::below(getpid().as_raw_nonzero().get(), &everybody);
    assert!(processes.iter().any(|process| process.id == supervisor));
    assert!(processes.iter().any(|process| process.parent == supervisor));
    for process in processes {
        let words = fs::read(format!("/proc/{}/cmdline", process.id)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&words).contains("canary-4711"), "{process:?}");
    }
    // Only the administrator may read it.
    let environment = fs::read(format!("/proc/{supervisor}/environ")).unwrap_or_default();
    assert_eq!(String::from_utf8_lossy(&environment), "");
    let (at, record) = recorded(home.path()).await;
    assert!(record.contains("\"program\":\"sh\"") && !record.contains("canary"), "{record}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(at).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(child.stop().await, Ending::Code(0));
}

#[tokio::test]
async fn a_server_reads_what_is_written_from_its_first_byte_and_sees_the_end() {
    let (_home, mut child) = shell("cat").await;
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let sent: Vec<u8> = (0..1_000_000_u32).map(|byte| u8::try_from(byte % 251).unwrap()).collect();
    let writing = async {
        stdin.write_all(&sent).await.unwrap();
        drop(stdin);
    };
    let mut received = Vec::new();
    let (_, read) = tokio::join!(writing, stdout.read_to_end(&mut received));
    read.unwrap();
    assert!(received == sent);
    assert_eq!(child.ended().await, Ending::Code(0));
}

#[tokio::test]
async fn a_wait_that_is_given_up_loses_nothing() {
    let (_home, mut child) = shell("read line; echo \"last words\" >&2; exit 3").await;
    for _ in 0..50 {
        assert!(tokio::time::timeout(Duration::from_millis(1), child.ended()).await.is_err());
    }
    child.stdin.as_mut().unwrap().write_all(b"go\n").await.unwrap();
    assert_eq!(child.ended().await, Ending::Code(3));
    assert_eq!(child.log.lines()[0].1, "last words");
}

#[tokio::test]
async fn the_log_hides_the_servers_own_secret() {
    let script = "printf 'key=%s' \"${API_KEY%secret}\" >&2; sleep 0.2; echo 'secret!' >&2; echo $MODE >&2";
    let (_home, mut child) = shell(script).await;
    let mut changes = child.log.changes();
    child.ended().await;
    let lines: Vec<_> = child.log.lines().into_iter().map(|(_, line)| line).collect();
    assert_eq!(lines, ["key=••••!", "read-only"]);
    assert_eq!(*changes.borrow_and_update(), 2);
}

#[tokio::test]
async fn a_hundred_megabytes_without_a_line_take_a_few_kilobytes() {
    let (_home, mut child) = shell("head -c 100000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo end >&2").await;
    let before = resident();
    let mut most = before;
    while tokio::time::timeout(Duration::from_millis(20), child.ended()).await.is_err() {
        most = most.max(resident());
    }
    assert!(most - before < 16 << 10, "{before} KiB, then {most} KiB");
    let lines = child.log.lines();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].1.len() < 5_000 && lines[0].1.ends_with("x …"));
    assert_eq!(lines[1].1, "end");
}

/// The resident memory of this process in KiB; other tests run in it too.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test]
async fn a_server_may_not_write_its_memory_to_the_disk() {
    let (_home, mut child) = shell("ulimit -Sc; ulimit -Hc").await;
    assert_eq!(said(&mut child).await, "0\n0\n");
}

#[tokio::test]
async fn the_output_of_a_server_that_is_spoken_to_in_another_way_goes_into_its_log_until_it_ends() {
    let (_home, mut child) = shell("echo brews; read line; echo \"pours $API_KEY\"; echo aside >&2; exit 3").await;
    child.log_output();
    assert!(child.stdout.is_none() && child.stdin.is_some());
    child.log.changes().wait_for(|&lines| lines == 1).await.unwrap();
    child.stdin.take().unwrap().write_all(b"now\n").await.unwrap();
    assert_eq!(child.ended().await, Ending::Code(3));
    let mut lines: Vec<_> = child.log.lines().into_iter().map(|(_, line)| line).collect();
    lines.sort();
    assert_eq!(lines, ["aside", "brews", "pours ••••"]);
}
