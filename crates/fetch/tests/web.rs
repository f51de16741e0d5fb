//! Files from real servers on this computer: well-behaved ones, and those that send elsewhere, lie, trickle or say nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{fs, path::Path, process::Command, thread, time::Duration};

use fetch::{Cancel, FetchError, Web};
use tempfile::TempDir;
use tests::{Reply, SecureHost, WebHost};

fn web() -> (TempDir, Web) {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::new(&folder.path().join("fetched"));
    (folder, web)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder.join("fetched")).map_or(true, |mut entries| entries.next().is_none())
}

/// The sentence for an answer, after which nothing is left.
fn said(reply: Reply) -> String {
    let (host, (folder, web)) = (WebHost::start(), web());
    let address = host.answers("/tea.zip", reply);
    let web = web.patient(Duration::from_secs(1));
    let said = web.file(&address, &Cancel::default()).unwrap_err().to_string();
    assert!(is_empty(folder.path()), "{said}");
    said.replace(&address, "THERE")
}

#[test]
fn a_file_comes_and_is_known_by_its_bytes() {
    let (host, (_folder, web)) = (WebHost::start(), web());
    let address = host.serves("/tea.zip", "Green.");
    let sent = host.answers("/latest", Reply::Moved("/tea.zip".to_owned()));
    let cancel = Cancel::default();
    let fetched = web.file(&sent, &cancel).unwrap();
    assert_eq!(fs::read(&fetched.path).unwrap(), b"Green.");
    assert_eq!(web.kept(&sent, &fetched.sha256), Some(fetched.clone()));
    assert_eq!(web.kept(&address, &fetched.sha256), None, "of another address");
    assert_eq!(web.kept(&sent, "../../etc"), None);
    assert_eq!(web.bytes(&address, 6, &cancel).unwrap(), b"Green.");
    fs::write(&fetched.path, "Black.").unwrap();
    assert_eq!(web.kept(&sent, &fetched.sha256), None, "its bytes are others");
}

#[test]
fn what_does_not_come_is_said_in_a_sentence() {
    assert_eq!(said(Reply::Status(404)), "There is nothing at THERE. Look whether the address is right.");
    for status in [401, 403] {
        assert!(said(Reply::Status(status)).starts_with("THERE is not shown to everybody: it answers"), "{status}");
    }
    assert_eq!(said(Reply::Status(503)), "THERE cannot be had now: it answers 503. Try again later.");
    assert_eq!(said(Reply::Status(204)), "THERE answers 204, which is no file.");
    assert!(said(Reply::Claimed(b"half".to_vec(), 40)).starts_with("THERE did not come whole: "));
    let large = said(Reply::Claimed(Vec::new(), 600 << 20));
    assert_eq!(large, "THERE is larger than 512 MiB, so it was not fetched.");
    let silent = "THERE sent nothing for 1 seconds, so it was given up. Try again later.";
    assert_eq!(said(Reply::Silence), silent);
    assert_eq!(said(Reply::Trickle), silent, "a byte now and then is as good as nothing");
}

#[test]
fn nobody_is_sent_on_to_another_network_or_to_what_is_not_encrypted() {
    for (to, why) in [
        ("http://example.org/tea.zip", "it is not https"),
        ("https://10.0.0.7/tea.zip?key=1", "it is in a network that this source is not in"),
        ("https://169.254.169.254/latest", "it is in a network that this source is not in"),
        ("file:///etc/passwd", "it is not https"),
        ("https://me:secret@example.org/", "it holds a name and a password"),
    ] {
        let said = said(Reply::Moved(to.to_owned()));
        assert!(said.ends_with(&format!("which is not asked: {why}.")), "{to}: {said}");
        assert!(!said.contains("secret") && !said.contains("key=1"), "{said}");
    }
    assert!(said(Reply::Moved("/tea.zip".to_owned())).contains("it was sent on too often"));
}

#[test]
fn more_than_was_asked_for_is_too_much_whatever_the_length_says() {
    let (host, (_folder, web)) = (WebHost::start(), web());
    let address = host.serves("/index.json", "0123456789");
    let refused = web.bytes(&address, 9, &Cancel::default()).unwrap_err();
    assert!(matches!(refused, FetchError::LargeFile(_, 9)), "{refused}");
    let endless = host.answers("/endless", Reply::Trickle);
    assert!(matches!(web.bytes(&endless, 9, &Cancel::default()), Err(FetchError::LargeFile(..))));
}

#[test]
fn a_host_that_is_not_there_is_said_and_a_person_can_end_it() {
    let (_folder, web) = web();
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let refused = web.file(&format!("http://127.0.0.1:{port}/tea.zip"), &Cancel::default()).unwrap_err();
    assert!(refused.to_string().contains("cannot be reached"), "{refused}");
    let (host, cancel) = (WebHost::start(), Cancel::default());
    let address = host.answers("/tea.zip", Reply::Trickle);
    let ends = cancel.clone();
    let asking = thread::spawn(move || web.file(&address, &cancel));
    tests::eventually("the request", || (!host.asked().is_empty()).then_some(()));
    ends.now();
    assert!(matches!(asking.join().unwrap(), Err(FetchError::Cancelled)));
}

#[test]
fn a_certificate_of_an_authority_that_the_computer_knows_is_needed() {
    if !tests::able::has(&["openssl"]) {
        return;
    }
    let host = SecureHost::start(&[("tea.zip", b"Green.")]);
    let address = host.address("tea.zip");
    let (_folder, web) = web();
    let refused = web.file(&address, &Cancel::default()).unwrap_err();
    assert!(refused.to_string().starts_with(&format!("The certificate of {address} is not trusted")), "{refused}");
    // What a computer trusts is read at the start of a process: another one has this authority.
    let test = std::env::current_exe().unwrap();
    let mut again = Command::new(test);
    again.args(["--ignored", "--exact", "from_a_host_whose_authority_is_known"]);
    again.env("SSL_CERT_FILE", host.authority()).env("TEST_ADDRESS", &address);
    let done = again.output().unwrap();
    let printed = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && printed.contains("1 passed"), "{printed}");
}

#[test]
#[ignore = "started by the test before it, with an authority of its own"]
fn from_a_host_whose_authority_is_known() {
    let (_folder, web) = web();
    let address = std::env::var("TEST_ADDRESS").unwrap();
    let fetched = web.file(&address, &Cancel::default()).unwrap();
    assert_eq!(fs::read(fetched.path).unwrap(), b"Green.");
}

const TAG: &str = "\"v1\"";

fn known(bytes: &str, lines: &[&str]) -> Reply {
    Reply::Known(bytes.into(), lines.iter().map(|line| (*line).to_owned()).collect())
}

#[test]
fn what_is_here_is_not_sent_again_while_its_host_says_that_it_is_the_same() {
    let (host, cancel) = (WebHost::start(), Cancel::default());
    for (at, head) in [
        ("/tag", &[&format!("ETag: {TAG}")[..]][..]),
        ("/weak", &["etag: W/\"v1\""]),
        ("/time", &["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", "Date: Fri, 02 Jan 2026 00:00:00 GMT"]),
    ] {
        let (home, web) = web();
        let address = host.answers(at, known("Green.", head));
        let first = web.file(&address, &cancel).unwrap();
        assert_eq!((host.sent(), host.conditions()), (6, vec![]), "{at}");
        assert_eq!(web.file(&address, &cancel).unwrap(), first);
        assert_eq!((host.sent(), host.conditions().len()), (0, 1), "{at}");
        assert_eq!(fs::read(&first.path).unwrap(), b"Green.");
        // A small file of the same address is another.
        assert_eq!(web.bytes(&address, 6, &cancel).unwrap(), b"Green.");
        assert_eq!(web.bytes(&address, 6, &cancel).unwrap(), b"Green.");
        assert_eq!((host.sent(), host.conditions().len()), (6, 1), "{at}");
        assert!(web.bytes(&address, 5, &cancel).is_err(), "what is here is as large as what comes");
        // Another file comes, and what is said of it.
        host.sent();
        host.answers(at, known("Black!!", &["ETag: \"v2\""]));
        assert_ne!(web.file(&address, &cancel).unwrap(), first);
        assert_eq!((host.sent(), host.conditions().len()), (7, 1), "{at}");
        // Whoever changes what is here gets what the host has.
        let here = web.file(&address, &cancel).unwrap();
        fs::write(&here.path, "Other!!").unwrap();
        host.sent();
        assert_eq!(fs::read(web.file(&address, &cancel).unwrap().path).unwrap(), b"Black!!");
        assert_eq!(host.sent(), 7);
        host.conditions();
        drop(home);
    }
}

#[test]
fn what_a_host_says_of_a_file_is_told_to_nobody_else_and_what_is_odd_is_not_told_at_all() {
    let (first, other, cancel) = (WebHost::start(), WebHost::start(), Cancel::default());
    let (_home, web) = web();
    let there = first.answers("/there", known("Green.", &["ETag: \"of-first\""]));
    let address = first.answers("/latest", Reply::Moved(there));
    web.file(&address, &cancel).unwrap();
    web.file(&address, &cancel).unwrap();
    assert_eq!((first.sent(), first.conditions()), (6, vec!["if-none-match: \"of-first\"".to_owned()]));
    // It sends on to another host from now on, which never said that.
    let elsewhere = other.answers("/there", known("Other.", &["ETag: \"of-first\""]));
    first.answers("/latest", Reply::Moved(elsewhere));
    assert_eq!(fs::read(web.file(&address, &cancel).unwrap().path).unwrap(), b"Other.");
    assert_eq!((other.conditions(), first.conditions()), (vec![], vec![]));

    for odd in ["ETag: v1", "ETag: \"a\" \"b\"", "ETag: ", "Last-Modified: now", "Last-Modified: 1"] {
        let address = first.answers("/odd", known("Odd.", &[odd]));
        for _ in 0..2 {
            web.file(&address, &cancel).unwrap();
        }
        assert_eq!((first.sent(), first.conditions()), (8, vec![]), "{odd}");
    }
    // 304 without a question is no answer.
    let address = first.answers("/liar", Reply::Status(304));
    assert!(web.file(&address, &cancel).is_err());
}

#[test]
fn what_is_named_by_its_digest_is_asked_for_once_and_never_with_a_condition() {
    let (host, cancel) = (WebHost::start(), Cancel::default());
    let (_home, web) = web();
    let digest = |text: &str| {
        let address = host.serves("/digest", text);
        web.file(&address, &cancel).unwrap().sha256
    };
    let (green, black) = (digest("Green."), digest("Black."));
    let address = host.answers("/part", known("Green.", &["ETag: \"v\""]));
    host.asked();
    for _ in 0..2 {
        assert_eq!(web.digested(&address, &green, 9, &cancel).unwrap(), b"Green.");
    }
    assert_eq!(host.asked().len(), 1);
    // A host that says for ever that it is the same is not believed where another digest is wanted.
    host.answers("/part", known("Black.", &["ETag: \"v\""]));
    assert_eq!(web.digested(&address, &black, 9, &cancel).unwrap(), b"Black.");
    assert_eq!(host.conditions(), Vec::<String>::new());
}
