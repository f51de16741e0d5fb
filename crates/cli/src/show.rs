//! `skilltender show`: one skill, as the window's page shows it.

use std::path::Path;

use api::{Carried, Finding, Need, SkillPage, SkillRow, Suggested, Trust, ValueState, Verdict};
use engine::{Machine, actions};
use serde_json::json;
use text::counted;

use crate::{Failure, Text, list, order, print, print_json, prose, runtime};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder
    skill: String,
    /// Print JSON, with the whole text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let (row, page, trust) = runtime()?.block_on(async {
        let (engine, key) = order::open(machine, &command.skill).await?;
        let page = actions::read_skill(&engine, &key).await?;
        let trust = actions::look_at_skill(&engine, &key).await?.trust;
        let snapshot = engine.snapshot();
        let row = snapshot.skills.iter().find(|row| row.key == key).cloned();
        row.map(|row| (row, page, trust))
            .ok_or_else(|| Failure::refused(format!("{} went away just now.", order::named(&key))))
    })?;
    if command.json {
        return print_json(&json!({"skill": row, "page": page, "trust": trust}));
    }
    print(words(&row, &page, &trust))
}

fn words(row: &SkillRow, page: &SkillPage, trust: &Trust) -> Text {
    let version = row.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let state = if row.enabled { "on" } else { "off" };
    let mut text = Text::from(format!("{}{version} ({state})", row.name));
    text.extend([row.place.as_str(), "", &prose(&row.description)]);
    let lines: [(&str, Vec<String>); 8] = [
        ("Not ready", list::lacks(row)),
        ("Tags", if row.tags.is_empty() { Vec::new() } else { vec![row.tags.join(", ")] }),
        ("Files", page.files.iter().map(|file| format!("{}  {} bytes", file.path, file.size)).collect()),
        ("Needs", page.needs.iter().map(need).collect()),
        ("Seems to need", page.suggested.iter().map(suggested).collect()),
        (
            "Problems",
            page.problems
                .iter()
                .map(|problem| format!("{}:{} {} [{}]", problem.line, problem.column, problem.message, problem.rule))
                .collect(),
        ),
        ("Looked at", carried(trust)),
        ("Clients", page.verdicts.iter().map(verdict).collect()),
    ];
    for (head, lines) in lines.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        text.extend(["", head]);
        text.append(lines.into_iter().collect::<Text>().indented());
    }
    text
}

/// The skill's contents, and signs of harmful intent in it.
pub(crate) fn carried(trust: &Trust) -> Vec<String> {
    let Carried { scripts, programs, archives, hosts, servers, tools, commands, files, size } = &trust.carried;
    let scripts: Vec<_> =
        scripts.iter().map(|scripts| format!("{} ({})", scripts.language, scripts.paths.join(", "))).collect();
    let named = [
        ("scripts", &scripts),
        ("programs", programs),
        ("archives", archives),
        ("links to", hosts),
        ("wants the servers", servers),
        ("wants to use without asking", tools),
        ("runs by itself", commands),
    ];
    let mut lines = vec![format!("{}, {}", counted(*files, "file"), counted(*size, "byte"))];
    let filled = named.into_iter().filter(|(_, list)| !list.is_empty());
    lines.extend(filled.map(|(what, list)| format!("{what}: {}", list.join(", "))));
    lines.extend(trust.left_out.iter().cloned());
    if trust.findings.is_empty() {
        lines.push("No known pattern of harm was found. That does not mean that there is none.".to_owned());
    }
    lines.extend(trust.findings.iter().map(finding));
    lines
}

/// One finding, with its position.
pub(crate) fn finding(finding: &Finding) -> String {
    let Finding { rule, severity, message, path, line, column } = finding;
    let severity = json!(severity);
    format!("{path}:{line}:{column} {}: {message} [{rule}]", severity.as_str().unwrap_or_default())
}

/// The verdict's sentences name the client; without any, the client loads the skill unchanged.
fn verdict(verdict: &Verdict) -> String {
    if verdict.why.is_empty() { format!("{} loads it as it is.", verdict.name) } else { verdict.why.join(" ") }
}

/// A requirement found in another program's field; it takes effect once the author declares it.
fn suggested(one: &Suggested) -> String {
    let what = one.server.as_ref().map(|server| format!("the server {server}"));
    let what = what.or(one.variable.as_ref().map(|variable| format!("the variable {variable}"))).unwrap_or_default();
    let at = one.url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default();
    format!("{what}{at}  (from {})", one.from)
}

fn need(need: &Need) -> String {
    let missing: Vec<_> = need
        .values
        .iter()
        .filter(|value| {
            value.required
                && matches!(value.state, ValueState::SecretMissing | ValueState::Plain { value: None, default: None })
        })
        .map(|value| value.name.as_str())
        .collect();
    let how = need.url.clone().unwrap_or_else(|| need.command.join(" "));
    let missing = if missing.is_empty() { String::new() } else { format!("  (missing: {})", missing.join(", ")) };
    format!("{}  {how}{missing}", need.server)
}
