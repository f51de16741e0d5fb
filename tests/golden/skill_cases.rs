//! `tests/skills/<case>/`: a SKILL.md and what is to be read and said about it.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use skills::{Choice, Problem, Severity, Skill};

#[test]
fn every_case_is_read_as_expected() {
    let mut wrong = Vec::new();
    for folder in folders(&root().join("tests/skills")) {
        let file = fs::read(folder.join("SKILL.md")).unwrap();
        let told = tell(&file, &skills::read(&name(&folder), &file));
        let expected = folder.join("expected.txt");
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&expected, &told).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != told {
            wrong.push(format!("{}\n{told}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "these cases are read differently now:\n\n{}", wrong.join("\n"));
}

#[test]
fn the_starter_skills_are_four_and_without_any_problem() {
    let folders = folders(&root().join("skills"));
    assert_eq!(folders.len(), 4);
    for folder in folders {
        let skill = skills::read(&name(&folder), &fs::read(folder.join("SKILL.md")).unwrap());
        assert_eq!(skill.problems, [], "{}", folder.display());
        assert!(skill.is_strict(), "{}", folder.display());
        for reference in skill.personal.iter().flat_map(|personal| personal.references.values()) {
            assert!(
                folder.join(reference.path.as_str()).is_file(),
                "{}: {} is not there",
                folder.display(),
                reference.path
            );
        }
    }
}

#[test]
fn every_fix_takes_its_problem_away() {
    let offered: usize = folders(&root().join("tests/skills"))
        .iter()
        .map(|folder| assert_fixes_help(&name(folder), &fs::read(folder.join("SKILL.md")).unwrap()))
        .sum();
    assert!(offered > 10, "only {offered} fixes are offered");
}

/// Applies each fix alone: its rule is broken once less, and nothing is made worse. Returns how
/// many fixes there were.
pub(crate) fn assert_fixes_help(id: &str, file: &[u8]) -> usize {
    let skill = skills::read(id, file);
    let fixable: Vec<_> = skill.problems.iter().filter(|problem| problem.fix.is_some()).collect();
    for problem in &fixable {
        let fix = problem.fix.as_ref().expect("it was filtered");
        let after = skills::read(id, &text::apply(file, &fix.splices).expect("the fix fits the file"));
        let broken = |skill: &Skill| skill.problems.iter().filter(|other| other.rule == problem.rule).count();
        assert!(broken(&after) < broken(&skill), "{id}: {problem:#?} stays: {:#?}", after.problems);
        let errors = |skill: &Skill| skill.problems.iter().filter(|other| other.severity == Severity::Error).count();
        assert!(errors(&after) <= errors(&skill), "{id}: {problem:#?} brings {:#?}", after.problems);
    }
    fixable.len()
}

/// All that a skill says, for a reader.
fn tell(file: &[u8], skill: &Skill) -> String {
    let reading = format!("{:?}", skill.reading).to_lowercase();
    let mut told = format!("{reading}: {}\n{}\n", skill.name, skill.description);
    let _ = writeln!(told, "\nfrontmatter: {}", serde_json::to_string(&skill.frontmatter).unwrap_or_default());
    if let Some(personal) = &skill.personal {
        let _ = writeln!(told, "personal: {}", serde_json::to_string(personal).unwrap_or_default());
    }
    for server in &skill.servers {
        let how = match &server.choice {
            None => "?".to_owned(),
            Some(Choice::Http { url }) => url.clone(),
            Some(Choice::Stdio { command, args, env, cwd }) => format!("{command} {args:?} {env:?} {cwd:?}"),
        };
        let _ = writeln!(told, "server {}: {how}", server.name);
        for parameter in &server.parameters {
            let _ = writeln!(told, "  {}", serde_json::to_string(parameter).unwrap_or_default());
        }
    }
    let body = String::from_utf8_lossy(&file[skill.body.clone()]);
    let _ = writeln!(told, "body: {:?}", body.lines().next().unwrap_or_default());
    for problem in &skill.problems {
        let _ = write!(told, "\n{}", problem_told(file, problem));
    }
    told
}

fn problem_told(file: &[u8], problem: &Problem) -> String {
    let severity = format!("{:?}", problem.severity).to_lowercase();
    let mut told = format!("{} {severity} {}\n  {}\n", problem.place, problem.rule, problem.message);
    let marked = String::from_utf8_lossy(&file[problem.start..problem.end]).into_owned();
    let _ = writeln!(told, "  marked: {marked:?}");
    if let Some(fix) = &problem.fix {
        let splices = fix.splices.iter().map(|splice| format!("{}..{} {:?}", splice.start, splice.end, splice.insert));
        let _ = writeln!(told, "  fix: {} ({})", fix.label, splices.collect::<Vec<_>>().join(", "));
    }
    told
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut folders: Vec<_> =
        entries.map(|entry| entry.expect("the folder can be read").path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lies in the repository")
}
