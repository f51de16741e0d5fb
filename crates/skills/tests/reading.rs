//! How `read` handles faulty files: repairs, fixes and hostile input.

use proptest::prelude::*;
use skills::{Problem, Reading, Severity, Skill, read};

/// A skill with this frontmatter, in a folder `x`.
fn with(frontmatter: &str) -> Skill {
    read("x", file(frontmatter).as_bytes())
}

fn file(frontmatter: &str) -> String {
    format!("---\n{frontmatter}\n---\n\n# Body\n\nHello.\n")
}

fn rules(skill: &Skill) -> Vec<String> {
    skill.problems.iter().map(|problem| format!("{} {}", problem.place, problem.rule)).collect()
}

fn fixed(file: &[u8], problem: &Problem) -> Vec<u8> {
    let fix = problem.fix.as_ref().unwrap_or_else(|| panic!("no fix for {problem:#?}"));
    text::apply(file, &fix.splices).expect("the fix fits the file")
}

#[test]
fn a_control_that_is_no_yaml_is_read_and_named() {
    let text = file("description: b\u{7}ell\nname: x");
    let skill = read("x", text.as_bytes());
    assert_eq!(skill.description, "b\u{7}ell");
    assert_eq!(rules(&skill), ["2:14 unquoted-value", "2:14 control-character"]);
    let after = read("x", &fixed(text.as_bytes(), &skill.problems[0]));
    assert_eq!((after.reading, &rules(&after)[..]), (Reading::Strict, &["2:14 control-character".to_owned()][..]));
}

#[test]
fn a_value_that_is_no_yaml_is_read_as_its_author_meant_it() {
    for (value, place, rule, meaning) in [
        ("Use when: it is tea", "2:22", "unquoted-colon", "Use when: it is tea"),
        ("One: \"two\": 'three'", "2:17", "unquoted-colon", "One: \"two\": 'three'"),
        ("Ends with a colon:", "2:31", "unquoted-colon", "Ends with a colon:"),
        ("Ratio: 1:2 # not a comment", "2:19", "unquoted-colon", "Ratio: 1:2 # not a comment"),
        ("@tea makes tea", "2:14", "unquoted-value", "@tea makes tea"),
        ("`tea` makes tea", "2:14", "unquoted-value", "`tea` makes tea"),
        ("{{tea}} makes tea", "2:14", "unquoted-value", "{{tea}} makes tea"),
        ("*tea* makes tea", "2:14", "unquoted-value", "*tea* makes tea"),
        ("[tea makes tea", "2:14", "unquoted-value", "[tea makes tea"),
        ("- makes tea", "2:14", "unquoted-value", "- makes tea"),
        ("| Makes tea.", "2:14", "unquoted-value", "| Makes tea."),
        ("> Makes tea.", "2:14", "unquoted-value", "> Makes tea."),
        ("'It's tea'", "2:14", "unquoted-value", "It's tea"),
        ("\"Tea\" is tea", "2:14", "unquoted-value", "\"Tea\" is tea"),
        ("\"Tea", "2:14", "unquoted-value", "\"Tea"),
        ("%tea", "2:14", "unquoted-value", "%tea"),
    ] {
        let frontmatter = format!("description: {value}\nname: x\nversion: 1.10\ntags: [a, b]");
        let text = file(&frontmatter);
        let skill = read("x", text.as_bytes());
        assert_eq!(skill.description, meaning, "{value}");
        assert_eq!(
            (skill.reading, &rules(&skill)[..]),
            (Reading::Repaired, &[format!("{place} {rule}")][..]),
            "{value}"
        );
        assert_eq!(skill.tags(), ["a", "b"], "{value}: the other values keep their kind");

        let after = read("x", &fixed(text.as_bytes(), &skill.problems[0]));
        assert_eq!((after.reading, rules(&after)), (Reading::Strict, vec![]), "{value}");
        assert_eq!(after.frontmatter(), skill.frontmatter(), "{value}: the fix writes what was read");
    }
}

#[test]
fn a_fix_keeps_every_other_byte() {
    let before = "\u{feff}---\r\nname: x # the name\ndescription: Use when: tea\r\n# end\r\n---\r\nBody\r";
    let skill = read("x", before.as_bytes());
    let colon = skill.problems.iter().find(|problem| problem.rule == "unquoted-colon").unwrap();
    let after = String::from_utf8(fixed(before.as_bytes(), colon)).unwrap();
    assert_eq!(after, before.replace("Use when: tea", "\"Use when: tea\""));
}

#[test]
fn one_bad_entry_costs_the_others_nothing() {
    let skill = with("name: x\ndescription: Makes tea.\ntriggers:\n  - when: a: b\nmetadata:\n  author: Zoe");
    assert_eq!(skill.reading, Reading::Repaired);
    assert_eq!(rules(&skill), ["5:12 yaml-syntax"]);
    assert_eq!(skill.description, "Makes tea.");
    assert_eq!(skill.frontmatter()["metadata"]["author"], "Zoe");
    assert!(!skill.frontmatter().contains_key("triggers"));
}

#[test]
fn name_and_description_are_read_by_line_when_nothing_else_helps() {
    let skill = with("name: x\n description: Makes tea.");
    assert_eq!((skill.name.as_str(), skill.description.as_str()), ("x", "Makes tea."));
    assert_eq!(skill.problems[0].severity, Severity::Error);
}

#[test]
fn our_own_blocks_are_never_repaired() {
    for block in ["x-personal-mcp: {id: x: y}", "requires-mcp-servers: a: b"] {
        let skill = with(&format!("name: x\ndescription: Makes tea.\n{block}"));
        assert_eq!(skill.problems.len(), 1, "{block}");
        assert_eq!((skill.problems[0].rule, &skill.problems[0].fix), ("yaml-syntax", &None), "{block}");
        assert_eq!((skill.personal, skill.servers), (None, vec![]), "{block}");
    }
}

#[test]
fn the_last_of_two_equal_keys_holds() {
    let skill = with("name: y\nname: x\ndescription: Makes tea.\nmetadata: {a: b, a: c}");
    assert_eq!(rules(&skill), ["3:1 duplicate-key", "5:18 duplicate-key"]);
    assert_eq!((skill.name.as_str(), &skill.frontmatter()["metadata"]["a"]), ("x", &"c".into()));
    assert_eq!(skill.reading, Reading::Repaired);
}

#[test]
fn what_is_missing_is_taken_from_the_folder_and_the_body() {
    let skill = with("license: MIT");
    assert_eq!((skill.name.as_str(), skill.description.as_str()), ("x", "Body"));
    assert_eq!(rules(&skill), ["1:1 name-missing", "1:1 description-missing"]);
    for frontmatter in ["", "just text", "- a\n- b"] {
        let skill = with(frontmatter);
        assert!(skill.loads() && skill.problems.iter().any(|problem| problem.rule == "frontmatter-not-mapping"));
    }
}

#[test]
fn a_file_without_frontmatter_is_broken_and_can_be_helped() {
    let file = b"# Tea\n\nBoil water: always.\n";
    let skill = read("tea", file);
    assert!(!skill.loads());
    assert!(skill.problems[0].message.contains("Claude Code would still offer it as /tea; the others ignore it."));
    let after = read("tea", &fixed(file, &skill.problems[0]));
    assert_eq!((after.reading, rules(&after)), (Reading::Strict, vec![]));
    assert_eq!((after.name.as_str(), after.description.as_str()), ("tea", "Tea"));
    assert_eq!(&fixed(file, &skill.problems[0])[after.body], file);
}

#[test]
fn a_link_that_became_text_is_told_from_a_skill() {
    let skill = read("tea", b"../../shared/skills/tea/SKILL.md");
    assert_eq!(rules(&skill), ["1:1 path-instead-of-text"]);
    assert!(skill.problems[0].message.contains("`../../shared/skills/tea/SKILL.md`"));
}

#[test]
fn bytes_that_are_not_utf_8_are_shown_and_named() {
    let skill = read("x", b"---\nname: x\ndescription: Caf\xe9 au lait: good\n---\n");
    assert_eq!(skill.description, "Caf\u{fffd} au lait: good");
    assert_eq!(rules(&skill), ["3:17 not-utf8", "3:26 unquoted-colon"]);
}

#[test]
fn values_mean_what_yaml_1_2_says() {
    let skill = with(
        "name: x\ndescription: >-\n  Folded\n  text.\ndate: 2026-04-16\nold: yes\nzip: 012\nbig: 1_000\n<<: {a: b}\nquoted: \"12\"\nempty:\ntyped: !!str 12",
    );
    let json = serde_json::to_string(&skill.frontmatter()).unwrap();
    assert_eq!(
        json,
        r#"{"name":"x","description":"Folded text.","date":"2026-04-16","old":"yes","zip":12,"big":"1_000","<<":{"a":"b"},"quoted":"12","empty":null,"typed":"12"}"#
    );
    assert_eq!((skill.reading, rules(&skill)), (Reading::Strict, vec![]));
}

#[test]
fn an_anchor_is_followed_within_a_budget() {
    let skill = with("name: x\ndescription: &d Makes tea.\nmetadata: {same: *d}");
    assert_eq!((skill.reading, &skill.frontmatter()["metadata"]["same"]), (Reading::Strict, &"Makes tea.".into()));
    let many = format!("name: x\ndescription: &d tea\nmany: [{}]", ["*d"; 17].join(", "));
    assert!(rules(&with(&many)).iter().any(|rule| rule.ends_with("yaml-limit")));
}

#[test]
fn input_that_means_harm_ends_and_still_names_the_skill() {
    let head = "name: x\ndescription: Makes tea.\n";
    let bomb: String =
        (1..9).map(|n| format!("l{n}: &l{n} [{}]\n", vec![format!("*l{}", n - 1); 9].join(","))).collect();
    let nested_blocks: String = (0..3_000).map(|depth| format!("{}a:\n", " ".repeat(depth % 60 + 1))).collect();
    for evil in [
        format!("l0: &l0 lol\n{bomb}"),
        format!("deep: {}", "[".repeat(100_000)),
        format!("deep: {}", "{a: ".repeat(20_000)),
        format!("deep: {}", "- ".repeat(20_000)),
        format!("deep:\n{nested_blocks}"),
        format!("long: {}", "x".repeat(200_000)),
        "self: &s [*s]".to_owned(),
        "k: v\n".repeat(10_000),
        (0..9_000).map(|n| format!("k{n}: v\n")).collect(),
        format!("? {}\n: b", "[a, ".repeat(5_000)),
        format!("%TAG ! {}", "x".repeat(50_000)),
        format!("quote: \"{}", "\\\n".repeat(30_000)),
    ] {
        let skill = with(&format!("{head}{evil}"));
        let start = &evil[..evil.len().min(20)];
        assert_eq!((skill.name.as_str(), skill.description.as_str()), ("x", "Makes tea."), "{start:?}");
        assert!(!skill.problems.is_empty(), "{start:?}");
    }
}

proptest! {
    /// Any bytes: no panic, places inside the file, and fixes that help. When the YAML is beyond repair, a fix of one
    /// place can reveal another problem.
    #[test]
    fn any_bytes_are_read(frontmatter in "(name: [a-z: ]{0,9}\n|description: [^\n]{0,20}\n|[ \t-]{0,3}[a-z\"':|>@*&!{}\\[\\]#-]{0,12}\r?\n){0,6}", tail in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut file = format!("---\n{frontmatter}---\n").into_bytes();
        file.extend(tail);
        let skill = read("x", &file);
        prop_assert!(skill.body.end <= file.len() && skill.body.start <= skill.body.end);
        let beyond_repair = skill.problems.iter().any(|problem| problem.rule == "yaml-syntax");
        for problem in &skill.problems {
            prop_assert!(problem.start <= problem.end && problem.end <= file.len(), "{:?}", problem);
            if problem.fix.is_some() && !beyond_repair {
                let after = read("x", &fixed(&file, problem));
                let left = |skill: &Skill| skill.problems.iter().filter(|other| other.rule == problem.rule).count();
                prop_assert!(left(&after) < left(&skill), "{:?} is not fixed: {:?}", problem, after.problems);
            }
        }
    }
}
