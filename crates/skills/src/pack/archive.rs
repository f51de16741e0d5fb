//! A zip file whose bytes depend only on its content.

use std::io::{Cursor, Write as _};

use zip::{CompressionMethod, DateTime, System, ZipWriter, result::ZipResult, write::SimpleFileOptions};

/// Zips files by their paths, in the given order; `true` means executable.
pub(super) fn zip(files: &[(String, &[u8], bool)]) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes, executable) in files {
        // The time is the earliest in a zip file, 1980; the system is set because it says how to read the file modes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(6))
            .last_modified_time(DateTime::default())
            .unix_permissions(if *executable { 0o755 } else { 0o644 })
            .system(System::Unix);
        zip.start_file(path.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
