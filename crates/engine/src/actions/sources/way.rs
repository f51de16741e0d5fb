//! What is odd about the way from the commit that a skill is pinned to, to the one that its source has now.

use fetch::{Cancel, Commit, FetchError, Repositories, Tip};
use origins::Record;

/// The sentences about it: a tag that moved, a history that was rewritten. Usually none.
pub(super) fn notes(from: &Repositories, record: &Record, tip: &Tip, new: &Commit, cancel: &Cancel) -> Vec<String> {
    let old = &record.now.commit;
    let follows = record.follows.as_deref().unwrap_or("the repository");
    if old == new.id() {
        return Vec::new();
    }
    if tip.is_tag {
        return vec![format!("The tag {follows} was moved: it named another commit before.")];
    }
    match from.follows(new, old, record.now.made, cancel) {
        Ok(true) => Vec::new(),
        Ok(false) => {
            vec![format!(
                "The history of {follows} was rewritten: the commit that you have is not part of it any more."
            )]
        }
        Err(FetchError::NoGit) => {
            vec![
                "Whether the history was rewritten is not known: only git can tell, and it is not on this computer."
                    .to_owned(),
            ]
        }
        Err(error) => vec![format!("Whether the history was rewritten could not be found out. {error}")],
    }
}
