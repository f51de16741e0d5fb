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
const LONGEST: usize = 100;

/// One connection.
pub(crate) type Stream = UnixStream;

/// The engine's end: gone from the disk when dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: UnixListener,
    path: PathBuf,
}

impl Listener {
    /// Listens. The caller holds the engine's lock, so a socket that is there is a dead one's.
    ///
    /// # Errors
    /// When the folder is not the user's alone, or the socket cannot be made.
    pub(crate) fn bind(data: &Path) -> io::Result<Self> {
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

    /// The next connection of the same user; others are closed without a word.
    pub(crate) async fn accept(&mut self) -> io::Result<Stream> {
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
        // One that stays behind is removed by the next engine.
        drop(fs::remove_file(&self.path));
    }
}

/// Connects to the engine of this data folder.
///
/// # Errors
/// When none listens; [`io::ErrorKind::PermissionDenied`] when somebody else has taken its place.
pub(crate) async fn connect(data: &Path) -> io::Result<Stream> {
    let path = place(data);
    if let Some(folder) = path.parent().filter(|folder| *folder != data)
        && let Ok(there) = fs::symlink_metadata(folder)
        && !is_own(&there)
    {
        return Err(not_own(folder));
    }
    let stream = UnixStream::connect(&path).await?;
    if is_same_user(&stream) { Ok(stream) } else { Err(not_own(&path)) }
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

/// A folder in /tmp, where others could have made one of that name before us.
fn make_own(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if is_own(&fs::symlink_metadata(folder)?) { Ok(()) } else { Err(not_own(folder)) }
}

fn is_own(folder: &fs::Metadata) -> bool {
    folder.is_dir() && folder.uid() == geteuid().as_raw() && folder.mode() & 0o077 == 0
}

fn not_own(path: &Path) -> io::Error {
    let why = format!("{} is not yours alone: somebody else made it, or others may enter it", path.display());
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

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
}
