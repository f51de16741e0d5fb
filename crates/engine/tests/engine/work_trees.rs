//! Library folders in git work trees: two homes, one repository, real git.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use api::{AbilityKind, ErrorKind, PullPlan, Pushed, SkillChange, UpdateChange, WorkTreeStatus, Wrote};
use engine::{Engine, actions};
use tests::{GitHost, GitRepository, git_in};

use crate::{
    home::{Home, enable, row},
    sources::{files, home, text},
};

pub(crate) fn repository(host: &GitHost) -> GitRepository {
    let repository = host.repository("skills");
    repository.write("lib/tea/SKILL.md", text("tea", "Boil water.\n\nPour it.\n\nWait."));
    repository.write("lib/tea/notes.md", "Green.\n");
    repository.write("lib/ale/SKILL.md", text("ale", "Brew it."));
    repository.write("README.md", "Skills.\n");
    repository.commit("one");
    repository
}

/// A home with a clone of the repository, whose folder `lib` is in the library.
pub(crate) struct Desk {
    pub(crate) home: Home,
    pub(crate) engine: Engine,
    pub(crate) top: PathBuf,
}

impl Desk {
    pub(crate) async fn of(repository: &GitRepository) -> Self {
        let home = home();
        let top = home.path("desk");
        repository.clone_to(&top);
        let engine = home.start().await;
        let desk = Self { home, engine, top };
        actions::add_folder(&desk.engine, desk.top.join("lib").to_str().unwrap(), Some(true)).await.unwrap();
        desk
    }

    pub(crate) fn folder(&self) -> String {
        let snapshot = self.engine.snapshot();
        snapshot.folders.iter().find(|folder| folder.work_tree.is_some()).unwrap().id.clone()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.top.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.top.join(path)).unwrap_or_default()
    }

    async fn status(&self) -> WorkTreeStatus {
        actions::work_tree_status(&self.engine, &self.folder()).await.unwrap()
    }

    pub(crate) async fn plan_pull(&self) -> Result<PullPlan, api::ActionError> {
        actions::plan_pull(&self.engine, &self.folder()).await
    }

    pub(crate) async fn pull(&self) -> Result<(), api::ActionError> {
        let plan = self.plan_pull().await?;
        if !plan.id.is_empty() {
            actions::pull(&self.engine, &self.folder(), &plan.id).await?;
        }
        Ok(())
    }

    pub(crate) async fn push(&self) -> Result<Pushed, api::ActionError> {
        let plan = actions::plan_commit(&self.engine, &self.folder()).await?;
        actions::commit_and_push(&self.engine, &self.folder(), &plan.id, &plan.message).await
    }

    pub(crate) fn git(&self, words: &[&str]) -> String {
        git_in(&self.top, words)
    }

    /// Merges what conflicts, as a person does in a terminal: their own lines stay, and so does a file that one side
    /// removed.
    pub(crate) fn settle(&self) {
        let mut merge = std::process::Command::new("git");
        merge.args(["merge", "--quiet", "--no-edit", "--strategy-option=ours", "origin/main"]).current_dir(&self.top);
        if !merge.output().unwrap().status.success() {
            self.git(&["add", "--all"]);
            self.git(&["commit", "--quiet", "--no-edit"]);
        }
    }
}

#[tokio::test]
async fn a_folder_in_a_work_tree_says_so_and_its_status_is_asked_for() {
    let host = GitHost::start();
    let desk = Desk::of(&repository(&host)).await;
    let snapshot = desk.engine.snapshot();
    let trees: Vec<_> = snapshot.folders.iter().map(|folder| folder.work_tree.as_deref()).collect();
    assert_eq!(trees, [None, Some("~/desk")]);
    let status = desk.status().await;
    assert_eq!((status.branch.as_deref(), status.upstream.as_deref()), (Some("main"), Some("origin/main")));
    assert_eq!((status.ahead, status.behind, status.skills.len(), status.trouble), (0, 0, 0, None));
    desk.write("lib/tea/SKILL.md", text("tea", "Pour it."));
    desk.write("lib/mead/SKILL.md", text("mead", "Brew it."));
    desk.write("lib/loose.md", "Loose.");
    fs::remove_dir_all(desk.top.join("lib/ale")).unwrap();
    let status = desk.status().await;
    let skills: Vec<_> = status.skills.iter().map(|skill| (skill.path.as_str(), skill.how)).collect();
    assert_eq!(skills, [("ale", SkillChange::Removed), ("mead", SkillChange::Added), ("tea", SkillChange::Changed)]);
    assert_eq!(status.others, 1);
    desk.git(&["checkout", "--quiet", "--detach"]);
    let trouble = desk.status().await.trouble.unwrap();
    assert!(trouble.starts_with("No branch is checked out here."), "{trouble}");
    let error = actions::work_tree_status(&desk.engine, "own").await.unwrap_err();
    assert!(error.message.ends_with("lies in no git work tree."), "{}", error.message);
}

#[tokio::test]
async fn what_one_desk_commits_the_other_reviews_and_pulls() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (Desk::of(&repository).await, Desk::of(&repository).await);
    enable(&two.engine, "f1/tea").await;
    one.write(
        "lib/tea/SKILL.md",
        text("tea", "Boil water.\n\nPour it slowly, see https://tea.example.net/x.\n\nWait."),
    );
    one.write("lib/tea/scripts/brew.py", "print('tea')\n");
    one.write("lib/mead/SKILL.md", text("mead", "Brew it."));
    one.write("README.md", "Mine alone.\n");
    let plan = actions::plan_commit(&one.engine, &one.folder()).await.unwrap();
    assert_eq!(plan.message, "Skills: change tea, add mead");
    let shown: Vec<_> = plan.skills.iter().flat_map(|skill| &skill.files).map(|file| file.path.as_str()).collect();
    assert_eq!(shown, ["SKILL.md", "SKILL.md", "scripts/brew.py"]);
    assert_eq!((plan.secrets.len(), plan.ahead.len(), plan.behind), (0, 0, 0));
    let pushed = one.push().await.unwrap();
    assert_eq!((pushed.committed, pushed.refused), (true, None));
    assert_eq!(one.git(&["status", "--porcelain"]), "M README.md", "{}", one.git(&["status"]));

    let plan = two.plan_pull().await.unwrap();
    assert_eq!((plan.commits, plan.merges, plan.upstream.as_str()), (1, false, "origin/main"));
    assert!(plan.others.is_empty() && plan.notes.is_empty(), "{plan:?}");
    let tea = plan.skills.iter().find(|skill| skill.key == "f1/tea").unwrap();
    let gains: Vec<_> = tea.gains.iter().map(|gain| (gain.kind, gain.what.as_str())).collect();
    assert_eq!(gains, [(AbilityKind::Script, "scripts/brew.py"), (AbilityKind::Host, "tea.example.net")]);
    let how: Vec<_> = tea.files.iter().map(|file| file.how).collect();
    assert_eq!(how, [UpdateChange::Changed, UpdateChange::Added]);
    assert!(two.read("lib/tea/SKILL.md").contains("Pour it.\n"), "looking changes nothing");
    actions::pull(&two.engine, &two.folder(), &plan.id).await.unwrap();
    assert_eq!(files(&two.top.join("lib")), files(&one.top.join("lib")));
    assert!(row(&two.engine.snapshot(), "tea").enabled, "it was on and stays on");
    assert_eq!(row(&two.engine.snapshot(), "mead").id, "mead", "the library has it at once");
    let wrote: Vec<_> = actions::own_writes(&two.engine).await.unwrap().into_iter().map(|write| write.what).collect();
    assert!(
        matches!(&wrote[0], Wrote::Pulled { place, upstream, .. } if place == "~/desk/lib" && upstream == "origin/main")
    );
    assert!(matches!(&wrote[1], Wrote::Asked { silent: 0, .. }), "{wrote:?}");
    let again = actions::pull(&two.engine, &two.folder(), &plan.id).await.unwrap_err();
    assert_eq!(again.kind, ErrorKind::Changed);
    assert_eq!(two.plan_pull().await.unwrap().commits, 0);
    let nothing = two.push().await.unwrap_err();
    assert_eq!(nothing.kind, ErrorKind::Already);
}

#[tokio::test]
async fn a_secret_is_not_committed_and_not_shown() {
    let host = GitHost::start();
    let desk = Desk::of(&repository(&host)).await;
    let key = format!("ghp_{}", "x7Kq9ZpL2mNvR4tYc8WdB1sGhJ6fEa3Uo5Qi");
    desk.write("lib/tea/notes.md", format!("Green.\n\ntoken: {key}\n"));
    desk.write("lib/tea/.env", "PASSWORD=sesame\n");
    let plan = actions::plan_commit(&desk.engine, &desk.folder()).await.unwrap();
    assert_eq!(
        plan.secrets,
        ["lib/tea/.env is a file for secrets.", "Line 3 of lib/tea/notes.md looks like a token of GitHub."]
    );
    let shown = format!("{plan:?}");
    assert!(!shown.contains("sesame") && !shown.contains(&key), "{shown}");
    let head = desk.git(&["rev-parse", "HEAD"]);
    let error = desk.push().await.unwrap_err();
    assert!(error.message.ends_with("is a file for secrets. Nothing was committed."), "{}", error.message);
    assert_eq!(desk.git(&["rev-parse", "HEAD"]), head);
    desk.write("lib/tea/notes.md", "Black.\n");
    fs::remove_file(desk.top.join("lib/tea/.env")).unwrap();
    assert!(desk.push().await.unwrap().refused.is_none());
}

#[tokio::test]
async fn a_refused_push_keeps_the_commit_and_says_what_to_do() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (Desk::of(&repository).await, Desk::of(&repository).await);
    one.write("lib/tea/notes.md", "Black.\n");
    one.push().await.unwrap();
    two.write("lib/ale/SKILL.md", text("ale", "Brew it slowly."));
    let pushed = two.push().await.unwrap();
    assert_eq!(
        pushed.refused.as_deref(),
        Some("origin/main has commits that are not here, so it took none. Pull first, then push.")
    );
    assert!(matches!(&actions::own_writes(&two.engine).await.unwrap()[0].what, Wrote::Committed { pushed: false, .. }));
    let plan = two.plan_pull().await.unwrap();
    assert!(plan.merges && plan.commits == 1, "{plan:?}");
    assert_eq!(plan.skills.iter().map(|skill| skill.key.as_str()).collect::<Vec<_>>(), ["f1/tea"]);
    two.pull().await.unwrap();
    let pushed = two.push().await.unwrap();
    assert_eq!((pushed.committed, pushed.refused), (false, None));
    one.pull().await.unwrap();
    assert_eq!(files(&two.top.join("lib")), files(&one.top.join("lib")));
    // Both changed the same.
    one.write("lib/tea/notes.md", "White.\n");
    one.push().await.unwrap();
    two.write("lib/tea/notes.md", "Red.\n");
    let error = two.pull().await.unwrap_err();
    assert_eq!(error.message, "You changed what would come: lib/tea/notes.md. Commit your changes first, then pull.");
    two.push().await.unwrap();
    let error = two.pull().await.unwrap_err();
    assert!(error.message.starts_with("You and origin/main changed the same: lib/tea/notes.md."), "{}", error.message);
    assert_eq!(two.read("lib/tea/notes.md"), "Red.\n");
}

/// Random numbers of a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// Every version of every file of the library folder that any commit of a repository has.
fn kept_in_git(top: &Path) -> BTreeSet<String> {
    let listed = git_in(top, &["rev-list", "--objects", "--all", "--no-object-names"]);
    listed.lines().map(str::to_owned).collect()
}

fn blob(top: &Path, path: &Path) -> String {
    git_in(top, &["hash-object", "--no-filters", "--", &path.display().to_string()])
}

/// Two desks edit, add, remove, commit, push and pull in any order. After each step everything that a person wrote is on
/// the disk or in a commit, and nothing else changed; in the end both desks hold the same. More steps by `DESK_STEPS`.
#[tokio::test]
async fn in_any_order_of_edits_pulls_and_pushes_nothing_is_lost_and_both_desks_come_to_the_same() {
    let steps = std::env::var("DESK_STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(60_u32);
    let host = GitHost::start();
    let repository = repository(&host);
    let desks = [Desk::of(&repository).await, Desk::of(&repository).await];
    let mut random = Random(0x5eed_cafe);
    let (mut log, mut pushed, mut pulled, mut conflicts) = (Vec::new(), 0, 0, 0);
    for step in 0..steps {
        let at = usize::try_from(random.below(2)).unwrap();
        let desk = &desks[at];
        let skill = ["tea", "ale", "mead", "gin"][usize::try_from(random.below(4)).unwrap()];
        let act = random.below(8);
        log.push(format!("{step}: desk {at} does {act} with {skill}"));
        let before = files(&desk.top.join("lib"));
        match act {
            // Each desk edits lines of its own, so that most merges are clean; now and then the same line.
            0..=2 => {
                let file = format!("lib/{skill}/notes.md");
                let mut lines: Vec<_> = desk.read(&file).lines().map(str::to_owned).collect();
                lines.resize(24, "-".to_owned());
                let line = if random.below(12) == 0 { 12 } else { at * 20 + usize::try_from(random.below(4)).unwrap() };
                lines[line] = format!("step {step} of desk {at}");
                desk.write(&format!("lib/{skill}/SKILL.md"), text(skill, "Pour it."));
                desk.write(&file, lines.join("\n") + "\n");
                continue;
            }
            3 => {
                desk.write(&format!("lib/{skill}/desk-{at}-{step}.md"), format!("{step}\n"));
                desk.write(&format!("lib/{skill}/SKILL.md"), text(skill, "Pour it."));
                continue;
            }
            4 if random.below(3) == 0 => {
                // Only what is committed is removed, so that nothing is lost by the test itself.
                if desk.git(&["status", "--porcelain", "--", "lib"]).is_empty() {
                    drop(fs::remove_dir_all(desk.top.join("lib").join(skill)));
                }
                continue;
            }
            4 | 5 => pushed += u32::from(desk.push().await.is_ok_and(|pushed| pushed.refused.is_none())),
            _ => match desk.pull().await {
                Ok(()) => pulled += 1,
                // As a person does in a terminal.
                Err(error) if error.message.contains("changed the same") => {
                    if desk.git(&["status", "--porcelain"]).is_empty() {
                        desk.settle();
                        conflicts += 1;
                    }
                }
                Err(_) => {}
            },
        }
        // What was there is there, or in a commit of this desk.
        let kept = kept_in_git(&desk.top);
        let scratch = desk.home.elsewhere().join("scratch");
        for (path, bytes) in &before {
            if files(&desk.top.join("lib")).get(path) != Some(bytes) {
                fs::write(&scratch, bytes).unwrap();
                assert!(kept.contains(&blob(&desk.top, &scratch)), "{path} is lost\n{}", log.join("\n"));
            }
        }
        assert!(!desk.top.join(".git/index.lock").exists(), "{}", log.join("\n"));
    }
    assert!(pushed > steps / 20 && pulled > steps / 20, "{pushed} {pulled} {conflicts}");
    // Both settle: commit, pull, push; a conflict is settled by git, as a person would in a terminal.
    for _ in 0..3 {
        for desk in &desks {
            drop(desk.push().await);
            if desk.pull().await.is_err() {
                desk.settle();
            }
            desk.push().await.map(drop).unwrap_or_else(|error| assert_eq!(error.kind, ErrorKind::Already));
        }
    }
    let [one, two] = desks.each_ref().map(|desk| files(&desk.top.join("lib")));
    assert_eq!(one, two, "{}", log.join("\n"));
    for desk in &desks {
        assert_eq!(desk.git(&["status", "--porcelain"]), "");
        actions::read_again(&desk.engine).await.unwrap();
    }
    let listed = |desk: &Desk| {
        let snapshot = desk.engine.snapshot();
        snapshot.skills.iter().map(|row| (row.key.clone(), row.name.clone())).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(listed(&desks[0]), listed(&desks[1]));
}
