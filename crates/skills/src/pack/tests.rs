use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use super::*;

const TEA: &str = "---\n# the skill\nname: 'tea'  # short\nversion: 1.2.0\ndescription: >-\n  Makes tea.\n  \
    Use when tea is wanted.\nhooks:\n  - run: it\n# about money\nlicense: MIT\nx-personal-mcp:\n  id: tea\n  \
    version: 1.0.0\n  capabilities:\n    - resource://skills/tea/document\nuser-invocable: true\n---\n\n# Tea  \r\n\
    It's tea.\n";

fn projected(file: &str) -> String {
    let bytes = project("tea", file.as_bytes(), PackOptions::default()).unwrap_or_else(|refused| panic!("{refused}"));
    String::from_utf8(bytes).unwrap()
}

fn frontmatter(text: &str) -> String {
    format!("---\nname: tea\ndescription: Makes tea. Use when tea is wanted.\n{text}---\nBody\n")
}

fn refused(id: &str, file: &str) -> Vec<String> {
    project(id, file.as_bytes(), PackOptions::default()).unwrap_err().0
}

#[test]
fn standard_keys_stay_as_they_are_written_and_our_block_travels_as_json() {
    let expected = "---\n# the skill\nname: 'tea'  # short\ndescription: >-\n  Makes tea.\n  \
        Use when tea is wanted.\n# about money\nlicense: MIT\nmetadata:\n  x-personal-mcp: \
        '{\"id\":\"tea\",\"version\":\"1.0.0\",\"capabilities\":[\"resource://skills/tea/document\"]}'\n---\n\n\
        # Tea  \r\nIt's tea.\n";
    assert_eq!(projected(TEA), expected);
    assert_eq!(projected(expected), expected, "what travelled can travel on");
}

#[test]
fn claude_codes_own_keys_can_stay() {
    let options = PackOptions { keep_claude_code: true, ..PackOptions::default() };
    let text = String::from_utf8(project("tea", TEA.as_bytes(), options).unwrap()).unwrap();
    assert!(text.contains("hooks:\n  - run: it\n# about money\n"), "{text}");
    assert!(text.contains("user-invocable: true\n") && !text.contains("version: 1.2.0"), "{text}");
}

#[test]
fn metadata_takes_our_blocks_however_it_is_written() {
    let block = "requires-mcp-servers: [{name: fs, purpose: it's}]\n";
    let json = "requires-mcp-servers: '[{\"name\":\"fs\",\"purpose\":\"it''s\"}]'";
    for (metadata, expected) in [
        ("metadata:\n    author: Ada # she\n", format!("metadata:\n    {json}\n    author: Ada # she\n")),
        ("metadata: {author: Ada}\n", format!("metadata: {{{json}, author: Ada}}\n")),
        ("metadata: {}\n", format!("metadata: {{{json}}}\n")),
        ("metadata:\nlicense: MIT\n", format!("license: MIT\nmetadata:\n  {json}\n")),
        ("metadata: ~ # nothing\n", format!("metadata:\n  {json}\n")),
        ("", format!("metadata:\n  {json}\n")),
        ("metadata:\n  requires-mcp-servers: old\n  author: Ada\n", format!("metadata:\n  {json}\n  author: Ada\n")),
    ] {
        assert_eq!(projected(&frontmatter(&format!("{block}{metadata}"))), frontmatter(&expected));
        assert_eq!(projected(&frontmatter(&format!("{metadata}{block}"))), frontmatter(&expected));
    }
}

#[test]
fn every_kind_of_value_goes_whole() {
    for entry in [
        "odd: x\n",
        "odd:\n",
        "odd: # comment\n",
        "odd: |\n  a\n\n  b\n",
        "odd: >+\n  a\n\n",
        "odd:\n- a\n- b\n",
        "odd:\n  a:\n    b: [c,\n     d]\n",
        "odd: \"a\n  b\"\n",
        "odd: {a: b,\n  c: d}\n",
        "\"odd\": x\n",
        "odd: &a x\n",
        "odd: ''\n",
        "? odd\n: x\n",
    ] {
        for file in [frontmatter(entry), frontmatter(&format!("{entry}license: MIT\n"))] {
            let skill = read("tea", projected(&file).as_bytes());
            assert_eq!(skill.problems, [], "{file}");
            assert!(!skill.frontmatter().contains_key("odd"), "{file}");
            assert_eq!(skill.frontmatter().contains_key("license"), file.contains("license"), "{file}");
        }
    }
}

#[test]
fn where_splices_do_not_do_the_frontmatter_is_written_anew() {
    let braces = "---\n{name: tea, description: Makes tea. Use for tea., odd: x}\n---\nBody\n";
    let expected = "---\n\"name\": \"tea\"\n\"description\": \"Makes tea. Use for tea.\"\n---\nBody\n";
    assert_eq!(projected(braces), expected);
    let repeated = "---\nodd: &it MIT\nname: tea\ndescription: Makes tea. Use for tea.\nlicense: *it\n---\nBody\n";
    let after = projected(repeated);
    assert!(after.ends_with("\"license\": \"MIT\"\n---\nBody\n"), "{after}");
}

#[test]
fn line_ends_stay_what_they_are() {
    let file = TEA.replace("\r\n", "\n").replace('\n', "\r\n");
    let after = projected(&file);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    assert_eq!(read("tea", after.as_bytes()).problems, []);
}

#[test]
fn what_an_upload_refuses_is_refused_with_every_reason() {
    let with = |name: &str, description: &str| format!("---\nname: {name}\ndescription: {description}\n---\n");
    let one = |id: &str, file: &str, said: &str| {
        let reasons = refused(id, file);
        assert!(reasons.len() == 1 && reasons[0].contains(said), "{file}: {reasons:?}");
    };
    one("my-claude", &with("my-claude", "Makes tea."), "reserved word `claude`");
    one("Tea", &with("Tea", "Makes tea."), "a-z, 0-9 and single hyphens");
    one(&"a".repeat(65), &with(&"a".repeat(65), "Makes tea."), "65 characters");
    one("tea", &with("tea", &"a".repeat(1025)), "1025 characters");
    one("tea", &with("tea", "Makes <b>tea</b>."), "XML tag");
    one("tea", &with("tea", "Use when: tea"), "colon");
    one("tea", "# Tea\n", "no frontmatter");
    assert_eq!(refused("tea", &with("My-claude", "\"\"")).len(), 3);
    assert!(project("folder", with("tea", "Makes tea.").as_bytes(), PackOptions::default()).is_ok());
    let full = TEA.replace("license: MIT", "metadata: none");
    assert!(project("tea", full.as_bytes(), PackOptions::default()).is_err());
}

fn files() -> Vec<PackFile> {
    let file = |path: &str, text: &str, executable| PackFile {
        path: SkillPath::new(path).unwrap(),
        bytes: text.into(),
        executable,
    };
    vec![
        file("scripts/boil.sh", "#!/bin/sh\n", true),
        file("SKILL.md", &format!("{TEA}[how](references/é.md), `scripts/boil.sh`"), false),
        file("references/é.md", "# É\n", false),
    ]
}

#[test]
fn a_zip_file_depends_on_nothing_but_what_is_in_it() {
    let packed = pack("tea", &files(), &[], PackOptions::default()).unwrap();
    let mut turned = files();
    turned.reverse();
    assert_eq!(pack("tea", &turned, &[], PackOptions::default()).unwrap(), packed);
    assert_eq!(packed.dropped, ["version", "hooks", "user-invocable"]);
    assert_eq!(packed.moved, ["x-personal-mcp"]);

    let mut zip = ZipArchive::new(Cursor::new(packed.bytes)).unwrap();
    zip.validate_header_consistency().unwrap();
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        entries.push((entry.name().unwrap().into_owned(), entry.unix_mode().unwrap() & 0o777, bytes.len()));
        assert_eq!(entry.last_modified().unwrap().to_string(), "1980-01-01 00:00:00");
    }
    let skill_md = project("tea", &files()[1].bytes, PackOptions::default()).unwrap().len();
    let expected =
        [("tea/SKILL.md", 0o644, skill_md), ("tea/references/é.md", 0o644, 5), ("tea/scripts/boil.sh", 0o755, 10)];
    assert_eq!(entries, expected.map(|(path, mode, length)| (path.to_owned(), mode, length)));
}

#[test]
fn a_flat_zip_file_has_skill_md_at_its_top() {
    let flat = pack("tea", &files(), &[], PackOptions { flat: true, ..PackOptions::default() }).unwrap();
    let zip = ZipArchive::new(Cursor::new(flat.bytes)).unwrap();
    let names: Vec<_> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, ["SKILL.md", "references/é.md", "scripts/boil.sh"]);
}

#[test]
fn a_credential_or_too_many_bytes_stay_at_home() {
    let mut secret = files();
    // Assembled here, so that no scanner reports this file as a leak.
    secret[1].bytes.extend(["\nToken: ghp", "_k7Qz2mX9vLr4TnB8wYc1PdH6sJf3GaE5uRoI\n"].concat().bytes());
    let reasons = pack("tea", &secret, &[], PackOptions::default()).unwrap_err().0;
    assert!(reasons.len() == 1 && reasons[0].starts_with("Line "), "{reasons:?}");
    let mut large = files();
    large[0].bytes = vec![0; MOST_BYTES];
    assert!(pack("tea", &large, &[], PackOptions::default()).unwrap_err().0[0].contains("an upload accepts 30000000"));
    assert!(pack("tea", &files()[..1], &[], PackOptions::default()).is_err());
}
