//! Malicious zip files, and those that programs read differently: each is refused as a whole, and leaves
//! nothing behind.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use api::ErrorKind;
use engine::actions;

use crate::{
    home::Home,
    zips::{Packed, file, zip},
};

const TEA: &str = "---\nname: tea\ndescription: Makes tea. Use when tea is wanted.\n---\n# Tea\n";

fn skill() -> Packed {
    file("tea/SKILL.md", TEA)
}

fn with(entries: impl IntoIterator<Item = Packed>) -> Vec<u8> {
    zip(&[skill()].into_iter().chain(entries).collect::<Vec<_>>())
}

fn named(name: &str) -> Vec<u8> {
    with([file(name, if name.ends_with('/') { "" } else { "evil" })])
}

/// Names that lead elsewhere on some system.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "../evil", "../../../../../../tmp/evil", "tea/..", "tea/../../evil", "tea/../tea/evil", "/evil",
    "/etc/evil", "//server/share/evil", "\\\\server\\share\\evil", "C:/evil", "C:evil", "C:\\evil",
    "tea/C:\\evil", "..\\evil", "tea\\..\\..\\evil", "tea/..\\..\\evil", "./evil", "tea/./evil", "tea//evil",
    "tea/....//evil", "", "tea/evil\0.md", "tea/a:stream", "tea/SKILL.md:evil", "tea/SKILL.md::$DATA",
    "tea/NUL", "tea/nul.txt", "tea/CON", "tea/com1", "tea/Com1.md", "tea/com\u{b9}", "tea/LPT9", "tea/aux.md",
    "tea/prn", "tea/conin$", "tea/evil.", "tea/evil ", "tea/dir./evil", "tea/dir /evil",
    "tea/ev\nil", "tea/\u{1b}[2J", "tea/\u{202e}dm.exe", "tea/\u{200f}a", "tea/a?b", "tea/a*b", "tea/a|b",
    "tea/<a>", "tea/\"a\"", "../evil/", "/evil/", "tea/../../evil/", "..", "../",
];

/// Files that must never be imported, with the reasons.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    for name in NAMES {
        all.push((format!("the name {name:?}"), named(name)));
    }
    all.push(("a long name".to_owned(), named(&format!("tea/{}", "a".repeat(256)))));
    all.push(("a deep name".to_owned(), named(&format!("tea/{}x", "a/".repeat(20)))));
    for (what, mode) in [
        ("link", 0o120_777),
        ("pipe", 0o010_644),
        ("block device", 0o060_644),
        ("device", 0o020_644),
        ("socket", 0o140_644),
    ] {
        all.push((format!("a {what}"), with([file("tea/evil", "/etc/passwd").mode(mode)])));
    }
    let link = || file("tea/home", "../..").mode(0o120_777);
    all.push(("a file behind a link".to_owned(), with([link(), file("tea/home/evil", "evil")])));
    all.push(("a link as SKILL.md".to_owned(), zip(&[file("tea/SKILL.md", "/etc/passwd").mode(0o120_777)])));
    for (what, one, other) in [
        ("the same name twice", "tea/a", "tea/a"),
        ("names that differ in case", "tea/a.md", "tea/A.md"),
        ("another SKILL.md", "tea/x", "tea/skill.md"),
        ("folders that differ in case", "tea/a/one", "tea/A/two"),
        ("a file that is a folder", "tea/a", "tea/a/b"),
        ("a folder that is a file of another case", "tea/a/b", "tea/A"),
        ("SKILL.md as a folder", "tea/SKILL.md/evil", "tea/x"),
    ] {
        all.push((what.to_owned(), with([file(one, TEA), file(other, TEA)])));
    }
    let big = || vec![0; 8 << 20];
    all.push(("an encrypted file".to_owned(), with([file("tea/evil", "evil").encrypted()])));
    for method in [1, 9, 12, 14, 93, 95, 98, 99] {
        all.push((format!("method {method}"), with([file("tea/evil", "evil").method(method)])));
    }
    all.push(("a bomb".to_owned(), with([file("tea/bomb", big()).deflated()])));
    all.push(("a bomb beside the skill".to_owned(), with([file("bomb", big()).deflated()])));
    all.push(("a bomb that says it is small".to_owned(), with([file("tea/bomb", big()).deflated().size(10)])));
    all.push(("less than it says".to_owned(), with([file("tea/a", "evil").deflated().size(1000)])));
    all.push(("more than there is".to_owned(), with([file("tea/a", "evil").size(1 << 30)])));
    all.push(("another checksum".to_owned(), with([file("tea/a", "evil").checksum(7)])));
    let many = |count: usize, bytes: usize| (0..count).map(move |at| file(format!("tea/{at}"), vec![b'a'; bytes]));
    all.push(("too many files".to_owned(), with(many(512, 1))));
    all.push(("too many bytes".to_owned(), with(many(17, 1 << 20))));
    all.push(("too many entries".to_owned(), with((0..20_001).map(|at| file(at.to_string(), "")))));
    all.push(("entries in one place".to_owned(), with([file("tea/a", "evil"), file("tea/b", "evil").begins(0)])));
    let inner = zip(&[file("x", "evil")]);
    let hidden = file("tea/b", "evil").begins((30 + "tea/SKILL.md".len() + TEA.len() + 30 + "tea/a".len()) as u32);
    all.push(("an entry inside another".to_owned(), with([file("tea/a", inner), hidden])));
    all.push(("two names of one entry".to_owned(), with([file("tea/fine", "evil").own_name("../evil")])));
    all.push(("two honest names of one entry".to_owned(), with([file("tea/fine", "evil").own_name("tea/SKILL.md")])));
    all.push(("an entry that is not listed".to_owned(), with([file("../evil", "evil").unlisted()])));
    all.push(("a folder that holds bytes".to_owned(), with([file("tea/folder/", "evil")])));
    all.push(("no skill".to_owned(), zip(&[file("README.md", "evil")])));
    all.push(("a skill in small letters".to_owned(), zip(&[file("tea/skill.md", TEA)])));
    all.push(("a skill in a tool's folder".to_owned(), zip(&[file("node_modules/tea/SKILL.md", TEA)])));
    all.push(("no entry".to_owned(), zip(&[])));
    all.push(("no byte".to_owned(), Vec::new()));
    all.push(("another kind of file".to_owned(), b"%PDF-1.7 evil".to_vec()));
    for part in [3, 2] {
        let mut cut = with([file("tea/a", "evil")]);
        cut.truncate(cut.len() * part / 4);
        all.push((format!("{part} quarters"), cut));
    }
    let mut far = with([]);
    let at = far.len() - 6;
    far[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    all.push(("a directory that is nowhere".to_owned(), far));
    all
}

/// Every path below a folder, with the bytes of files.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path.clone());
                all.insert(path, None);
            } else {
                all.insert(path.clone(), fs::read(path).ok());
            }
        }
    }
    all
}

#[tokio::test]
async fn every_hostile_zip_file_is_refused_and_leaves_nothing_anywhere() {
    let home = Home::new();
    home.library();
    let engine = home.start_with_library().await;
    let source = home.path("evil.zip");
    let hostile = hostile();
    assert!(hostile.len() >= 60, "{}", hostile.len());
    let outside = Path::new("/tmp/evil");
    let stood_there = outside.exists();
    fs::write(&source, "").unwrap();
    let mut before = everything(home.elsewhere());
    for (what, bytes) in &hostile {
        fs::write(&source, bytes).unwrap();
        before.insert(source.clone(), Some(bytes.clone()));
        let path = source.to_str().unwrap();
        let error =
            actions::look_at_import(&engine, path, None).await.map(|plan| format!("{what}: {plan:#?}")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Refused, "{what}");
        assert!(error.message.ends_with('.') && !error.message.contains('\n'), "{what}: {:?}", error.message);
        let imported = actions::import_skill(&engine, path, "plan", "f1", None).await;
        assert_eq!(imported.unwrap_err(), error, "{what}");
        assert!(everything(home.elsewhere()) == before, "{what}");
        assert_eq!(outside.exists(), stood_there, "{what}");
    }
}

#[tokio::test]
async fn odd_but_harmless_names_stay_where_they_belong() {
    let home = Home::new();
    home.library();
    let engine = home.start_with_library().await;
    let source = home.path("odd.zip");
    let names: [&[u8]; 6] = [
        b"tea/%2e%2e%2fevil",
        b"tea/..evil",
        b"tea/...a",
        b"tea/~root",
        "tea/\u{ff0e}\u{ff0e}\u{2215}evil".as_bytes(),
        b"tea/\xc0\xae\xc0\xae\xc0\xafevil",
    ];
    let entries: Vec<_> = names.iter().map(|name| file(name, "odd").old_name()).collect();
    fs::write(&source, with(entries)).unwrap();
    let plan = actions::look_at_import(&engine, source.to_str().unwrap(), None).await.unwrap();
    actions::import_skill(&engine, source.to_str().unwrap(), &plan.id, "f1", None).await.unwrap();
    let written = everything(&home.library());
    assert_eq!(written.len(), 1 + 1 + names.len(), "{written:?}");
    assert!(written.keys().skip(1).all(|path| path.parent() == Some(&home.library().join("tea"))));
}
