//! An update meets what the person changed.

use proptest::prelude::*;
use sources::merge::{self, Merged, Piece, Side, Versions};

fn lines(base: &str, mine: &str, theirs: &str) -> Merged {
    merge::lines(Versions { base, mine, theirs })
}

fn skill(base: &str, mine: &str, theirs: &str) -> Merged {
    merge::skill(Versions { base, mine, theirs })
}

const TEA: &str = "---\nname: tea\ndescription: Makes tea.\nlicense: MIT\n---\nBoil water.\n\nWait.\n\nPour.\n";

#[test]
fn changes_of_different_lines_come_together() {
    let mine = TEA.replace("Boil water.", "Boil fresh water.");
    let theirs = TEA.replace("Pour.", "Pour slowly.\nServe.");
    let both = "---\nname: tea\ndescription: Makes tea.\nlicense: MIT\n---\nBoil fresh water.\n\nWait.\n\nPour slowly.\nServe.\n";
    assert_eq!(skill(TEA, &mine, &theirs).text().unwrap(), both);
    assert_eq!(skill(TEA, &theirs, &mine).text().unwrap(), both);
}

#[test]
fn neighbouring_keys_of_the_frontmatter_are_no_conflict() {
    let mine = TEA.replace("Makes tea.", "Makes green tea.");
    let theirs = TEA.replace("license: MIT", "license: Apache-2.0\nmetadata:\n  version: '2'");
    assert!(lines(TEA, &mine, &theirs).text().is_none(), "by lines they would be");
    assert_eq!(
        skill(TEA, &mine, &theirs).text().unwrap(),
        TEA.replace("Makes tea.", "Makes green tea.")
            .replace("license: MIT", "license: Apache-2.0\nmetadata:\n  version: '2'")
    );
}

#[test]
fn a_key_that_both_changed_is_kept_twice_and_the_rest_is_merged() {
    let mine = TEA.replace("Makes tea.", "Makes green tea.").replace("Wait.", "Wait a minute.");
    let theirs = TEA.replace("Makes tea.", "Brews tea.").replace("Pour.", "Pour slowly.");
    let merged = skill(TEA, &mine, &theirs);
    assert_eq!(merged.conflicts(), 1);
    assert_eq!(
        merged.pieces[1],
        Piece::Conflict {
            base: "description: Makes tea.\n".to_owned(),
            mine: "description: Makes green tea.\n".to_owned(),
            theirs: "description: Brews tea.\n".to_owned(),
        }
    );
    let taken = merged.resolved(&[Side::Theirs]);
    assert_eq!(
        taken,
        TEA.replace("Makes tea.", "Brews tea.").replace("Wait.", "Wait a minute.").replace("Pour.", "Pour slowly.")
    );
    assert!(merged.resolved(&[]).contains("Makes green tea."), "mine, where nobody answered");
}

#[test]
fn keys_come_and_go_with_their_comments_and_in_the_updates_order() {
    let base = "---\nname: tea\n# Who may use it.\nallowed-tools: Read\ndescription: Makes tea.\n---\n";
    let mine = "---\nname: tea\ntags: [hot]\n# Who may use it.\nallowed-tools: Read\ndescription: Makes tea.\n---\n";
    let theirs = "---\ndescription: Makes tea.\nname: tea\nlicense: MIT\n---\n";
    assert_eq!(
        skill(base, mine, theirs).text().unwrap(),
        "---\ndescription: Makes tea.\nname: tea\ntags: [hot]\nlicense: MIT\n---\n"
    );
    // Taken away here and changed there is a conflict.
    let theirs = base.replace("allowed-tools: Read", "allowed-tools: Read Write");
    let mine = "---\nname: tea\ndescription: Makes tea.\n---\n";
    let merged = skill(base, mine, &theirs);
    assert!(matches!(&merged.pieces[1], Piece::Conflict { mine, .. } if mine.is_empty()), "{merged:?}");
}

#[test]
fn what_is_no_plain_frontmatter_is_merged_by_lines() {
    for odd in [
        "---\n{name: tea, description: Makes tea.}\n---\nBoil.\n",
        "---\nname: tea\nname: coffee\n---\nBoil.\n",
        "---\n\"name\": tea\n---\nBoil.\n",
        "name: tea\nBoil.\n",
        "---\nname: tea\nBoil.\n",
    ] {
        let mine = format!("{odd}\nMine.\n");
        let theirs = odd.replace("Boil.", "Boil it.");
        let merged = skill(odd, &mine, &theirs);
        assert!(merged.resolved(&[]).contains("Mine."), "{odd}");
    }
}

#[test]
fn lists_at_the_margin_and_blocks_belong_to_their_key() {
    let base = "---\nname: tea\ntags:\n- hot\n\n- green\ndescription: |\n  Makes tea.\n\n  Twice.\nlicense: MIT\n---\n";
    let mine = base.replace("- green", "- green\n- cold");
    let theirs = base.replace("  Twice.", "  Thrice.");
    assert_eq!(
        skill(base, &mine, &theirs).text().unwrap(),
        base.replace("- green", "- green\n- cold").replace("  Twice.", "  Thrice.")
    );
}

#[test]
fn marks_of_conflicts_in_a_text_are_text() {
    let base = "a\n<<<<<<< ours\nb\n|||||||\n=======\n>>>>>>> theirs\nc\n";
    let (mine, theirs) = (base.replace("b\n", "mine\n"), base.replace("b\n", "theirs\n"));
    let merged = lines(base, &mine, &theirs);
    assert_eq!(merged.conflicts(), 1);
    assert_eq!(merged.resolved(&[Side::Mine]), mine);
    assert_eq!(merged.resolved(&[Side::Theirs]), theirs);
}

#[test]
fn a_last_line_without_an_end_stays_so() {
    for (base, mine, theirs) in
        [("a\nb", "a\nmine", "a\ntheirs"), ("a\nb", "a\nmine\n", "a\ntheirs"), ("a", "mine", "theirs\n")]
    {
        let merged = lines(base, mine, theirs);
        assert_eq!(merged.resolved(&[Side::Mine]), mine);
        assert_eq!(merged.resolved(&[Side::Theirs]), theirs);
    }
}

/// A version: some of a few lines, with marks, blank lines and line ends of both kinds among them.
fn version() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "---\n",
        "name: tea\n",
        "name: pot\n",
        "tags:\n",
        "- hot\n",
        "  more\n",
        "# why\n",
        "\n",
        "a\n",
        "b\r\n",
        "c\n",
        "<<<<<<< x\n",
        "=======\n",
        ">>>>>>> y\n",
        "|||||||\n",
        "last",
        "---",
    ]);
    prop::collection::vec(line, 0..9).prop_map(|lines| lines.concat())
}

/// How often each line is in a text.
fn count(text: &str, line: &str) -> usize {
    text.lines().filter(|other| *other == line).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_line_of_either_side_is_lost(base in version(), mine in version(), theirs in version()) {
        for merged in [lines(&base, &mine, &theirs), skill(&base, &mine, &theirs)] {
            let all: Vec<_> = merged.pieces.iter().flat_map(|piece| match piece {
                Piece::Agreed(text) => vec![text.as_str()],
                Piece::Conflict { mine, theirs, .. } => vec![mine.as_str(), theirs.as_str()],
            }).collect();
            let all = all.join("\n");
            // A line that a side has more often than the base was added by it, and is there.
            for side in [&mine, &theirs] {
                for line in side.lines().filter(|line| count(side, line) > count(&base, line)) {
                    prop_assert!(count(&all, line) >= 1, "{line:?} of {side:?} is not in {merged:?}");
                }
            }
        }
    }

    #[test]
    fn where_one_side_changed_nothing_the_other_is_taken_whole(base in version(), changed in version()) {
        let mut versions = Vec::new();
        for merge in [lines, skill] {
            versions.push(merge(&base, &changed, &base));
            versions.push(merge(&base, &base, &changed));
            versions.push(merge(&base, &changed, &changed));
        }
        for merged in versions {
            prop_assert_eq!(merged.text(), Some(changed.as_str()));
        }
    }

    #[test]
    fn the_sides_can_be_exchanged(base in version(), mine in version(), theirs in version()) {
        let (one, other) = (lines(&base, &mine, &theirs), lines(&base, &theirs, &mine));
        prop_assert_eq!(one.conflicts() == 0, other.conflicts() == 0);
    }
}
