//! What headers of a tar archive say of the entry after them: names that are too long for its own. `tar` would read such a
//! header whole, however large it is, before anybody is asked; so its entries are taken as they come, and these are read here.

use std::io::{self, Read};

use tar::{Entry, EntryType};

/// The most bytes of one header: there is a path in it, or two.
const LONGEST: u64 = 64 << 10;

/// The headers that came since the last entry.
#[derive(Debug, Default)]
pub struct Headers {
    gnu_path: Option<Vec<u8>>,
    gnu_target: Option<Vec<u8>>,
    pax: Option<Vec<u8>>,
}

/// The names of an entry, as bytes.
#[derive(Debug)]
pub struct Names {
    pub path: Vec<u8>,
    /// Where a link leads.
    pub target: Option<Vec<u8>>,
}

impl Headers {
    /// Takes what is a header of the next entry, of an archive whose entries come raw; whether this is one.
    ///
    /// # Errors
    /// When it is longer than any path, the second of its kind, or cannot be read.
    pub fn take<R: Read>(&mut self, entry: &mut Entry<'_, R>) -> io::Result<bool> {
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

    /// The names of the entry that they are about.
    ///
    /// # Errors
    /// When programs would read them in more than one way.
    pub fn names<R: Read>(&mut self, entry: &Entry<'_, R>) -> io::Result<Names> {
        let is_of_all = entry.header().entry_type() == EntryType::XGlobalHeader;
        if is_of_all {
            self.end()?;
        }
        let Self { gnu_path, gnu_target, pax } = std::mem::take(self);
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
        let one = |gnu: Option<Vec<u8>>, pax: Option<Vec<u8>>| match (gnu, pax) {
            (Some(_), Some(_)) => Err(broken()),
            (Some(mut gnu), None) => {
                gnu.pop_if(|last| *last == 0);
                Ok(Some(gnu))
            }
            (None, pax) => Ok(pax),
        };
        let (path, target) = (one(gnu_path, said("path")?)?, one(gnu_target, said("linkpath")?)?);
        let header = entry.header();
        Ok(Names {
            path: path.unwrap_or_else(|| header.path_bytes().into_owned()),
            target: target.or_else(|| header.link_name_bytes().map(|target| target.into_owned())),
        })
    }

    /// Ends the archive.
    ///
    /// # Errors
    /// When there are headers that are about nothing.
    pub fn end(&self) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_by_their_lengths_and_what_is_cut_or_counted_wrongly_is_none() {
        let of = |text: &'static str| records(text.as_bytes());
        assert_eq!(
            of("12 path=a\nb\n18 linkpath=x=y z\n"),
            Some(vec![(&b"path"[..], &b"a\nb"[..]), (b"linkpath", b"x=y z")])
        );
        assert_eq!(of(""), Some(Vec::new()));
        for broken in [
            "13 path=a\nb\n",
            "11 path=a\nb\n",
            "0 path=a\n",
            "99999999999999999999 a=b\n",
            "9 path a\n",
            "x",
            "-1 a=b\n",
        ] {
            assert_eq!(of(broken), None, "{broken}");
        }
    }
}
