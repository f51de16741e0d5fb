//! Repositories on a computer that has no git: what comes is what git would bring, or a sentence of why nothing comes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{collections::BTreeMap, fs, io::Write as _};

use fetch::{Cancel, Commit, FetchError, Kind, Repositories};
use flate2::{Compression, write::GzEncoder};
use machine::Machine;
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;
use tests::{GitHost, GitRepository, Manner, Reply, WebHost};

/// How repositories are fetched here, with git and without.
fn both() -> (TempDir, [Repositories; 2]) {
    let home = tempfile::tempdir().unwrap();
    let with = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
    let of = |search, folder: &str| {
        let machine = Machine { search, ..Machine::at(home.path()).unwrap() };
        Repositories::of(&machine, &machine.data.join(folder)).unwrap()
    };
    let both = [of(with, "with"), of(Vec::new(), "without")];
    assert!(matches!(both, [Repositories::Git(_), Repositories::Archives(_)]));
    (home, both)
}

fn without() -> (TempDir, Repositories) {
    let (home, [_, without]) = both();
    (home, without)
}

fn newest(from: &Repositories, address: &str, follows: Option<&str>) -> Result<Commit, FetchError> {
    let cancel = Cancel::default();
    from.fetch(address, &from.tip(address, follows, &cancel)?, &cancel)
}

/// What a file is, its size, and its bytes.
type What = (Kind, Option<u64>, Option<Vec<u8>>);

/// Every file, by its path.
fn all(commit: &Commit) -> BTreeMap<String, What> {
    let (files, cancel) = (commit.files(&Cancel::default()).unwrap(), Cancel::default());
    let ids = || files.iter().filter(|file| file.kind != Kind::Submodule).map(|file| file.id.as_str());
    let (sizes, bytes) = (commit.sizes(ids(), &cancel).unwrap(), commit.bytes(ids(), &cancel).unwrap());
    let one = |file: &fetch::TreeFile| {
        (file.path.clone(), (file.kind, sizes.get(&file.id).copied(), bytes.get(&file.id).cloned()))
    };
    files.iter().map(one).collect()
}

/// A repository with everything that a commit may hold.
fn full(host: &GitHost) -> GitRepository {
    let repository = host.repository("skills");
    repository.write("tea/SKILL.md", "Green.");
    repository.write("tea/empty", "");
    repository.write("tea/lines.txt", "a\r\nb\n");
    repository.write("tea/Tee mit Ä und 茶.md", "茶");
    repository.write(&format!("tea/{}/{}/long.md", "deep".repeat(30), "er".repeat(40)), "long");
    repository.write(&format!("tea/{}.md", "long".repeat(50)), "longer than a header takes");
    repository.write("large.bin", vec![7; (16 << 20) + 1]);
    repository.write(".gitattributes", "* text=auto\n*.bin binary\n");
    repository.write(".gitmodules", "[submodule \"x\"]\n\tpath = tea/x\n\turl = https://host.example/x.git\n");
    repository.git(&["add", "--all"]);
    repository.git(&["update-index", "--chmod=+x", "tea/empty"]);
    let link = repository.git(&["rev-parse", ":tea/SKILL.md"]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{link},tea/link")]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{link},tea/{}\n.md", "line".repeat(50))]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},tea/x", "a".repeat(40))]);
    repository.git(&["commit", "--quiet", "--message", "one"]);
    repository.push();
    repository
}

#[test]
fn what_comes_is_byte_for_byte_what_git_brings() {
    let host = GitHost::start();
    let repository = full(&host);
    let (_home, [with, without]) = both();
    let [git, archive] = [&with, &without].map(|from| newest(from, &repository.address, None).unwrap());
    assert!(matches!((&git, &archive), (Commit::Git(_), Commit::Archive(_))));
    assert_eq!(git.id(), archive.id());
    assert_eq!(git.address(), archive.address());
    assert_eq!(git.made(&Cancel::default()).unwrap(), archive.made(&Cancel::default()).unwrap());
    let (git, archive) = (all(&git), all(&archive));
    assert_eq!(git.keys().collect::<Vec<_>>(), archive.keys().collect::<Vec<_>>());
    for (path, what) in &git {
        assert!(archive[path] == *what, "{path}: {:?} and {:?}", (what.0, what.1), (archive[path].0, archive[path].1));
    }
    assert_eq!(archive["tea/x"].0, Kind::Submodule);
    assert!(archive["large.bin"].2.is_none(), "too large to be read");
}

#[test]
fn branches_tags_and_commits_are_followed_and_what_is_here_is_not_asked_for_again() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("SKILL.md", "One.");
    let one = repository.commit("one");
    repository.git(&["tag", "--annotate", "v1", "--message", "the first"]);
    repository.git(&["branch", "a/b"]);
    repository.write("SKILL.md", "Two.");
    let two = repository.commit("two");
    let (_home, [_, from]) = both();
    let commit = |follows| newest(&from, &repository.address, follows).unwrap().id().to_owned();
    assert_eq!(commit(None), two);
    assert_eq!([commit(Some("v1")), commit(Some("a/b")), commit(Some(&one))], [&one, &one, &one].map(Clone::clone));
    let before = host.asked().len();
    assert!(from.kept(&repository.address, &one).is_some() && from.kept(&repository.address, &two).is_some());
    let tip = from.tip(&repository.address, None, &Cancel::default()).unwrap();
    from.fetch(&repository.address, &tip, &Cancel::default()).unwrap();
    assert_eq!(host.asked().len(), before + 1, "the list alone");
    let error = newest(&from, &repository.address, Some("v9")).unwrap_err().to_string();
    assert!(error.contains("no branch, tag or commit v9. It has a/b, main, v1."), "{error}");
    let (old, new) = (from.kept(&repository.address, &one).unwrap(), from.kept(&repository.address, &two).unwrap());
    let followed = from.follows(&new, old.id(), 0, &Cancel::default());
    assert!(matches!(followed, Err(FetchError::NoGit)), "whether history was rewritten is not known");
}

#[test]
fn what_is_not_shown_is_not_there_or_is_not_over_https_says_what_to_do() {
    let private = GitHost::behaving(Manner::Private);
    let repository = private.repository("skills");
    let (_home, from) = without();
    let told = |address: &str| newest(&from, address, None).unwrap_err().to_string();
    assert!(told(&repository.address).contains("install git, whose sign-in applies"));
    let host = GitHost::start();
    let empty = host.repository("empty");
    assert!(told(&empty.address).ends_with("is empty."));
    host.lose("empty");
    assert!(told(&empty.address).contains("is not there, or it is not shown to everybody"));
    assert!(told("git@host.example:tea/skills.git").contains("its address is not of https. Install git"));
    assert!(told("ssh://git@host.example/skills.git").contains("can only be fetched with git"));
    let dumb = GitHost::behaving(Manner::Dumb);
    let files = dumb.repository("skills");
    files.write("SKILL.md", "One.");
    files.commit("one");
    assert!(told(&files.address).starts_with("There is no git repository at"));
    assert!(told(&GitHost::behaving(Manner::Misleading).repository("a").address).contains("sends on to file:"));
}

#[test]
fn an_archive_that_is_not_what_its_commit_holds_is_refused_and_does_not_stay() {
    for attributes in ["tea/notes.md export-ignore\n", "*.md export-subst\n", "*.md text eol=crlf\n", "*.md ident\n"] {
        let host = GitHost::start();
        let repository = host.repository("skills");
        repository.write("tea/SKILL.md", "$Format:%H$ $Id$\n");
        repository.write("tea/notes.md", "Notes.\n");
        repository.write("tea/.gitattributes", attributes.replace("tea/", ""));
        repository.commit("one");
        let (home, from) = without();
        let error = newest(&from, &repository.address, None).unwrap_err().to_string();
        assert!(error.contains("can only be fetched with git") && error.contains(".gitattributes"), "{error}");
        assert_eq!(kept(&home), 1, "the list alone: {attributes}");
    }
}

/// How many files are kept of what was fetched.
fn kept(home: &TempDir) -> usize {
    let entries = fs::read_dir(home.path().join(".local/share/skilltender/without")).unwrap().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "file")).count()
}

const ID: &str = "0123456789abcdef0123456789abcdef01234567";

/// A host that lists one commit, and gives this as its archive.
fn giving(archive: Vec<u8>) -> (WebHost, String) {
    let host = WebHost::start();
    let line = |text: String| format!("{:04x}{text}", text.len() + 4);
    let listed = [
        line("# service=git-upload-pack\n".to_owned()),
        "0000".to_owned(),
        line(format!("{ID} HEAD\0agent=odd\n")),
        "0000".to_owned(),
    ];
    host.serves("/a.git/info/refs?service=git-upload-pack", listed.concat());
    host.serves(&format!("/a/archive/{ID}.tar.gz"), archive);
    let address = host.address("/a.git");
    (host, address)
}

/// An archive with a header that names this commit, and these entries.
fn packed(commit: &str, fill: impl FnOnce(&mut Builder<Vec<u8>>)) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    let note = format!("52 comment={commit}\n");
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::XGlobalHeader);
    header.set_size(note.len() as u64);
    archive.append_data(&mut header, "pax_global_header", note.as_bytes()).unwrap();
    fill(&mut archive);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&archive.into_inner().unwrap()).unwrap();
    packed.finish().unwrap()
}

/// One entry whose name is written as it is, also where it leads elsewhere.
fn entry(archive: &mut Builder<Vec<u8>>, path: &str, kind: EntryType, bytes: &[u8]) {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_mtime(1);
    header.set_size(bytes.len() as u64);
    header.as_gnu_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_cksum();
    archive.append(&header, bytes).unwrap();
}

#[test]
fn an_archive_of_a_hostile_host_is_refused_in_a_sentence_or_is_harmless() {
    let told = |archive: Vec<u8>| {
        let (_host, address) = giving(archive);
        let (home, from) = without();
        let error = newest(&from, &address, None).map(|_| ()).unwrap_err().to_string();
        assert_eq!(kept(&home), 1, "the list alone: {error}");
        error
    };
    let one = |path: &'static str, kind: EntryType| packed(ID, |archive| entry(archive, path, kind, b""));
    assert!(told(packed(&"f".repeat(40), |_| {})).contains("its archive is of another commit"));
    assert!(told(packed("", |_| {})).contains("its archive is of another commit"));
    let mut plain = GzEncoder::new(Vec::new(), Compression::fast());
    plain.write_all(&[0; 1024]).unwrap();
    assert!(told(plain.finish().unwrap()).contains("does not say which commit it is"));
    assert!(told(b"<!doctype html><p>Sign in".to_vec()).contains("as the archive of"));
    assert!(told(Vec::new()).contains("as the archive of"));
    assert!(told(one("a/pipe", EntryType::Fifo)).contains("it holds what git does not"));
    assert!(told(one("a/twin", EntryType::Link)).contains("it holds what git does not"));
    assert!(told(one("loose.md", EntryType::Regular)).contains("it is not as git makes them"));
    let mut cut = packed(ID, |archive| entry(archive, "a/SKILL.md", EntryType::Regular, &[b'x'; 9000]));
    cut.truncate(cut.len() / 2);
    assert!(told(cut).contains("cannot be read"));
    // A few hundred kilobytes that become more than a repository may have.
    let bomb = packed(ID, |archive| {
        let zeros = vec![0; 64 << 20];
        (0..9).for_each(|part| entry(archive, &format!("a/{part}"), EntryType::Regular, &zeros));
    });
    assert!(bomb.len() < 4 << 20);
    assert!(told(bomb).contains("larger than 512 MiB"));

    // Names are told as they are; whoever takes files judges them.
    let (_host, address) = giving(packed(ID, |archive| {
        entry(archive, "a/../../out", EntryType::Regular, b"x");
        entry(archive, "a//etc/passwd", EntryType::Regular, b"x");
    }));
    let (_home, from) = without();
    let commit = newest(&from, &address, None).unwrap();
    assert_eq!(all(&commit).into_keys().collect::<Vec<_>>(), ["../../out", "/etc/passwd"]);
}

#[test]
fn a_header_that_is_longer_than_any_path_is_refused() {
    for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader] {
        for length in [(64 << 10) + 1, 8 << 20] {
            let (_host, address) = giving(packed(ID, |archive| {
                entry(archive, "././@LongLink", kind, &vec![b'x'; length]);
                entry(archive, "a/SKILL.md", EntryType::Regular, b"One.");
            }));
            let (home, from) = without();
            let error = newest(&from, &address, None).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("cannot be read: a header in it is longer than 64 KiB."), "{kind:?}: {error}");
            assert_eq!(kept(&home), 1, "the list alone");
        }
    }
}

#[test]
fn long_paths_and_targets_come_by_the_headers_of_gnu_and_of_pax() {
    let long = |name: &str| format!("{}/{name}.md", "deep".repeat(60));
    let (gnu, pax, target) = (format!("a/{}", long("gnu")), format!("a/{}", long("pax")), long("target"));
    let (_host, address) = giving(packed(ID, |archive| {
        entry(archive, "././@LongLink", EntryType::GNULongName, format!("{gnu}\0").as_bytes());
        entry(archive, "a/short", EntryType::Regular, b"one");
        archive.append_pax_extensions([("path", pax.as_bytes()), ("size", b"3")]).unwrap();
        entry(archive, "a/short", EntryType::Regular, b"two");
        entry(archive, "././@LongLink", EntryType::GNULongLink, format!("{target}\0").as_bytes());
        entry(archive, "a/first", EntryType::Symlink, b"");
        archive.append_pax_extensions([("linkpath", target.as_bytes())]).unwrap();
        entry(archive, "a/second", EntryType::Symlink, b"");
        entry(archive, "a/plain", EntryType::Regular, b"three");
    }));
    let (_home, from) = without();
    let found = all(&newest(&from, &address, None).unwrap());
    let file = |bytes: &str| (Kind::Plain, Some(bytes.len() as u64), Some(bytes.as_bytes().to_vec()));
    let link = (Kind::Link, Some(target.len() as u64), Some(target.as_bytes().to_vec()));
    let expected = [
        (long("gnu"), file("one")),
        (long("pax"), file("two")),
        ("first".to_owned(), link.clone()),
        ("second".to_owned(), link),
        ("plain".to_owned(), file("three")),
    ];
    assert_eq!(found, BTreeMap::from(expected));
}

#[test]
fn an_archive_whose_list_takes_more_than_a_commit_may_have_is_not_read_to_its_end() {
    let told = |archive: Vec<u8>| {
        let (_host, address) = giving(archive);
        let (_home, from) = without();
        let error = newest(&from, &address, None).map(|_| ()).unwrap_err();
        assert!(matches!(error, FetchError::TooMany(..)), "{error}");
    };
    told(packed(ID, |archive| {
        for file in 0..1100 {
            let path = format!("a/{}{file}", "a".repeat(62_000));
            archive.append_pax_extensions([("path", path.as_bytes())]).unwrap();
            entry(archive, "a/short", EntryType::Regular, b"");
        }
    }));
    let modules = "path=a\n".repeat((1 << 20) / 7);
    told(packed(ID, |archive| {
        (0..2).for_each(|_| entry(archive, "a/.gitmodules", EntryType::Regular, modules.as_bytes()));
    }));
}

#[test]
fn a_page_in_the_place_of_an_archive_does_not_hide_the_archive_at_the_other_address() {
    let (host, address) = giving(packed(ID, |archive| entry(archive, "a/SKILL.md", EntryType::Regular, b"One.")));
    let usual = host.serves(&format!("/a/-/archive/{ID}/{ID}.tar.gz"), "<!doctype html>");
    let (_home, from) = without();
    assert!(newest(&from, &address, None).is_ok(), "{usual}");
    host.answers("/a.git/info/refs?service=git-upload-pack", Reply::Status(503));
    assert!(newest(&from, &address, None).unwrap_err().to_string().contains("Try again later"));
}
