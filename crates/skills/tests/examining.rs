//! What `examine` reports about a whole skill, and what `fix_all` fixes.

use skills::{Disk, File, Found, SkillPath, examine, examine_on_disk, fix_all, read};

fn file(path: &str, size: u64) -> File {
    File { path: SkillPath::new(path).expect("it is a path"), size, modified: 0 }
}

/// `line:column rule` of every content problem of the skill `tea`, with these other files.
fn said(text: &str, beside: &[(&str, &str)]) -> Vec<String> {
    let skill = read("tea", text.as_bytes());
    let mut files = vec![file("SKILL.md", text.len() as u64)];
    files.extend(beside.iter().map(|(path, text)| file(path, text.len() as u64)));
    let mut text_of =
        |path: &SkillPath| beside.iter().find(|(other, _)| *other == path.as_str()).map(|(_, text)| (*text).to_owned());
    let problems = examine(&skill, text.as_bytes(), &files, &mut text_of);
    problems.iter().map(|problem| format!("{} {}", problem.place, problem.rule)).collect()
}

fn tea(body: &str) -> String {
    format!("---\nname: tea\ndescription: Makes tea. Use when somebody wants a hot drink.\n---\n\n{body}\n")
}

#[test]
fn a_plain_skill_has_nothing_to_say_about() {
    assert_eq!(said(&tea("# Tea\n\nBoil water."), &[]), Vec::<String>::new());
}

#[test]
fn hidden_text_is_an_error_and_can_be_removed() {
    let text = tea("Boil wa\u{200b}ter.\n\nHi\u{e0068}\u{e0069} and \u{e0068}.");
    assert_eq!(said(&text, &[]), ["6:8 invisible-text", "8:3 invisible-text"]);
    let fixed = fix_all("tea", text.as_bytes(), &[]);
    assert_eq!(String::from_utf8(fixed.bytes).unwrap(), tea("Boil water.\n\nHi and ."));
    assert_eq!(fixed.applied.len(), 2);
}

/// The decoded value counts, not its spelling.
#[test]
fn text_that_is_hidden_as_escapes_is_found_in_every_value() {
    for value in [
        r#""Tea.\U000E0069\U000E0067""#,
        r#""Tea \u202E.""#,
        r#""Tea\u200B\u200C\u200B\u200C.""#,
        r#""Tea\x1b[2J.""#,
        r#""Tea\u2028.""#,
        r#"[a, {b: "Tea\u2060pot"}]"#,
        r#"{"k\u200By": a}"#,
        "\"Tea\\\n  \\u00AD\\u00AD pot\"",
    ] {
        let text = format!(
            "---\nname: tea\ndescription: Tea. Use when somebody wants tea.\nmetadata: {value}\n---\n\nBoil.\n"
        );
        let found = said(&text, &[]);
        assert_eq!(found.iter().filter(|said| said.ends_with("invisible-text")).count(), 1, "{value}: {found:?}");
    }
    let honest = "---\nname: tea\ndescription: \"Tea \\u2764\\uFE0F \\u00e9\\n\\tUse when \\u0645\\u06cc\\u200c\\u062e\"\n---\n\nBoil.\n";
    assert_eq!(said(honest, &[]), Vec::<String>::new());
}

#[test]
fn a_control_character_in_a_name_or_a_description_is_an_error() {
    let text = |name: &str, description: &str| format!("---\nname: {name}\ndescription: {description}\n---\n\nBoil.\n");
    let rules = |text: &str| {
        read("tea", text.as_bytes())
            .problems
            .iter()
            .map(|problem| (problem.rule, problem.severity == skills::Severity::Error))
            .collect::<Vec<_>>()
    };
    for (name, description) in [
        (r#""te\x1ba""#, "Makes tea."),
        (r#""te\na""#, "Makes tea."),
        ("tea", r#""Makes\x07 tea.""#),
        ("tea", r#""Makes\x9b tea.""#),
        ("tea", r#""a\0b""#),
    ] {
        assert!(rules(&text(name, description)).contains(&("control-character", true)), "{name} {description}");
    }
    assert_eq!(rules(&text("tea", r#""Makes\ttea.\nUse it.""#)), []);
}

#[test]
fn a_body_that_fills_the_context_is_too_long() {
    assert_eq!(said(&tea(&"Boil.\n".repeat(501)), &[]), ["6:1 body-length"]);
    assert_eq!(said(&tea(&"x".repeat(21_000)), &[]), ["6:1 body-length"]);
}

#[test]
fn what_is_not_listed_is_looked_for_before_it_is_called_missing() {
    let text = tea("[a](references/far.md), [b](references/gone.md), [c](icons/), [d](none/)\n\n\
         Run `python scripts/far.py` and `python scripts/gone.py`.");
    let files = [file("SKILL.md", text.len() as u64), file("guide.md", 30)];
    let mut text_of =
        |path: &SkillPath| (path.as_str() == "guide.md").then(|| "[far](references/far.md) [e](e.md)".to_owned());
    let find = |path: &SkillPath| match path.as_str() {
        "references/far.md" | "icons" | "scripts/far.py" => Found::Here,
        _ => Found::Nothing,
    };
    let disk = Disk { find: &find, links_out: &[] };
    let problems = examine_on_disk(&read("tea", text.as_bytes()), text.as_bytes(), &files, &mut text_of, &disk);
    let mut missing: Vec<_> = problems
        .iter()
        .filter(|problem| ["link-broken", "file-missing", "reference-link"].contains(&problem.rule))
        .map(|problem| problem.message.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(" "))
        .collect();
    missing.sort();
    assert_eq!(missing, ["e.md guide.md", "references/gone.md none", "scripts/gone.py"]);
}

#[test]
fn a_symbolic_link_out_of_the_folder_is_said_by_itself_and_where_a_link_leads_through_it() {
    let text = tea("[a](shared/a.md), [b](own.md)");
    let files = [file("SKILL.md", text.len() as u64), file("own.md", 30)];
    let find = |path: &SkillPath| if path.as_str() == "shared/a.md" { Found::Outside } else { Found::Nothing };
    let links_out = ["logo.png".to_owned(), "shared".to_owned()];
    let disk = Disk { find: &find, links_out: &links_out };
    let mut text_of = |_: &SkillPath| Some("[a](shared/a.md)".to_owned());
    let problems = examine_on_disk(&read("tea", text.as_bytes()), text.as_bytes(), &files, &mut text_of, &disk);
    let said: Vec<_> = problems.iter().map(|problem| format!("{} {}", problem.rule, problem.message)).collect();
    assert_eq!(
        said,
        [
            "link-outside 2 symbolic links lead out of the skill's folder: `logo.png`, `shared`. Their targets are not part \
             of the skill: copy them here.",
            "link-outside 2 links lead out of the skill's folder: `shared/a.md` (line 6), `shared/a.md` in `own.md` (line 1). \
             Without the folders around the skill, nobody can follow them.",
        ]
    );
}

#[test]
fn a_long_reference_needs_a_hint_what_to_search_it_for() {
    let long = [("references/leaves.md", &*"leaf ".repeat(10_001))];
    assert_eq!(said(&tea("See references/leaves.md."), &long), ["6:1 reference-length"]);
    assert_eq!(said(&tea("Search references/leaves.md for the kind."), &long), Vec::<String>::new());
}

#[test]
fn a_reference_of_the_contract_must_be_a_file() {
    let text = "---\nname: tea\ndescription: Makes tea. Use when somebody wants a hot drink.\nx-personal-mcp:\n  id: tea\n  \
                version: 1.0.0\n  capabilities: [resource://skills/tea/document]\n  references:\n    leaves:\n      \
                path: references/leaves.md\n---\n\nSee [the leaves](references/leaves.md).\n";
    assert!(said(text, &[]).contains(&"10:13 reference-missing".to_owned()));
    assert_eq!(said(text, &[("references/leaves.md", "Green.")]), Vec::<String>::new());
}

/// The sentences of one rule.
fn sentences(rule: &str, text: &str, files: &[(&str, &str)]) -> Vec<String> {
    let skill = read("tea", text.as_bytes());
    let mut list = vec![file("SKILL.md", text.len() as u64)];
    list.extend(files.iter().map(|(path, text)| file(path, text.len() as u64)));
    let mut text_of =
        |path: &SkillPath| files.iter().find(|(other, _)| *other == path.as_str()).map(|(_, text)| (*text).to_owned());
    let problems = examine(&skill, text.as_bytes(), &list, &mut text_of);
    problems.into_iter().filter(|problem| problem.rule == rule).map(|problem| problem.message).collect()
}

#[test]
fn many_links_are_one_problem_that_names_the_first_of_them() {
    let inside = tea(&"[x](no/x.md)\n".repeat(20_000));
    let told = sentences("link-broken", &inside, &[]);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("20000 links lead to files that the skill does not have: `no/x.md` (line 6), "),
        "{told:?}"
    );
    assert!(told[0].ends_with("`no/x.md` (line 15) and 19990 more."), "{told:?}");
    let outside = tea("[x](../x.md) <img src='file:///y.png'>\n\n<p><a href=\"/z.md\">z</a></p>");
    assert_eq!(
        sentences("link-outside", &outside, &[]),
        [
            "3 links lead out of the skill's folder: `../x.md` (line 6), `file:///y.png` (line 6), `/z.md` (line 8). Without the folders around the skill, nobody can follow them."
        ]
    );
    let named = tea("Run `scripts/a.py`, then `python scripts/b.py`, then `scripts/a.py`.");
    assert_eq!(
        sentences("file-missing", &named, &[]),
        [
            "The text names 2 files that the skill does not have: `scripts/a.py` (line 6), `scripts/b.py` (line 6). If they belong to the user's project, say so."
        ]
    );
}

#[test]
fn links_that_nearly_lead_to_a_file_are_put_right_at_once() {
    let text = tea("[a](Guide.md), [b](Water.md) and [c](gone.md)");
    let files = [("guide.md", ""), ("water.md", "")];
    assert_eq!(said(&text, &files).len(), 2);
    let listed: Vec<_> = ["SKILL.md", "guide.md", "water.md"].map(|path| file(path, 1)).into();
    let fixed = fix_all("tea", text.as_bytes(), &listed);
    assert_eq!(String::from_utf8(fixed.bytes).unwrap(), tea("[a](guide.md), [b](water.md) and [c](gone.md)"));
}

#[test]
fn links_of_the_files_beside_are_looked_at_too() {
    let text = tea("Start.\n\nSee [leaves](references/leaves.md) and [water](references/water.md).");
    let water = "# Water\n\nSee [leaves](leaves.md), [again](references/leaves.md), [all](../SKILL.md#tea), \
                 [web](https://a.example/x.md), [out](../../x.md) and `[x](code.md)`.\n";
    let files = [("references/leaves.md", "See [cup](cup.md).\n\n![pot](img/pot.png)"), ("references/water.md", water)];
    assert_eq!(said(&text, &files), ["6:1 link-outside", "8:14 reference-link"]);
    assert_eq!(
        sentences("reference-link", &text, &files),
        [
            "2 links lead to files that the skill does not have: `cup.md` in `references/leaves.md` (line 1), `img/pot.png` in \
             `references/leaves.md` (line 3)."
        ]
    );
    assert_eq!(
        sentences("link-outside", &text, &files),
        [
            "The link `../../x.md` in `references/water.md` (line 3) leads out of the skill's folder. Without the folders around the skill, nobody can follow it."
        ]
    );
    let unlinked = [("references/leaves.md", "\n[cup](cup.md)")];
    assert_eq!(
        sentences("reference-link", &tea("Read references."), &unlinked),
        ["The link `cup.md` in `references/leaves.md` (line 2) leads to a file that the skill does not have."]
    );
}

#[test]
fn links_in_very_much_text_are_counted_up_to_an_end_that_is_said() {
    let names: Vec<_> = (0..60).map(|number| format!("references/{number:02}.md")).collect();
    let links = "[x](x.md)\n".repeat(100_000);
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), "[x](x.md)")).collect();
    let told = sentences("reference-link", &tea("Read references."), &files);
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("60 links ") && told[0].ends_with(" and 50 more."), "{told:?}");

    let large: Vec<_> = names.iter().take(6).map(|name| (name.as_str(), links.as_str())).collect();
    let told = sentences("reference-link", &tea("Read references."), &large);
    assert_eq!(told.len(), 2);
    assert!(told[0].starts_with("400000 links ") && told[0].ends_with(" and 399990 more."), "{}", told[0]);
    assert!(told[1].starts_with("Links in `references/04.md` and the files behind it were not checked"), "{told:?}");
}
