//! WebKit on Linux: its processes, and how it draws. The process of a page ends with its window; the one for the network
//! would stay for the life of the program, with the memory of another small page. WebKit starts it again when a page
//! needs it.

use std::{fs, path::Path};

use rustix::process::{Pid, Signal, getpid, kill_process};

/// The name of the process in /proc, which cuts names to fifteen letters.
const NETWORK: &str = "WebKitNetworkPr";

/// Where the system has no graphics processor, WebKit draws without one. By default it would have Mesa emulate one, which
/// takes 80 MB in the process of the page and a fifth of a second until the first picture. WebKit reads it from the
/// environment before the first page: its setting, which Tauri gives us only once the page is being loaded, would then
/// end the page's process (WebKitGTK 2.50). A value of the person's own stays. Called before there are threads.
pub(crate) fn draw_as_can_be() {
    if has_graphics(Path::new("/dev")) {
        return;
    }
    if let Err(why) = glib::setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1", false) {
        tracing::debug!("WebKit draws as it likes: {why}");
    }
}

/// Whether there is a graphics processor: the kernel's render nodes, or NVIDIA's own.
fn has_graphics(devices: &Path) -> bool {
    let in_folder = |folder: &Path, start: &str| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with(start))
    };
    in_folder(&devices.join("dri"), "renderD") || in_folder(devices, "nvidia0")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graphics_processor_is_known_by_its_render_node_or_nvidias() {
        let devices = |names: &[&str]| {
            let folder = tempfile::tempdir().unwrap();
            for name in names {
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            has_graphics(folder.path())
        };
        assert!(devices(&["dri/card0", "dri/renderD128"]));
        assert!(devices(&["nvidia0", "nvidiactl"]));
        assert!(!devices(&["dri/card0", "tty0"]), "a card that can only show pictures");
        assert!(!devices(&["null"]));
    }
}
