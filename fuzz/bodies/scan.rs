//! Any bytes as a file of a skill: `scan` and `carried` never fail, and every place is in the file.

use skills::{File, SkillPath};
use text::Lines;

pub(crate) fn run(bytes: &[u8]) {
    let path =
        ["SKILL.md", "guide.md", "run.sh", "run.py", "notes.txt"][bytes.first().map_or(0, |byte| *byte as usize % 5)];
    let path = SkillPath::new(path).expect("it stays inside");
    let findings = skills::scan([(&path, bytes)].into_iter());
    let lines = Lines::new(bytes).count();
    for finding in &findings {
        assert_eq!(finding.path, path);
        // UTF-16 has its own line numbers; for other bytes the place is in the file.
        let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        assert!(wide || finding.place.line as usize <= lines, "{finding:?}");
    }
    assert!(findings.is_sorted_by_key(|finding| finding.place));

    let text = String::from_utf8_lossy(bytes);
    for hidden in skills::invisible(&text) {
        assert!(text.get(hidden.range.clone()).is_some_and(|hidden| !hidden.is_empty()), "{hidden:?}");
    }
    let skill = skills::read("tea", bytes);
    let file = File { path: path.clone(), size: bytes.len() as u64, modified: 0 };
    let carried = skills::carried(&skill, &[file], [(&path, bytes)].into_iter());
    assert_eq!((carried.files, carried.size), (1, bytes.len() as u64));
}
