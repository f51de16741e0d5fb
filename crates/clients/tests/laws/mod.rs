//! The laws for every file of every client, and dice to generate such files.

use clients::{Client, Entry, Plan, Refusal, Standing, Undo, connect, disconnect, reset, standing, update};
use proptest::prelude::*;
use text::{apply, cut};

/// The number of files for each law: 2,000, or the value of PROPTEST_CASES.
pub(crate) fn config() -> ProptestConfig {
    let config = ProptestConfig { max_shrink_iters: 20_000, failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: 2000, ..config },
    }
}

/// Random bytes that make choices. Fewer and smaller bytes choose simpler things, so that a failing file shrinks.
#[derive(Debug, Clone)]
pub(crate) struct Dice {
    bytes: Vec<u8>,
    at: usize,
}

pub(crate) fn dice() -> impl Strategy<Value = Dice> {
    prop::collection::vec(any::<u8>(), 0..240).prop_map(|bytes| Dice { bytes, at: 0 })
}

impl Dice {
    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        usize::from(byte) % sides
    }

    pub(crate) fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.roll(from.len())]
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == times - 1
    }
}

/// Joins lines into one text, with various line ends, starts and ends.
pub(crate) fn text_of(dice: &mut Dice, lines: &[String]) -> String {
    let kind = dice.roll(6);
    let mut text = if dice.once_in(8) { "\u{feff}".to_owned() } else { String::new() };
    for (index, line) in lines.iter().enumerate() {
        let last = index + 1 == lines.len();
        text.push_str(line);
        text.push_str(match kind {
            _ if last && dice.once_in(3) => "",
            3 => "\r\n",
            4 => dice.pick(&["\n", "\r\n"]),
            _ => "\n",
        });
    }
    text
}

/// The content of a file without our entry, as the parser of the format's test reads it. `None` if it cannot.
pub(crate) type Said = fn(&Client, &[u8]) -> Option<String>;

pub(crate) fn entries() -> [Entry; 4] {
    let stdio = |command: &str, args: &[&str]| Entry::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
    };
    [
        stdio("/usr/bin/skilltender", &["mcp", "--client", "x"]),
        stdio(r"C:\Users\O'Neil\App Data\skilltender.exe", &["mcp", "--home", r"D:\a b"]),
        stdio("/opt/Zoë's \"apps\"/#1: skilltender, {x}", &["no", "12", "", "a\tb\nc"]),
        Entry::Http { url: "http://127.0.0.1:8363/mcp".to_owned(), token: "t#: 0123".to_owned() },
    ]
}

/// Adds, changes and removes in a row: every byte of other authors stays, and undoing restores the file.
pub(crate) fn add_and_remove(client: &Client, said: Said, before: &[u8]) -> Result<(), TestCaseError> {
    added_and_removed(client, said, before).map_err(|error| {
        TestCaseError::fail(format!("{error}\nin {:?}\n{}", client.id, String::from_utf8_lossy(before)))
    })
}

fn added_and_removed(client: &Client, said: Said, before: &[u8]) -> Result<(), TestCaseError> {
    let [entry, moved, odd, http] = entries();
    let plan = fine(client, said, connect(client, Some(before), &entry))?;
    let ours = plan.splice.start..plan.splice.end + plan.splice.insert.len();
    let after = plan.after.clone().unwrap_or_default();
    prop_assert_eq!(&cut(&after, ours), before, "adding is one insertion");
    prop_assert_eq!(standing(client, Some(&after), &entry), Ok(Standing::Ours));
    prop_assert_eq!(connect(client, Some(&after), &entry), Err(Refusal::Already));

    let undone = fine(client, said, disconnect(client, &after, Some(&plan.undo())))?;
    prop_assert_eq!(undone.after.as_deref(), Some(before), "undoing gives every byte back");
    let removed = fine(client, said, disconnect(client, &after, None))?;
    let removed = removed.after.unwrap_or_default();
    prop_assert_eq!(standing(client, Some(&removed), &entry), Ok(Standing::Absent));
    fine(client, said, connect(client, Some(&removed), &entry))?;

    for other in [moved, odd, http] {
        let changed = fine(client, said, update(client, &after, &other, Some(&plan.undo())))?;
        let now = changed.after.clone().unwrap_or_default();
        prop_assert_eq!(standing(client, Some(&now), &other), Ok(Standing::Ours));
        let back = fine(client, said, disconnect(client, &now, Some(&changed.undo())))?;
        prop_assert_eq!(back.after.as_deref(), Some(before), "undoing after an update gives every byte back");
    }
    Ok(())
}

/// A step in the history of a client's file.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Add(usize),
    Update(usize),
    Reset(usize),
    Remove {
        undo: bool,
    },
    /// Another author inserts a text before the line, or replaces the line.
    Edit {
        text: &'static str,
        line: prop::sample::Index,
        replaces: bool,
    },
    /// Another author changes a word of our entry.
    Word(&'static str, &'static str),
}

pub(crate) fn steps(texts: &'static [&'static str]) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..4usize).prop_map(Step::Add),
        2 => (0..4usize).prop_map(Step::Update),
        1 => (0..4usize).prop_map(Step::Reset),
        2 => any::<bool>().prop_map(|undo| Step::Remove { undo }),
        4 => (prop::sample::select(texts), any::<prop::sample::Index>(), prop::bool::weighted(0.2))
            .prop_map(|(text, line, replaces)| Step::Edit { text, line, replaces }),
        1 => prop::sample::select(&[("mcp", "MCP"), ("/usr/bin", "/opt"), ("skilltender", "tender"), ("args", "arguments")][..])
            .prop_map(|(from, to)| Step::Word(from, to)),
    ];
    prop::collection::vec(step, 1..9)
}

/// Our steps and others' in any order: ours never change others' contents, and either hold or are refused with a
/// reason.
pub(crate) fn history(client: &Client, said: Said, before: &[u8], steps: &[Step]) -> Result<(), TestCaseError> {
    let mut now = before.to_vec();
    let mut undo: Option<Undo> = None;
    for step in steps {
        let entries = entries();
        let plan = match step {
            Step::Add(entry) => connect(client, Some(&now), &entries[*entry]),
            Step::Update(entry) => update(client, &now, &entries[*entry], undo.as_ref()),
            Step::Reset(entry) => reset(client, &now, &entries[*entry], undo.as_ref()),
            Step::Remove { undo: with } => disconnect(client, &now, undo.as_ref().filter(|_| *with)),
            Step::Edit { .. } | Step::Word(..) => {
                if let Some(edited) = edited(&now, step) {
                    now = edited;
                }
                continue;
            }
        };
        if let Err(refusal) = &plan {
            // A YAML text that keeps its blank lines absorbs whatever follows it; refusing is right then.
            let keeps = ["|+", ">+"].iter().any(|sign| String::from_utf8_lossy(&now).contains(sign));
            let odd = matches!(refusal, Refusal::Unproven) && !keeps;
            prop_assert!(!odd, "unproven: {:?} in\n{}", step, String::from_utf8_lossy(&now));
            continue;
        }
        let plan = fine(client, said, plan)?;
        undo = (!matches!(step, Step::Remove { .. })).then(|| plan.undo());
        now = plan.after.unwrap_or_default();
    }
    Ok(())
}

fn edited(now: &[u8], step: &Step) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(now).ok()?;
    match step {
        Step::Edit { text: edit, line, replaces } => {
            let starts: Vec<_> = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
            let index = line.index(starts.len());
            let end = starts.get(index + 1).copied().filter(|_| *replaces).unwrap_or(starts[index]);
            Some([&text[..starts[index]], edit, &text[end..]].concat().into_bytes())
        }
        Step::Word(from, to) => Some(text.replacen(from, to, 1).into_bytes()),
        _ => None,
    }
}

/// Checks an accepted plan: its splice is its whole change, and other contents are the same before and after.
pub(crate) fn fine(client: &Client, said: Said, plan: Result<Plan, Refusal>) -> Result<Plan, TestCaseError> {
    let plan = plan.map_err(|refusal| TestCaseError::fail(format!("refused: {refusal}")))?;
    let before = plan.before.clone().unwrap_or_default();
    let after = plan.after.clone().unwrap_or_default();
    prop_assert_eq!(apply(&before, std::slice::from_ref(&plan.splice)).ok(), Some(after.clone()));
    let (old, new) = (said(client, &before), said(client, &after));
    prop_assert!(new.is_some(), "nobody can read\n{}", String::from_utf8_lossy(&after));
    prop_assert_eq!(new, old, "in\n{}", String::from_utf8_lossy(&after));
    Ok(plan)
}

/// Any bytes as a file: no panic, and every accepted plan passes [`fine`].
pub(crate) fn any_bytes(client: &Client, said: Said, bytes: &[u8]) -> Result<(), TestCaseError> {
    let [entry, moved, ..] = entries();
    let first = connect(client, Some(bytes), &entry);
    let undo = first.as_ref().ok().map(Plan::undo);
    let after = first.as_ref().ok().and_then(|plan| plan.after.clone());
    let mut plans = vec![first, update(client, bytes, &moved, None), disconnect(client, bytes, None)];
    if let Some(after) = &after {
        plans.push(disconnect(client, after, None));
        plans.push(update(client, after, &moved, undo.as_ref()));
        let back = disconnect(client, after, undo.as_ref());
        prop_assert_eq!(back.as_ref().ok().and_then(|plan| plan.after.as_deref()), Some(bytes));
        plans.push(back);
    }
    for plan in plans.into_iter().filter(Result::is_ok) {
        fine(client, said, plan)?;
    }
    Ok(())
}

const SIGNS: &[u8] = b"\n\r\t #,:=.-[]{}'\"|>&*!?%@`\\~\xc3\xa9\0a1";

/// The bytes of a file, some of them changed, removed or doubled.
pub(crate) fn mutated(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.roll(4) {
        let length = bytes.len();
        let at = (dice.roll(256) * 256 + dice.roll(256)) % (length + 1);
        let end = (at + dice.roll(8)).min(length);
        let piece = bytes[at..end].to_vec();
        match dice.roll(4) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, piece)),
            2 => bytes.insert(at, SIGNS[dice.roll(SIGNS.len())]),
            _ => {
                let token = dice.pick(&[
                    "[[",
                    "]]",
                    "\"\"\"",
                    "'''",
                    "---\n",
                    "...\n",
                    "<<: ",
                    "\r\n",
                    "skilltender",
                    "&a ",
                    "*a",
                    "- ",
                ]);
                drop(bytes.splice(at..end, token.bytes()));
            }
        }
    }
    bytes
}
