//! `approvals.json`: which launch specs the person approved, and which tools and prompts they have seen.
//!
//! An approval covers one launch spec, for the skills that wanted it then. It carries the digest of both, so an entry
//! of the file that was changed by anything but a person's answer approves nothing.

use std::{collections::BTreeSet, path::Path};

use api::Notice;
use choices::stored;
use files::{replace_file::ReplaceError, store};
use machine::Mode;
use machine::random;
use mcp::Listed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::{LaunchSpec, Requirement};

/// Their file in the data folder.
pub const FILE: &str = "approvals.json";

/// What the person approved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Approvals {
    #[serde(default)]
    approvals: Vec<Approval>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One approval.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Approval {
    /// What was shown. The file has called it so since the first version.
    #[serde(rename = "form")]
    pub spec: LaunchSpec,
    /// The keys of the skills that wanted it then.
    pub users: BTreeSet<String>,
    /// The digest of both, see [`digest`].
    digest: String,
    /// When, in milliseconds since 1970.
    pub since: u64,
    /// The tools that the server had when it first ran, or when the person last reviewed a change of them;
    /// `None` before it ever ran.
    #[serde(default)]
    pub tools: Option<Vec<Pinned>>,
    /// Whether the server refused a connection without a sign-in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wants_sign_in: bool,
    /// The same for its prompts; `None` also when a version without prompts wrote this, and when the server did
    /// not list any.
    #[serde(default)]
    pub prompts: Option<Vec<Pinned>>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What a server advertises to models; compared with what a person has seen of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advertised {
    /// Its tools.
    pub tools: Vec<Pinned>,
    /// Its prompts; `None` when it did not list any.
    pub prompts: Option<Vec<Pinned>>,
}

/// One tool or prompt as its server described it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pinned {
    /// Its name at the server.
    pub name: String,
    /// Its whole description as the server sent it: JSON, kept as text.
    pub json: String,
    /// The digest of that JSON, independent of its order.
    pub digest: String,
}

/// How what a server advertises compares with what was seen of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdvertisedChange {
    /// It is the same.
    Seen,
    /// Nothing was seen yet, or not of all kinds.
    New,
    /// It differs.
    Other,
}

/// How a want compares with what was approved.
#[derive(Debug, Clone, Copy)]
pub enum Agreement<'a> {
    /// The person approved exactly this.
    To(&'a Approval),
    /// The person approved something else under this name: this.
    Other(&'a Approval),
    /// The person was never asked.
    None,
}

/// The digest of a launch spec and the skills that want it, which is what a person approves.
pub(crate) fn digest(spec: &LaunchSpec, users: &BTreeSet<String>) -> String {
    let users = serde_json::to_string(users).unwrap_or_default();
    random::hex(&Sha256::digest(format!("{}\n{users}", spec.digest())))
}

impl Approvals {
    /// The content of the file at `path`, with a notice when the file had to be set aside.
    pub fn open(path: &Path, mode: &Mode) -> (Self, Option<Notice>) {
        let (mut opened, notice): (Self, _) = stored::open(path, mode);
        opened.approvals.retain(|approval| approval.digest == digest(&approval.spec, &approval.users));
        (opened, notice)
    }

    /// Writes them to the file.
    ///
    /// # Errors
    /// When the disk refuses; the file stays as it was.
    pub fn save(&self, path: &Path) -> Result<(), ReplaceError> {
        store::save(path, self)
    }

    /// Whether the person approved this launch spec, for any skills.
    pub fn has(&self, name: &str, spec: &LaunchSpec) -> bool {
        self.named(name).any(|approval| approval.spec == *spec)
    }

    /// Whether anything of this name was approved.
    pub fn knows(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// The names `teapot-2` and up under which anything was approved, in the order of their numbers.
    pub fn numbered(&self, name: &str) -> Vec<String> {
        let number = |of: &str| of.strip_prefix(name)?.strip_prefix('-')?.parse::<u32>().ok();
        let names = self.approvals.iter().map(|approval| &approval.spec.name);
        let numbers: BTreeSet<u32> = names.filter_map(|of| number(of)).collect();
        let names = numbers.into_iter().map(|number| format!("{name}-{number}"));
        // Only in Skilltender's own notation: `teapot-02` was named by a skill.
        names.filter(|name| self.knows(name)).collect()
    }

    /// Whether the person approved anything of this name for this skill.
    pub fn covers(&self, name: &str, key: &str) -> bool {
        self.named(name).any(|approval| approval.users.contains(key))
    }

    /// Whether they approved, for this skill, the server that it calls so, under any name that Skilltender gave
    /// it.
    pub fn covers_called(&self, called: &str, key: &str) -> bool {
        self.covers(called, key) || self.numbered(called).iter().any(|name| self.covers(name, key))
    }

    /// The servers that were approved for this skill among others, each with all skills that it was approved
    /// for.
    pub fn users_of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (&'a str, &'a BTreeSet<String>)> {
        let of_skill = self.approvals.iter().filter(move |approval| approval.users.contains(key));
        of_skill.map(|approval| (approval.spec.name.as_str(), &approval.users))
    }

    /// How what a server of an approved launch spec advertises now compares with what was seen of it.
    pub fn about_words(&self, spec: &LaunchSpec, said: &Advertised) -> AdvertisedChange {
        let approval = self.named(&spec.name).find(|approval| approval.spec == *spec);
        let tools = approval.and_then(|approval| approval.tools.as_ref()).map(|seen| same(seen, &said.tools));
        let prompts = approval.and_then(|approval| approval.prompts.as_ref());
        let prompts = match (prompts, &said.prompts) {
            (Some(seen), Some(said)) => Some(same(seen, said)),
            (None, Some(_)) => None,
            // A server without a list of prompts has not changed them.
            (_, None) => Some(true),
        };
        match (tools, prompts) {
            (Some(false), _) | (_, Some(false)) => AdvertisedChange::Other,
            (Some(true), Some(true)) => AdvertisedChange::Seen,
            _ => AdvertisedChange::New,
        }
    }

    /// How a want compares with the approvals. An approval remains valid for fewer skills than it names, but
    /// not for more.
    pub fn about(&self, want: &Requirement) -> Agreement<'_> {
        let Ok(spec) = &want.spec else { return Agreement::None };
        let mut others = self.named(&want.name).collect::<Vec<_>>();
        others.sort_by_key(|approval| std::cmp::Reverse(approval.since));
        match others.iter().find(|approval| approval.spec == *spec && want.users.is_subset(&approval.users)) {
            Some(approval) => Agreement::To(approval),
            None => others.first().map_or(Agreement::None, |approval| Agreement::Other(approval)),
        }
    }

    /// The approval, if the want has one.
    pub fn to(&self, want: &Requirement) -> Option<&Approval> {
        match self.about(want) {
            Agreement::To(approval) => Some(approval),
            Agreement::Other(_) | Agreement::None => None,
        }
    }

    /// Records an approval in place of all others of this name. What was seen of the same launch spec stays seen.
    pub fn agree(&mut self, spec: LaunchSpec, users: BTreeSet<String>, since: u64) {
        let same_form = self.named(&spec.name).find(|approval| approval.spec == spec);
        let (tools, prompts, wants_sign_in) = same_form
            .map(|approval| (approval.tools.clone(), approval.prompts.clone(), approval.wants_sign_in))
            .unwrap_or_default();
        self.revoke(&spec.name);
        let digest = digest(&spec, &users);
        self.approvals.push(Approval { spec, users, digest, since, tools, prompts, wants_sign_in, rest: Map::new() });
    }

    /// Records what was seen of an approved launch spec.
    pub fn pin(&mut self, spec: &LaunchSpec, said: Advertised) {
        if let Some(approval) = self.approvals.iter_mut().find(|approval| approval.spec == *spec) {
            approval.tools = Some(said.tools);
            if said.prompts.is_some() {
                approval.prompts = said.prompts;
            }
        }
    }

    /// Records whether an approved server wants a sign-in, and returns whether that is a change.
    pub fn want_sign_in(&mut self, spec: &LaunchSpec, wants: bool) -> bool {
        let approval = self.approvals.iter_mut().find(|approval| approval.spec == *spec);
        approval.is_some_and(|approval| std::mem::replace(&mut approval.wants_sign_in, wants) != wants)
    }

    /// Forgets the approvals of a name.
    pub fn revoke(&mut self, name: &str) {
        self.approvals.retain(|approval| approval.spec.name != name);
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Approval> {
        self.approvals.iter().filter(move |approval| approval.spec.name == name)
    }
}

impl Pinned {
    /// A tool or prompt as it is listed now.
    pub fn of(listed: &Listed) -> Self {
        Self { name: listed.name.clone(), json: listed.json.get().to_owned(), digest: random::hex(&listed.digest()) }
    }

    /// The same in the type of `mcp`.
    pub fn listed(&self) -> Listed {
        // Invalid JSON describes nothing.
        let json = RawValue::from_string(self.json.clone()).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Listed { name: self.name.clone(), json }
    }
}

impl PartialEq for Pinned {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.digest) == (&other.name, &other.digest)
    }
}

impl Eq for Pinned {}

/// Whether these are the same, in any order.
fn same(one: &[Pinned], other: &[Pinned]) -> bool {
    let key = |one: &Pinned| (one.name.clone(), one.digest.clone());
    let set = |all: &[Pinned]| all.iter().map(key).collect::<BTreeSet<_>>();
    one.len() == other.len() && set(one) == set(other)
}
