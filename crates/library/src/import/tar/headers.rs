//! What headers of a tar archive say of the entry after them: a path that is too long for its own. `tar` would read such a
//! header whole, however large it is, before anybody is asked; so its entries are taken as they come, and these are read here.

use std::io::{self, Read};

use tar::{Entry, EntryType};

/// The most bytes of one header: there is a path in it, or two.
const LONGEST: u64 = 64 << 10;

/// The headers that came since the last entry.
#[derive(Debug, Default)]
pub(super) struct Headers {
    gnu_path: Option<Vec<u8>>,
    /// Where a link leads, which nobody asks.
    gnu_target: Option<Vec<u8>>,
    pax: Option<Vec<u8>>,
}

impl Headers {
    /// Takes what is a header of the next entry; whether this is one.
    pub(super) fn take<R: Read>(&mut self, entry: &mut Entry<'_, R>) -> io::Result<bool> {
        let place = match entry.header().entry_type() {
            EntryType::GNULongName => &mut self.gnu_path,
            EntryType::GNULongLink => &mut self.gnu_target,
            EntryType::XHeader => &mut self.pax,
            _ => return Ok(false),
        };
        if entry.size() > LONGEST {
            return Err(io::Error::other("a header in it is longer than 64 KiB"));
        }
        let mut bytes = Vec::new();
        entry.take(LONGEST).read_to_end(&mut bytes)?;
        if place.replace(bytes).is_some() { Err(broken()) } else { Ok(true) }
    }

    /// The path of the entry that they are about, as bytes. Where programs would read it in more than one way, it is not read.
    pub(super) fn path<R: Read>(&mut self, entry: &Entry<'_, R>) -> io::Result<Vec<u8>> {
        let is_of_all = entry.header().entry_type() == EntryType::XGlobalHeader;
        if is_of_all {
            self.end()?;
        }
        let Self { gnu_path, pax, .. } = std::mem::take(self);
        let records = records(pax.as_deref().unwrap_or_default()).ok_or_else(broken)?;
        let said = |key: &str| {
            let mut values =
                records.iter().filter(|(known, _)| *known == key.as_bytes()).map(|(_, value)| value.to_vec());
            let value = values.next();
            if values.next().is_some() { Err(broken()) } else { Ok(value.filter(|value| !value.is_empty())) }
        };
        if said("size")?.is_some_and(|size| size != entry.size().to_string().into_bytes()) {
            return Err(broken());
        }
        match (gnu_path, said("path")?) {
            (Some(_), Some(_)) => Err(broken()),
            (Some(mut path), None) => {
                path.pop_if(|last| *last == 0);
                Ok(path)
            }
            (None, path) => Ok(path.unwrap_or_else(|| entry.header().path_bytes().into_owned())),
        }
    }

    /// Refuses headers that are about nothing.
    pub(super) fn end(&self) -> io::Result<()> {
        let is_over = self.gnu_path.is_none() && self.gnu_target.is_none() && self.pax.is_none();
        if is_over { Ok(()) } else { Err(broken()) }
    }
}

fn broken() -> io::Error {
    io::Error::other("the headers of an entry are broken")
}

/// The records of a PAX header, each `<bytes> <key>=<value>` and a line end; a value may have line ends too.
fn records(mut bytes: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let blank = bytes.iter().position(|byte| *byte == b' ')?;
        let length = str::from_utf8(&bytes[..blank]).ok()?.parse().ok()?;
        let (record, rest) = bytes.split_at_checked(length)?;
        let record = record.get(blank + 1..)?.strip_suffix(b"\n")?;
        let equals = record.iter().position(|byte| *byte == b'=')?;
        found.push((&record[..equals], &record[equals + 1..]));
        bytes = rest;
    }
    Some(found)
}
