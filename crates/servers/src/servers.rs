//! All that is known of servers at one moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use api::{ServerState, SignInAsked};
use mcp::ListedResources;

use crate::{AdoptedServers, Advertised, Approval, Approvals, Kind, LaunchSpec, Requirement, Requirements, not_yet};

/// All that is known of servers at one moment. Only the loop changes it.
#[derive(Debug, Clone, Default)]
pub struct Servers {
    /// The servers that skills want; `None` before the first look, and in an engine that starts nothing.
    pub wanted: Option<Arc<Requirements>>,
    /// The number of the look that is in `wanted`: an earlier one does not replace it.
    pub published: u64,
    /// What the person approved.
    pub approvals: Arc<Approvals>,
    /// The servers that Skilltender keeps for clients.
    pub adopted: Arc<AdoptedServers>,
    /// What was seen of each server in this run, by its name.
    pub runs: BTreeMap<String, Run>,
}

/// What was seen of one server in this run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// Its current stage.
    pub stage: ServerState,
    /// What it said of itself at its last start.
    pub about: Option<mcp::About>,
    /// What it says of itself when that differs from what was seen: it is held back until the person has seen
    /// the change.
    pub changed: Option<Advertised>,
    /// Entries that it listed in this run and that contain one of its secrets, under the server's own names:
    /// clients do not get them.
    pub left_out: Vec<String>,
    /// The resources that it listed last. Such lists change by nature, so no approval is asked for them.
    pub resources: Option<Arc<ListedResources>>,
    /// The sign-in that waits for the person.
    pub sign_in: Option<SignInAsked>,
    /// Why the last sign-in failed, as a sentence.
    pub sign_in_trouble: Option<String>,
    /// Rights that it wanted in this run and the person had not granted: the next sign-in asks for them.
    pub rights: BTreeSet<String>,
    /// How many calls it answered.
    pub calls: u32,
    /// Incremented with every line that it writes.
    pub lines: u64,
}

impl Servers {
    /// The server of this name, if it may run.
    ///
    /// # Errors
    /// Why it may not, as a sentence.
    pub fn agreed(&self, server: &str) -> Result<Requirement, String> {
        let want = self.wanted.as_ref().and_then(|wanted| wanted.servers.get(server));
        let want = want.ok_or_else(|| match server.contains('@') {
            true => format!("Skilltender keeps no server {server}. `skilltender servers` lists those that it keeps."),
            false => format!("No skill that is switched on needs the server {server} any more."),
        })?;
        if want.spec.is_err() {
            return Err(not_yet(want));
        }
        match self.approvals.to(want) {
            Some(_) => Ok(want.clone()),
            None => Err(format!(
                "The user has not approved what the server {server} is started with. They can look at it under Servers in Skilltender's window, or with `skilltender servers show {server}`."
            )),
        }
    }

    /// The approved servers whose tools are still unknown, among those that Skilltender starts for skills.
    pub fn unseen(&self) -> Vec<Requirement> {
        let ours = self.wanted.iter().flat_map(|wanted| wanted.servers.values()).filter(|want| want.client.is_none());
        let unseen = |want: &&Requirement| {
            let waits = |approval: &Approval| approval.wants_sign_in && !want.signed_in;
            self.approvals.to(want).is_some_and(|approval| approval.tools.is_none() && !waits(approval))
        };
        ours.filter(unseen).cloned().collect()
    }

    /// The server that this exposed name belongs to: no server's name contains `__`.
    pub fn named(&self, name: &str) -> Option<&Requirement> {
        self.wanted.as_ref()?.servers.get(name.split_once("__")?.0)
    }

    /// Why no client is offered this server's tools, as a sentence with the way out.
    pub fn out_of_use(&self, want: &Requirement) -> Option<String> {
        if let Err(why) = self.agreed(&want.name) {
            return Some(why);
        }
        let run = self.runs.get(&want.name)?;
        match &run.stage {
            ServerState::Stopped { message } => Some(message.clone()),
            _ => run.changed.is_some().then(|| held_back(&want.name)),
        }
    }

    /// The names of skills' servers that may run and that a client can start by an entry of its own.
    pub fn direct(&self) -> Vec<String> {
        let wants = self.wanted.iter().flat_map(|wanted| wanted.servers.values());
        let can = |spec: &LaunchSpec| matches!(spec.kind, Kind::Program { port: None, .. } | Kind::Address { .. });
        let may = wants.filter(|want| want.client.is_none() && !want.signed_in && want.spec.as_ref().is_ok_and(can));
        may.filter(|want| self.approvals.to(want).is_some()).map(|want| want.name.clone()).collect()
    }

    /// Whether both describe the same servers, as far as skills can tell.
    pub fn same_status(&self, other: &Self) -> bool {
        let stage = |run: &Run| (run.stage.clone(), run.changed.clone(), run.resources.clone());
        let stages =
            |servers: &Self| servers.runs.iter().map(|(name, run)| (name.clone(), stage(run))).collect::<Vec<_>>();
        self.wanted == other.wanted
            && Arc::ptr_eq(&self.adopted, &other.adopted)
            && Arc::ptr_eq(&self.approvals, &other.approvals)
            && stages(self) == stages(other)
    }
}

/// The sentence about a server whose description differs from what a person has seen.
pub fn held_back(name: &str) -> String {
    format!(
        "The server {name} describes its tools or prompts differently than when the user last looked, so it is held back. The user can look at the difference with `skilltender servers tools {name}`, or under Servers in Skilltender's window."
    )
}
