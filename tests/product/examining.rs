//! `check`, `show`, `fix` and `pack` on skills with very many files, deep folders and links that lead out.

use std::process::Output;

use serde_json::Value;
use tests::Home;

fn run(home: &Home, words: &[&str]) -> Output {
    home.skilltender().args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const DESCRIPTION: &str = "description: Brews tea. Use when somebody wants tea.\n";

#[test]
fn six_hundred_files_and_nine_folders_are_counted_and_none_of_them_is_called_missing() {
    let home = Home::new();
    let deep = "a/b/c/d/e/f/g/h/i/deep.md";
    let links: String = (0..600).map(|number| format!("[{number}](data/{number}.md)\n")).collect();
    let skill_md = format!("---\nname: large\n{DESCRIPTION}---\n\n{links}[deep]({deep}) [gone](gone.md)\n");
    home.write("large/large/SKILL.md", &skill_md);
    home.write(&format!("large/large/{deep}"), "[back](../../../../../../../../../data/7.md) [none](none.md)");
    (0..600).for_each(|number| home.write(&format!("large/large/data/{number}.md"), "x"));
    let folder = home.path("large").display().to_string();

    let checked: Value = serde_json::from_slice(&run(&home, &["check", "--json", &folder]).stdout).unwrap();
    let said = |rule: &str| {
        let problems = checked["problems"].as_array().unwrap().iter();
        problems.filter(|one| one["rule"] == rule).map(|one| one["message"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(said("link-broken"), ["The link leads to `gone.md`, which the skill does not have."]);
    let from_deep = format!("The link `none.md` in `{deep}` (line 1) leads to a file that the skill does not have.");
    assert_eq!(said("reference-link"), [from_deep]);
    assert_eq!((said("file-missing").len(), said("link-outside").len()), (0, 0));
    assert!(said("folder-size")[0].contains(" 602 files "), "{:?}", said("folder-size"));

    let packed =
        run(&home, &["pack", &format!("{folder}/large"), "--out", &home.path("large.zip").display().to_string()]);
    assert!(text(&packed.stdout).contains(": 602 files, "), "{}", text(&packed.stdout));
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_folder_are_said_by_check_and_by_pack() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let body = "[a](../a.md) [b](/b.md) [c](file:///c.md) [d](%2e%2e/d.md) [e](shared/e.md) <img src=\"../f.png\">\n\n[own](own.md)\n";
    home.write("more/tea/SKILL.md", &format!("---\nname: tea\n{DESCRIPTION}---\n\n{body}"));
    home.write("more/tea/own.md", "[g](../g.md)");
    home.write("elsewhere/e.md", "x");
    symlink(home.path("elsewhere"), home.path("more/tea/shared")).unwrap();
    let tea = home.path("more/tea").display().to_string();
    let links = "7 links lead out of the skill's folder: `../a.md` (line 6), `/b.md` (line 6), `file:///c.md` (line 6), \
                 `%2e%2e/d.md` (line 6), `shared/e.md` (line 6), `../f.png` (line 6), `../g.md` in `own.md` (line 1). ";
    let symbolic = "`shared` is a symbolic link that leads out of the skill's folder. ";
    let checked = text(&run(&home, &["check", &tea]).stdout);
    let packed = text(&run(&home, &["pack", &tea, "--out", &home.path("tea.zip").display().to_string()]).stdout);
    for said in [&checked, &packed] {
        assert!(said.contains(links) && said.contains(symbolic), "{said}");
    }
    assert_eq!(checked.matches("link-outside").count(), 2, "{checked}");
}

#[test]
fn fixing_a_folder_of_skills_gives_no_two_of_them_one_name() {
    let home = Home::new();
    for (path, name) in [("a/tea", "Green Tea"), ("b/tea", "black-tea"), ("My Cup", "My Cup!"), ("my_cup", "MY CUP")] {
        home.write(&format!("more/{path}/SKILL.md"), &format!("---\nname: {name}\n{DESCRIPTION}---\n\nBoil.\n"));
    }
    let folder = home.path("more").display().to_string();
    run(&home, &["fix", "--all", &folder]);
    let mut names: Vec<_> = ["a/tea", "b/tea", "My Cup", "my_cup"]
        .iter()
        .map(|path| std::fs::read_to_string(home.path(&format!("more/{path}/SKILL.md"))).unwrap())
        .map(|text| text.lines().nth(1).unwrap_or_default().to_lowercase())
        .collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 4, "{names:?}");
    let again = text(&run(&home, &["fix", "--all", &folder]).stdout);
    assert_eq!(again, "There is nothing to fix.\n");
}
