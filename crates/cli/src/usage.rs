//! `skilltender usage`: what skills and servers were used, and what follows from it.

use std::path::Path;

use api::{ServerUsage, SkillUsage, UsageReport, UsageVerdict};
use engine::{Engine, Machine, Mode, actions, orders::Order};

use crate::{Failure, Text, order, print, print_json, runtime};

const AFTER: &str = "\
Counted are calls by skill or server, client and day (UTC), for two years, on this computer only; no text of a call. Numbers \
of tokens are estimates. What a client reads in its own folders, and servers that it starts by itself, is not counted.

  skilltender usage
  skilltender usage --days 7 --json
  skilltender usage --days 365 --csv > usage.csv
  skilltender usage --wipe";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// How many days, today included; at most 731
    #[arg(long, value_name = "NUMBER", default_value_t = 30)]
    days: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print each count as a line with commas
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Forget everything that was counted
    #[arg(long, conflicts_with_all = ["csv", "days"])]
    wipe: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if command.wipe {
        let done = order::give(home, Order::WipeUsage)?;
        return order::tell(command.json, &done, |_| "Everything that was counted is forgotten.");
    }
    let machine = Machine::here(home)?;
    let days = command.days;
    // The running engine knows what is not saved yet; without one, everything is.
    let runs = actions::running(&machine).is_some();
    if command.csv {
        let table = match runs {
            true => order::give(home, Order::UsageAsCsv { days })?.as_str().unwrap_or_default().to_owned(),
            false => alone(machine, async |engine| actions::usage_as_csv(engine, days).await)?,
        };
        return print(Text::page(&table));
    }
    let report = match runs {
        true => serde_json::from_value(order::give(home, Order::ReadUsage { days })?)
            .map_err(|error| Failure::refused(format!("The running Skilltender answers in another way: {error}.")))?,
        false => alone(machine, async |engine| actions::usage(engine, days).await)?,
    };
    if command.json { print_json(&report) } else { print(words(&report)) }
}

/// Asks an engine that only reads.
fn alone<T>(machine: Machine, ask: impl AsyncFnOnce(&Engine) -> Result<T, api::ActionError>) -> Result<T, Failure> {
    runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok(ask(&engine).await?)
    })
}

fn words(report: &UsageReport) -> Text {
    let Some(since) = &report.since else {
        return "No client has used a skill or a server yet.".into();
    };
    let mut text = Text::from(format!("{} to {}, counted since {since}", report.from, report.to));
    if !report.skills.is_empty() {
        text.line("");
        text.line(format!(
            "{:<32} {:>8} {:>8} {:>10} {:>10}  last used",
            "skill", "calls", "failed", "loaded", "listed"
        ));
        report.skills.iter().for_each(|one| text.append(skill(one)));
    }
    if !report.servers.is_empty() {
        text.line("");
        text.line(format!("{:<32} {:>8} {:>8} {:>10}", "server", "calls", "failed", "ms a call"));
        report.servers.iter().for_each(|one| text.line(server(one)));
    }
    text
}

fn skill(skill: &SkillUsage) -> Text {
    let name = match (skill.id.as_str(), skill.enabled) {
        ("", _) => "(others)".to_owned(),
        (id, true) => id.to_owned(),
        (id, false) => format!("{id} (off)"),
    };
    let last = skill.last.as_deref().unwrap_or("-");
    let SkillUsage { calls, failed, loaded, listed, .. } = skill;
    let mut text = Text::from(format!("{name:<32} {calls:>8} {failed:>8} {loaded:>10} {listed:>10}  {last}"));
    skill.verdicts.iter().for_each(|verdict| text.line(format!("  {}", follows(&skill.id, verdict))));
    text
}

fn follows(id: &str, verdict: &UsageVerdict) -> String {
    match verdict {
        UsageVerdict::LoadedTwice { client, name, place, ours: true, .. } => format!(
            "{name} gets it twice: from us, and from {place}. Take it out there: `skilltender client-folders unlink {client}`"
        ),
        UsageVerdict::LoadedTwice { client, name, place, .. } => format!(
            "{name} gets it twice: from us, and from {place}. Give {name} a set without it: `skilltender sets give {client} SET`"
        ),
        UsageVerdict::OftenFails => "It fails often: `skilltender activity` shows the calls".to_owned(),
        UsageVerdict::NeverUsed => format!("No client asked for it: `skilltender disable {id}` switches it off"),
        UsageVerdict::CostsMore => {
            format!("Lists that name it cost more than it gave: a shorter description, or `skilltender disable {id}`")
        }
    }
}

fn server(server: &ServerUsage) -> String {
    let name = if server.name.is_empty() { "(others)" } else { &server.name };
    let ServerUsage { calls, failed, ms, .. } = server;
    format!("{name:<32} {calls:>8} {failed:>8} {:>10}", ms / (*calls).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_a_line_and_each_verdict_says_what_to_do() {
        let skill = SkillUsage {
            id: "tea".to_owned(),
            key: Some("f1/tea".to_owned()),
            name: "Tea".to_owned(),
            enabled: true,
            calls: 0,
            failed: 0,
            loaded: 0,
            lists: 3,
            listed: 60,
            line: 20,
            last: None,
            used: Vec::new(),
            verdicts: vec![UsageVerdict::NeverUsed],
        };
        let report = UsageReport {
            days: 30,
            from: "2026-10-26".to_owned(),
            to: "2026-11-24".to_owned(),
            since: Some("2026-10-01".to_owned()),
            skills: vec![skill],
            servers: vec![ServerUsage { name: "stock".to_owned(), calls: 2, failed: 0, ms: 90, used: Vec::new() }],
        };
        let text = words(&report).to_string();
        assert!(text.contains("skilltender disable tea"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("stock ") && line.ends_with(" 45")), "{text}");
        let empty = UsageReport { since: None, ..report };
        assert_eq!(words(&empty), "No client has used a skill or a server yet.".into());
    }
}
