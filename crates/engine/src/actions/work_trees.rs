//! Library folders that lie in a git work tree of the person's own: their status, a pull after a review, and a commit of
//! the skills alone with its push.
//!
//! git itself is asked only here, and only when a person asks. A pull and a commit are shown first; the answer computes
//! them again and is refused where anything differs. Which files belong to which skill, and what a change of them means,
//! is `reviewed`; git is `fetch`'s.

mod reviewed;

use api::{ActionError, CommitPlan, ErrorKind, PullPlan, Pushed, WorkTreeStatus, Wrote, failed};
use fetch::{Cancel, Incoming, Kept, Status, WorkTree, WorkTreeError};
use library::{Root, walk::Scope, work_tree};
use machine::Machine;
use sha2::{Digest as _, Sha256};
use state::blocking;

use self::reviewed::Skills;
use crate::{
    Engine,
    actions::{
        sources::{accept_reviewed, git, refuse},
        writing,
        wrote::wrote,
    },
};

/// The status of the work tree that a library folder lies in, as of its last fetch. Nobody is asked over the network, and
/// nothing is written.
///
/// # Errors
/// When there is no such folder, it lies in no work tree, or git fails.
pub async fn work_tree_status(engine: &Engine, folder: &str) -> Result<WorkTreeStatus, ActionError> {
    at(engine, folder, |here, tree, cancel| {
        let status = tree.status(cancel)?;
        let committed = match &status.head {
            Some(head) => tree.files(head, cancel)?,
            None => Vec::new(),
        };
        let skills = Skills::of(tree.inside(), committed.iter().map(|file| file.path.as_str()), &status);
        let (changed, others) = skills.changed(&status, &committed);
        let (ahead, behind) = status.apart.unwrap_or_default();
        let Status { branch, upstream, .. } = status.clone();
        let (folder, place) = (here.root.id.clone(), here.machine.place(tree.top()));
        let trouble = trouble(&status);
        Ok(WorkTreeStatus { folder, place, branch, upstream, ahead, behind, skills: changed, others, trouble })
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
    at(engine, folder, |here, tree, cancel| {
        let Some(incoming) = tree.incoming(&reviewed::wholes(tree.inside()), cancel)? else {
            let upstream = tree.status(cancel)?.upstream.unwrap_or_default();
            return Ok(PullPlan {
                id: String::new(),
                folder: here.root.id.clone(),
                upstream,
                commits: 0,
                merges: false,
                skills: Vec::new(),
                others: Vec::new(),
                notes: Vec::new(),
            });
        };
        Ok(pull_plan(&here.root.id, tree, &incoming, cancel)?)
    })
    .await
}

fn pull_plan(folder: &str, tree: &WorkTree, incoming: &Incoming, cancel: &Cancel) -> Result<PullPlan, WorkTreeError> {
    let Incoming { head, upstream, name, commits, ahead, before, after, changes, bytes, .. } = incoming;
    let paths = || before.iter().chain(after).map(|file| file.path.as_str());
    let skills = Skills::of(tree.inside(), paths(), &Status::default());
    let changed: Vec<_> = changes.iter().map(|one| one.path.as_str()).collect();
    let plans = skills.plans(folder, &changed, (before, after), bytes, (name, head, upstream));
    let others = changed.iter().filter(|path| skills.of_path(path).is_none()).map(|path| (*path).to_owned()).collect();
    let mut notes: Vec<_> = tree
        .hooks_after_pull(cancel)?
        .into_iter()
        .map(|hook| format!("git in a terminal would run the hook {hook} after this. Skilltender runs none."))
        .collect();
    notes.extend(changes.iter().filter(|one| one.is_submodule).map(|one| {
        format!("{} is another repository, whose files stay as they are: `git submodule update` brings them.", one.path)
    }));
    Ok(PullPlan {
        id: pull_id(incoming),
        folder: folder.to_owned(),
        upstream: name.clone(),
        commits: *commits,
        merges: *ahead > 0,
        skills: plans,
        others,
        notes,
    })
}

/// Pulls what [`plan_pull`] showed: a fast-forward to exactly that commit, or to the merge of both sides. Returns the
/// commit.
///
/// # Errors
/// When anything differs from what was shown, or git refuses to write over something: then nothing changes.
pub async fn pull(engine: &Engine, folder: &str, plan: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let plan = plan.to_owned();
    let (commit, upstream, keys, place) = at(engine, folder, move |here, tree, cancel| {
        let incoming = tree.incoming(&reviewed::wholes(tree.inside()), cancel)?;
        let incoming = incoming.filter(|incoming| pull_id(incoming) == plan).ok_or(WorkTreeError::Changed)?;
        let shown = pull_plan(&here.root.id, tree, &incoming, cancel)?;
        let commit = tree.take(&incoming, cancel)?;
        let keys: Vec<_> = shown.skills.into_iter().map(|plan| plan.key).collect();
        Ok((commit, incoming.name, keys, here.machine.place(&here.root.path)))
    })
    .await?;
    engine.sweep(Scope::All).await;
    accept_reviewed(engine, keys.iter()).await?;
    wrote(engine, Wrote::Pulled { place, upstream, to: commit.clone() }, None).await;
    Ok(commit)
}

/// What a commit of the skills of a folder would hold, and what its push would bring along. Nothing is written, and nobody
/// is asked over the network.
///
/// # Errors
/// When something is half done, there is no upstream, or hooks would take part.
pub async fn plan_commit(engine: &Engine, folder: &str) -> Result<CommitPlan, ActionError> {
    at(engine, folder, |here, tree, cancel| Ok(commit_plan(&here.root.id, tree, cancel)?.0)).await
}

fn commit_plan(folder: &str, tree: &WorkTree, cancel: &Cancel) -> Result<(CommitPlan, Kept, Skills), WorkTreeError> {
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
    let secrets = reviewed::secrets(&mut plans, &skills, &kept);
    let plan = CommitPlan {
        id: commit_id(&kept),
        folder: folder.to_owned(),
        branch: kept.branch.clone(),
        upstream: kept.upstream.clone(),
        address: kept.address.clone(),
        message: reviewed::message(&skills.changed(&status, &committed).0),
        skills: plans,
        ahead: kept.ahead.clone(),
        behind: kept.behind,
        secrets,
    };
    Ok((plan, kept, skills))
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
    let (pushed, upstream, place) = at(engine, folder, move |here, tree, cancel| {
        let (shown, kept, skills) = commit_plan(&here.root.id, tree, cancel)?;
        if shown.id != plan {
            return Err(WorkTreeError::Changed.into());
        }
        if let Some(first) = shown.secrets.first() {
            let hints = vec!["Take it out of the file, and revoke it if anybody else may have seen it.".to_owned()];
            let message = format!("{first} Nothing was committed.");
            return Err(Trouble::Action(ActionError { kind: ErrorKind::Refused, message, hints }));
        }
        let committed = !kept.paths.is_empty();
        if !committed && kept.ahead.is_empty() {
            let message = format!("{} has every commit, and no skill changed since.", kept.upstream);
            return Err(Trouble::Action(failed(ErrorKind::Already, message)));
        }
        let commit = tree.keep(&kept, &|entry| skills.of_path(&entry.path).is_some(), &message, cancel)?;
        let refused = tree.push(&commit, cancel).err().map(|error| error.to_string());
        Ok((Pushed { commit, committed, refused }, kept.upstream, here.machine.place(&here.root.path)))
    })
    .await?;
    let (commit, done) = (pushed.commit.clone(), pushed.refused.is_none());
    wrote(engine, Wrote::Committed { place, upstream, commit, pushed: done }, None).await;
    Ok(pushed)
}

/// Names exactly what would be pulled.
fn pull_id(incoming: &Incoming) -> String {
    format!("{:x}", Sha256::digest(format!("{} {} {}", incoming.head, incoming.upstream, incoming.tree)))
}

/// Names exactly what would be committed and pushed.
fn commit_id(kept: &Kept) -> String {
    let Kept { head, branch, upstream, address, tree, .. } = kept;
    format!("{:x}", Sha256::digest(format!("{head} {tree} {branch} {upstream} {address}")))
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
