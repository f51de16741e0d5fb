//! How people write a source. The spellings of `npx skills` mean here what they mean there.

use proptest::prelude::*;
use sources::{FileKind, Origin, Source, SourceError};

/// What was read, on a line: origin, branch, folder, skill.
fn line(written: &str) -> String {
    let Source { origin, follows, inside, skill, .. } = match Source::read(written) {
        Ok(source) => source,
        Err(why) => return format!("refused: {why}"),
    };
    let origin = match origin {
        Origin::Git(address) => format!("git {address}"),
        Origin::Local(path) => format!("local {path}"),
        Origin::File(address, FileKind::Archive) => format!("archive {address}"),
        Origin::File(address, FileKind::Skill) => format!("skill {address}"),
        Origin::File(address, FileKind::Marketplace) => format!("marketplace {address}"),
        Origin::Site(address) => format!("site {address}"),
    };
    let follows = follows.map_or_else(String::new, |follows| format!(" #{follows}"));
    let inside = if inside.is_empty() { String::new() } else { format!(" /{inside}") };
    let skill = skill.map_or_else(String::new, |skill| format!(" @{skill}"));
    format!("{origin}{follows}{inside}{skill}")
}

#[test]
fn a_source_is_what_people_write() {
    let tea = "git https://github.com/green/tea.git";
    for (written, read) in [
        // GitHub, in short and as its pages' addresses.
        ("green/tea", tea.to_owned()),
        ("  green/tea\n", tea.to_owned()),
        ("green/tea.git", tea.to_owned()),
        ("green/tea/", tea.to_owned()),
        ("green/tea/skills/brew", format!("{tea} /skills/brew")),
        ("green/tea/skills/brew/SKILL.md", format!("{tea} /skills/brew")),
        ("green/tea@brew", format!("{tea} @brew")),
        ("green/tea#v2", format!("{tea} #v2")),
        ("green/tea#feature%2Fpot@brew", format!("{tea} #feature/pot @brew")),
        ("github:green/tea#v2", format!("{tea} #v2")),
        ("https://github.com/green/tea", tea.to_owned()),
        ("https://www.github.com/green/tea/", tea.to_owned()),
        ("HTTPS://GitHub.com/green/tea.git", tea.to_owned()),
        ("https://github.com/green/tea/tree/main", format!("{tea} #main")),
        ("https://github.com/green/tea/tree/main/skills/brew?tab=readme#usage", format!("{tea} #main /skills/brew")),
        ("https://github.com/green/tea/blob/main/skills/a%20pot/skill.md", format!("{tea} #main /skills/a pot")),
        ("https://raw.githubusercontent.com/green/tea/main/brew/SKILL.md", format!("{tea} #main /brew")),
        ("https://raw.githubusercontent.com/green/tea/refs/heads/main/SKILL.md", format!("{tea} #main")),
        ("https://gist.github.com/green/0123abcd", "git https://gist.github.com/0123abcd.git".to_owned()),
        // Other hosts.
        ("gitlab:herbs/cold/tea", "git https://gitlab.com/herbs/cold/tea.git".to_owned()),
        ("https://gitlab.com/herbs/tea", "git https://gitlab.com/herbs/tea.git".to_owned()),
        (
            "https://git.example.org/a/b/tea/-/tree/main/brew",
            "git https://git.example.org/a/b/tea.git #main /brew".to_owned(),
        ),
        (
            "https://git.example.org/a/tea/-/blob/v1/brew/SKILL.md",
            "git https://git.example.org/a/tea.git #v1 /brew".to_owned(),
        ),
        (
            "https://org@dev.azure.com/org/garden/_git/tea?path=/skills/brew&version=GBmain",
            "git https://dev.azure.com/org/garden/_git/tea #main /skills/brew".to_owned(),
        ),
        (
            "https://bitbucket.org/green/tea/src/main/brew/",
            "git https://bitbucket.org/green/tea.git #main /brew".to_owned(),
        ),
        ("https://codeberg.org/green/tea", "git https://codeberg.org/green/tea.git".to_owned()),
        (
            "https://forge.example.org/green/tea/src/tag/v1/brew",
            "git https://forge.example.org/green/tea.git #v1 /brew".to_owned(),
        ),
        ("https://example.org:8443/x/tea.git#main", "git https://example.org:8443/x/tea.git #main".to_owned()),
        (
            "https://example.org/x/tea.git/skills/brew#v1",
            "git https://example.org/x/tea.git #v1 /skills/brew".to_owned(),
        ),
        ("https://gitlab.com/herbs/tea.git/brew", "git https://gitlab.com/herbs/tea.git /brew".to_owned()),
        ("https://github.com/green/tea/blob/main/.claude-plugin/marketplace.json", format!("{tea} #main")),
        ("http://127.0.0.1:8080/tea.git", "git http://127.0.0.1:8080/tea.git".to_owned()),
        ("git@github.com:green/tea.git", "git git@github.com:green/tea.git".to_owned()),
        ("git@example.org:green/tea.git#v1@brew", "git git@example.org:green/tea.git #v1 @brew".to_owned()),
        ("ssh://git@example.org:2222/green/tea.git", "git ssh://git@example.org:2222/green/tea.git".to_owned()),
        // This computer, files and sites.
        ("./tea skills", "local ./tea skills".to_owned()),
        ("../tea#1", "local ../tea#1".to_owned()),
        ("/srv/tea", "local /srv/tea".to_owned()),
        ("~/tea.zip", "local ~/tea.zip".to_owned()),
        (".", "local .".to_owned()),
        (r"C:\tea", r"local C:\tea".to_owned()),
        ("file:///srv/a%20pot", "local /srv/a pot".to_owned()),
        ("https://example.org/tea.zip", "archive https://example.org/tea.zip".to_owned()),
        (
            "https://github.com/green/tea/archive/refs/tags/v1.tar.gz",
            "archive https://github.com/green/tea/archive/refs/tags/v1.tar.gz".to_owned(),
        ),
        ("https://example.org/brew/SKILL.md", "skill https://example.org/brew/SKILL.md".to_owned()),
        ("https://example.org/marketplace.json", "marketplace https://example.org/marketplace.json".to_owned()),
        ("https://example.org", "site https://example.org".to_owned()),
        ("https://example.org/docs/", "site https://example.org/docs".to_owned()),
        ("https://example.org/docs/.well-known/agent-skills/index.json", "site https://example.org/docs".to_owned()),
    ] {
        assert_eq!(line(written), read, "{written}");
    }
}

#[test]
fn what_would_start_a_program_show_a_password_or_lead_out_is_refused() {
    let option = SourceError::Option;
    let transport = |name: &str| SourceError::Transport(name.to_owned());
    for (written, refused) in [
        ("", SourceError::Empty),
        ("  ", SourceError::Empty),
        ("--upload-pack=touch /tmp/x", option("--upload-pack=touch /tmp/x".to_owned())),
        ("ext::sh -c touch%", SourceError::Unknown("ext::sh -c touch%".to_owned())),
        ("ext::sh", transport("ext")),
        ("fd::17", transport("fd")),
        ("ftp://example.org/tea.git", transport("ftp")),
        ("git://example.org/tea.git", SourceError::NotEncrypted("git://example.org/tea.git".to_owned())),
        ("http://example.org/tea.git", SourceError::NotEncrypted("http://example.org/tea.git".to_owned())),
        ("https://me:secret@example.org/tea.git", SourceError::Password),
        ("https://ghp_0123456789@github.com/green/tea", SourceError::Password),
        ("ssh://git:secret@example.org/tea.git", SourceError::Password),
        ("ssh://-oProxyCommand=touch/tea.git", SourceError::Unknown("ssh://-oProxyCommand=touch/tea.git".to_owned())),
        ("ssh://git@example.org/-tea", SourceError::Unknown("ssh://git@example.org/-tea".to_owned())),
        ("git@-oProxyCommand=touch:tea", SourceError::Unknown("git@-oProxyCommand=touch:tea".to_owned())),
        ("-x@example.org:tea", option("-x@example.org:tea".to_owned())),
        ("green/tea/../../etc", SourceError::LeadsOut("../../etc".to_owned())),
        ("green/tea/%2e%2e/etc", SourceError::LeadsOut("../etc".to_owned())),
        (r"green/tea/a\..\..\b", SourceError::LeadsOut("a/../../b".to_owned())),
        ("green/tea#--output=x", SourceError::Reference("--output=x".to_owned())),
        ("green/tea#a..b", SourceError::Reference("a..b".to_owned())),
        ("green/tea#main%0Ax", SourceError::Reference("main\\nx".to_owned())),
        ("https://github.com/green/tea/issues/7", SourceError::OtherPage("green/tea".to_owned())),
        ("//server/share/tea", SourceError::Unknown("//server/share/tea".to_owned())),
        (r"\\server\share", SourceError::Unknown(r"\\server\share".to_owned())),
        ("file://server/share", SourceError::Unknown("file://server/share".to_owned())),
        ("tea", SourceError::Unknown("tea".to_owned())),
        ("../tea\u{0}", SourceError::Unknown("../tea\\0".to_owned())),
        ("green tea/pot", SourceError::Unknown("green tea/pot".to_owned())),
        ("-green/tea", option("-green/tea".to_owned())),
        ("green/..", SourceError::Unknown("green/..".to_owned())),
    ] {
        assert_eq!(Source::read(written), Err(refused), "{written}");
    }
}

#[test]
fn a_branch_with_a_slash_in_a_copied_address_has_other_readings() {
    let source = Source::read("https://github.com/green/tea/tree/feature/pot/skills").unwrap();
    let readings: Vec<_> = source.readings().into_iter().map(|it| (it.follows.unwrap(), it.inside)).collect();
    let expected = [("feature", "pot/skills"), ("feature/pot", "skills"), ("feature/pot/skills", "")];
    assert_eq!(readings, expected.map(|(follows, inside)| (follows.to_owned(), inside.to_owned())));
    // What is written behind a `#` is certain, and so is a commit.
    for certain in ["green/tea/pot/skills#feature", "https://codeberg.org/green/tea/src/commit/0123abc/skills"] {
        assert_eq!(Source::read(certain).unwrap().readings().len(), 1, "{certain}");
    }
}

#[test]
fn one_repository_is_known_however_its_address_is_written() {
    let repository = |written: &str| Source::read(written).unwrap().repository();
    let tea = repository("green/tea");
    assert!(tea.is_some());
    for same in [
        "Green/Tea",
        "git@github.com:green/tea.git",
        "ssh://git@github.com/green/tea",
        "ssh://git@github.com:22/green/tea.git",
        "https://github.com/green/tea/tree/main/x",
    ] {
        assert_eq!(repository(same), tea, "{same}");
    }
    for other in ["green/tea2", "gitlab:green/tea", "https://example.org:8443/green/tea.git"] {
        assert_ne!(repository(other), tea, "{other}");
    }
    // Elsewhere upper and lower case may be two repositories.
    assert_ne!(repository("git@example.org:Tea"), repository("git@example.org:tea"));
    assert_eq!(repository("https://example.org"), None);
}

proptest! {
    /// Whatever is pasted: an answer, and never an address that is an option, a path that leads out, or a password.
    #[test]
    fn whatever_is_written_is_read_without_harm(written in "(-|~|\\.|[a-z]{1,4}://|git@|[a-z]+/)?[-a-zA-Z0-9@:/%#.?=&\\\\ ~_]{0,40}") {
        let Ok(source) = Source::read(&written) else { return Ok(()) };
        prop_assert!(!source.inside.split('/').any(|part| part == ".."), "{source:?}");
        prop_assert!(!source.follows.iter().any(|name| name.starts_with('-')), "{source:?}");
        if let Origin::Git(address) = &source.origin {
            prop_assert!(!address.starts_with('-') && !address.contains("::"), "{source:?}");
            let user = address.split_once("://").and_then(|(_, rest)| rest.split('/').next()?.split_once('@'));
            prop_assert!(!user.is_some_and(|(user, _)| user.contains(':')), "{source:?}");
        }
        // What is shown of it reads as the same origin again.
        if let Origin::Git(_) = source.origin && !source.to_string().contains(' ') {
            prop_assert_eq!(Source::read(&source.to_string()).ok().and_then(|again| again.repository()).map(|it| it.host), source.repository().map(|it| it.host));
        }
    }
}
