//! WebKit's processes on Linux. The process of a page ends with its window; the one for the network would stay for the
//! life of the program, with the memory of another small page. WebKit starts it again when a page needs it.

use std::fs;

use rustix::process::{Pid, Signal, getpid, kill_process};

/// The name of the process in /proc, which cuts names to fifteen letters.
const NETWORK: &str = "WebKitNetworkPr";

/// Ends the process for the network, once no window needs it.
pub(crate) fn end_network() {
    for process in network_processes() {
        if let Err(why) = kill_process(process, Signal::TERM) {
            tracing::debug!("WebKit's process for the network stays: {why}");
        }
    }
}

/// Only our own children: other programs use WebKit too.
fn network_processes() -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| is_ours(*number)).filter_map(Pid::from_raw).collect()
}

fn is_ours(process: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    // PID (NAME) STATE PARENT ...
    let Some((start, rest)) = stat.rsplit_once(") ") else { return false };
    let parent = rest.split(' ').nth(1).and_then(|parent| parent.parse().ok()).and_then(Pid::from_raw);
    start.split_once(" (").is_some_and(|(_, name)| name == NETWORK) && parent == Some(getpid())
}
