//! Finds the program that holds a port, so that the user knows which one to quit.

/// The program that listens on this port of 127.0.0.1: `firefox (process 812)`. `None` where the system does not report
/// it, for instance because it is another user's.
#[cfg(target_os = "linux")]
pub fn of(port: u16) -> Option<String> {
    let inode = socket(port)?;
    let ours = format!("socket:[{inode}]");
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let name = process.file_name();
        let Some(pid) = name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())) else { continue };
        let Ok(open) = std::fs::read_dir(process.path().join("fd")) else { continue };
        let mut open = open.flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
        if open.any(|file| file.as_os_str() == ours.as_str()) {
            let program = std::fs::read_to_string(process.path().join("comm")).ok()?;
            return Some(format!("{} (process {pid})", program.trim()));
        }
    }
    None
}

/// The inode of the listening socket, from `/proc/net/tcp`: address and port in hexadecimal, state `0A` for listening,
/// and the inode in the tenth column.
#[cfg(target_os = "linux")]
fn socket(port: u16) -> Option<String> {
    let end = format!(":{port:04X}");
    let table = std::fs::read_to_string("/proc/net/tcp").ok()?;
    let mut rows = table.lines().skip(1).map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let row = rows.find(|row| row.len() > 9 && row[1].ends_with(&end) && row[3] == "0A")?;
    Some(row[9].to_owned())
}

/// Other systems have no simple way to find out.
#[cfg(not(target_os = "linux"))]
pub fn of(_port: u16) -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_of_a_port_is_named() {
        let held = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let named = of(held.local_addr().unwrap().port()).unwrap();
        assert!(named.ends_with(&format!("(process {})", std::process::id())), "{named}");
    }

    #[test]
    fn a_free_port_has_no_holder() {
        let held = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = held.local_addr().unwrap().port();
        drop(held);
        assert_eq!(of(port), None);
    }
}
