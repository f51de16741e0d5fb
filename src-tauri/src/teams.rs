//! The team whose page was asked for last, between the main window, which looks and follows, and the window that asks,
//! which alone may say yes: the page as it was shown, and what is left of it since. The file is not read again, so a yes
//! is to what stands there, whatever became of its source.

use std::mem;

use api::{ActionError, ErrorKind, Keychain, TeamLeft, TeamPage, TeamQuestion, TeamValues};
use parking_lot::Mutex;
use tokio::sync::watch;

/// The page of this run.
pub(crate) struct Teams {
    shown: Mutex<Option<Shown>>,
    /// Whether a join is under way.
    joining: watch::Sender<bool>,
}

struct Shown {
    page: TeamPage,
    /// The library folder for skills that come.
    folder: String,
    left: Option<TeamLeft>,
}

impl Default for Teams {
    fn default() -> Self {
        Self { shown: Mutex::default(), joining: watch::Sender::new(false) }
    }
}

/// A join that is under way until this ends.
pub(crate) struct Joining<'t>(&'t Teams);

impl Drop for Joining<'_> {
    fn drop(&mut self) {
        self.0.joining.send_replace(false);
    }
}

impl Teams {
    /// Keeps a page that was looked at.
    pub(crate) fn keep(&self, page: TeamPage) {
        *self.shown.lock() = Some(Shown { page, folder: String::new(), left: None });
    }

    /// Chooses the folder for the skills of this page, if there is a choice. Returns the team's name, or where its file is.
    ///
    /// # Errors
    /// Another page was looked at since.
    pub(crate) fn choose(&self, id: &str, folder: Option<String>) -> Result<String, ActionError> {
        let mut shown = self.shown.lock();
        let shown = shown.as_mut().filter(|shown| shown.page.id == id).ok_or_else(gone)?;
        shown.folder = folder.unwrap_or_else(|| mem::take(&mut shown.folder));
        Ok(shown.page.name.clone().unwrap_or_else(|| shown.page.from.clone()))
    }

    /// What the window that asks shows.
    ///
    /// # Errors
    /// Another page was looked at since.
    pub(crate) fn question(&self, id: &str, keychain: Keychain) -> Result<TeamQuestion, ActionError> {
        let shown = self.shown.lock();
        let shown = shown.as_ref().filter(|shown| shown.page.id == id).ok_or_else(gone)?;
        Ok(TeamQuestion { page: shown.page.clone(), left: shown.left.clone(), keychain })
    }

    /// The text of the file and the folder, for a join with these plain values that is under way from now on.
    ///
    /// # Errors
    /// Another page was looked at since, or a join is under way.
    pub(crate) fn begin(&self, id: &str, values: &TeamValues) -> Result<(String, String, Joining<'_>), ActionError> {
        let mut shown = self.shown.lock();
        let shown = shown.as_mut().filter(|shown| shown.page.id == id).ok_or_else(gone)?;
        if self.joining.send_replace(true) {
            let message = "A team is being joined already, so nothing more was done.".to_owned();
            return Err(ActionError { kind: ErrorKind::Already, message, hints: vec!["Wait for its end.".to_owned()] });
        }
        // They were seen with the yes, so they stand on the page from now on.
        for row in &mut shown.page.servers {
            for ask in &mut row.asks {
                let value = values.get(&row.name).and_then(|of| of.get(&ask.name)).cloned();
                ask.given = value.filter(|_| !ask.secret);
            }
        }
        Ok((shown.page.text.clone(), shown.folder.clone(), Joining(self)))
    }

    /// Keeps what a join left.
    pub(crate) fn joined(&self, id: &str, left: &TeamLeft) {
        if let Some(shown) = self.shown.lock().as_mut().filter(|shown| shown.page.id == id) {
            shown.left = Some(left.clone());
        }
    }

    /// What the last join left, once none is under way; `None` where nobody said yes.
    pub(crate) async fn left(&self, id: &str) -> Option<TeamLeft> {
        // The sender lives as long as this.
        drop(self.joining.subscribe().wait_for(|joining| !joining).await);
        self.shown.lock().as_ref().filter(|shown| shown.page.id == id).and_then(|shown| shown.left.clone())
    }
}

fn gone() -> ActionError {
    let message = "Another team was looked at since this page was shown, so nothing was done.".to_owned();
    ActionError { kind: ErrorKind::Changed, message, hints: vec!["Look at it again.".to_owned()] }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    fn page(id: &str) -> TeamPage {
        let (text, from) = (format!("the text of {id}"), "acme/team".to_owned());
        let (commit, name, advice) = (None, None, None);
        let (refuses, skills, servers, sets, clients) = Default::default();
        TeamPage { id: id.to_owned(), text, from, commit, name, advice, refuses, skills, servers, sets, clients }
    }

    #[tokio::test]
    async fn a_yes_is_to_the_page_that_was_shown_and_to_none_that_took_its_place() {
        let (teams, none) = (Teams::default(), TeamValues::new());
        assert!(
            teams.question("a", Keychain::Ready).is_err()
                && teams.begin("a", &none).is_err()
                && teams.choose("a", Some("own".to_owned())).is_err()
        );
        teams.keep(page("a"));
        assert_eq!(teams.choose("a", Some("own".to_owned())).unwrap(), "acme/team");
        assert_eq!(teams.choose("a", None).unwrap(), "acme/team");
        let (text, folder, joining) = teams.begin("a", &none).unwrap();
        assert_eq!((text.as_str(), folder.as_str()), ("the text of a", "own"));
        assert_eq!(teams.begin("a", &none).map(|_| ()).unwrap_err().kind, ErrorKind::Already);
        assert!(timeout(Duration::ZERO, teams.left("a")).await.is_err(), "it waits for the join that is under way");
        drop(joining);
        assert_eq!(teams.left("a").await, None, "a join that failed leaves nothing");
        teams.joined("a", &TeamLeft::default());
        assert_eq!(teams.left("a").await, Some(TeamLeft::default()));
        assert!(teams.question("a", Keychain::Ready).unwrap().left.is_some());
        // What was looked at later is another question, also while the first still stands there.
        teams.keep(page("b"));
        assert_eq!(teams.begin("a", &none).map(|_| ()).unwrap_err().kind, ErrorKind::Changed);
        teams.joined("a", &TeamLeft::default());
        assert_eq!((teams.left("a").await, teams.left("b").await), (None, None));
        assert!(teams.begin("b", &none).is_ok());
    }
}
