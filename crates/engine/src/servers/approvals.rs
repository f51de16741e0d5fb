//! `approvals.json`: what the person agreed to let run, and which tools and prompts they have seen.
//!
//! An agreement is to one form, for the skills that wanted it then. It carries the digest of both, so a line of the file
//! that was changed by anything but a person's answer agrees to nothing.

use std::{collections::BTreeSet, path::Path};

use mcp::Listed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::{Form, Want};
use crate::{Mode, guest::GuestError, random, store, view::Notice};

/// Where they are, in our data folder.
pub(crate) const FILE: &str = "approvals.json";

/// What the person agreed to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Approvals {
    #[serde(default)]
    approvals: Vec<Approval>,
    /// What a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One agreement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Approval {
    /// What was shown.
    pub(crate) form: Form,
    /// The keys of the skills that wanted it then.
    pub(crate) users: BTreeSet<String>,
    /// The digest of both, see [`digest`].
    digest: String,
    /// When, in milliseconds since 1970.
    pub(crate) since: u64,
    /// The tools that the server had when it first ran, or when the person last looked at a change of them; `None`
    /// before it ever ran.
    #[serde(default)]
    pub(crate) tools: Option<Vec<Pinned>>,
    /// Whether the server turned us away when nobody was signed in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) wants_sign_in: bool,
    /// The same of its prompts; `None` also where a version that did not know them wrote this, and where the server
    /// did not say.
    #[serde(default)]
    pub(crate) prompts: Option<Vec<Pinned>>,
    /// What a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What a server says of itself that models read: held to what a person has seen of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// Its tools.
    pub(crate) tools: Vec<Pinned>,
    /// Its prompts; `None` where it did not say.
    pub(crate) prompts: Option<Vec<Pinned>>,
}

/// One tool or prompt as its server described it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Pinned {
    /// What the server calls it.
    pub(crate) name: String,
    /// All that it says of it, as it wrote it: JSON, kept as a text.
    pub(crate) json: String,
    /// The digest of that, whatever its order.
    pub(crate) digest: String,
}

/// How what a server says stands to what was seen of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// It is that.
    Seen,
    /// Nothing was seen yet, or not of all kinds.
    New,
    /// It is something else.
    Other,
}

/// How a want stands to what was agreed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Agreement<'a> {
    /// The person agreed to exactly this.
    To(&'a Approval),
    /// They agreed to something else under this name: this was it.
    Other(&'a Approval),
    /// They were never asked.
    None,
}

/// The digest of a form and the skills that want it: what a person agrees to.
pub(crate) fn digest(form: &Form, users: &BTreeSet<String>) -> String {
    let users = serde_json::to_string(users).unwrap_or_default();
    random::hex(&Sha256::digest(format!("{}\n{users}", form.digest())))
}

impl Approvals {
    /// What the file at `path` holds, with a notice when it had to be set aside.
    pub(crate) fn open(path: &Path, mode: &Mode) -> (Self, Option<Notice>) {
        let (mut opened, notice): (Self, _) = store::open(path, mode);
        opened.approvals.retain(|approval| approval.digest == digest(&approval.form, &approval.users));
        (opened, notice)
    }

    /// Makes the file hold these.
    pub(crate) fn save(&self, path: &Path) -> Result<(), GuestError> {
        store::save(path, self)
    }

    /// Whether the person agreed to this form, for whomever.
    pub(crate) fn has(&self, name: &str, form: &Form) -> bool {
        self.named(name).any(|approval| approval.form == *form)
    }

    /// Whether anything of this name was agreed to.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// Whether the person agreed to something of this name for this skill, whatever it was.
    pub(crate) fn covers(&self, name: &str, key: &str) -> bool {
        self.named(name).any(|approval| approval.users.contains(key))
    }

    /// The servers that were agreed to for a skill among others, and all skills that each was agreed to for.
    pub(crate) fn users_of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (&'a str, &'a BTreeSet<String>)> {
        let of_skill = self.approvals.iter().filter(move |approval| approval.users.contains(key));
        of_skill.map(|approval| (approval.form.name.as_str(), &approval.users))
    }

    /// How what a server of a form that was agreed to says now stands to what was seen of it.
    pub(crate) fn about_words(&self, form: &Form, said: &Said) -> Words {
        let approval = self.named(&form.name).find(|approval| approval.form == *form);
        let tools = approval.and_then(|approval| approval.tools.as_ref()).map(|seen| same(seen, &said.tools));
        let prompts = approval.and_then(|approval| approval.prompts.as_ref());
        let prompts = match (prompts, &said.prompts) {
            (Some(seen), Some(said)) => Some(same(seen, said)),
            (None, Some(_)) => None,
            // Who does not say says nothing else.
            (_, None) => Some(true),
        };
        match (tools, prompts) {
            (Some(false), _) | (_, Some(false)) => Words::Other,
            (Some(true), Some(true)) => Words::Seen,
            _ => Words::New,
        }
    }

    /// How a want stands to them. Skills that want it no longer take nothing away from an agreement; one more does.
    pub(crate) fn about(&self, want: &Want) -> Agreement<'_> {
        let Ok(form) = &want.form else { return Agreement::None };
        let mut others = self.named(&want.name).collect::<Vec<_>>();
        others.sort_by_key(|approval| std::cmp::Reverse(approval.since));
        match others.iter().find(|approval| approval.form == *form && want.users.is_subset(&approval.users)) {
            Some(approval) => Agreement::To(approval),
            None => others.first().map_or(Agreement::None, |approval| Agreement::Other(approval)),
        }
    }

    /// The same where it is an agreement.
    pub(crate) fn to(&self, want: &Want) -> Option<&Approval> {
        match self.about(want) {
            Agreement::To(approval) => Some(approval),
            Agreement::Other(_) | Agreement::None => None,
        }
    }

    /// Remembers an agreement in place of all others about this name. What was seen of the same form stays seen.
    pub(crate) fn agree(&mut self, form: Form, users: BTreeSet<String>, since: u64) {
        let same_form = self.named(&form.name).find(|approval| approval.form == form);
        let (tools, prompts, wants_sign_in) = same_form
            .map(|approval| (approval.tools.clone(), approval.prompts.clone(), approval.wants_sign_in))
            .unwrap_or_default();
        self.revoke(&form.name);
        let digest = digest(&form, &users);
        self.approvals.push(Approval { form, users, digest, since, tools, prompts, wants_sign_in, rest: Map::new() });
    }

    /// Remembers what was seen of a form that was agreed to.
    pub(crate) fn pin(&mut self, form: &Form, said: Said) {
        if let Some(approval) = self.approvals.iter_mut().find(|approval| approval.form == *form) {
            approval.tools = Some(said.tools);
            if said.prompts.is_some() {
                approval.prompts = said.prompts;
            }
        }
    }

    /// Remembers whether a server that was agreed to wants a sign-in, and says whether that is news.
    pub(crate) fn want_sign_in(&mut self, form: &Form, wants: bool) -> bool {
        let approval = self.approvals.iter_mut().find(|approval| approval.form == *form);
        approval.is_some_and(|approval| std::mem::replace(&mut approval.wants_sign_in, wants) != wants)
    }

    /// Forgets what was agreed about a name.
    pub(crate) fn revoke(&mut self, name: &str) {
        self.approvals.retain(|approval| approval.form.name != name);
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Approval> {
        self.approvals.iter().filter(move |approval| approval.form.name == name)
    }
}

impl Pinned {
    /// One as it is listed now.
    pub(crate) fn of(listed: &Listed) -> Self {
        Self { name: listed.name.clone(), json: listed.json.get().to_owned(), digest: random::hex(&listed.digest()) }
    }

    /// The same as `mcp` knows it.
    pub(crate) fn listed(&self) -> Listed {
        // What is no JSON any more describes nothing.
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

/// Whether these are the same, in whatever order.
fn same(one: &[Pinned], other: &[Pinned]) -> bool {
    let key = |one: &Pinned| (one.name.clone(), one.digest.clone());
    let set = |all: &[Pinned]| all.iter().map(key).collect::<BTreeSet<_>>();
    one.len() == other.len() && set(one) == set(other)
}
