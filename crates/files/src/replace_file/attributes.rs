//! A file's metadata: owner, mode, and on Linux the access list and extended attributes. They are applied to the
//! replacement file and read back, because a system may report success without applying them.
//!
//! `security.ima` and `security.evm` are left out: the kernel computes them from the bytes. On macOS the new file
//! starts as a copy of the old one, including its access list and attributes; Windows transfers them during the
//! exchange (`swap`).

use std::{
    fs::{File, Metadata},
    io,
    path::Path,
};

use super::ReplaceError;

/// The metadata of a file, comparable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    #[cfg(unix)]
    owner: (u32, u32),
    #[cfg(unix)]
    mode: u32,
    #[cfg(target_os = "linux")]
    extended: extended::Extended,
}

#[cfg(unix)]
impl Attributes {
    /// The current metadata of this file.
    ///
    /// # Errors
    /// When the file system refuses to say.
    pub fn of(file: &File, metadata: &Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;

        #[cfg(not(target_os = "linux"))]
        let _ = file;
        Ok(Self {
            owner: (metadata.uid(), metadata.gid()),
            mode: metadata.mode() & 0o7777,
            #[cfg(target_os = "linux")]
            extended: extended::of(file)?,
        })
    }

    /// The same with another mode.
    pub(super) fn with_mode(&self, mode: u32) -> Self {
        Self { mode, ..self.clone() }
    }

    /// Applies the metadata to another file. Errors name `target`, the file to be replaced.
    pub(super) fn give(&self, next: &File, target: &Path) -> Result<(), ReplaceError> {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

        let system = |source| ReplaceError::from_system(target, source);
        let ours = next.metadata().map_err(system)?;
        if (ours.uid(), ours.gid()) != self.owner {
            fchown(next, Some(self.owner.0), Some(self.owner.1))
                .map_err(|_| ReplaceError::NotOurs(target.to_path_buf()))?;
        }
        #[cfg(target_os = "linux")]
        extended::give(&self.extended, next, target)?;
        // Set last: a change of owner clears bits, and an access list changes the group's.
        next.set_permissions(std::fs::Permissions::from_mode(self.mode)).map_err(system)?;
        let given = next.metadata().and_then(|metadata| Self::of(next, &metadata)).map_err(system)?;
        if given == *self {
            return Ok(());
        }
        let what = if given.owner == self.owner && given.mode == self.mode {
            "extended attributes or an access list"
        } else {
            "an owner and a mode"
        };
        let source = io::Error::other("the system did not keep them");
        Err(ReplaceError::NotCarried { path: target.to_path_buf(), what: what.to_owned(), source })
    }
}

#[cfg(not(unix))]
impl Attributes {
    pub(super) fn of(_: &File, _: &Metadata) -> io::Result<Self> {
        Ok(Self {})
    }

    pub(super) fn with_mode(&self, _: u32) -> Self {
        self.clone()
    }

    pub(super) fn give(&self, _: &File, _: &Path) -> Result<(), ReplaceError> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod extended {
    //! Extended attributes by name; a POSIX access list is one of them.

    use std::{
        collections::BTreeMap,
        ffi::{CStr, CString},
        fs::File,
        io,
        path::Path,
    };

    use rustix::{
        fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr},
        io::Errno,
    };

    use super::ReplaceError;

    pub(super) type Extended = BTreeMap<CString, Vec<u8>>;

    /// Linux's maximum size of a list of names, and of a value.
    const LARGEST: usize = 64 << 10;
    const COMPUTED: [&CStr; 2] = [c"security.ima", c"security.evm"];

    pub(super) fn of(file: &File) -> io::Result<Extended> {
        let mut buffer = vec![0; LARGEST];
        let length = match flistxattr(file, buffer.as_mut_slice()) {
            Ok(length) => length,
            Err(Errno::NOTSUP | Errno::NOSYS) => 0,
            Err(error) => return Err(error.into()),
        };
        let names = buffer[..length].split_inclusive(|byte| *byte == 0);
        let names: Vec<_> = names.filter_map(|name| CStr::from_bytes_with_nul(name).ok()).map(CStr::to_owned).collect();
        let mut extended = Extended::new();
        for name in names.into_iter().filter(|name| !COMPUTED.contains(&name.as_c_str())) {
            let length = fgetxattr(file, &name, buffer.as_mut_slice())?;
            extended.insert(name, buffer[..length].to_vec());
        }
        Ok(extended)
    }

    pub(super) fn give(wanted: &Extended, next: &File, target: &Path) -> Result<(), ReplaceError> {
        let there = of(next).map_err(|source| ReplaceError::from_system(target, source))?;
        let refused = |name: &CStr, error: Errno| {
            let what = match name.to_bytes() {
                b"system.posix_acl_access" => "an access list".to_owned(),
                name => format!("the extended attribute {}", String::from_utf8_lossy(name)),
            };
            ReplaceError::NotCarried { path: target.to_path_buf(), what, source: error.into() }
        };
        // Attributes that a new file inherits from its folder.
        for name in there.keys().filter(|name| !wanted.contains_key(*name)) {
            fremovexattr(next, name).map_err(|error| refused(name, error))?;
        }
        for (name, value) in wanted.iter().filter(|(name, value)| there.get(*name) != Some(*value)) {
            fsetxattr(next, name, value, XattrFlags::empty()).map_err(|error| refused(name, error))?;
        }
        Ok(())
    }
}
