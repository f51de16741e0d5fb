//! The servers that skills need: what each would be started with, whether a person agreed to exactly that, what runs,
//! and what it offers to clients.
//!
//! One way, as everywhere: skills, values and choices become the list of what is [`wanted`], each with a [`Form`] that
//! says to the last argument what would be started; the person's [`Approvals`] of forms say what may be; the gateway
//! starts what may be when somebody calls it, and tells what happened; [`offers`] are what clients see of it. What a
//! declaration means is `skills`' business, how a process is held is [`crate::child`]'s, what is said to a server is
//! `mcp`'s.

mod adopted;
mod approvals;
mod consent;
mod containers;
pub mod direct;
mod form;
mod gateway;
mod held;
mod keep_up;
mod offers;
mod paths;
mod pins;
mod reaches;
mod references;
mod run;
mod runners;
pub(crate) mod sign_in;
mod start;
#[cfg(test)]
mod tests;
mod view;
mod wanted;
mod watched;

pub(crate) use adopted::{Adopted, AdoptedServers, FILE as ADOPTED, OF_CLIENTS};
pub(crate) use approvals::{Approval, Approvals, FILE, Pinned, Said};
pub(crate) use consent::consent;
pub(crate) use containers::{Containers, ask as ask_for_containers};
pub(crate) use form::{Form, FormSource, Kind, find_program};
pub(crate) use gateway::Gateway;
pub(crate) use keep_up::{keep_truth, keep_up, look_now};
pub(crate) use offers::{Offers, Present};
pub(crate) use paths::{ask as ask_for_programs, search as search_programs};
pub(crate) use pins::{Fetched, Pin, is_version, offered as offered_version};
pub(crate) use sign_in::SignIns;
pub(crate) use view::{not_yet, page, renamed, row, said_digest, trouble_of};
pub(crate) use wanted::{Unfilled, Want, Wanted};

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use mcp::ListedResources;

use crate::view::{ServerState, SignInAsked};

/// All that is known of servers at one moment. Only the loop changes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Servers {
    /// What skills want; `None` until somebody looked, and in an engine that starts nothing.
    pub(crate) wanted: Option<Arc<Wanted>>,
    /// How often somebody began to look at that, and which of these looks is in `wanted`.
    pub(crate) looks: u64,
    /// See `looks`.
    pub(crate) published: u64,
    /// What the person agreed to.
    pub(crate) approvals: Arc<Approvals>,
    /// Those that are kept for clients.
    pub(crate) adopted: Arc<AdoptedServers>,
    /// What was seen of each server in this run, by its name.
    pub(crate) runs: BTreeMap<String, Run>,
}

/// What was seen of one server in this run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// What it does now.
    pub(crate) stage: ServerState,
    /// What it said of itself when it started last.
    pub(crate) about: Option<mcp::About>,
    /// What it says of itself otherwise than was seen before: it is held back until the person has seen that.
    pub(crate) changed: Option<Said>,
    /// What it listed in this run that says one of its secrets, as the server calls it: nobody is told of that.
    pub(crate) left_out: Vec<String>,
    /// What it listed of its resources when it was last asked. Such lists change by nature: nobody is asked about them.
    pub(crate) resources: Option<Arc<ListedResources>>,
    /// The sign-in that waits for its person.
    pub(crate) sign_in: Option<SignInAsked>,
    /// Why the last one failed, as a sentence.
    pub(crate) sign_in_trouble: Option<String>,
    /// Rights that it wanted in this run and the person had not given: they are asked for at the next sign-in.
    pub(crate) rights: BTreeSet<String>,
    /// How many calls it answered.
    pub(crate) calls: u32,
    /// Goes up with every line that it writes.
    pub(crate) lines: u64,
}

impl Servers {
    /// The server of this name, if it may run.
    ///
    /// # Errors
    /// Why it may not, as a sentence.
    pub(crate) fn agreed(&self, server: &str) -> Result<Want, String> {
        let want = self.wanted.as_ref().and_then(|wanted| wanted.servers.get(server));
        let want = want.ok_or_else(|| match server.contains('@') {
            true => format!("Skilltender keeps no server {server}. `skilltender servers` lists those that it keeps."),
            false => format!("No skill that is switched on needs the server {server} any more."),
        })?;
        if want.form.is_err() {
            return Err(not_yet(want));
        }
        match self.approvals.to(want) {
            Some(_) => Ok(want.clone()),
            None => Err(format!(
                "The user has not agreed yet to what the server {server} is started with. They can look at it under Servers in Skilltender's window, or with `skilltender servers show {server}`."
            )),
        }
    }

    /// The server that something of this name of ours belongs to: no server's name holds `__`.
    pub(crate) fn named(&self, name: &str) -> Option<&Want> {
        self.wanted.as_ref()?.servers.get(name.split_once("__")?.0)
    }

    /// Why nobody is offered what a server has, as a sentence with the way out.
    pub(crate) fn out_of_use(&self, want: &Want) -> Option<String> {
        if let Err(why) = self.agreed(&want.name) {
            return Some(why);
        }
        let run = self.runs.get(&want.name)?;
        match &run.stage {
            ServerState::Stopped { message } => Some(message.clone()),
            _ => run.changed.is_some().then(|| gateway::held_back(&want.name)),
        }
    }

    /// Whether all servers stand as in the other, as far as skills hang on it.
    pub(crate) fn stand_as(&self, other: &Self) -> bool {
        let stage = |run: &Run| (run.stage.clone(), run.changed.clone(), run.resources.clone());
        let stages =
            |servers: &Self| servers.runs.iter().map(|(name, run)| (name.clone(), stage(run))).collect::<Vec<_>>();
        self.wanted == other.wanted
            && Arc::ptr_eq(&self.adopted, &other.adopted)
            && Arc::ptr_eq(&self.approvals, &other.approvals)
            && stages(self) == stages(other)
    }
}
