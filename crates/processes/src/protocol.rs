//! The launch order for a supervisor: one block of bytes on its standard input, before the server's own input.
//!
//! It is a sequence of length-prefixed byte strings, not JSON: paths and variables need not be UTF-8, and reading
//! copies nothing, so wiping the one buffer wipes every secret.

use std::{
    ffi::OsStr,
    io,
    os::{fd::AsFd, unix::ffi::OsStrExt as _},
    path::Path,
};

use rustix::io::{Errno, read};
use zeroize::Zeroizing;

use super::Recipe;

/// The version of this format. Others are refused, because a program can be updated while it runs.
const FORM: &[u8] = b"1";

/// The maximum length, in bytes; more than any system accepts as arguments and environment of one program.
const LARGEST: usize = 16 << 20;

/// The instructions for a supervisor, as read from its [`Frame`].
pub(crate) struct Order<'a> {
    /// The prefix of lines on standard error that come from the supervisor, not the server.
    pub(crate) mark: &'a [u8],
    /// The process whose end ends the server.
    pub(crate) parent: i32,
    /// The folder for its record.
    pub(crate) running: &'a Path,
    /// The server's program.
    pub(crate) program: &'a Path,
    /// The server's working folder.
    pub(crate) cwd: &'a Path,
    /// The server's arguments.
    pub(crate) args: Vec<&'a OsStr>,
    /// The server's complete environment.
    pub(crate) variables: Vec<(&'a OsStr, &'a OsStr)>,
}

/// The bytes of an order. They are wiped on drop.
pub(crate) struct Frame(Zeroizing<Vec<u8>>);

impl Frame {
    /// The bytes for this recipe, preceded by their length.
    ///
    /// # Errors
    /// When they exceed what a program can be given.
    pub(crate) fn write(recipe: &Recipe, mark: &str, running: &Path) -> io::Result<Self> {
        let parent = std::process::id().to_string();
        let args = recipe.args.len().to_string();
        let head = [
            FORM,
            mark.as_bytes(),
            parent.as_bytes(),
            running.as_os_str().as_bytes(),
            recipe.program.as_os_str().as_bytes(),
            recipe.cwd.as_os_str().as_bytes(),
            args.as_bytes(),
        ];
        let args = recipe.args.iter().map(String::as_bytes);
        let variables = recipe.environment.variables().flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]);
        let pieces = head.into_iter().chain(args).chain(variables);
        let length: usize = pieces.clone().map(|piece| 4 + piece.len()).sum();
        // It never grows, because reallocation would leave unwiped bytes behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(4 + length));
        bytes.extend(within(length)?);
        for piece in pieces {
            bytes.extend(within(piece.len())?);
            bytes.extend_from_slice(piece);
        }
        Ok(Self(bytes))
    }

    /// The whole frame.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads exactly one frame, and no byte beyond it.
    ///
    /// # Errors
    /// When the input ends too early, or the frame is too long.
    pub(crate) fn read(input: impl AsFd) -> io::Result<Self> {
        let mut length = [0; 4];
        fill(&input, &mut length)?;
        let length = u32::from_be_bytes(length) as usize;
        if length > LARGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = Zeroizing::new(vec![0; length]);
        fill(&input, &mut bytes)?;
        Ok(Self(bytes))
    }

    /// The order; `None` when the bytes, without the length, are not a frame by [`Frame::write`].
    pub(crate) fn order(&self) -> Option<Order<'_>> {
        let mut rest = self.0.as_slice();
        if next(&mut rest)? != FORM {
            return None;
        }
        let mark = next(&mut rest)?;
        let parent = number(next(&mut rest)?)?;
        let [running, program, cwd] = [next(&mut rest)?, next(&mut rest)?, next(&mut rest)?].map(path);
        let count: usize = number(next(&mut rest)?)?;
        let args = (0..count).map(|_| Some(OsStr::from_bytes(next(&mut rest)?))).collect::<Option<_>>()?;
        let mut variables = Vec::new();
        while !rest.is_empty() {
            variables.push((OsStr::from_bytes(next(&mut rest)?), OsStr::from_bytes(next(&mut rest)?)));
        }
        Some(Order { mark, parent, running, program, cwd, args, variables })
    }
}

/// A length in its encoded form.
fn within(length: usize) -> io::Result<[u8; 4]> {
    let short = u32::try_from(length).ok().filter(|_| length <= LARGEST);
    short.map(u32::to_be_bytes).ok_or_else(|| io::Error::other("No program can be given so many arguments."))
}

/// Reads with the system call directly: a buffer would swallow the server's input.
fn fill(input: &impl AsFd, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match read(input, &mut *bytes) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => bytes = &mut bytes[count..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn next<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let (piece, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    *rest = after;
    Some(piece)
}

fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsString, fs::File, io::Read as _, os::unix::ffi::OsStringExt as _};

    use secrets::environment;

    use super::*;

    #[test]
    fn an_order_comes_through_as_it_was_written_and_what_follows_is_left_to_the_server() {
        let odd = OsString::from_vec(b"/caf\xe9".to_vec());
        let launch = skills::Launch {
            argv: vec![],
            env: [("MODE".to_owned(), "a\nb".to_owned())].into(),
            secrets: [].into(),
            cwd: None,
        };
        let recipe = Recipe {
            program: "/bin/true".into(),
            args: vec![String::new(), "two words".to_owned()],
            environment: environment([("HOME".into(), odd.clone())], &launch, &[].into()).unwrap(),
            cwd: "/tmp".into(),
        };
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let written = Frame::write(&recipe, "mark", Path::new("/running")).unwrap();
        io::Write::write_all(&mut file, written.bytes()).unwrap();
        io::Write::write_all(&mut file, b"for the server").unwrap();

        let mut input = File::open(file.path()).unwrap();
        let frame = Frame::read(&input).unwrap();
        let order = frame.order().unwrap();
        assert_eq!(order.mark, b"mark");
        assert_eq!(order.parent, i32::try_from(std::process::id()).unwrap());
        assert_eq!(
            (order.running, order.program, order.cwd),
            (Path::new("/running"), Path::new("/bin/true"), Path::new("/tmp"))
        );
        assert_eq!(order.args, ["", "two words"]);
        assert_eq!(order.variables, [("HOME".as_ref(), odd.as_os_str()), ("MODE".as_ref(), "a\nb".as_ref())]);
        let mut rest = String::new();
        input.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "for the server");
    }

    #[test]
    fn bytes_that_are_no_order_are_none() {
        let whole = b"\0\0\0\x011\0\0\0\x04mark\0\0\0\x0112".to_vec();
        for length in 0..whole.len() {
            assert!(Frame(Zeroizing::new(whole[..length].to_vec())).order().is_none());
        }
    }
}
