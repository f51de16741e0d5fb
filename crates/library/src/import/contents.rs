//! What a source without commits holds: the files of a folder or of an archive, listed first and read when they are
//! wanted. The names may be anything; [`read_listed`](super::read_listed) judges them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufReader, Read as _},
    path::{Path, PathBuf},
};

use files::confined;

use super::{Listed, Member, Refused, archive, folder, is_of_tools, judge::MOST_BYTES, tar};

/// The most files that are listed.
pub(super) const MOST_FILES: usize = 200_000;
/// The most bytes that an archive may become, in MiB.
pub(super) const LARGEST: u64 = 512;

/// The files of a folder or an archive. By default there are none.
#[derive(Debug, Default)]
pub struct Contents {
    /// For people.
    name: String,
    at: PathBuf,
    kind: Kind,
    members: Vec<Member>,
    /// The same, without the one folder that an archive has everything in.
    listed: Vec<Listed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    #[default]
    Folder,
    Zip,
    Tar {
        packed: bool,
    },
}

impl Contents {
    /// Lists the files of a folder. Links that lead out of it are listed as links, and never followed.
    ///
    /// # Errors
    /// When it cannot be read, or holds too much.
    pub fn of_folder(at: &Path) -> Result<Self, Refused> {
        let members = folder::list(at)?;
        Ok(Self::new(&at.display().to_string(), at, Kind::Folder, members))
    }

    /// Lists the files of a zip or tar archive, which is told by its first bytes. `name` is what people call it. If it has
    /// everything in one folder, that folder is left out of the paths: it is named after the version.
    ///
    /// # Errors
    /// When it is no archive, is broken, or is none that can be trusted.
    pub fn of_archive(at: &Path, name: &str) -> Result<Self, Refused> {
        let kind = kind(at).map_err(|error| Refused(format!("{name} cannot be read: {error}.")))?;
        let kind = kind.ok_or_else(|| Refused(format!("{name} is no archive: neither zip nor tar.")))?;
        let members = match kind {
            Kind::Zip => archive::list(&mut archive::open_file(at, name, MOST_FILES)?)?,
            Kind::Tar { packed } => tar::list(at, name, packed)?,
            Kind::Folder => Vec::new(),
        };
        Ok(Self::new(name, at, kind, members))
    }

    /// Lists the files of an archive of our own ([`bundle`](super::bundle)), whose folders mean what they say.
    ///
    /// # Errors
    /// As [`Contents::of_archive`].
    pub fn of_bundle(at: &Path, name: &str) -> Result<Self, Refused> {
        let kind = Kind::Tar { packed: false };
        Ok(Self::without(None, name, at, kind, tar::list(at, name, false)?))
    }

    fn new(name: &str, at: &Path, kind: Kind, members: Vec<Member>) -> Self {
        let top = if kind == Kind::Folder { None } else { top(&members) };
        Self::without(top.as_deref(), name, at, kind, members)
    }

    fn without(top: Option<&str>, name: &str, at: &Path, kind: Kind, members: Vec<Member>) -> Self {
        let without = |path: &str| match top {
            Some(top) => path.strip_prefix(top).unwrap_or(path).to_owned(),
            None => path.to_owned(),
        };
        let listed = |member: &Member| Listed {
            path: without(&member.path),
            size: member.size,
            executable: member.executable,
            link: member.link,
            trouble: member.trouble.clone(),
        };
        let listed = members.iter().map(listed).collect();
        Self { name: name.to_owned(), at: at.to_path_buf(), kind, members, listed }
    }

    /// Its files.
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// The bytes of the files at these places in the list.
    ///
    /// # Errors
    /// When one cannot be read, or is larger than a skill's file.
    pub fn read(&self, wanted: &BTreeSet<usize>) -> Result<BTreeMap<usize, Vec<u8>>, Refused> {
        let members = || wanted.iter().filter_map(|place| Some((*place, self.members.get(*place)?)));
        match self.kind {
            Kind::Folder => {
                let one = |(place, member): (usize, &Member)| {
                    let open = confined::open(&self.at, Path::new(&member.path));
                    let read = open.and_then(|file| confined::read_file(&file, MOST_BYTES));
                    let refuse =
                        |error| Refused(format!("{} cannot be read: {error}.", self.at.join(&member.path).display()));
                    Ok((place, read.map_err(refuse)?))
                };
                members().map(one).collect()
            }
            Kind::Zip => {
                let mut opened = archive::open_file(&self.at, &self.name, MOST_FILES)?;
                members().map(|(place, member)| Ok((place, archive::unpack(&mut opened, member)?))).collect()
            }
            Kind::Tar { packed } => {
                let places: BTreeMap<_, _> = members().map(|(place, member)| (member.index, place)).collect();
                tar::read(&self.at, &self.name, packed, &places)
            }
        }
    }
}

/// The one folder that everything is in, with its `/`.
fn top(members: &[Member]) -> Option<String> {
    let mut tops = members.iter().filter(|member| !is_of_tools(&member.path)).map(|member| member.path.split_once('/'));
    let (first, _) = tops.next()??;
    tops.all(|top| top.is_some_and(|(top, _)| top == first)).then(|| format!("{first}/"))
}

/// What a file is, by its first bytes.
fn kind(at: &Path) -> io::Result<Option<Kind>> {
    let mut head = Vec::new();
    BufReader::new(File::open(at)?).take(512).read_to_end(&mut head)?;
    Ok(match head.as_slice() {
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Kind::Zip),
        [0x1f, 0x8b, ..] => Some(Kind::Tar { packed: true }),
        _ if head.get(257..262) == Some(b"ustar") => Some(Kind::Tar { packed: false }),
        _ => None,
    })
}
