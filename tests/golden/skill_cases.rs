//! `tests/skills/<case>/`: a SKILL.md and the expected reading and problems.

use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use skills::{File, Problem, Severity, Skill, SkillPath, Way};

#[test]
fn every_case_is_read_as_expected() {
    let mut wrong = Vec::new();
    for folder in folders(&root().join("tests/skills")) {
        let file = fs::read(folder.join("SKILL.md")).unwrap();
        let skill = skills::read(&name(&folder), &file);
        let told = tell(&file, &skill) + &tell_examined(&file, &examined(&folder, &skill, &file));
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

/// Rules that a case folder cannot break, or only a very large one.
const WITHOUT_A_CASE: &[&str] = &[
    "unreadable",
    "duplicate-id",
    "folder-size",
    "depends-on-unknown",
    "depends-on-cycle",
    "reference-length",
    "yaml-limit",
];

#[test]
fn every_rule_has_a_case() {
    let mut shown = BTreeSet::from_iter(WITHOUT_A_CASE.iter().copied());
    for folder in folders(&root().join("tests/skills")) {
        let file = fs::read(folder.join("SKILL.md")).unwrap();
        let skill = skills::read(&name(&folder), &file);
        let examined = examined(&folder, &skill, &file);
        shown.extend(skill.problems.iter().chain(&examined).map(|problem| problem.rule));
    }
    let missing: Vec<_> = skills::RULES.iter().map(|rule| rule.id).filter(|id| !shown.contains(id)).collect();
    assert!(missing.is_empty(), "no folder in tests/skills shows {missing:?}");
}

#[test]
fn the_starter_skills_are_four_and_without_any_problem() {
    let folders = folders(&root().join("skills"));
    assert_eq!(folders.len(), 4);
    for folder in folders {
        let file = fs::read(folder.join("SKILL.md")).unwrap();
        let skill = skills::read(&name(&folder), &file);
        assert_eq!(skill.problems, [], "{}", folder.display());
        assert_eq!(examined(&folder, &skill, &file), [], "{}", folder.display());
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
    assert!(offered > 30, "only {offered} fixes are offered");
}

#[test]
fn all_fixes_together_leave_none_to_do() {
    let applied: usize = folders(&root().join("tests/skills"))
        .iter()
        .map(|folder| assert_all_fixed(&name(folder), &fs::read(folder.join("SKILL.md")).unwrap(), &files(folder)))
        .sum();
    assert!(applied > 30, "only {applied} fixes were applied");
}

/// Applies each fix alone: its rule is broken once less, and no other problem appears. Returns the number of fixes.
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

/// Applies all fixes: none is left, a second run changes nothing, and there are no more errors than before. Returns
/// the number of applied fixes.
pub(crate) fn assert_all_fixed(id: &str, file: &[u8], files: &[File]) -> usize {
    let fixed = skills::fix_all(id, file, files);
    let (before, after) = (skills::read(id, file), skills::read(id, &fixed.bytes));
    let content = skills::examine(&after, &fixed.bytes, files, &mut |_| None);
    let left: Vec<_> = after.problems.iter().chain(&content).filter(|problem| problem.fix.is_some()).collect();
    assert!(left.is_empty(), "{id}: these fixes are left: {left:#?}");
    let again = skills::fix_all(id, &fixed.bytes, files);
    assert!(again.applied.is_empty() && again.bytes == fixed.bytes, "{id}: {:#?}", again.applied);
    assert_eq!(fixed.applied.is_empty(), fixed.bytes == file, "{id}: {:#?}", fixed.applied);
    let errors = |skill: &Skill| skill.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    assert!(errors(&after) <= errors(&before), "{id}: {:#?}", after.problems);
    assert!(after.loads() || !before.loads(), "{id} is lost");
    fixed.applied.len()
}

/// The problems of a skill beyond its frontmatter.
pub(crate) fn examined(folder: &Path, skill: &Skill, file: &[u8]) -> Vec<Problem> {
    let mut text_of = |path: &SkillPath| {
        fs::read(folder.join(path.as_str())).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    skills::examine(skill, file, &files(folder), &mut text_of)
}

/// The files of a skill, without the expected results.
pub(crate) fn files(folder: &Path) -> Vec<File> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let inside = path.strip_prefix(folder).expect("it was found there").to_string_lossy().replace('\\', "/");
            let size = fs::metadata(&path).expect("the file is there").len();
            files.extend(SkillPath::new(&inside).map(|path| File { path, size, modified: 0 }));
        }
    }
    files.retain(|file| file.path.as_str() != "expected.txt");
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The report of the content, below that of the frontmatter.
fn tell_examined(file: &[u8], problems: &[Problem]) -> String {
    let told: String = problems.iter().map(|problem| format!("\n{}", problem_told(file, problem))).collect();
    if told.is_empty() { told } else { format!("\nThe content:\n{told}") }
}

/// A skill as readable text.
fn tell(file: &[u8], skill: &Skill) -> String {
    let reading = format!("{:?}", skill.reading).to_lowercase();
    let mut told = format!("{reading}: {}\n{}\n", skill.name, skill.description);
    let _ = writeln!(told, "\nfrontmatter: {}", serde_json::to_string(&skill.frontmatter()).unwrap_or_default());
    if let Some(personal) = &skill.personal {
        let _ = writeln!(told, "personal: {}", serde_json::to_string(personal).unwrap_or_default());
    }
    for server in &skill.servers {
        let how = |way: &Way| match way {
            Way::Http { url, headers } => format!("{url} {headers:?}"),
            Way::Stdio { command, args, env, cwd } => format!("{command} {args:?} {env:?} {cwd:?}"),
            Way::Docker { image, args, env, mounts, port } => {
                let mounts = if mounts.is_empty() { String::new() } else { format!(" {mounts:?}") };
                format!("container {image} {args:?} {env:?} {port:?}{mounts}")
            }
        };
        let ways: Vec<_> = server.ways.iter().map(how).collect();
        let ways = if ways.is_empty() { "?".to_owned() } else { ways.join("\n  or ") };
        let _ = writeln!(told, "server {}: {ways}", server.name);
        if let Some(source) = server.known {
            let _ = writeln!(told, "  as in {source}");
        }
        for parameter in &server.parameters {
            let _ = writeln!(told, "  {}", serde_json::to_string(parameter).unwrap_or_default());
        }
    }
    for suggestion in skills::suggestions(skill) {
        let _ = writeln!(told, "suggestion {}", serde_json::to_string(&suggestion).unwrap_or_default());
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

pub(crate) fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut folders: Vec<_> =
        entries.map(|entry| entry.expect("the folder can be read").path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

pub(crate) fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is in the repository")
}
