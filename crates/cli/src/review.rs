//! The review of an update in words: what the skill can do after it, and the lines that change.

use anstyle::{AnsiColor, Style};
use api::{Ability, AbilityKind, Conflict, DiffLine, DiffSign, UpdateChange, UpdateFile, UpdatePlan};

use crate::{Text, ours::short, show::finding};

/// An update, or going back, as it would be.
pub(crate) fn words(plan: &UpdatePlan) -> Text {
    let UpdatePlan { key, source, from, to, notes, files, gains, losses, findings, text_only, edited, .. } = plan;
    // What is committed has no commit yet.
    let mut text = Text::from(match to.as_str() {
        "" => format!("{key}:"),
        to => format!("{key}: {source}, {} -> {}", short(from), short(to)),
    });
    let mut about = Text::new();
    about.extend(notes);
    if *edited {
        about.line("You changed it since it came.");
    }
    about.extend(gains.iter().map(|ability| format!("new: {}", able(ability))));
    about.extend(losses.iter().map(|ability| format!("gone: {}", able(ability))));
    about.extend(findings.iter().map(finding));
    if *text_only {
        about.line("Only texts change, and nothing that it can do.");
    }
    if files.is_empty() {
        about.line("No file changes.");
    }
    text.append(about.indented());
    for one in files {
        text.append(file(one));
    }
    text
}

fn able(Ability { kind, what }: &Ability) -> String {
    let kind = match kind {
        AbilityKind::Script => "the script",
        AbilityKind::Program => "the program",
        AbilityKind::Archive => "the archive",
        AbilityKind::Host => "links to",
        AbilityKind::Server => "needs the server",
        AbilityKind::Tool => "uses without asking",
        AbilityKind::Command => "runs by itself",
        AbilityKind::Secret => "needs the secret",
    };
    format!("{kind} {what}")
}

fn file(file: &UpdateFile) -> Text {
    let how = match file.how {
        UpdateChange::Added => "comes",
        UpdateChange::Changed => "changes",
        UpdateChange::Removed => "goes",
        UpdateChange::Merged => "gets your changes and those of the update",
        UpdateChange::Conflict => "was changed by you and by the update",
    };
    let mut text = Text::from(format!("{} {how}:", file.path));
    file.lines.iter().for_each(|one| line(&mut text, one));
    for (at, conflict) in file.conflicts.iter().enumerate() {
        text.line(format!("conflict {}:", at + 1));
        both(&mut text, conflict);
    }
    text
}

/// A line of a diff, with its sign and colour.
pub(crate) fn line(text: &mut Text, line: &DiffLine) {
    let (sign, style) = match line.sign {
        DiffSign::Same => (' ', Style::new()),
        DiffSign::Added => ('+', AnsiColor::Green.on_default()),
        DiffSign::Removed => ('-', AnsiColor::Red.on_default()),
    };
    text.painted(style, format!("{sign} {}", line.text));
}

fn both(text: &mut Text, conflict: &Conflict) {
    for (whose, side) in [("yours", &conflict.mine), ("the update's", &conflict.theirs)] {
        match side {
            Some(lines) => {
                text.line(format!("  {whose}:"));
                lines.lines().for_each(|line| text.line(format!("    {line}")));
            }
            None => text.line(format!("  {whose}: the file is gone")),
        }
    }
}
