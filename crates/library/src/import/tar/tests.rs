use std::collections::BTreeSet;

use super::*;
use crate::import::Contents;

/// One entry whose name is written as it is.
fn entry(archive: &mut Builder<Vec<u8>>, path: &str, kind: EntryType, bytes: &[u8]) {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(bytes.len() as u64);
    if let Some(gnu) = header.as_gnu_mut() {
        gnu.name[..path.len()].copy_from_slice(path.as_bytes());
    }
    header.set_cksum();
    archive.append(&header, bytes).unwrap();
}

/// A PAX header with these records.
fn pax(archive: &mut Builder<Vec<u8>>, records: &[(&str, &str)]) {
    archive.append_pax_extensions(records.iter().map(|(key, value)| (*key, value.as_bytes()))).unwrap();
}

/// The paths in an archive, and the bytes of its files, or why there are none.
fn read(fill: impl FnOnce(&mut Builder<Vec<u8>>)) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut archive = Builder::new(Vec::new());
    fill(&mut archive);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), archive.into_inner().unwrap()).unwrap();
    let contents = Contents::of_bundle(file.path(), "tea.tar").map_err(|error| error.to_string())?;
    let all: BTreeSet<_> = (0..contents.listed().len()).collect();
    let mut bytes = contents.read(&all).unwrap();
    let path = |(place, listed): (usize, &crate::import::Listed)| (listed.path.clone(), bytes.remove(&place).unwrap());
    Ok(contents.listed().iter().enumerate().map(path).collect())
}

#[test]
fn a_header_that_is_longer_than_any_path_is_refused() {
    for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader] {
        for length in [(64 << 10) + 1, 8 << 20] {
            let told = read(|archive| {
                entry(archive, "././@LongLink", kind, &vec![b'x'; length]);
                entry(archive, "tea/SKILL.md", EntryType::Regular, b"Tea.");
            });
            assert_eq!(told, Err("tea.tar is a broken archive: a header in it is longer than 64 KiB.".to_owned()));
        }
    }
}

#[test]
fn long_paths_come_by_the_headers_of_gnu_and_of_pax() {
    let long = |name: &str| format!("tea/{}/{name}.md", "deep".repeat(60));
    let found = read(|archive| {
        let mut header = Header::new_gnu();
        header.set_size(3);
        header.set_mode(0o644);
        archive.append_data(&mut header, long("gnu"), &b"one"[..]).unwrap();
        entry(
            archive,
            "pax_global_header",
            EntryType::XGlobalHeader,
            b"52 comment=0123456789abcdef0123456789abcdef01234567\n",
        );
        pax(archive, &[("mtime", "1.5"), ("path", &long("pax")), ("size", "3")]);
        entry(archive, "short", EntryType::Regular, b"two");
        pax(archive, &[("path", "tea/two\nlines.md")]);
        entry(archive, "short", EntryType::Regular, b"three");
        entry(archive, "tea/plain.md", EntryType::Regular, b"four");
    });
    let expected = [
        (long("gnu"), "one"),
        (long("pax"), "two"),
        ("tea/two\nlines.md".to_owned(), "three"),
        ("tea/plain.md".to_owned(), "four"),
    ];
    assert_eq!(found, Ok(expected.map(|(path, bytes)| (path, bytes.as_bytes().to_vec())).to_vec()));
}

#[test]
fn paths_that_programs_would_read_in_more_than_one_way_are_refused() {
    type Fill = fn(&mut Builder<Vec<u8>>);
    let cases: [(&str, Fill); 8] = [
        ("two of GNU", |archive| {
            entry(archive, "././@LongLink", EntryType::GNULongName, b"a\0");
            entry(archive, "././@LongLink", EntryType::GNULongName, b"b\0");
        }),
        ("two of PAX", |archive| {
            pax(archive, &[("path", "a")]);
            pax(archive, &[("path", "b")]);
        }),
        ("one of each", |archive| {
            entry(archive, "././@LongLink", EntryType::GNULongName, b"a\0");
            pax(archive, &[("path", "b")]);
        }),
        ("two records", |archive| pax(archive, &[("path", "a"), ("path", "b")])),
        ("another size", |archive| pax(archive, &[("size", "512")])),
        ("counted wrongly", |archive| entry(archive, "x", EntryType::XHeader, b"8 path=a\n")),
        ("before a header of all", |archive| {
            pax(archive, &[("path", "a")]);
            entry(archive, "pax_global_header", EntryType::XGlobalHeader, b"12 mtime=12\n");
        }),
        ("at the end", |archive| {
            entry(archive, "tea/SKILL.md", EntryType::Regular, b"Tea.");
            pax(archive, &[("path", "a")]);
        }),
    ];
    for (name, fill) in cases {
        let told = read(|archive| {
            fill(archive);
            if name != "at the end" {
                entry(archive, "tea/SKILL.md", EntryType::Regular, b"Tea.");
            }
        });
        assert_eq!(told, Err("tea.tar is a broken archive: the headers of an entry are broken.".to_owned()), "{name}");
    }
}

#[test]
fn an_archive_of_names_is_not_listed_to_its_end() {
    let told = read(|archive| {
        for file in 0..1100 {
            pax(archive, &[("path", &format!("{}{file}", "a".repeat(62_000)))]);
            entry(archive, "short", EntryType::Regular, b"");
        }
    });
    let told = told.unwrap_err();
    assert_eq!(told, "tea.tar is a broken archive: the names in it are longer than 64 MiB together.");
}

#[test]
fn the_blocks_of_a_sparse_file_are_not_read() {
    let told = read(|archive| entry(archive, "tea/holes", EntryType::GNUSparse, b""));
    assert_eq!(told, Err("`tea/holes` is no ordinary file, so nothing was read.".to_owned()));
}
