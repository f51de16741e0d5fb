//! Any text as a URI and as a path: a parsed address prints unchanged, and no path leads out of a skill.

use std::{path::PathBuf, sync::Arc, sync::LazyLock};

use skills::{Address, Catalog, Entry, File, SkillPath, Target, address};

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let file =
        b"---\nname: tea\ndescription: Makes tea.\nx-personal-mcp:\n  id: tea\n  version: 1.0.0\n  references:\n    \
        guide:\n      path: references/guide.md\n---\n";
    let path = |path| SkillPath::new(path).expect("it stays inside");
    let files = ["SKILL.md", "references/a b.md", "references/guide.md"].map(|name| File {
        path: path(name),
        size: 1,
        modified: 0,
    });
    let entry = |place: &str| Entry {
        skill: Arc::new(skills::read("tea", file)),
        folder: "f1".to_owned(),
        path: place.to_owned(),
        location: PathBuf::from("/library").join(place),
        digest: String::new(),
        files: Arc::new(files.clone()),
        enabled: true,
        shadowed_by: None,
    };
    Catalog::new(vec![entry("tea"), entry("deep/er/tea")], &["f1".to_owned()])
});

pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(path) = SkillPath::new(&text) {
        assert_inside(&path);
    }
    if let Some(address) = Address::parse(&text) {
        assert_eq!(Address::parse(&address.to_string()), Some(address.clone()), "{text:?}");
        match address.resolve(&CATALOG) {
            Some(Target::File(entry, path)) => {
                assert!(entry.file(&path).is_some());
                assert_inside(&path);
                let (same, again) =
                    address::find_skill_file(&CATALOG, &address::skill_uri(entry, &path)).expect("it is there");
                assert_eq!((same.key(), again), (entry.key(), path));
            }
            Some(Target::DocsFile(entry, path)) => assert!(entry.file(&path).is_some()),
            Some(Target::Folder(_, Some(path))) => assert_inside(&path),
            _ => {}
        }
    }
}

fn assert_inside(path: &SkillPath) {
    for segment in path.as_str().split('/') {
        assert!(!matches!(segment, "" | "." | ".."), "{path}");
        assert!(!segment.contains(['\\', '\0', ':']), "{path}");
    }
}
