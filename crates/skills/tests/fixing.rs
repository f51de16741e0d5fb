//! All fixes together, on frontmatter assembled from common mistakes.

use proptest::prelude::*;
use skills::{Problem, fix_all, read};

/// Pieces of frontmatter, most of them with something to fix.
const PIECES: &[&str] = &[
    "name: tea\n",
    "name: Tea Time # the name\n",
    "name: 12\n",
    "Name: tea\n",
    "description: Use when: tea\n",
    "description: 42\n",
    "description:\n",
    "description: [tea]\n",
    "description: @tea # hot\n",
    "desciption: |\n  Brews tea.\n\n  Hot.\n",
    "description: \"Brews \u{200b}\u{200c}\u{200b} tea: hot\"\n",
    "license: MIT\n",
    "license: \"MIT\"   # twice\n",
    "argument-hint: [kind]\n",
    "user-invocable: 'no'\n",
    "metadata: {a: 1, a: 2, b: true}\n",
    "metadata:\n  version: 1.10 # first\n  version: 2\n  list: [a]\n  nothing:\n",
    "compatibility: Needs: a kettle\n",
    "x-personal-mcp:\n  id: Tea\n  version: v1\n  tags: [Hot Tea, green]\n  capabilities: []\n",
    "x-personal-mcp:\n  version: 1.0.0\n  tags: Hot\n",
    "x-personal-mcp: {id: tea, capabilities: [resource://skills/tea/document, resource://nowhere]}\n",
    "x-personal-mcp:\n  id: tea\n  version: 1.0.0\n  capabilities:\n  - resource://nowhere # gone\n  - resource://skills/tea/document\n  references:\n    The Guide: {path: './references\\guide.md'}\n",
    "requires-mcp-servers:\n  - name: shop\n    comand: npx\n    parameters:\n      SHOP_TOKEN:\n        descripton: Opens it\n",
    "requires-mcp-servers:\n  - package: tea-mcp\n    env: {T: \"${T_KEY}\"}\n    parameters: [{name: T_KEY, requird: true}]\n",
    "requires-mcp-servers: [shop, {name: a, command: b, args: [\"${HOME}\"]}]\n",
];

/// A SKILL.md of these pieces, each below its own comment.
fn file() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(0..PIECES.len(), 0..7);
    let endings = prop::sample::select(vec!["\n", "\r\n"]);
    let marks = prop::sample::select(vec!["", "\u{feff}"]);
    let fences = prop::sample::select(vec!["---", "--- ", "---yaml"]);
    let bodies =
        prop::sample::select(vec!["", "Boil water.\n", "\n# Tea: how\n\nBoil\u{2060}ing\nwater.", "\n\n---\n"]);
    (pieces, endings, marks, fences, bodies).prop_map(|(pieces, ending, mark, fence, body)| {
        let commented = |(at, piece): (usize, usize)| format!("# comment {at}\n{}", PIECES[piece]);
        let yaml: String = pieces.into_iter().enumerate().map(commented).collect();
        mark.to_owned() + &format!("{fence}\n{yaml}---\n{body}").replace('\n', ending)
    })
}

fn fixable(id: &str, file: &[u8]) -> Vec<Problem> {
    read(id, file).problems.into_iter().filter(|problem| problem.fix.is_some()).collect()
}

fn comments(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("# comment")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn all_that_can_be_put_right_is_and_nothing_else_changes(file in file()) {
        let fixed = fix_all("tea", file.as_bytes(), &[]);
        let left = fixable("tea", &fixed.bytes);
        prop_assert!(left.is_empty(), "{file}\nbecame\n{}\nand is left with {left:#?}", String::from_utf8_lossy(&fixed.bytes));

        let again = fix_all("tea", &fixed.bytes, &[]);
        prop_assert!(again.applied.is_empty() && again.bytes == fixed.bytes);

        let after = String::from_utf8(fixed.bytes).unwrap();
        prop_assert_eq!(comments(&file), comments(&after));
        let (body, body_after) = (&file[read("tea", file.as_bytes()).body], &after[read("tea", after.as_bytes()).body]);
        prop_assert_eq!(body.replace('\u{2060}', ""), body_after);
        let line_ends = |text: &str| (text.matches("\r\n").count() > 0, text.matches('\n').count() > text.matches("\r\n").count());
        prop_assert!(line_ends(&file) == line_ends(&after), "{after:?}");
    }
}

fn fixed(id: &str, text: &str) -> String {
    String::from_utf8(fix_all(id, text.as_bytes(), &[]).bytes).expect("a text stays one")
}

const DESCRIPTION: &str = "description: Makes tea. Use when somebody wants tea.\n";

#[test]
fn a_key_that_holds_another_kind_of_value_keeps_its_name() {
    for keys in ["Metadata: text\n", "licenses: [MIT, Apache-2.0]\n"] {
        let text = format!("---\nname: tea\n{DESCRIPTION}{keys}---\nBoil.\n");
        assert_eq!(fixed("tea", &text), text);
    }
    let twice = format!("---\nname: tea\n{DESCRIPTION}licens: MIT\nlicence: MIT\n---\nBoil.\n");
    assert_eq!(fixed("tea", &twice), twice.replace("licens:", "license:"));
}

#[test]
fn no_comment_becomes_a_description() {
    for body in [
        "<!-- generated, do not edit -->\n",
        "<!--\n generated\n-->\n",
        "<p align=center>\n",
        "<!-- a --> <!-- b -->\n\n",
    ] {
        let text = format!("---\nname: tea\n---\n{body}\n# Brews green tea\n");
        let after = fixed("tea", &text);
        assert!(
            after.contains("description: \"Brews green tea\"\n") || after.contains("description: Brews green tea\n"),
            "{after}"
        );
        let without = format!("{body}\n# Brews green tea\n");
        assert!(
            fixed("tea", &without).contains("Brews green tea\n---")
                || fixed("tea", &without).contains("Brews green tea\"\n---")
        );
    }
    let nothing = "---\nname: tea\n---\n<!-- only this -->\n";
    assert_eq!(fixed("tea", nothing), nothing);
}
