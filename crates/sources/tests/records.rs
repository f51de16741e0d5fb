//! What other programs recorded about the skills that they installed. The files in `recorded` are what the programs
//! wrote; those written here follow the formats' documents, because the programs need a network.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails at once")]

use std::{fs, path::Path};

use serde_json::json;
use sources::{
    Source,
    records::{self, Digest, Installer, Record, Records},
};

fn recorded(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(file)).unwrap()
}

/// The only skill of a file without anything odd.
fn only(records: Result<Records, records::NoRecords>) -> Record {
    let Records { mut skills, odd } = records.unwrap();
    assert_eq!((skills.len(), odd.len()), (1, 0), "{skills:?} {odd:?}");
    skills.remove(0)
}

#[test]
fn npx_skills_says_where_the_skills_of_a_project_came_from() {
    let brew = only(records::skills_cli_project(&recorded("skills-cli/skills-lock.json")));
    assert_eq!(brew.by.name(), "npx skills");
    assert_eq!((brew.name.as_str(), brew.source.as_str()), ("brew", "https://git.example.org/green/tea.git"));
    assert_eq!((brew.follows.as_deref(), brew.inside.as_str()), (Some("main"), "skills/brew"));
    let hash = "465535e4c39d84b3cdc84390f224c71e99de80084ac35091b201d9b00b80626b";
    assert_eq!(brew.digest, Some(Digest::PathsAndBytes(hash.to_owned())));
    assert_eq!(brew.version_shown(), Some("main"));
    assert!(Source::read(&brew.source).unwrap().repository().is_some());

    let local = only(records::skills_cli_project(&recorded("skills-cli/local.skills-lock.json")));
    assert_eq!((local.source.as_str(), local.follows, local.inside.as_str()), ("/home/ann/tea", None, ""));
}

#[test]
fn npx_skills_says_where_the_skills_of_the_user_came_from() {
    let tree = "0123456789abcdef0123456789abcdef01234567";
    let file = json!({ "version": 3, "dismissed": {}, "skills": {
        "brew": { "source": "green/tea", "sourceType": "github", "sourceUrl": "https://github.com/green/tea.git", "ref": "v2",
                  "skillPath": "skills/brew/SKILL.md", "skillFolderHash": tree, "pluginName": "tea",
                  "installedAt": "2026-10-01T08:00:00.000Z", "updatedAt": "2026-10-01T08:00:00.000Z" },
        "pour": { "source": "green/pot", "sourceType": "github", "skillPath": "SKILL.md", "skillFolderHash": "" },
        "cold": { "sourceType": "github" },
        "warm": 7,
    }});
    let Records { skills, odd } = records::skills_cli_global(&file.to_string()).unwrap();
    assert_eq!(skills[0].digest, Some(Digest::GitTree(tree.to_owned())));
    assert_eq!(
        (skills[0].source.as_str(), skills[0].inside.as_str()),
        ("https://github.com/green/tea.git", "skills/brew")
    );
    assert_eq!((skills[1].source.as_str(), skills[1].inside.as_str(), &skills[1].digest), ("green/pot", "", &None));
    assert_eq!(
        odd,
        [".skill-lock.json does not say where cold came from.", ".skill-lock.json does not say where warm came from."]
    );
}

#[test]
fn gh_skill_says_it_in_the_frontmatter() {
    let metadata = json!({ "author": "ann", "github-repo": "https://github.com/green/tea", "github-ref": "refs/tags/v2",
        "github-tree-sha": "0123456789abcdef0123456789abcdef01234567", "github-path": "skills/brew" });
    let brew = records::github_cli("brew", metadata.as_object().unwrap()).unwrap();
    assert_eq!(
        (brew.by, brew.follows.as_deref(), brew.inside.as_str()),
        (Installer::GitHubCli, Some("v2"), "skills/brew")
    );
    assert!(records::GITHUB_CLI_KEYS.contains(&"github-tree-sha"));
    let local = json!({ "local-path": "/home/ann/tea" });
    assert_eq!(records::github_cli("brew", local.as_object().unwrap()).unwrap().source, "/home/ann/tea");
    assert_eq!(records::github_cli("brew", json!({ "author": "ann" }).as_object().unwrap()), None);
}

#[test]
fn apm_says_which_files_it_put_where() {
    let brew = only(records::apm(&recorded("apm/apm.lock.yaml")));
    assert_eq!((brew.name.as_str(), brew.source.as_str(), &brew.version), ("brew", "../tea/skills/brew", &None));
    let files = [".claude/skills/brew", ".claude/skills/brew/Run.sh", ".claude/skills/brew/SKILL.md"];
    assert_eq!(brew.files, files);
    // The same bytes under the name of their method: it computes what `npx skills` computes.
    let hash = "465535e4c39d84b3cdc84390f224c71e99de80084ac35091b201d9b00b80626b";
    assert_eq!(brew.digest, Some(Digest::PathsAndBytes(hash.to_owned())));
}

#[test]
fn one_dependency_of_apm_may_bring_several_skills() {
    let file = "lockfile_version: '1'\ndependencies:\n- repo_url: green/tea\n  host: git.example.org\n  resolved_ref: v2\n  \
                resolved_commit: 0123456789abcdef0123456789abcdef01234567\n  virtual_path: skills\n  deployed_files:\n  \
                - .github/skills/pour/\n  - .claude/skills/brew/SKILL.md\n  - .claude/commands/tea.md\n- repo_url: green/rules\n- 7\n";
    let Records { skills, odd } = records::apm(file).unwrap();
    let names: Vec<_> = skills.iter().map(|skill| (skill.name.as_str(), skill.files.len())).collect();
    assert_eq!(names, [("brew", 1), ("pour", 1)]);
    assert_eq!(skills[0].source, "https://git.example.org/green/tea");
    assert_eq!(skills[0].version_shown(), Some("0123456789ab"));
    assert_eq!(odd, ["apm.lock.yaml has a dependency that is no mapping."]);
}

#[test]
fn toolhive_sx_and_claude_codes_plugins_say_it_each_in_its_way() {
    let toolhive = "skills:\n- name: brew\n  version: 1.2.0\n  source: ghcr.io/green/brew\n  contentDigest: sha256:01\n- version: 1\n";
    let Records { skills, odd } = records::toolhive(toolhive).unwrap();
    assert_eq!((skills[0].source.as_str(), skills[0].version_shown()), ("ghcr.io/green/brew", Some("1.2.0")));
    assert_eq!(skills[0].digest, Some(Digest::Named("sha256:01".to_owned())));
    assert_eq!(odd, ["toolhive.lock.yaml has a skill without a name."]);

    let commit = "0123456789abcdef0123456789abcdef01234567";
    let sx = format!(
        "[[assets]]\nname = \"brew\"\nversion = \"2\"\ntype = \"skill\"\n[assets.source-git]\nurl = \"https://github.com/green/tea\"\n\
         ref = \"{commit}\"\nsubdirectory = \"skills/brew\"\n[[assets]]\nname = \"pour\"\ntype = \"skill\"\n[assets.source-http]\n\
         url = \"https://example.org/pour.zip\"\nhashes = {{ sha256 = \"02\" }}\n[[assets]]\nname = \"ask\"\ntype = \"agent\"\n"
    );
    let skills = records::sx(&sx).unwrap().skills;
    assert_eq!(skills.len(), 2, "an agent is no skill");
    assert_eq!((skills[0].commit.as_deref(), skills[0].inside.as_str()), (Some(commit), "skills/brew"));
    assert_eq!(skills[1].digest, Some(Digest::Named("sha256:02".to_owned())));

    let plugin = json!({ "scope": "user", "installPath": "/home/ann/.claude/plugins/cache/herbs/tea/1.0.0", "version": "1.0.0",
        "gitCommitSha": commit });
    let marketplaces =
        json!({ "herbs": { "source": { "source": "github", "repo": "green/herbs" }, "installLocation": "/x" }});
    for (version, entry) in [(1, plugin.clone()), (2, json!([plugin, { "scope": "project" }]))] {
        let installed = json!({ "version": version, "plugins": { "tea@herbs": entry }}).to_string();
        let plugins = records::claude_plugins(&installed, &marketplaces.to_string()).unwrap();
        assert_eq!(plugins.len(), 1);
        assert_eq!(
            (plugins[0].record.source.as_str(), plugins[0].record.version_shown()),
            ("green/herbs", Some("1.0.0"))
        );
        assert_eq!(records::claude_plugins(&installed, "").unwrap()[0].record.source, "herbs");
    }
}

#[test]
fn codexs_plugins_say_it_by_their_folders_and_the_marketplaces_in_its_settings() {
    let config = "model = \"x\"\n[marketplaces.herbs]\nsource_type = \"git\"\nsource = \"https://github.com/green/herbs.git\"\n\
                  ref = \"main\"\nlast_revision = \"0123456789abcdef0123456789abcdef01234567\"\n[plugins.\"tea@herbs\"]\nenabled = true\n";
    let folders = [
        "/home/ann/.codex/plugins/cache/herbs/tea/1.0.0",
        r"C:\Users\ann\.codex\plugins\cache\herbs\tea\1.0.0",
        "/home/ann/.codex/plugins/cache/debug/ale/local",
    ];
    let plugins = records::codex_plugins(config, folders.map(str::to_owned).to_vec());
    for tea in &plugins[..2] {
        assert_eq!((tea.record.name.as_str(), tea.record.version_shown()), ("tea@herbs", Some("1.0.0")));
        assert_eq!(tea.record.source, "https://github.com/green/herbs.git");
        assert_eq!((tea.record.follows.as_deref(), &tea.record.commit), (Some("main"), &None));
    }
    assert_eq!((plugins[2].record.source.as_str(), plugins[2].record.version_shown()), ("debug", None));
    // The settings of a program are often broken; its plugins are there all the same.
    assert_eq!(records::codex_plugins("[", vec![folders[0].to_owned()])[0].record.source, "herbs");
    assert_eq!(records::codex_plugins("", vec!["tea".to_owned()]), []);
}

#[test]
fn gemini_clis_extensions_say_it_in_their_folders() {
    let folder = "/home/ann/.gemini/extensions/tea";
    let manifest = json!({ "name": "tea", "version": "1.2.0" }).to_string();
    let read = |fields: serde_json::Value| records::gemini_extension(folder, &fields.to_string(), &manifest).unwrap();
    let git = read(json!({ "source": "https://github.com/green/tea", "type": "git", "ref": "v1" }));
    assert_eq!((git.folder.as_str(), git.record.by.name()), (folder, "an extension of Gemini CLI"));
    assert_eq!((git.record.follows.as_deref(), git.record.version_shown()), (Some("v1"), Some("1.2.0")));
    let commit = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(
        read(json!({ "source": "https://github.com/green/tea", "ref": commit })).record.commit.as_deref(),
        Some(commit)
    );
    let release = json!({ "source": "https://github.com/green/tea", "type": "github-release", "releaseTag": "v2" });
    assert_eq!(read(release).record.follows.as_deref(), Some("v2"));
    // Its skills are where they were written.
    assert_eq!(read(json!({ "source": "/home/ann/tea", "type": "link" })).folder, "/home/ann/tea");
    for odd in ["", "[]", "{}", r#"{"source": 7}"#] {
        let why = records::gemini_extension(folder, odd, "").unwrap_err().to_string();
        assert!(why.starts_with(".gemini-extension-install.json cannot be read: "), "{why}");
    }
}

#[test]
fn a_file_that_is_something_else_is_told_in_a_sentence() {
    type Read = fn(&str) -> Result<Records, records::NoRecords>;
    let readers: [(&str, Read); 5] = [
        ("skills-lock.json", records::skills_cli_project),
        (".skill-lock.json", records::skills_cli_global),
        ("apm.lock.yaml", records::apm),
        ("toolhive.lock.yaml", records::toolhive),
        ("sx.lock", records::sx),
    ];
    for (file, read) in readers {
        for odd in ["", "[]", "{", "\u{0}", "a: [", "= 1", "7"] {
            let why = read(odd).unwrap_err().to_string();
            assert!(why.starts_with(&format!("{file} cannot be read: ")) && why.ends_with('.'), "{why}");
        }
    }
}
