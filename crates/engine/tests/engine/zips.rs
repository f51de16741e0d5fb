//! Zip files written by hand, with contents that no honest program writes.

use std::io::Write as _;

/// One entry, and its headers.
#[derive(Clone)]
pub(crate) struct Packed {
    name: Vec<u8>,
    /// Another name in its own header than in the directory.
    own_name: Option<Vec<u8>>,
    bytes: Vec<u8>,
    deflated: bool,
    method: u16,
    flags: u16,
    mode: u32,
    size: Option<u32>,
    checksum: Option<u32>,
    /// Where it begins, according to the directory.
    begins: Option<u32>,
    listed: bool,
}

/// An ordinary file.
pub(crate) fn file(name: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> Packed {
    Packed {
        name: name.as_ref().to_vec(),
        own_name: None,
        bytes: bytes.as_ref().to_vec(),
        deflated: false,
        method: 0,
        flags: 1 << 11,
        mode: 0o100_644,
        size: None,
        checksum: None,
        begins: None,
        listed: true,
    }
}

impl Packed {
    pub(crate) fn mode(self, mode: u32) -> Self {
        Self { mode, ..self }
    }

    pub(crate) fn method(self, method: u16) -> Self {
        Self { method, ..self }
    }

    pub(crate) fn encrypted(self) -> Self {
        Self { flags: self.flags | 1, ..self }
    }

    /// Without the flag for a UTF-8 name.
    pub(crate) fn old_name(self) -> Self {
        Self { flags: 0, ..self }
    }

    pub(crate) fn deflated(self) -> Self {
        Self { deflated: true, method: 8, ..self }
    }

    pub(crate) fn size(self, size: u32) -> Self {
        Self { size: Some(size), ..self }
    }

    pub(crate) fn checksum(self, checksum: u32) -> Self {
        Self { checksum: Some(checksum), ..self }
    }

    pub(crate) fn begins(self, at: u32) -> Self {
        Self { begins: Some(at), ..self }
    }

    pub(crate) fn own_name(self, name: &str) -> Self {
        Self { own_name: Some(name.into()), ..self }
    }

    pub(crate) fn unlisted(self) -> Self {
        Self { listed: false, ..self }
    }

    fn packed(&self) -> Vec<u8> {
        if !self.deflated {
            return self.bytes.clone();
        }
        let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        deflate.write_all(&self.bytes).unwrap();
        deflate.finish().unwrap()
    }

    /// The part that both headers share, from the version on.
    fn facts(&self, packed: usize) -> Vec<u8> {
        let size = self.size.unwrap_or(self.bytes.len() as u32);
        let mut facts = Vec::new();
        for short in [20, self.flags, self.method, 0, 0x21] {
            facts.extend(u16::to_le_bytes(short));
        }
        for long in [self.checksum.unwrap_or_else(|| checksum(&self.bytes)), packed as u32, size] {
            facts.extend(long.to_le_bytes());
        }
        facts
    }
}

/// The bytes of a zip file.
pub(crate) fn zip(entries: &[Packed]) -> Vec<u8> {
    let (mut zip, mut directory, mut listed) = (Vec::new(), Vec::new(), 0);
    for entry in entries {
        let begins = entry.begins.unwrap_or(zip.len() as u32);
        let packed = entry.packed();
        let facts = entry.facts(packed.len());
        let own_name = entry.own_name.as_ref().unwrap_or(&entry.name);
        if entry.begins.is_none() {
            zip.extend(b"PK\x03\x04");
            zip.extend(&facts);
            zip.extend((own_name.len() as u16).to_le_bytes());
            zip.extend([0, 0]);
            zip.extend(own_name);
            zip.extend(packed);
        }
        if entry.listed {
            listed += 1;
            directory.extend(b"PK\x01\x02");
            directory.extend([20, 3]); // made on Unix, so the modes apply
            directory.extend(facts);
            directory.extend((entry.name.len() as u16).to_le_bytes());
            directory.extend([0; 8]);
            directory.extend((entry.mode << 16).to_le_bytes());
            directory.extend(begins.to_le_bytes());
            directory.extend(&entry.name);
        }
    }
    let start = zip.len() as u32;
    zip.extend(&directory);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend(u16::to_le_bytes(listed));
    zip.extend(u16::to_le_bytes(listed));
    zip.extend((directory.len() as u32).to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
