//! The page of one skill: its text as an editor shows it, its files, its problems and its needs.

pub(crate) mod look;

use std::{cell::Cell, path::Path};

use api::{
    EditorSplice, Fix, Need, NeedValue, Problem, SkillFile, SkillName, SkillNeeds, SkillPage, Suggested, ValueState,
};
use choices::ServerLink;
use clients::Moved;
use files::{all_files, confined, digest};
use library::{LARGEST, why};
use servers::{Adopted, ParameterValues};
use skills::{Catalog, Disk, Entry, Found, Reading, Skill, SkillPath, Slot, Way};
use text::EditorText;

/// How often the disk is checked for files that the list of a skill's files does not have.
const MOST_ASKED: usize = 4_096;

/// The page of a skill as it is on the disk now, without a look for signs of harm ([`look`]). If its SKILL.md cannot be
/// read, the page says why.
pub(crate) fn page(
    catalog: &Catalog,
    root: &Path,
    entry: &Entry,
    given: &ParameterValues,
    links: &[ServerLink],
) -> SkillPage {
    let bytes = match confined::read_skill_md(root, &entry.location, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) => return closed(entry, why(&error)),
    };
    let skill = skills::read(&entry.skill.id, &bytes);
    let key = entry.key();
    let editor = EditorText::new(&bytes);
    let read_only = editor.is_none().then(|| "SKILL.md is not UTF-8, so it is shown but not edited here.".to_owned());
    let mut needs = needs(&skill, given, &key);
    for need in &mut needs {
        let link = links.iter().find(|link| link.key == key && link.server == need.server);
        let other = link.and_then(|link| catalog.by_key(&link.with));
        need.shares_with = other.map(|other| SkillName { key: other.key(), name: other.skill.name.clone() });
    }
    SkillPage {
        key,
        digest: digest(&bytes),
        text: editor.as_ref().map(EditorText::shown),
        read_only,
        body: editor.as_ref().map_or(0, |editor| unit(editor, skill.body.start)),
        line_ends: line_ends(&bytes).to_owned(),
        files: files(entry),
        problems: problems(
            catalog.problems_of(entry).iter().chain(&said(catalog, &skill, &bytes, entry)),
            editor.as_ref(),
        ),
        findings: Vec::new(),
        left_out: Vec::new(),
        needs,
        suggested: suggested(&skill, entry),
        verdicts: skills::verdicts(&skill.id, &bytes).into_iter().map(Into::into).collect(),
    }
}

/// The problems of a text that is being edited; positions are in the editor's units.
pub(crate) fn check(catalog: &Catalog, entry: &Entry, text: &str) -> Vec<Problem> {
    let skill = skills::read(&entry.skill.id, text.as_bytes());
    problems(said(catalog, &skill, text.as_bytes(), entry).iter(), EditorText::new(text.as_bytes()).as_ref())
}

/// The problems of a skill and its content, in the order of the file.
fn said(catalog: &Catalog, skill: &Skill, bytes: &[u8], entry: &Entry) -> Vec<skills::Problem> {
    let mut said = [skill.problems.clone(), content(skill, bytes, entry)].concat();
    skills::keep_names_apart(&skill.id, bytes, &mut said, &|name| catalog.has_name(entry, name));
    said.sort_by_key(|problem| (problem.start, problem.end));
    said
}

/// The problems in the content of a skill that loads, or that would load with a frontmatter.
pub(crate) fn content(skill: &Skill, bytes: &[u8], entry: &Entry) -> Vec<skills::Problem> {
    let read = |path: &SkillPath| confined::read(&entry.location, path, LARGEST).ok();
    let mut text_of = |path: &SkillPath| read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let asked = Cell::new(0);
    let find = |path: &SkillPath| {
        asked.set(asked.get() + 1);
        // A text full of broken links is not worth the disk's time: the remaining targets count as present.
        if asked.get() > MOST_ASKED { Found::Here } else { confined::find(&entry.location, path) }
    };
    if !skill.loads() && !skill.problems.iter().any(|problem| problem.rule == "no-frontmatter") {
        return Vec::new();
    }
    let links_out = all_files::links_out(&entry.location);
    skills::examine_on_disk(skill, bytes, &entry.files, &mut text_of, &Disk { find: &find, links_out: &links_out })
}

fn closed(entry: &Entry, why: String) -> SkillPage {
    SkillPage {
        key: entry.key(),
        digest: entry.digest.clone(),
        text: None,
        read_only: Some(why),
        body: 0,
        line_ends: "LF".to_owned(),
        files: files(entry),
        problems: problems(entry.skill.problems.iter(), None),
        findings: Vec::new(),
        left_out: Vec::new(),
        needs: Vec::new(),
        suggested: Vec::new(),
        verdicts: Vec::new(),
    }
}

fn files(entry: &Entry) -> Vec<SkillFile> {
    entry.files.iter().map(|file| SkillFile { path: file.path.as_str().to_owned(), size: file.size }).collect()
}

fn problems<'p>(problems: impl Iterator<Item = &'p skills::Problem>, editor: Option<&EditorText<'_>>) -> Vec<Problem> {
    problems.map(|problem| shown(problem, editor)).collect()
}

fn shown(problem: &skills::Problem, editor: Option<&EditorText<'_>>) -> Problem {
    let unit = |offset| editor.map_or(0, |editor| unit(editor, offset));
    let splice = |splice: &text::Splice| EditorSplice {
        from: unit(splice.start),
        to: unit(splice.end),
        insert: splice.insert.replace("\r\n", "\n"),
    };
    let rule = skills::RULES.iter().find(|rule| rule.id == problem.rule);
    let fix = |fix: &skills::Fix| Fix { label: fix.label.clone(), splices: fix.splices.iter().map(splice).collect() };
    Problem {
        rule: problem.rule.to_owned(),
        severity: problem.severity,
        message: problem.message.clone(),
        field: problem.field.clone(),
        line: problem.place.line,
        column: problem.place.column,
        from: unit(problem.start),
        to: unit(problem.end),
        fix: editor.and(problem.fix.as_ref()).map(fix),
        demands: rule.map_or("", |rule| rule.demands),
        why: rule.map_or("", |rule| rule.why),
        clients: rule.map_or(&[], |rule| rule.clients),
    }
}

fn unit(editor: &EditorText<'_>, offset: usize) -> u32 {
    u32::try_from(editor.unit(offset)).unwrap_or(u32::MAX)
}

fn line_ends(bytes: &[u8]) -> &'static str {
    let count = |of: &[u8]| bytes.windows(of.len()).filter(|window| *window == of).count();
    let both = count(b"\r\n");
    match (both, count(b"\n") - both, count(b"\r") - both) {
        (0, _, 0) => "LF",
        (_, 0, 0) => "CRLF",
        (0, 0, _) => "CR",
        _ => "mixed",
    }
}

/// What a skill needs, with the state of each value.
pub(crate) fn needs(skill: &Skill, given: &ParameterValues, key: &str) -> Vec<Need> {
    let values = |server: &skills::Server| {
        server
            .parameters
            .iter()
            .map(|parameter| NeedValue {
                name: parameter.name.clone(),
                description: parameter.description.clone(),
                required: parameter.required,
                example: parameter.example.clone(),
                state: value(given, key, &server.name, parameter),
            })
            .collect()
    };
    if skill.reading == Reading::Broken {
        return Vec::new();
    }
    skill
        .servers
        .iter()
        .map(|server| {
            let way = given.way(key, server);
            let (command, url) = match way {
                Some(Way::Stdio { command, args, .. }) => ([std::slice::from_ref(command), args].concat(), None),
                Some(Way::Http { url, .. }) => (Vec::new(), Some(url.clone())),
                Some(Way::Docker { image, args, .. }) => {
                    let run = ["docker", "run", image].map(str::to_owned);
                    (run.into_iter().chain(args.iter().cloned()).collect(), None)
                }
                None => (Vec::new(), None),
            };
            let (server_name, description) = (server.name.clone(), server.description.clone());
            Need {
                server: server_name,
                description,
                command,
                url,
                ways: server.ways.iter().map(Way::kind).collect(),
                way: way.map(Way::kind),
                shares_with: None,
                values: values(server),
            }
        })
        .collect()
}

/// Servers that it declares in the formats of other programs, in its frontmatter and in files next to it.
fn suggested(skill: &Skill, entry: &Entry) -> Vec<Suggested> {
    let codex = entry.files.iter().find(|file| file.path.as_str() == "agents/openai.yaml");
    let codex = codex.and_then(|file| confined::read(&entry.location, &file.path, LARGEST).ok());
    let codex = codex.map(|bytes| skills::suggestions_of_codex(&bytes)).unwrap_or_default();
    let declared = |name: &Option<String>| skill.servers.iter().any(|server| Some(&server.name) == name.as_ref());
    let all = skills::suggestions(skill).into_iter().chain(codex);
    let new = all.filter(|one| one.server.is_none() || !declared(&one.server));
    new.map(|one| Suggested { server: one.server, variable: one.variable, url: one.url, from: one.from.to_owned() })
        .collect()
}

/// The same for a server that is kept for a client instead of a skill.
pub(crate) fn kept_needs(kept: &Adopted, given: &ParameterValues) -> SkillNeeds {
    let state = |name: &String| match given.secrets.get(&kept.parameter(name)) {
        Some(fact) => ValueState::SecretStored { since: fact.since, only_this_run: fact.only_this_run },
        None => ValueState::SecretMissing,
    };
    let value = |name: &String| {
        let (name, state) = (name.clone(), state(name));
        NeedValue { name, description: None, required: true, example: None, state }
    };
    let (command, url) = match kept.runs.clone() {
        Moved::Program { command, args, .. } => ([command].into_iter().chain(args).collect(), None),
        Moved::Address { url, .. } => (Vec::new(), Some(url)),
    };
    let values = kept.secrets.keys().map(value).collect();
    let need = Need {
        server: kept.name.clone(),
        description: None,
        command,
        url,
        ways: Vec::new(),
        way: None,
        shares_with: None,
        values,
    };
    SkillNeeds { key: kept.key(), name: kept.client.clone(), enabled: true, needs: vec![need] }
}

fn value(given: &ParameterValues, key: &str, server: &str, parameter: &skills::Parameter) -> ValueState {
    let slot = Slot { key: key.to_owned(), server: server.to_owned(), name: parameter.name.clone() };
    if !parameter.sensitive {
        return ValueState::Plain { value: given.values.get(&slot).cloned(), default: parameter.default.clone() };
    }
    match given.secrets.get(&slot) {
        Some(fact) => ValueState::SecretStored { since: fact.since, only_this_run: fact.only_this_run },
        None => ValueState::SecretMissing,
    }
}
