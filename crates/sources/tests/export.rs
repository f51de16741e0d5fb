//! Skills as other programs read them. The hashes are those that `skills` 1.7.4 computed of the same files.

use sources::{
    export::{Sourced, computed_hash, marketplace, skills_lock},
    marketplace::Marketplace,
    records,
    update::{FileBytes, FileSet},
};

fn files(paths: &[&str]) -> FileSet {
    let file =
        |path: &&str| ((*path).to_owned(), FileBytes { bytes: format!("{path}\n").into_bytes(), executable: false });
    paths.iter().map(file).collect()
}

const ODD: &[&str] = &[
    "SKILL.md",
    "a.md",
    "A.md",
    "a-b.md",
    "a_b.md",
    "ab.md",
    "a/b.md",
    "a b.md",
    "Z/1.txt",
    "z/10.txt",
    "z/2.txt",
    "scripts/run.sh",
    "skill.txt",
    "README",
    "a+b.md",
    "a(1).md",
    "a@2.md",
    "a~.md",
    "a$.md",
    "a#.md",
    "a,b.md",
    "a'b.md",
    "a[b].md",
    "a{b}.md",
    "a&b.md",
    "a%b.md",
    "a`b.md",
    "a^b.md",
    "a=b.md",
    "a;b.md",
    "a!b.md",
    ".hidden",
    "-x",
    "_x",
    "sub/metadata.json",
    "__pycache__/x.pyc",
    "sub/node_modules",
];

#[test]
fn the_hash_is_that_of_npx_skills() {
    assert_eq!(computed_hash(&files(ODD)).unwrap(), "cf0ecb45fbf8dafef36cd8cec3751892d4fa8732c11d9a654239b0574e694a85");
    assert_eq!(
        computed_hash(&files(&["SKILL.md", "scripts/run.sh"])).unwrap(),
        "e289e04cb575662e8d3de0ca4f3ec0660928e458633509da4afb460f0fc9d484"
    );
    assert_eq!(computed_hash(&files(&["SKILL.md", "\u{e9}.md"])), None, "its order hangs on the program's version");
}

#[test]
fn the_lock_says_of_each_skill_where_it_came_from_and_of_others_why_they_are_left_out() {
    let files = files(&["SKILL.md"]);
    let of = |name, address, follows, inside| Sourced { name, address, follows, inside, files: &files };
    let (lock, left_out) = skills_lock(&[
        of("tea", "https://github.com/green/tea.git", Some("v1"), "skills/tea"),
        of("ale", "https://git.example.org/a/ale.git", None, ""),
        of("gin", "https://gitlab.com/a/gin.git", None, "gin"),
        of("rum", "https://example.org/docs", None, "rum"),
        of("zip", "https://example.org/a.zip", None, "zip"),
        of("mine", "/srv/mine", None, "mine"),
    ]);
    let value: serde_json::Value = serde_json::from_str(&lock).unwrap();
    let hash = computed_hash(&files).unwrap();
    assert_eq!(
        value["skills"]["tea"],
        serde_json::json!({"source": "green/tea", "ref": "v1", "sourceType": "github", "skillPath": "skills/tea/SKILL.md", "computedHash": hash})
    );
    assert_eq!(value["skills"]["ale"]["sourceType"], "git");
    assert_eq!(value["skills"]["ale"]["sourceUrl"], "https://git.example.org/a/ale.git");
    assert_eq!(value["skills"]["gin"]["sourceType"], "gitlab");
    assert_eq!(value["skills"]["rum"]["source"], "example.org");
    let names: Vec<_> = value["skills"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["ale", "gin", "rum", "tea"]);
    assert_eq!(
        left_out,
        [
            "mine is left out. It came from this computer, which no other one has.",
            "zip is left out. `npx skills` locks no archive and no single file."
        ]
    );
    // What is written is what is read of that program.
    let read = records::skills_cli_project(&lock).unwrap();
    let tea = read.skills.iter().find(|record| record.name == "tea").unwrap();
    assert_eq!(
        (tea.source.as_str(), tea.inside.as_str(), tea.follows.as_deref()),
        ("green/tea", "skills/tea", Some("v1"))
    );
}

#[test]
fn a_marketplace_lists_a_plugin_for_each_skill_beside_it() {
    let text = marketplace("team", &[("tea", "Makes \"tea\"."), ("ale", "Ale.")]);
    let read = Marketplace::read(&text).unwrap();
    assert_eq!((read.beside, read.elsewhere.len()), (2, 0));
    assert!(text.contains(r#""./skills/tea""#), "{text}");
}
