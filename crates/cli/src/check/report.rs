//! The problems found, for people and for programs.

use std::path::PathBuf;

use api::Problem;
use serde_json::{Value, json};
use skills::Severity;
use text::counted;

use super::{Checked, Found};
use crate::Text;

/// One line for each problem, in the style of compilers, and a last line with the counts. `paths` are the checked ones.
pub(super) fn human(checked: &Checked, paths: &[PathBuf]) -> Text {
    let mut text = Text::new();
    for Found { path, problem, .. } in &checked.found {
        let fixable = if problem.fix.is_some() { ", can be fixed" } else { "" };
        let Problem { line, column, message, rule, severity, .. } = problem;
        let severity = word(*severity);
        text.line(format!("{path}:{line}:{column}: {severity}: {message} [{rule}{fixable}]"));
    }
    let fixable = checked.found.iter().filter(|found| found.problem.fix.is_some()).count();
    text.line(format!(
        "{}: {}, {}, {} advice.{}",
        counted(checked.skills, "skill"),
        counted(checked.count(Severity::Error), "error"),
        counted(checked.count(Severity::Warning), "warning"),
        checked.count(Severity::Advice),
        if fixable > 0 { format!(" {fixable} can be fixed by `{}`.", fix(paths)) } else { String::new() },
    ));
    text
}

/// The command that fixes the checked paths. A folder is written so that it cannot be taken for a skill's id; a path
/// that needs quoting in a shell is left out.
fn fix(paths: &[PathBuf]) -> String {
    let word = |path: &PathBuf| {
        let text = path.to_str()?;
        let plain = text.chars().all(|at| at.is_alphanumeric() || "-_./,+@".contains(at)) && !text.starts_with('-');
        let alone = !path.is_absolute() && !text.starts_with('.');
        plain.then(|| if alone { format!(" ./{text}") } else { format!(" {text}") })
    };
    let words = paths.iter().map(word).collect::<Option<String>>();
    format!("skilltender fix --all{}", words.as_deref().unwrap_or(" PATH"))
}

/// One object: the counts, every problem with path, line, column and field (decision 20), and the unchecked places.
pub(super) fn json(checked: &Checked) -> Value {
    let problems: Vec<Value> = checked
        .found
        .iter()
        .map(|Found { path, problem, .. }| {
            json!({
                "path": path,
                "line": problem.line,
                "column": problem.column,
                "field": problem.field,
                "rule": problem.rule,
                "severity": word(problem.severity),
                "message": problem.message,
                "fixable": problem.fix.is_some(),
            })
        })
        .collect();
    let counts = json!({
        "error": checked.count(Severity::Error),
        "warning": checked.count(Severity::Warning),
        "advice": checked.count(Severity::Advice),
    });
    json!({"skills": checked.skills, "counts": counts, "problems": problems, "leftOut": checked.left_out})
}

/// The name of a severity.
pub(super) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "advice",
    }
}
