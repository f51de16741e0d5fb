//! Library folders that lie in a git work tree of the person's own: their status, a pull after a review, and a commit of
//! the skills alone with its push.
//!
//! git itself is asked only here, and only when a person asks. A pull and a commit are shown first; the answer computes
//! them again and is refused where anything differs. Which files belong to which skill, and what a change of them means,
//! is `reviewed`; switches and sets that go along are `shared`; git is `fetch`'s.

mod reviewed;
mod shared;

use std::collections::BTreeMap;

use api::{ActionError, CommitPlan, ErrorKind, PullPlan, Pushed, SwitchChange, WorkTreeStatus, Wrote, failed};
use fetch::{Cancel, Entry, Incoming, Kept, Status, WorkTree, WorkTreeError};
use library::{Root, walk::Scope, work_tree};
use machine::Machine;
use sha2::{Digest as _, Sha256};
use state::{State, blocking};

use self::{
    reviewed::Skills,
    shared::{Coming, Files, Going, Shared},
};
use crate::{
    Engine,
    actions::{
        sources::{accept_reviewed, git, refuse},
        writing,
        wrote::{Back, wrote},
    },
};

/// The status of the work tree that a library folder lies in, as of its last fetch. Nobody is asked over the network, and
/// nothing is written.
///
/// # Errors
/// When there is no such folder, it lies in no work tree, or git fails.
pub async fn work_tree_status(engine: &Engine, folder: &str) -> Result<WorkTreeStatus, ActionError> {
    let shared = shared::shared(engine, folder).await?;
    at(engine, folder, move |here, tree, cancel| {
        let status = tree.status(cancel)?;
        let committed = match &status.head {
            Some(head) => tree.files(head, cancel)?,
            None => Vec::new(),
        };
        let going = match &shared {
            Some(shared) => shared.going(tree, &shared.files(tree, &committed, &BTreeMap::new(), cancel)?)?,
            None => None,
        };
        let switches = u32::try_from(going.map_or(0, |going| going.changes.len())).unwrap_or(u32::MAX);
        let skills = Skills::of(tree.inside(), committed.iter().map(|file| file.path.as_str()), &status);
        let (changed, others) = skills.changed(&status, &committed);
        let (ahead, behind) = status.apart.unwrap_or_default();
        let Status { branch, upstream, .. } = status.clone();
        let (folder, place) = (here.root.id.clone(), here.machine.place(tree.top()));
        let trouble = trouble(&status);
        Ok(WorkTreeStatus {
            folder,
            place,
            branch,
            upstream,
            ahead,
            behind,
            skills: changed,
            others,
            switches,
            trouble,
        })
    })
    .await
}

/// Fetches the upstream of a work tree, and shows what a pull would bring: as updates of the skills in the folder, and what
/// else changes. Files and branches stay as they are.
///
/// # Errors
/// When the upstream cannot be reached, changes of the person's are in the way, or both sides changed the same.
pub async fn plan_pull(engine: &Engine, folder: &str) -> Result<PullPlan, ActionError> {
    writing(engine)?;
    let (address, fetched) = at(engine, folder, |_, tree, cancel| {
        let address = tree.address(cancel)?;
        let fetched = tree.fetch(cancel);
        Ok((address, fetched))
    })
    .await?;
    wrote(engine, Wrote::Asked { sources: vec![address], silent: u32::from(fetched.is_err()) }, None).await;
    fetched.map_err(|error| refused(&error))?;
    let shared = shared::shared(engine, folder).await?;
    at(engine, folder, move |here, tree, cancel| {
        let incoming = tree.incoming(&reviewed::wholes(tree.inside()), cancel)?;
        Ok(pull_plan(&here.root.id, tree, incoming.as_ref(), shared.as_ref(), cancel)?.plan)
    })
    .await
}

/// What a pull would bring, and what of it is no file.
struct Shown {
    plan: PullPlan,
    coming: Coming,
    files: Files,
}

fn pull_plan(
    folder: &str,
    tree: &WorkTree,
    incoming: Option<&Incoming>,
    shared: Option<&Shared>,
    cancel: &Cancel,
) -> Result<Shown, WorkTreeError> {
    let (files, coming) = match (shared, incoming) {
        (Some(shared), incoming) => {
            let files = match incoming {
                Some(incoming) => shared.files(tree, &incoming.after, &incoming.bytes, cancel)?,
                None => shared.files(tree, &tree.files("HEAD", cancel)?, &BTreeMap::new(), cancel)?,
            };
            let coming = shared.coming(&files);
            (files, coming)
        }
        (None, _) => (Files::default(), Coming::default()),
    };
    let comes = coming.changes.iter().any(|change| change.stays.is_none());
    let mut plan = PullPlan {
        id: String::new(),
        folder: folder.to_owned(),
        upstream: String::new(),
        commits: 0,
        merges: false,
        skills: Vec::new(),
        switches: coming.changes.clone(),
        absent: coming.absent,
        others: Vec::new(),
        notes: files.notes.clone(),
    };
    let Some(incoming) = incoming else {
        plan.upstream = tree.status(cancel)?.upstream.unwrap_or_default();
        if comes {
            plan.id = pull_id(None, &coming.changes);
        }
        return Ok(Shown { plan, coming, files });
    };
    let Incoming { head, upstream, name, commits, ahead, before, after, changes, bytes, .. } = incoming;
    let paths = || before.iter().chain(after).map(|file| file.path.as_str());
    let skills = Skills::of(tree.inside(), paths(), &Status::default());
    let changed: Vec<_> = changes.iter().map(|one| one.path.as_str()).collect();
    let hooks = tree
        .hooks_after_pull(cancel)?
        .into_iter()
        .map(|hook| format!("git in a terminal would run the hook {hook} after this. Skilltender runs none."));
    let submodules = changes.iter().filter(|one| one.is_submodule).map(|one| {
        format!("{} is another repository, whose files stay as they are: `git submodule update` brings them.", one.path)
    });
    let is_other = |path: &&&str| skills.of_path(path).is_none() && !files.paths.contains(**path);
    plan.others = changed.iter().filter(is_other).map(|path| (*path).to_owned()).collect();
    plan.notes.extend(hooks.chain(submodules));
    plan.skills = skills.plans(folder, &changed, (before, after), bytes, (name, head, upstream));
    (plan.upstream, plan.commits, plan.merges) = (name.clone(), *commits, *ahead > 0);
    plan.id = pull_id(Some(incoming), &coming.changes);
    Ok(Shown { plan, coming, files })
}

/// Pulls what [`plan_pull`] showed: a fast-forward to exactly that commit, or to the merge of both sides, then the
/// switches and sets. Returns the commit.
///
/// # Errors
/// When anything differs from what was shown, or git refuses to write over something: then nothing changes.
pub async fn pull(engine: &Engine, folder: &str, plan: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let plan = plan.to_owned();
    let shared = shared::shared(engine, folder).await?;
    let shares = shared.is_some();
    let (commit, shown, place) = at(engine, folder, move |here, tree, cancel| {
        let incoming = tree.incoming(&reviewed::wholes(tree.inside()), cancel)?;
        let shown = pull_plan(&here.root.id, tree, incoming.as_ref(), shared.as_ref(), cancel)?;
        if shown.plan.id != plan || plan.is_empty() {
            return Err(WorkTreeError::Changed.into());
        }
        let commit = match &incoming {
            Some(incoming) => tree.take(incoming, cancel)?,
            None => tree.status(cancel)?.head.unwrap_or_default(),
        };
        Ok((commit, shown, here.machine.place(&here.root.path)))
    })
    .await?;
    let Shown { plan, coming, files } = shown;
    if plan.commits > 0 {
        engine.sweep(Scope::All).await;
        let upstream = plan.upstream.clone();
        wrote(engine, Wrote::Pulled { place, upstream, to: commit.clone() }, None).await;
    }
    if shares {
        take_switches(engine, folder, coming, files).await?;
    }
    accept_reviewed(engine, plan.skills.iter().map(|plan| &plan.key)).await?;
    Ok(commit)
}

/// Makes the switches and sets here as they were shown, and keeps what the person changed meanwhile.
async fn take_switches(engine: &Engine, folder: &str, coming: Coming, files: Files) -> Result<(), ActionError> {
    let (id, there) = (folder.to_owned(), shared::there(engine, folder));
    let take = move |state: &mut State| state.choices.take_said(&id, &there, &files.all(), &coming.said);
    let switched = engine.state().change(take).await?;
    for on in [true, false] {
        let keys = switched.iter().filter(|(_, to)| *to == on).map(|(path, _)| format!("{folder}/{path}"));
        let keys: Vec<_> = keys.collect();
        let entries = keys.iter().filter_map(|key| engine.state().entry(key).ok());
        let skills: Vec<_> = entries.map(|entry| entry.skill.name.clone()).collect();
        if !skills.is_empty() {
            wrote(engine, Wrote::Switched { skills, on }, Some(Back::Switch { keys, on: !on })).await;
        }
    }
    Ok(())
}

/// Sets whether the switches and sets of a folder go along with its work tree. Nothing is written into it: the next push
/// does that, and the next pull shows what other machines say.
///
/// # Errors
/// When there is no such folder, it lies in no work tree, or is a skill itself.
pub async fn share_switches(engine: &Engine, folder: &str, on: bool) -> Result<(), ActionError> {
    let there = shared::there(engine, folder);
    if on {
        at(engine, folder, |_, _, _| Ok(())).await?;
        if there.contains("") {
            let message = "This folder is a skill itself, so that a file for other machines would be one of the skill.";
            let hints = vec!["Put the skill into a folder of its own.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message: message.to_owned(), hints });
        }
    }
    let folder = folder.to_owned();
    let share = move |state: &mut State| {
        let first = state.choices.here(&folder, &there).first_known();
        let choice = state.choices.folder_mut(&folder)?;
        match &mut choice.shared {
            Some(shared) => shared.on = on,
            None if on => choice.shared = Some(choices::Shared { on, known: first }),
            None => {}
        }
        Some(())
    };
    let shared = engine.state().change(share).await?;
    shared.ok_or_else(|| failed(ErrorKind::NotFound, "This folder is not in the library any more."))
}

/// What a commit of the skills of a folder would hold, and what its push would bring along. Nothing is written, and nobody
/// is asked over the network.
///
/// # Errors
/// When something is half done, there is no upstream, or hooks would take part.
pub async fn plan_commit(engine: &Engine, folder: &str) -> Result<CommitPlan, ActionError> {
    let shared = shared::shared(engine, folder).await?;
    at(engine, folder, move |here, tree, cancel| Ok(commit_plan(&here.root.id, tree, shared.as_ref(), cancel)?.plan))
        .await
}

/// What a commit would hold, and what it is made of.
struct Committing {
    plan: CommitPlan,
    kept: Kept,
    skills: Skills,
    going: Option<Going>,
}

fn commit_plan(folder: &str, tree: &WorkTree, shared: Option<&Shared>, cancel: &Cancel) -> Result<Committing, Trouble> {
    let status = tree.status(cancel)?;
    let committed = match &status.head {
        Some(head) => tree.files(head, cancel)?,
        None => Vec::new(),
    };
    let skills = Skills::of(tree.inside(), committed.iter().map(|file| file.path.as_str()), &status);
    let kept = tree.kept(&|entry| skills.of_path(&entry.path).is_some(), &reviewed::wholes(tree.inside()), cancel)?;
    let changed: Vec<_> = kept.paths.iter().map(String::as_str).collect();
    let between = (kept.branch.as_str(), kept.head.as_str(), "");
    let mut plans = skills.plans(folder, &changed, (&kept.before, &kept.after), &kept.bytes, between);
    let going = match shared {
        Some(shared) => shared.going(tree, &shared.files(tree, &kept.before, &BTreeMap::new(), cancel)?)?,
        None => None,
    };
    let said = going.as_ref().map(|going| (going.path.as_str(), going.text.as_str()));
    let secrets = reviewed::secrets(&mut plans, &skills, &kept, said);
    let plan = CommitPlan {
        id: commit_id(&kept, going.as_ref()),
        folder: folder.to_owned(),
        branch: kept.branch.clone(),
        upstream: kept.upstream.clone(),
        address: kept.address.clone(),
        message: reviewed::message(&skills.changed(&status, &committed).0, going.is_some()),
        skills: plans,
        switches: going.iter().flat_map(|going| going.changes.clone()).collect(),
        ahead: kept.ahead.clone(),
        behind: kept.behind,
        secrets,
    };
    Ok(Committing { plan, kept, skills, going })
}

/// Commits what [`plan_commit`] showed, with this message, and pushes it to the upstream. Where no file changed, the commits
/// that are here already are pushed.
///
/// # Errors
/// When anything differs from what was shown, there is nothing to commit or push, something looks like a secret, or git
/// does not know who commits: then nothing changes. What the upstream refuses is in the answer, because the commit is made.
pub async fn commit_and_push(engine: &Engine, folder: &str, plan: &str, message: &str) -> Result<Pushed, ActionError> {
    writing(engine)?;
    if message.trim().is_empty() {
        return Err(failed(ErrorKind::Input, "A commit needs a message that says what changed."));
    }
    let (plan, message) = (plan.to_owned(), message.to_owned());
    let shared = shared::shared(engine, folder).await?;
    let (pushed, known, upstream, place) = at(engine, folder, move |here, tree, cancel| {
        let Committing { plan: shown, kept, skills, going } =
            commit_plan(&here.root.id, tree, shared.as_ref(), cancel)?;
        if shown.id != plan {
            return Err(WorkTreeError::Changed.into());
        }
        if let Some(first) = shown.secrets.first() {
            let hints = vec!["Take it out of the file, and revoke it if anybody else may have seen it.".to_owned()];
            let message = format!("{first} Nothing was committed.");
            return Err(Trouble::Action(ActionError { kind: ErrorKind::Refused, message, hints }));
        }
        let committed = !kept.paths.is_empty() || going.is_some();
        if !committed && kept.ahead.is_empty() {
            let message = format!("{} has every commit, and no skill changed since.", kept.upstream);
            return Err(Trouble::Action(failed(ErrorKind::Already, message)));
        }
        let is_skill = |entry: &Entry| skills.of_path(&entry.path).is_some();
        let commit = match &going {
            Some(going) => keep_with(tree, &kept, going, &is_skill, &message, (&here.machine, cancel))?,
            None => tree.keep(&kept, &is_skill, &message, cancel)?,
        };
        let refused = tree.push(&commit, cancel).err().map(|error| error.to_string());
        let known = going.map(|going| going.known);
        Ok((Pushed { commit, committed, refused }, known, kept.upstream, here.machine.place(&here.root.path)))
    })
    .await?;
    if let Some(known) = known {
        let folder = folder.to_owned();
        let learn = move |state: &mut State| {
            if let Some(shared) = state.choices.folder_mut(&folder).and_then(|choice| choice.shared.as_mut()) {
                shared.known.merge(&known);
            }
        };
        engine.state().change(learn).await?;
    }
    let (commit, done) = (pushed.commit.clone(), pushed.refused.is_none());
    wrote(engine, Wrote::Committed { place, upstream, commit, pushed: done }, None).await;
    Ok(pushed)
}

/// Writes the file of this machine and commits it with what was shown. Where that fails, the file is as it was.
fn keep_with(
    tree: &WorkTree,
    shown: &Kept,
    going: &Going,
    is_skill: &dyn Fn(&Entry) -> bool,
    message: &str,
    (machine, cancel): (&Machine, &Cancel),
) -> Result<String, Trouble> {
    let written = going.write(tree, machine)?;
    let choose = |entry: &Entry| is_skill(entry) || entry.path == going.path;
    let commit = || {
        let now = tree.kept(&choose, &|_| Default::default(), cancel)?;
        going.is_in(shown, &now)?;
        Ok(tree.keep(&now, &choose, message, cancel)?)
    };
    commit().inspect_err(|_| written.put_back())
}

/// Names exactly what would be pulled, and what would change here by it.
fn pull_id(incoming: Option<&Incoming>, switches: &[SwitchChange]) -> String {
    let mut digest = Sha256::new();
    if let Some(incoming) = incoming {
        digest.update(format!("{} {} {}", incoming.head, incoming.upstream, incoming.tree));
    }
    digest.update(format!("{switches:?}"));
    format!("{:x}", digest.finalize())
}

/// Names exactly what would be committed and pushed.
fn commit_id(kept: &Kept, going: Option<&Going>) -> String {
    let Kept { head, branch, upstream, address, tree, .. } = kept;
    let said = going.map(|going| going.text.as_str()).unwrap_or_default();
    format!("{:x}", Sha256::digest(format!("{head} {tree} {branch} {upstream} {address}\n{said}")))
}

/// What keeps a work tree from being pulled and pushed.
fn trouble(status: &Status) -> Option<String> {
    let error = match (&status.branch, &status.upstream) {
        _ if status.doing.is_some() => WorkTreeError::Unfinished(status.doing?),
        (None, _) => WorkTreeError::Detached,
        (Some(branch), _) if status.head.is_none() => WorkTreeError::Unborn(branch.clone()),
        (Some(branch), None) => WorkTreeError::NoUpstream(branch.clone()),
        (_, Some(upstream)) if status.apart.is_none() => WorkTreeError::Gone(upstream.clone()),
        _ => return None,
    };
    Some(error.to_string())
}

/// A folder of the library, and the computer.
struct Here {
    root: Root,
    machine: std::sync::Arc<Machine>,
}

/// Why an action on a work tree is not done.
enum Trouble {
    WorkTree(WorkTreeError),
    Action(ActionError),
}

impl From<ActionError> for Trouble {
    fn from(error: ActionError) -> Self {
        Self::Action(error)
    }
}

impl From<WorkTreeError> for Trouble {
    fn from(error: WorkTreeError) -> Self {
        Self::WorkTree(error)
    }
}

/// Opens the work tree that a folder of the library lies in, and works on it away from the loop.
async fn at<T: Send + 'static>(
    engine: &Engine,
    folder: &str,
    work: impl FnOnce(&Here, &WorkTree, &Cancel) -> Result<T, Trouble> + Send + 'static,
) -> Result<T, ActionError> {
    let root = engine.state().roots().iter().find(|root| root.id == folder).cloned();
    let root = root.ok_or_else(|| failed(ErrorKind::NotFound, "This folder is not in the library any more."))?;
    let (here, cancel) = (Here { root, machine: engine.machine().clone() }, engine.cancel());
    blocking(move || {
        let Here { root, machine } = &here;
        let top = work_tree(&root.path).ok_or_else(|| {
            let message = format!("{} lies in no git work tree.", machine.place(&root.path));
            failed(ErrorKind::NotFound, message)
        })?;
        let tree = WorkTree::open(&git(machine)?, &top, &root.path, &cancel).map_err(|error| refused(&error))?;
        work(&here, &tree, &cancel).map_err(|error| match error {
            Trouble::WorkTree(error) => refused(&error),
            Trouble::Action(error) => error,
        })
    })
    .await
}

fn refused(error: &WorkTreeError) -> ActionError {
    let kind = match error {
        WorkTreeError::Fetch(error) => return refuse(error),
        WorkTreeError::Changed => ErrorKind::Changed,
        WorkTreeError::NoWorkTree(_) | WorkTreeError::Gone(_) => ErrorKind::NotFound,
        WorkTreeError::Git(_) => ErrorKind::System,
        _ => ErrorKind::Refused,
    };
    failed(kind, error.to_string())
}
