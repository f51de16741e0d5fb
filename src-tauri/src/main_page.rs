//! The page of the main window, which ends with its window while the program runs on in the tray: what a page left
//! there, what waits for the next one until it listens, and whether a window that is wanted may be opened now. Opening
//! and ending the window itself is left to `windows`.

use std::{collections::BTreeMap, mem, time::Duration};

use parking_lot::Mutex;
use serde::Serialize;
use tokio::{sync::Notify, time::timeout};

use crate::chosen::Choice;

/// How long the library waits for the window. A page that takes longer hinders itself.
const FIRST_PAINT: Duration = Duration::from_secs(1);

/// What is known of the page. Changed on the main thread, read anywhere.
#[derive(Default)]
pub(crate) struct MainPage {
    known: Mutex<Known>,
    /// Told when the first page listens.
    first: Notify,
}

#[derive(Default)]
struct Known {
    listens: bool,
    /// Whether a page of this window has listened.
    listened: bool,
    stage: Stage,
    left: Option<Left>,
    waiting: Vec<News>,
}

/// How far the window is on its way into the tray.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// It is not on its way: it is there, or it is gone.
    #[default]
    Settled,
    /// It is hidden, and its page was asked what it leaves.
    Asked,
    /// It ends; `again`: it is wanted again.
    Ending { again: bool },
}

/// A window that has ended.
pub(crate) struct Ended {
    /// It is to be opened again.
    pub(crate) again: bool,
    /// Its page was loaded, so that none of its processes is just being started.
    pub(crate) listened: bool,
}

/// What a page leaves for the next one.
pub(crate) struct Left {
    /// The page's own words: where it was, and what was unsaved.
    pub(crate) state: String,
    /// The unsaved texts by the keys of their skills, for a program that ends without a page.
    pub(crate) unsaved: BTreeMap<String, String>,
}

/// A place in the window that the tray or a second start opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "place", rename_all = "lowercase")]
pub(crate) enum Show {
    /// The skills that need the user.
    Needs,
    /// The contents of a skill that the person has not seen, before it is switched on.
    Enable {
        /// The skill's key.
        key: String,
    },
    /// The skills.
    Skills,
    /// A skill.
    Skill {
        /// Its key.
        key: String,
    },
    /// The servers.
    Servers,
    /// A server.
    Server {
        /// Its name.
        name: String,
    },
    /// The review of an import.
    Review {
        /// What is to be imported.
        source: Choice,
    },
    /// The question for a source, with the answer filled in.
    Source {
        /// The source, as a person would write it. Nothing was asked of it.
        written: String,
    },
    /// The clients.
    Clients,
    /// The change that adds Skilltender to a client.
    Client {
        /// The client.
        id: String,
    },
}

/// Who requests the quit.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Leave {
    /// The person, who can be asked about unsaved edits.
    Person,
    /// The system or the terminal, which does not wait for an answer.
    System,
}

/// What a page is told once it listens.
#[derive(Debug, Clone)]
pub(crate) enum News {
    Show(Show),
    Leave(Leave),
}

impl MainPage {
    /// Whether a page hears events.
    pub(crate) fn listens(&self) -> bool {
        self.known.lock().listens
    }

    /// The news for a page that listens; otherwise they wait for one.
    pub(crate) fn now_or_later(&self, news: News) -> Option<News> {
        let mut known = self.known.lock();
        if known.listens {
            return Some(news);
        }
        known.waiting.push(news);
        None
    }

    /// Waits until the first page listens, which is when its frame is drawn; not for long.
    pub(crate) async fn is_drawn(&self) {
        drop(timeout(FIRST_PAINT, self.first.notified()).await);
    }

    /// A page listens: what the last one left, and what waited.
    pub(crate) fn begin(&self) -> (Option<String>, Vec<News>) {
        self.first.notify_one();
        let mut known = self.known.lock();
        known.listens = true;
        known.listened = true;
        (known.left.take().map(|left| left.state), mem::take(&mut known.waiting))
    }

    /// The window is closed. Whether its page can be asked what it leaves.
    pub(crate) fn ask(&self) -> bool {
        let mut known = self.known.lock();
        if known.listens && known.stage == Stage::Settled {
            known.stage = Stage::Asked;
        }
        known.listens
    }

    /// The window is wanted. Whether it may be shown or opened now: one that ends is opened again when it has ended.
    pub(crate) fn wanted(&self) -> bool {
        let mut known = self.known.lock();
        match &mut known.stage {
            Stage::Ending { again } => {
                *again = true;
                false
            }
            stage => {
                *stage = Stage::Settled;
                true
            }
        }
    }

    /// The page has left this. Whether the window ends now: it may have been wanted again meanwhile.
    pub(crate) fn leave(&self, left: Option<Left>) -> bool {
        let mut known = self.known.lock();
        if known.stage != Stage::Asked {
            return false;
        }
        let Some(left) = left else {
            known.stage = Stage::Settled;
            return false;
        };
        known.left = Some(left);
        known.ends();
        true
    }

    /// The window ends without having been asked.
    pub(crate) fn end(&self) {
        self.known.lock().ends();
    }

    /// The window has ended.
    pub(crate) fn ended(&self) -> Ended {
        let mut known = self.known.lock();
        known.listens = false;
        Ended {
            again: mem::take(&mut known.stage) == Stage::Ending { again: true },
            listened: mem::take(&mut known.listened),
        }
    }

    /// The unsaved texts that a page left and none has taken up.
    pub(crate) fn unsaved(&self) -> BTreeMap<String, String> {
        self.known.lock().left.as_ref().map(|left| left.unsaved.clone()).unwrap_or_default()
    }
}

impl Known {
    fn ends(&mut self) {
        self.listens = false;
        self.stage = Stage::Ending { again: false };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left() -> Option<Left> {
        Some(Left { state: "there".to_owned(), unsaved: BTreeMap::from([("f1/tea".to_owned(), "new".to_owned())]) })
    }

    fn listening() -> MainPage {
        let page = MainPage::default();
        page.begin();
        page
    }

    #[test]
    fn what_a_page_left_is_taken_up_once_by_the_next() {
        let page = listening();
        assert!(page.ask());
        assert!(page.leave(left()));
        assert_eq!(page.unsaved().len(), 1);
        assert!(!page.ended().again);
        assert_eq!(page.begin().0.as_deref(), Some("there"));
        assert!(page.unsaved().is_empty(), "the page has it again");
        assert_eq!(page.begin().0, None);
    }

    #[test]
    fn a_window_that_is_wanted_while_its_page_is_asked_stays() {
        let page = listening();
        page.ask();
        assert!(page.wanted());
        assert!(!page.leave(left()));
        assert!(page.unsaved().is_empty());
        assert!(page.listens());
    }

    #[test]
    fn a_window_that_is_wanted_while_it_ends_is_opened_again_when_it_has_ended() {
        let page = listening();
        page.ask();
        page.leave(left());
        assert!(!page.wanted());
        assert!(page.ended().again);
        assert!(page.wanted());
        assert_eq!(page.begin().0.as_deref(), Some("there"));
    }

    #[test]
    fn a_window_closed_twice_ends_once() {
        let page = listening();
        assert!(page.ask());
        assert!(page.ask());
        assert!(page.leave(left()));
        assert!(!page.leave(left()));
    }

    #[test]
    fn a_page_that_keeps_something_keeps_its_window() {
        let page = listening();
        page.ask();
        assert!(!page.leave(None));
        assert!(page.ask(), "it is asked again the next time");
        assert!(page.leave(left()));
    }

    #[test]
    fn a_page_that_does_not_listen_yet_cannot_be_asked_and_what_was_left_waits_for_the_next() {
        let page = listening();
        page.ask();
        page.leave(left());
        assert!(page.ended().listened);
        assert!(!page.ask());
        page.end();
        assert!(!page.ended().listened);
        assert_eq!(page.begin().0.as_deref(), Some("there"));
    }

    #[test]
    fn news_wait_for_a_page_that_listens() {
        let page = MainPage::default();
        assert!(page.now_or_later(News::Show(Show::Needs)).is_none());
        assert!(page.now_or_later(News::Leave(Leave::Person)).is_none());
        assert!(matches!(page.begin().1[..], [News::Show(Show::Needs), News::Leave(Leave::Person)]));
        assert!(page.now_or_later(News::Show(Show::Needs)).is_some());
        assert!(page.begin().1.is_empty());
    }
}
