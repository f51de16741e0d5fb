//! `skilltender.team.yaml`: what a team's Skilltenders have in common. Skills pinned as in a [`Lock`], the servers that
//! they need in their exact form, the names of secrets with how to get each, sets, clients, and what the team refuses.
//!
//! The file never holds a value: neither a secret nor what a person entered. Its text is the same for the same content on
//! every computer: sorted and without times. Fetching what it names, and setting it up, is left to others.

mod error;
mod policy;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{BTreeMap, BTreeSet};

pub use error::TeamError;
pub use policy::{Pattern, Policy, PolicyError};

use crate::{Lock, LockedSkill};

/// The version of the format that this program writes, and the newest that it reads.
const VERSION: u32 = 1;

/// What a team has in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Team {
    /// The team's name, for people.
    pub name: Option<String>,
    /// What the team wants everybody to know, for people.
    pub advice: Option<String>,
    /// The ids of the clients that are advised.
    pub clients: BTreeSet<String>,
    /// The skills, by the names of their folders. Each has a commit.
    pub skills: BTreeMap<String, LockedSkill>,
    /// The servers that these need, sorted. No two are for one skill under one name.
    pub servers: Vec<TeamServer>,
    /// The sets, by their names, with the ids of skills.
    pub sets: BTreeMap<String, BTreeSet<String>>,
    /// What the team refuses.
    pub policy: Policy,
}

/// A server of a team, in its exact form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamServer {
    /// Its name in the skills.
    pub name: String,
    /// The ids of the skills that need it in this form.
    pub skills: BTreeSet<String>,
    /// How it is started or reached.
    pub form: Form,
    /// The version that its package is pinned to, where the skill names none.
    pub version: Option<String>,
    /// The secrets that it gets, by their names.
    pub secrets: BTreeMap<String, TeamSecret>,
}

/// How a server is started or reached. `${NAME}` stands for a value that each person gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A program of the computer.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment.
        env: BTreeMap<String, String>,
        /// Its folder.
        cwd: Option<String>,
    },
    /// A server that runs already.
    Address {
        /// Its address.
        url: String,
        /// The headers of each request.
        headers: BTreeMap<String, String>,
    },
    /// A container.
    Container {
        /// The image.
        image: String,
        /// The arguments after the image.
        args: Vec<String>,
        /// Its environment.
        env: BTreeMap<String, String>,
        /// The folders that it gets, as written.
        mounts: Vec<String>,
        /// The port on which it speaks HTTP.
        port: Option<u16>,
    },
}

/// How a person gets a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamSecret {
    /// In words.
    pub how: Option<String>,
    /// At an address: `https`, without a password.
    pub address: Option<String>,
}

impl Team {
    /// The skills as a lock.
    pub fn lock(&self) -> Lock {
        Lock { skills: self.skills.clone() }
    }

    /// The server that a skill gets under a name.
    pub fn server(&self, skill: &str, name: &str) -> Option<&TeamServer> {
        self.servers.iter().find(|server| server.name == name && server.skills.contains(skill))
    }

    /// What people wrote into an older file stays: its name, advice, clients and policy, and how to get each secret.
    pub fn keep_of(&mut self, older: &Self) {
        self.name = self.name.take().or_else(|| older.name.clone());
        self.advice = self.advice.take().or_else(|| older.advice.clone());
        self.policy = older.policy.clone();
        if !older.clients.is_empty() {
            self.clients.clone_from(&older.clients);
        }
        for server in &mut self.servers {
            let before = older.servers.iter().filter(|before| before.name == server.name);
            for (name, secret) in before.flat_map(|before| &before.secrets) {
                let now = server.secrets.get_mut(name);
                if let Some(now) = now.filter(|_| *secret != TeamSecret::default()) {
                    *now = secret.clone();
                }
            }
        }
    }
}

impl Form {
    /// What is run or reached, one argument each.
    pub fn words(&self) -> Vec<&str> {
        let (first, args) = match self {
            Self::Program { command, args, .. } => (command, args.as_slice()),
            Self::Address { url, .. } => (url, [].as_slice()),
            Self::Container { image, args, .. } => (image, args.as_slice()),
        };
        [first].into_iter().chain(args).map(String::as_str).collect()
    }

    /// Its variables or headers.
    pub fn values(&self) -> &BTreeMap<String, String> {
        match self {
            Self::Program { env, .. } | Self::Container { env, .. } => env,
            Self::Address { headers, .. } => headers,
        }
    }
}
