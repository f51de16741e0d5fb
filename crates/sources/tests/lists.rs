//! The lists in which others offer skills: marketplaces of plugins, and the index of a site.

use proptest::prelude::*;
use sources::{
    Source,
    marketplace::Marketplace,
    well_known::{self, Part, SCHEMA},
};

#[test]
fn a_plugin_elsewhere_is_a_source_pinned_to_its_commit() {
    let sha = "0123456789012345678901234567890123456789";
    let list = format!(
        r#"{{"name": "teas", "metadata": {{"pluginRoot": "./plugins"}}, "plugins": [
            {{"name": "here", "source": "./here", "skills": ["./skills/brew"]}},
            {{"name": "github", "description": "Green.", "source": {{"source": "github", "repo": "green/tea", "ref": "v1", "sha": "{sha}"}}}},
            {{"name": "url", "source": {{"source": "url", "url": "https://git.example.org/a/tea.git", "sha": "{sha}"}}}},
            {{"name": "subdir", "source": {{"source": "git-subdir", "url": "https://git.example.org/a/tea.git", "path": "./plugins/brew", "sha": "{sha}"}}}},
            {{"name": "short", "source": {{"source": "git-subdir", "url": "green/tea", "path": "brew", "ref": "v1"}}}},
            {{"name": "gitlab", "source": {{"source": "git-subdir", "url": "https://gitlab.com/herbs/tea.git", "path": "brew", "sha": "{sha}"}}}},
            {{"name": "ssh", "source": {{"source": "url", "url": "git@example.org:a/tea.git"}}}}
        ]}}"#
    );
    let read = Marketplace::read(&list).unwrap();
    assert_eq!(read.beside, 1);
    let found: Vec<_> =
        read.elsewhere.iter().map(|plugin| (plugin.name.as_str(), plugin.source.clone().unwrap())).collect();
    let expected = [
        ("github", format!("green/tea#{sha}")),
        ("url", format!("https://git.example.org/a/tea.git#{sha}")),
        ("subdir", format!("https://git.example.org/a/tea.git/plugins/brew#{sha}")),
        ("short", "green/tea/brew#v1".to_owned()),
        ("gitlab", format!("https://gitlab.com/herbs/tea.git/brew#{sha}")),
        ("ssh", "git@example.org:a/tea.git".to_owned()),
    ];
    assert_eq!(found, expected);
    for (_, source) in found {
        assert!(Source::read(&source).unwrap().repository().is_some(), "{source}");
    }
}

#[test]
fn a_plugin_that_is_no_source_says_why_and_hides_no_other() {
    for (source, why) in [
        (r#"{"source": "npm", "package": "tea"}"#, "It is a package of a registry, which is not fetched."),
        (r#"{"source": "ftp"}"#, "which is not known"),
        (r#"{"repo": "green/tea"}"#, "does not say of which kind"),
        (r#"{"source": "github"}"#, "names no repository"),
        ("7", "Its source is none."),
        (r#"{"source": "url", "url": "ext::sh -c touch"}"#, "is no source"),
        (r#"{"source": "url", "url": "--upload-pack=x"}"#, "begins with a hyphen"),
        (r#"{"source": "url", "url": "/etc"}"#, "is no git repository"),
        (r#"{"source": "url", "url": "http://example.org/a.git"}"#, "is not encrypted"),
        (r#"{"source": "url", "url": "https://a:b@example.org/a.git"}"#, "password"),
        (r#"{"source": "github", "repo": "green/tea", "sha": "--output=x"}"#, "is no name of a branch"),
        (r#"{"source": "git-subdir", "url": "green/tea", "path": "../../etc"}"#, "leads out"),
        (r#"{"source": "git-subdir", "url": "git@example.org:tea.git", "path": "x"}"#, "cannot be written"),
    ] {
        let list = format!(
            r#"{{"plugins": [{{"name": "odd", "source": {source}}}, {{"name": "good", "source": {{"source": "github", "repo": "a/b"}}}}]}}"#
        );
        let [odd, good] = &Marketplace::read(&list).unwrap().elsewhere[..] else { panic!("{source}") };
        let said = odd.source.clone().unwrap_err();
        assert!(said.contains(why) && said.ends_with('.'), "{source}: {said}");
        assert_eq!(good.source.as_deref(), Ok("a/b"));
    }
    assert!(Marketplace::read("[]").is_err() && Marketplace::read("{").is_err());
}

#[test]
fn an_index_of_either_draft_says_what_is_fetched_for_each_skill() {
    let at = "https://example.org/docs/.well-known/agent-skills/index.json";
    let digest = "a".repeat(64);
    let index = format!(
        r#"{{"$schema": "{SCHEMA}", "skills": [
            {{"name": "tea", "type": "skill-md", "description": "x", "url": "tea/SKILL.md", "digest": "sha256:{digest}"}},
            {{"name": "ale", "type": "archive", "description": "x", "url": "/files/ale.tar.gz", "digest": "sha256:{digest}"}},
            {{"name": "old", "type": "archive", "description": "x", "url": "x", "digest": "sha256:ABC"}},
            {{"name": "../up", "type": "archive", "description": "x", "url": "x", "digest": "sha256:{digest}"}},
            {{"name": "odd", "type": "exe", "description": "x", "url": "x", "digest": "sha256:{digest}"}}
        ]}}"#
    );
    let read = well_known::read(&index, at).unwrap();
    let part = |address: &str, path: Option<&str>, sha256| Part {
        address: address.to_owned(),
        path: path.map(str::to_owned),
        sha256,
    };
    let tea =
        part("https://example.org/docs/.well-known/agent-skills/tea/SKILL.md", Some("SKILL.md"), Some(digest.clone()));
    assert_eq!(read[0].parts, Ok(vec![tea]));
    assert_eq!(read[1].parts, Ok(vec![part("https://example.org/files/ale.tar.gz", None, Some(digest.clone()))]));
    for (at, why) in [(2, "Its digest is none"), (3, "Its name is none"), (4, "is not known")] {
        assert!(read[at].parts.clone().unwrap_err().contains(why), "{at}");
    }
    let at = "https://example.org/.well-known/skills/index.json";
    let older = r#"{"skills": [{"name": "tea", "description": "x", "files": ["SKILL.md", "a/b.md"]}, {"name": "up", "files": ["../x"]}]}"#;
    let read = well_known::read(older, at).unwrap();
    let base = "https://example.org/.well-known/skills/tea";
    let parts = [("SKILL.md", "SKILL.md"), ("a/b.md", "a/b.md")];
    assert_eq!(read[0].parts, Ok(parts.map(|(file, path)| part(&format!("{base}/{file}"), Some(path), None)).to_vec()));
    assert!(read[1].parts.is_err());
    assert!(well_known::read(r#"{"$schema": "https://example.org/9", "skills": []}"#, at).is_err());
}

#[test]
fn what_is_written_as_an_index_is_read_again() {
    let digest = format!("sha256:{}", "b".repeat(64));
    let entry = well_known::Entry {
        name: "tea".to_owned(),
        kind: "archive".to_owned(),
        description: "Makes \"tea\".".to_owned(),
        url: "tea.tar.gz".to_owned(),
        digest,
    };
    let text = well_known::written(&[entry]);
    let read = well_known::read(&text, "https://example.org/.well-known/agent-skills/index.json").unwrap();
    assert_eq!(read[0].parts.as_ref().unwrap()[0].address, "https://example.org/.well-known/agent-skills/tea.tar.gz");
}

proptest! {
    #[test]
    fn any_text_is_a_list_or_a_sentence(text in "\\PC{0,80}") {
        drop(Marketplace::read(&text));
        drop(well_known::read(&text, "https://example.org/.well-known/skills/index.json"));
    }
}
