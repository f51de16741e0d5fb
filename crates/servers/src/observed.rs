//! What is observed of servers while they run, as values: the loop records each with [`Servers::observe`], and nothing
//! else changes what is known of a run.

use std::{collections::BTreeSet, fmt, sync::Arc};

use api::{ServerState, SignInAsked};
use mcp::{About, ListedResources};

use crate::{Advertised, AdvertisedChange, Approvals, LaunchSpec, Servers};

/// One observation of one server. In the log it is the server, and the name of what was observed.
#[derive(Clone)]
pub struct Observed {
    /// The server's name.
    pub server: String,
    /// What was observed.
    pub what: What,
}

/// What is observed of a server.
#[derive(Clone)]
pub enum What {
    /// It is in another stage.
    Stage(ServerState),
    /// It answers, and this is what it says of itself.
    Answers {
        /// Its stage from now on.
        stage: ServerState,
        /// Its own words.
        about: About,
    },
    /// It advertises these tools and prompts, in a run of this launch spec.
    Advertises {
        /// The launch spec that it was started with.
        spec: Box<LaunchSpec>,
        /// The tools and prompts.
        said: Advertised,
        /// Entries that contain one of its secrets.
        left_out: Vec<String>,
    },
    /// It lists these resources.
    Lists {
        /// The resources.
        resources: Arc<ListedResources>,
        /// Entries that contain one of its secrets.
        left_out: Vec<String>,
    },
    /// It wrote, so many lines by now.
    Lines(u64),
    /// Whether a run of this launch spec wants the person to sign in.
    WantsSignIn(Box<LaunchSpec>, bool),
    /// It refused a call for want of these rights.
    Rights(BTreeSet<String>),
    /// A sign-in waits for the person, or failed with this sentence; neither when it is over.
    SignIn {
        /// The sign-in that waits.
        asked: Option<SignInAsked>,
        /// Why the last one failed.
        trouble: Option<String>,
    },
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, what } = self;
        match what {
            What::Stage(stage) | What::Answers { stage, .. } => {
                // Without the server's own words.
                let debug = format!("{stage:?}");
                write!(f, "{server}: {}", debug.split([' ', '{', '(']).next().unwrap_or_default())
            }
            What::Advertises { said, .. } => write!(f, "{server}: advertises {} tools", said.tools.len()),
            What::Lists { resources, .. } => write!(f, "{server}: lists {} resources", resources.resources.len()),
            What::Lines(lines) => write!(f, "{server}: wrote {lines} lines"),
            What::WantsSignIn(_, wants) => write!(f, "{server}: wants a sign-in: {wants}"),
            What::Rights(rights) => write!(f, "{server}: wants {} more rights", rights.len()),
            What::SignIn { asked, .. } => write!(f, "{server}: waits for a sign-in: {}", asked.is_some()),
        }
    }
}

impl Servers {
    /// Records an observation. Returns whether the server must be held back, because it advertises something else than
    /// the person has seen. What it advertises first counts as seen, because it comes with the server that was
    /// approved.
    pub fn observe(&mut self, Observed { server, what }: Observed) -> bool {
        let run = self.runs.entry(server).or_default();
        match what {
            What::Stage(stage) => run.stage = stage,
            What::Answers { stage, about } => (run.stage, run.about) = (stage, Some(about)),
            What::Advertises { spec, said, left_out } => {
                let words = self.approvals.about_words(&spec, &said);
                let held = words == AdvertisedChange::Other;
                (run.changed, run.left_out) = (held.then(|| said.clone()), left_out);
                if words == AdvertisedChange::New {
                    let mut pinned = Approvals::clone(&self.approvals);
                    pinned.pin(&spec, said);
                    self.approvals = Arc::new(pinned);
                }
                return held;
            }
            What::Lists { resources, left_out } => (run.resources, run.left_out) = (Some(resources), left_out),
            What::Lines(lines) => run.lines = lines,
            What::WantsSignIn(spec, wants) => {
                let mut approvals = Approvals::clone(&self.approvals);
                if approvals.want_sign_in(&spec, wants) {
                    self.approvals = Arc::new(approvals);
                }
            }
            What::Rights(rights) => run.rights.extend(rights),
            What::SignIn { asked, trouble } => (run.sign_in, run.sign_in_trouble) = (asked, trouble),
        }
        false
    }
}
