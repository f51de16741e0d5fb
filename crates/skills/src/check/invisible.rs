//! The rule about text that people do not see: literal, and as YAML decodes it from escapes.

use text::Splice;

use super::content::Content;
use crate::{hidden_text::invisible, problem::Fault};

/// One problem per line, so that a hidden page is not a thousand problems.
pub(super) fn hidden(content: &mut Content<'_>) -> Vec<Fault> {
    let text = content.text();
    let found = invisible(text);
    let mut faults = written(content);
    let lines = found.chunk_by(|a, b| !text[a.range.end..b.range.start].contains(['\n', '\r']));
    faults.extend(lines.map(|line| {
        let characters: usize = line.iter().map(|invisible| text[invisible.range.clone()].chars().count()).sum();
        let what = match characters {
            1 => "There is an invisible character here".to_owned(),
            count => format!("There are {count} invisible characters in this line"),
        };
        let message = format!(
            "{what}: {}. People do not see what a model reads here. Remove it unless you know why it is there.",
            line[0].kind.name()
        );
        let fix = line.iter().map(|invisible| Splice::new(invisible.range.clone(), "")).collect();
        let span = line[0].range.start..line[line.len() - 1].range.end;
        Fault::new("invisible-text", span, message).fixed_by("Remove the invisible characters", fix)
    }));
    faults
}

/// Values that clients receive with invisible characters, which SKILL.md writes as escapes.
fn written(content: &Content<'_>) -> Vec<Fault> {
    let shown = |span: &std::ops::Range<usize>| content.text().get(span.clone()).unwrap_or_default();
    let hides = |(span, text): &(&std::ops::Range<usize>, &str)| {
        let found = invisible(text);
        let first = found.first().filter(|_| invisible(shown(span)).is_empty())?;
        let message = format!(
            "This value contains invisible characters, written as escapes: {}. Clients get the characters themselves, and \
             people do not see what a model reads. Remove them unless you know why they are there.",
            first.kind.name()
        );
        Some(Fault::new("invisible-text", (*span).clone(), message))
    };
    content.frontmatter.scalars().iter().filter_map(hides).collect()
}
