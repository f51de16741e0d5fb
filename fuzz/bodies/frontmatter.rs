//! Any text as a frontmatter: the same checks as for a SKILL.md, and its keys survive a round trip through JSON.

use crate::document;

pub(crate) fn run(bytes: &[u8]) {
    let file = [b"---\n", bytes, b"\n---\nBoil water.\n"].concat();
    document::run(&file);

    let skill = skills::read("tea", &file);
    let json = serde_json::to_string(&skill.frontmatter()).expect("a frontmatter is JSON");
    let back: serde_json::Map<_, _> = serde_json::from_str(&json).expect("what was written is read");
    // Keys only: numbers of high precision may be read back as a neighbouring value.
    assert!(back.keys().eq(skill.frontmatter().keys()), "{json}");
    for server in &skill.servers {
        let filled = |_: &str| Some("x".to_owned());
        for way in &server.ways {
            // `launch` returns an error and never panics.
            match skills::launch(server, way, &filled) {
                Ok(skills::Start::Program(launch)) => assert!(!launch.argv.is_empty()),
                Ok(skills::Start::Address(remote)) => assert!(remote.url.contains("://")),
                Ok(skills::Start::Container(container)) => assert!(!container.image.starts_with('-')),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    for suggestion in skills::suggestions(&skill).into_iter().chain(skills::suggestions_of_codex(bytes)) {
        assert!(suggestion.server.is_some() || suggestion.variable.is_some());
    }
    if let Some(renamed) = skills::rename(&file, "coffee") {
        assert_eq!(skills::read("coffee", &renamed).name, "coffee");
    }
}
