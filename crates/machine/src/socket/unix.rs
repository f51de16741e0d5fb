//! The Unix socket: `engine.sock` in the data folder.

use std::{
    fs, io,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    },
    path::{Path, PathBuf},
};

use rustix::process::geteuid;
use sha2::{Digest as _, Sha256};
use tokio::net::{UnixListener, UnixStream};

use crate::random;

/// Longer paths do not fit into a socket's address on every system (104 bytes on macOS).
pub(super) const LONGEST: usize = 100;

/// One connection.
pub type Stream = UnixStream;

/// The engine's end; dropping it removes it from the disk.
#[derive(Debug)]
pub struct Listener {
    socket: UnixListener,
    path: PathBuf,
}

impl Listener {
    /// Listens. The caller holds the engine's lock, so an existing socket is stale.
    ///
    /// # Errors
    /// When the folder is not the user's alone, or the socket cannot be made.
    pub fn bind(data: &Path) -> io::Result<Self> {
        let path = place(data);
        if let Some(folder) = path.parent().filter(|folder| *folder != data) {
            make_own(folder)?;
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let socket = UnixListener::bind(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        Ok(Self { socket, path })
    }

    /// The next connection of the same user; others are closed without an answer.
    ///
    /// # Errors
    /// When the system gives no connection.
    pub async fn accept(&mut self) -> io::Result<Stream> {
        loop {
            let (stream, _) = self.socket.accept().await?;
            if is_same_user(&stream) {
                return Ok(stream);
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // The next engine removes a leftover.
        drop(fs::remove_file(&self.path));
    }
}

/// Connects to the engine of this data folder.
///
/// # Errors
/// When none listens; [`io::ErrorKind::PermissionDenied`] when another user has taken its place.
pub async fn connect(data: &Path) -> io::Result<Stream> {
    let path = place(data);
    if let Some(folder) = path.parent().filter(|folder| *folder != data) {
        refuse_others(folder)?;
    }
    let stream = UnixStream::connect(&path).await?;
    if is_same_user(&stream) {
        return Ok(stream);
    }
    Err(denied(format!("a program of another user listens at {}", path.display())))
}

/// In the data folder, which only the user may enter, or in a folder of the user's own in /tmp.
fn place(data: &Path) -> PathBuf {
    let path = data.join("engine.sock");
    if path.as_os_str().len() <= LONGEST {
        return path;
    }
    let hash = Sha256::digest(data.as_os_str().as_bytes());
    PathBuf::from(format!("/tmp/skilltender-{}/{}.sock", geteuid().as_raw(), random::hex(&hash[..16])))
}

fn is_same_user(stream: &UnixStream) -> bool {
    let ours = geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == ours)
}

/// A folder in /tmp, where other users may have created that name first.
fn make_own(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    refuse_others(folder)
}

/// Refuses anything except a folder that only the user may enter, and says what to do.
fn refuse_others(folder: &Path) -> io::Result<()> {
    let there = match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there?,
    };
    let (place, mode) = (folder.display(), there.mode() & 0o7777);
    Err(denied(if there.is_symlink() {
        format!("{place} is a link and no folder of yours: remove it")
    } else if !there.is_dir() {
        format!("{place} is no folder: remove it")
    } else if there.uid() != geteuid().as_raw() {
        format!(
            "{place} belongs to another user ({}): have it removed by them or an administrator, or use a data folder with a shorter path",
            there.uid()
        )
    } else if mode & 0o077 != 0 {
        format!("others may enter {place} (mode {mode:04o}): close it with `chmod 700 {place}`")
    } else {
        return Ok(());
    }))
}

fn denied(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use ::tests::able;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    async fn speaks(data: &Path) {
        let mut listener = Listener::bind(data).unwrap();
        let mut near = connect(data).await.unwrap();
        let mut far = listener.accept().await.unwrap();
        near.write_all(b"hello").await.unwrap();
        let mut heard = [0; 5];
        far.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"hello");
    }

    #[tokio::test]
    async fn a_bridge_reaches_the_engine_of_its_data_folder() {
        let data = tempfile::tempdir().unwrap();
        speaks(data.path()).await;
        assert!(!data.path().join("engine.sock").exists(), "a stopped engine leaves no socket behind");
    }

    #[tokio::test]
    async fn a_data_folder_with_a_long_path_has_its_socket_elsewhere() {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("a".repeat(200));
        std::fs::create_dir(&data).unwrap();
        speaks(&data).await;
        let folder = place(&data).parent().unwrap().to_path_buf();
        assert!(folder.to_str().unwrap().starts_with("/tmp/skilltender-"));
        assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_ne!(place(&data), place(&root.path().join("b".repeat(200))));
    }

    #[tokio::test]
    async fn the_socket_of_an_engine_that_was_killed_is_replaced() {
        let data = tempfile::tempdir().unwrap();
        std::mem::forget(Listener::bind(data.path()).unwrap());
        speaks(data.path()).await;
    }

    #[tokio::test]
    async fn the_socket_is_the_users_alone() {
        let data = tempfile::tempdir().unwrap();
        let _listener = Listener::bind(data.path()).unwrap();
        let mode = std::fs::metadata(data.path().join("engine.sock")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_place_that_somebody_took_before_us_is_refused_in_words_that_say_what_to_do() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("skilltender-1");
        let said = || {
            let made = make_own(&folder).unwrap_err();
            let met = refuse_others(&folder).unwrap_err();
            assert_eq!((made.kind(), met.kind()), (io::ErrorKind::PermissionDenied, io::ErrorKind::PermissionDenied));
            assert_eq!(made.to_string(), met.to_string());
            made.to_string()
        };
        assert!(refuse_others(&folder).is_ok(), "nobody is there");
        fs::write(&folder, "").unwrap();
        assert!(said().contains("is no folder: remove it"));
        fs::remove_file(&folder).unwrap();

        // Wherever it leads: even to a folder that would be acceptable.
        make_own(&root.path().join("good")).unwrap();
        for target in ["good", "nowhere"] {
            std::os::unix::fs::symlink(root.path().join(target), &folder).unwrap();
            assert!(said().contains("is a link"));
            fs::remove_file(&folder).unwrap();
        }

        make_own(&folder).unwrap();
        for mode in [0o777, 0o1777, 0o750, 0o701] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
            let said = said();
            assert!(said.contains(&format!("{mode:04o}")) && said.contains("chmod 700"), "{said}");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        make_own(&folder).unwrap();
    }

    #[test]
    fn a_folder_of_another_user_is_refused() {
        if !able::has_right(&able::OWNERS, "socket::unix::tests::a_folder_of_another_user_is_refused") {
            return;
        }
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("skilltender-1");
        make_own(&folder).unwrap();
        std::os::unix::fs::chown(&folder, Some(geteuid().as_raw() + 4321), None).unwrap();
        let refused = make_own(&folder).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(refused.to_string().contains("belongs to another user (4321)"), "{refused}");
    }
}
