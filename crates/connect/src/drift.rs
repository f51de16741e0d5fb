//! Our entry as we wrote it, as it was edited, and the file's text before us.

use std::path::Path;

use api::{ActionError, Drift, DriftChoice, ErrorKind, Standing, failed};
use choices::ClientChoice;
use clients::LARGEST;
use files::{digest, replace_file};
use machine::clock;

use super::{
    context::{ClientContext, KnownClient},
    standing::{look_at, named},
};
use crate::{
    file_failed,
    journal::{self, Record},
};

/// The drift of one file: the first of the client's files that has drifted.
///
/// # Errors
/// When nothing has drifted.
pub fn drift(context: &ClientContext, known: &KnownClient, project: Option<&str>) -> Result<Drift, ActionError> {
    drifted(context, known, project).map(|(drift, _)| drift)
}

/// Settles the drift that was shown, without writing to the client's file. Returns the resulting choice about the
/// client.
///
/// # Errors
/// When something else has drifted in the meantime, or the journal cannot be written.
pub fn settle(
    context: &ClientContext,
    known: &KnownClient,
    project: Option<&str>,
    id: &str,
    choice: DriftChoice,
) -> Result<impl FnOnce(&mut ClientChoice) + Send + use<>, ActionError> {
    let (drift, record) = drifted(context, known, project)?;
    if drift.id != id {
        let message = "The file has changed since it was shown. Look at it again.";
        return Err(failed(ErrorKind::Changed, message));
    }
    let path = record.path.clone();
    let kept = match (choice, &drift.theirs) {
        (DriftChoice::Keep, Some(theirs)) => Some(digest(theirs.as_bytes())),
        // An entry that may stay removed is no longer ours, nor is one that others look after.
        (DriftChoice::Keep, None) | (DriftChoice::Forget, _) => {
            let now = replace_file::read(&path, LARGEST as u64).map_err(file_failed)?.as_deref().map(digest);
            let change = format!("{}-released", clock::now());
            let project = record.project.clone();
            let (time, before) = (clock::now(), now.clone());
            let path = path.clone();
            let released = Record { path, time, before, after: now, change, project, ..Record::default() };
            journal::keep(&context.machine.data, &known.id, released, None).map_err(file_failed)?;
            None
        }
    };
    let gone = drift.theirs.is_none();
    let file = named(&path);
    Ok(move |chosen: &mut ClientChoice| {
        chosen.again &= !gone;
        chosen.pending &= !gone;
        match kept {
            Some(kept) => drop(chosen.kept.insert(file, kept)),
            None => drop(chosen.kept.remove(&file)),
        }
    })
}

fn drifted(
    context: &ClientContext,
    known: &KnownClient,
    project: Option<&str>,
) -> Result<(Drift, Record), ActionError> {
    let project = project.map(Path::new);
    let looks = context.files(known, project).into_iter().map(|path| look_at(context, known, &path, project));
    let mut drifted = looks.filter(|look| matches!(look.standing, Standing::Edited | Standing::Dropped { .. }));
    let found = drifted.next().and_then(|look| Some((look.claim?, look.there)));
    let Some((record, there)) = found else {
        return Err(failed(ErrorKind::NotFound, "Our entry is as it was written."));
    };
    let ours = record.added.as_ref().and_then(|added| clients::snippet(known.row, &added.entry).ok());
    let text = |file: &[u8]| clients::ours(known.row, file).ok().flatten().map(|shown| shown.text);
    let base = journal::before(&context.machine.data, &known.id, &record, |_| None).and_then(|before| text(&before));
    let theirs = there.map(|there| there.text);
    let drift = Drift {
        id: digest(format!("{} {theirs:?}", record.path.display()).as_bytes()),
        place: context.machine.place(&record.path),
        ours: ours.and_then(|file| text(file.as_bytes())).unwrap_or_default(),
        theirs,
        base,
    };
    Ok((drift, record))
}

/// Removes common indentation from each text, because they are compared and may be nested at different depths.
pub fn aligned(drift: Drift) -> Drift {
    let Drift { id, place, ours, theirs, base } = drift;
    let text = |text: String| to_the_left(&text);
    Drift { id, place, ours: to_the_left(&ours), theirs: theirs.map(text), base: base.map(text) }
}

/// The first line of an entry starts at its value; the later lines keep the file's indentation.
fn to_the_left(text: &str) -> String {
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(depth).min().unwrap_or_default();
    let lines = text.lines().enumerate();
    let lines: Vec<_> = lines.map(|(at, line)| if at == 0 { line } else { line.get(common..).unwrap_or("") }).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_shown_as_far_to_the_left_as_it_goes() {
        assert_eq!(to_the_left("{\n      \"a\": 1,\n\n      \"b\": {}\n    }"), "{\n  \"a\": 1,\n\n  \"b\": {}\n}");
        assert_eq!(to_the_left("{ \"a\": 1 }"), "{ \"a\": 1 }");
    }
}
