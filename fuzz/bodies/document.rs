//! Any bytes as a SKILL.md: `read`, `examine`, the verdicts and the fixes never fail, every place is in the file, and
//! a fixed file needs no more fixes.

use skills::{Problem, SkillPath};
use text::Lines;

pub(crate) fn run(bytes: &[u8]) {
    let skill = skills::read("tea", bytes);
    assert!(skill.body.start <= skill.body.end && skill.body.end <= bytes.len());
    assert_eq!(skill, skills::read("tea", bytes), "reading is the same each time");
    assert_problems(&skill.problems, bytes);
    let mut no_text = |_: &SkillPath| None;
    assert_problems(&skills::examine(&skill, bytes, &[], &mut no_text), bytes);
    for verdict in skills::verdicts("tea", bytes) {
        assert!(!verdict.client.is_empty());
    }

    let fixed = skills::fix_all("tea", bytes, &[]);
    let again = skills::fix_all("tea", &fixed.bytes, &[]);
    assert_eq!(again.bytes, fixed.bytes, "what was mended is mended again");
    assert!(again.applied.is_empty(), "{:?}", again.applied);
}

fn assert_problems(problems: &[Problem], bytes: &[u8]) {
    let lines = Lines::new(bytes);
    for problem in problems {
        assert!(problem.start <= problem.end && problem.end <= bytes.len(), "{problem:?}");
        assert_eq!(problem.place, lines.place(problem.start), "{problem:?}");
        assert!(skills::RULES.iter().any(|rule| rule.id == problem.rule), "{problem:?} has no rule");
        if let Some(fix) = &problem.fix {
            text::apply(bytes, &fix.splices).unwrap_or_else(|error| panic!("{error}: {problem:?}"));
        }
    }
}
