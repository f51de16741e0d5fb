//! The problems found as SARIF 2.1.0 for code scanning: the rules once, then the results.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use skills::{RULES, SIGNS, Severity};

use super::{Checked, Found};

/// The characters that need no encoding in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The report, with the violated rules.
pub(super) fn report(checked: &Checked) -> Value {
    let broken: BTreeSet<&str> = checked.found.iter().map(|found| found.problem.rule.as_str()).collect();
    let rules = RULES.iter().map(|rule| (rule.id, rule.demands, rule.severity));
    let signs = SIGNS.iter().map(|sign| (sign.id, sign.says, Severity::Advice)).filter(|(id, ..)| {
        // A sign that is also a rule is reported by that rule.
        !RULES.iter().any(|rule| rule.id == *id)
    });
    let rules: Vec<Value> = rules
        .chain(signs)
        .filter(|(id, ..)| broken.contains(id))
        .map(|(id, demands, severity)| {
            json!({
                "id": id,
                "shortDescription": {"text": demands},
                "defaultConfiguration": {"level": level(severity)},
            })
        })
        .collect();
    let results: Vec<Value> = checked.found.iter().map(result).collect();
    let driver = json!({"name": "skilltender", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let run = json!({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results});
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    json!({"$schema": schema, "version": "2.1.0", "runs": [run]})
}

fn result(Found { path, problem, .. }: &Found) -> Value {
    json!({
        "ruleId": problem.rule,
        "level": level(problem.severity),
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(path)},
            "region": {"startLine": problem.line, "startColumn": problem.column},
        }}],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "note",
    }
}

/// A path as a URI: relative to the repository if it is below the current folder.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let encoded = utf8_percent_encode(&path, PATH);
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded.to_string() }
}
