//! A socket at a path of the person's choice, on which a proxy of the same computer reaches HTTP.
//!
//! Unlike the engine's own socket, its folder may be open to others, so it has its mode before anybody can connect, and
//! nothing but the socket of a dead process is replaced. Who is at the other end does not matter: HTTP asks for a token.

use std::{
    fs::{self, Metadata, Permissions},
    io,
    os::unix::{
        fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _},
        net::UnixStream as Probe,
    },
    path::{Path, PathBuf},
};

use tokio::net::{UnixListener, UnixSocket, UnixStream};

use super::unix::LONGEST;
use crate::lock::Lockable;

/// Connections that wait to be accepted, as tokio's own listeners have them.
const WAITING: u32 = 1024;

/// The listening end; dropping it removes it from the disk.
#[derive(Debug)]
pub struct ProxySocket {
    listener: UnixListener,
    path: PathBuf,
    /// Device and inode: by the end another process may have put its own in this place.
    own: (u64, u64),
}

impl ProxySocket {
    /// Listens at `path` with these rights (`0o600`). The socket of a process that is gone is replaced.
    ///
    /// # Errors
    /// A sentence without its full stop, when something else is there, a process listens, or the socket cannot be made.
    pub fn bind(path: &Path, mode: u32) -> io::Result<Self> {
        let place = path.display();
        if path.as_os_str().len() > LONGEST {
            return Err(refused(format!("{place} is too long for a socket: the system takes {LONGEST} bytes")));
        }
        let folder = path.parent().ok_or_else(|| refused(format!("{place} is no place for a socket")))?;
        let opened = Lockable::folder(folder)
            .map_err(|error| because(&format!("{} cannot be used", folder.display()), &error))?;
        // Of two programs that find a dead one's socket, each would remove the other's new one. The system gives the
        // lock back when this function ends. Where folders cannot be locked, nothing is lost but this order.
        if let Err(error) = opened.take() {
            tracing::debug!("{} is not locked: {error}", folder.display());
        }
        make_room(path)?;
        let made = || {
            let socket = UnixSocket::new_stream()?;
            socket.bind(path)?;
            // Nobody can connect before `listen`.
            fs::set_permissions(path, Permissions::from_mode(mode))?;
            let own = identity(&fs::symlink_metadata(path)?);
            Ok(Self { listener: socket.listen(WAITING)?, path: path.to_path_buf(), own })
        };
        made().map_err(|error: io::Error| because(&format!("The socket {place} cannot be made"), &error))
    }

    /// The next connection.
    ///
    /// # Errors
    /// When the system gives no connection.
    pub async fn accept(&mut self) -> io::Result<UnixStream> {
        Ok(self.listener.accept().await?.0)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ProxySocket {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|there| identity(&there) == self.own) {
            // A leftover is replaced at the next start.
            drop(fs::remove_file(&self.path));
        }
    }
}

fn identity(there: &Metadata) -> (u64, u64) {
    (there.dev(), there.ino())
}

/// Removes the socket of a process that is gone, and nothing else.
fn make_room(path: &Path) -> io::Result<()> {
    let place = path.display();
    let there = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there.map_err(|error| because(&format!("{place} cannot be looked at"), &error))?,
    };
    if !there.file_type().is_socket() {
        return Err(refused(format!("{place} is there and is no socket: name another place, or move it away")));
    }
    match Probe::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            fs::remove_file(path).map_err(|error| because(&format!("The old socket {place} cannot be removed"), &error))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // Also when it may not be asked: whoever it belongs to may be running.
        Ok(_) | Err(_) => {
            Err(refused(format!("A program that is running listens at {place}: stop it, or name another place")))
        }
    }
}

fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::AddrInUse, why)
}

fn because(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener as Foreign;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    async fn speaks(path: &Path) {
        let mut listener = ProxySocket::bind(path, 0o600).unwrap();
        let mut near = UnixStream::connect(path).await.unwrap();
        let mut far = listener.accept().await.unwrap();
        near.write_all(b"hello").await.unwrap();
        let mut heard = [0; 5];
        far.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"hello");
    }

    #[tokio::test]
    async fn a_proxy_reaches_it_and_nothing_is_left_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sock");
        speaks(&path).await;
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn it_has_exactly_the_rights_that_were_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        for asked in [0o600, 0o660] {
            let path = folder.path().join(format!("{asked:o}.sock"));
            let _socket = ProxySocket::bind(&path, asked).unwrap();
            assert_eq!(mode(&path), asked);
        }
    }

    #[tokio::test]
    async fn the_socket_of_a_dead_process_is_replaced_and_that_of_a_live_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sock");
        drop(Foreign::bind(&path).unwrap());
        assert!(path.exists(), "the system leaves it");
        speaks(&path).await;

        let live = Foreign::bind(&path).unwrap();
        let refused = ProxySocket::bind(&path, 0o600).unwrap_err().to_string();
        assert!(refused.contains("is running") && refused.contains("x.sock"), "{refused}");
        assert!(Probe::connect(&path).is_ok(), "it is reached as before");
        drop(live);
    }

    #[test]
    fn what_is_no_socket_is_never_touched() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link, dir) = (folder.path().join("file"), folder.path().join("link"), folder.path().join("dir"));
        let dead = folder.path().join("dead");
        fs::write(&file, "mine").unwrap();
        fs::create_dir(&dir).unwrap();
        drop(Foreign::bind(&dead).unwrap());
        std::os::unix::fs::symlink(&dead, &link).unwrap();
        for path in [&file, &link, &dir] {
            let refused = ProxySocket::bind(path, 0o600).unwrap_err().to_string();
            assert!(refused.contains("is no socket"), "{refused}");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        assert!(link.is_symlink() && dead.exists() && dir.is_dir());
    }

    #[test]
    fn a_place_that_cannot_hold_a_socket_is_refused_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let said = |path: PathBuf| ProxySocket::bind(&path, 0o600).unwrap_err().to_string();
        assert!(said(folder.path().join("none/x.sock")).contains("none cannot be used"));
        assert!(said(folder.path().join("a".repeat(150))).contains("too long"));
        assert!(said(PathBuf::from("/")).contains("no place"));
    }

    #[tokio::test]
    async fn at_the_end_another_process_keeps_what_it_put_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sock");
        let ours = ProxySocket::bind(&path, 0o600).unwrap();
        fs::remove_file(&path).unwrap();
        let _theirs = Foreign::bind(&path).unwrap();
        drop(ours);
        assert!(Probe::connect(&path).is_ok());
    }
}
