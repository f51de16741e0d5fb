//! The named pipe that replaces the socket on Windows: its name contains the user's SID, only that user may
//! open it, the first instance must be the engine's own, and other computers are refused. A client sends
//! nothing to a pipe that another user made under that name.
//!
//! This module has never been run: it was written from the documentation of Windows and of tokio.

#![expect(unsafe_code, reason = "Windows gives a user's SID and a pipe's access list through C functions only")]

use std::{ffi::c_void, io, mem, os::windows::io::AsRawHandle as _, path::Path, ptr, time::Duration};

use sha2::{Digest as _, Sha256};
use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions};
use windows_sys::Win32::{
    Foundation::{CloseHandle, ERROR_PIPE_BUSY, ERROR_SUCCESS, LocalFree},
    Security::{
        Authorization::{
            ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo,
            SDDL_REVISION_1, SE_KERNEL_OBJECT,
        },
        GetTokenInformation, OWNER_SECURITY_INFORMATION, PSID, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
    },
    System::Threading::{GetCurrentProcess, OpenProcessToken},
};

use crate::random;

/// One connection, as the engine sees it.
pub type Stream = NamedPipeServer;

/// The engine's end.
#[derive(Debug)]
pub struct Listener {
    name: String,
    sid: String,
    /// The instance for the next bridge.
    next: NamedPipeServer,
}

impl Listener {
    /// Listens.
    ///
    /// # Errors
    /// When a pipe of that name exists already, or cannot be made.
    pub fn bind(data: &Path) -> io::Result<Self> {
        let sid = sid()?;
        let name = place(&sid, data);
        let next = make(&name, &sid, true)?;
        Ok(Self { name, sid, next })
    }

    /// The next connection of the same user: the access list refuses all others.
    ///
    /// # Errors
    /// When the system gives no connection.
    pub async fn accept(&mut self) -> io::Result<Stream> {
        self.next.connect().await?;
        let next = make(&self.name, &self.sid, false)?;
        Ok(mem::replace(&mut self.next, next))
    }
}

/// Connects to the engine of this data folder.
///
/// # Errors
/// When no engine listens, or the pipe belongs to another user.
pub async fn connect(data: &Path) -> io::Result<NamedPipeClient> {
    let sid = sid()?;
    let pipe = open(&place(&sid, data)).await?;
    if owner(&pipe)? == sid { Ok(pipe) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

async fn open(name: &str) -> io::Result<NamedPipeClient> {
    const TRIES: u32 = 20;
    for _ in 1..TRIES {
        match ClientOptions::new().open(name) {
            // Between one bridge and the next, for a moment no instance is free.
            Err(error) if error.raw_os_error() == Some(ERROR_PIPE_BUSY.cast_signed()) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            opened => return opened,
        }
    }
    ClientOptions::new().open(name)
}

/// The SID of the owner of a pipe.
fn owner(pipe: &NamedPipeClient) -> io::Result<String> {
    let (mut owner, mut descriptor): (PSID, *mut c_void) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: `pipe` is open, and the written variables outlive the call.
    let failed = unsafe {
        GetSecurityInfo(
            pipe.as_raw_handle(),
            SE_KERNEL_OBJECT,
            OWNER_SECURITY_INFORMATION,
            &raw mut owner,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
            &raw mut descriptor,
        )
    };
    if failed != ERROR_SUCCESS {
        return Err(io::Error::from_raw_os_error(failed.cast_signed()));
    }
    // SAFETY: the call succeeded, so `owner` is a SID in `descriptor`, which is freed below.
    let spelled = unsafe { spell(owner) };
    // SAFETY: Windows allocated the descriptor for the caller to free, once.
    unsafe { LocalFree(descriptor) };
    spelled
}

fn place(sid: &str, data: &Path) -> String {
    let hash = Sha256::digest(data.as_os_str().as_encoded_bytes());
    format!(r"\\.\pipe\skilltender-{sid}-{}", random::hex(&hash[..16]))
}

/// An instance of the pipe that only this user may open.
fn make(name: &str, sid: &str, first: bool) -> io::Result<NamedPipeServer> {
    // The owner is explicit, because the default for an administrator's program is all administrators.
    let list = wide(&format!("O:{sid}D:P(A;;GA;;;{sid})"));
    let mut descriptor: *mut c_void = ptr::null_mut();
    // SAFETY: `list` ends with a NUL and `descriptor` outlives the call.
    let read = unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            list.as_ptr(),
            SDDL_REVISION_1,
            &raw mut descriptor,
            ptr::null_mut(),
        )
    };
    if read == 0 {
        return Err(io::Error::last_os_error());
    }
    let mut attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>().try_into().expect("the struct has a few bytes"),
        lpSecurityDescriptor: descriptor,
        bInheritHandle: 0,
    };
    // SAFETY: `attributes` and the descriptor that it names outlive the call.
    let made = unsafe {
        ServerOptions::new()
            .first_pipe_instance(first)
            .reject_remote_clients(true)
            .create_with_security_attributes_raw(name, (&raw mut attributes).cast())
    };
    // SAFETY: Windows allocated the descriptor for the caller to free, once.
    unsafe { LocalFree(descriptor) };
    made
}

/// The SID of this process' user: `S-1-5-21-...`.
fn sid() -> io::Result<String> {
    /// A token's user is a pointer and a SID of at most 68 bytes; in words, so that it is aligned.
    const WORDS: usize = 32;

    let mut token = ptr::null_mut();
    // SAFETY: the process handle is a constant that needs no closing; `token` outlives the call.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let mut user = [0_u64; WORDS];
    let room = u32::try_from(size_of_val(&user)).expect("a few words fit");
    let mut used = 0;
    // SAFETY: `user` has `room` bytes, and `token` is open.
    let told = unsafe { GetTokenInformation(token, TokenUser, user.as_mut_ptr().cast(), room, &raw mut used) };
    let failed = io::Error::last_os_error();
    // SAFETY: `token` is open and not used again.
    unsafe { CloseHandle(token) };
    if told == 0 {
        return Err(failed);
    }
    // SAFETY: Windows wrote a TOKEN_USER there, whose SID is in the same buffer.
    unsafe { spell((*user.as_ptr().cast::<TOKEN_USER>()).User.Sid) }
}

/// A SID as text.
///
/// # Safety
/// `sid` must be a valid SID.
unsafe fn spell(sid: PSID) -> io::Result<String> {
    let mut text = ptr::null_mut();
    // SAFETY: the caller has a SID, and `text` outlives the call.
    if unsafe { ConvertSidToStringSidW(sid, &raw mut text) } == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `text` is a NUL-terminated string from Windows.
    let units = unsafe {
        let length = (0..).take_while(|&at| *text.add(at) != 0).count();
        std::slice::from_raw_parts(text, length)
    };
    let sid = String::from_utf16_lossy(units);
    // SAFETY: Windows allocated the text for the caller to free, once; `units` is not used again.
    unsafe { LocalFree(text.cast()) };
    Ok(sid)
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
