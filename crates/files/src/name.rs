//! The name of a file or a folder. A library keeps tens of thousands: a short one that is text, as nearly all are, needs no
//! allocation.

use std::{cmp::Ordering, ffi::OsStr, ops::Deref, path::Path};

use smol_str::SmolStr;

/// A name without a path, in whatever bytes the system has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(Kept);

/// What is text is never kept as anything else, so that equal names are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kept {
    Text(SmolStr),
    Other(Box<OsStr>),
}

impl From<&OsStr> for Name {
    fn from(name: &OsStr) -> Self {
        Self(name.to_str().map_or_else(|| Kept::Other(name.into()), |text| Kept::Text(text.into())))
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(Kept::Text(name.into()))
    }
}

impl Deref for Name {
    type Target = OsStr;

    fn deref(&self) -> &OsStr {
        match &self.0 {
            Kept::Text(text) => text.as_str().as_ref(),
            Kept::Other(name) => name,
        }
    }
}

impl AsRef<Path> for Name {
    fn as_ref(&self) -> &Path {
        Path::new(&**self)
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_and_ordered_as_the_system_has_them() {
        let long = "a-name-that-is-longer-than-what-fits-into-three-words";
        let mut names = ["b", long, "é", "SKILL.md"].map(Name::from);
        names.sort();
        assert_eq!(names.each_ref().map(|name| name.to_str().unwrap()), ["SKILL.md", long, "b", "é"]);
        assert_eq!(Name::from(OsStr::new(long)), Name::from(long));
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_is_kept_byte_by_byte() {
        use std::os::unix::ffi::OsStrExt as _;

        let bytes = b"caf\xe9.md";
        assert_eq!(Name::from(OsStr::from_bytes(bytes)).as_bytes(), bytes);
    }

    #[test]
    fn a_name_takes_three_words() {
        assert_eq!(size_of::<Name>(), 3 * size_of::<usize>());
    }
}
