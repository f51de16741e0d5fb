//! Switches and sets that go along with a work tree (decision 89): two homes, one repository, real git.

use std::{collections::BTreeMap, fs, path::Path};

use api::{CommitPlan, ErrorKind, PullPlan, SwitchHow};
use engine::actions;
use tests::{GitHost, GitRepository};

use crate::{
    home::{enable, row},
    sources::{home, text},
    work_trees::{Desk, Random, repository},
};

/// A desk that shares its switches, whose person has looked at all its skills.
async fn sharing(repository: &GitRepository) -> Desk {
    let desk = Desk::of(repository).await;
    look_at_all(&desk).await;
    share(&desk, true).await;
    desk
}

async fn look_at_all(desk: &Desk) {
    let folder = desk.folder();
    for skill in &desk.engine.snapshot().skills {
        if skill.key.starts_with(&format!("{folder}/")) && skill.asks {
            enable(&desk.engine, &skill.key).await;
            switch(desk, &skill.id, false).await;
        }
    }
}

async fn share(desk: &Desk, on: bool) {
    actions::share_switches(&desk.engine, &desk.folder(), on).await.unwrap();
}

async fn switch(desk: &Desk, skill: &str, on: bool) {
    actions::enable_skill(&desk.engine, &format!("{}/{skill}", desk.folder()), on).await.unwrap();
}

async fn make_set(desk: &Desk, name: &str, skills: &[&str]) -> String {
    let keys: Vec<_> = skills.iter().map(|skill| format!("{}/{skill}", desk.folder())).collect();
    actions::make_set(&desk.engine, name, &keys).await.unwrap()
}

fn is_on(desk: &Desk, skill: &str) -> bool {
    row(&desk.engine.snapshot(), skill).enabled
}

/// The sets with skills of the folder, by name.
fn sets(desk: &Desk) -> BTreeMap<String, Vec<String>> {
    let (snapshot, folder) = (desk.engine.snapshot(), format!("{}/", desk.folder()));
    let inside = |set: &api::SkillSet| {
        set.skills.iter().filter_map(|key| key.strip_prefix(&folder)).map(str::to_owned).collect::<Vec<_>>()
    };
    snapshot.sets.iter().map(|set| (set.name.clone(), inside(set))).filter(|(_, inside)| !inside.is_empty()).collect()
}

fn changes(plan: &PullPlan) -> Vec<(SwitchHow, String, String, bool)> {
    let name = |name: &'_ Option<String>| -> String { name.clone().unwrap_or_default() };
    let one = |change: &api::SwitchChange| (change.how, name(&change.skill), name(&change.set), change.stays.is_some());
    plan.switches.iter().map(one).collect()
}

fn change(how: SwitchHow, skill: &str, set: &str, stays: bool) -> (SwitchHow, String, String, bool) {
    (how, skill.to_owned(), set.to_owned(), stays)
}

async fn plan_commit(desk: &Desk) -> CommitPlan {
    actions::plan_commit(&desk.engine, &desk.folder()).await.unwrap()
}

/// The files of machines in the folder.
fn machines(desk: &Desk) -> BTreeMap<String, String> {
    let Ok(entries) = fs::read_dir(desk.top.join("lib/.skilltender")) else { return BTreeMap::new() };
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.flatten().map(|entry| (name(&entry), fs::read_to_string(entry.path()).unwrap_or_default())).collect()
}

#[tokio::test]
async fn nothing_is_shared_before_a_person_says_so_and_then_only_as_it_was_shown() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (Desk::of(&repository).await, Desk::of(&repository).await);
    enable(&one.engine, "f1/tea").await;
    make_set(&one, "Calm", &["tea", "ale"]).await;
    assert!(plan_commit(&one).await.switches.is_empty() && machines(&one).is_empty());
    assert!(!one.engine.snapshot().folders.iter().any(|folder| folder.shares_switches));
    share(&one, true).await;
    assert!(one.engine.snapshot().folders.iter().any(|folder| folder.shares_switches));
    assert!(machines(&one).is_empty(), "nothing is written before a push");
    let status = actions::work_tree_status(&one.engine, &one.folder()).await.unwrap();
    assert_eq!((status.switches, status.skills.len()), (4, 0));
    let plan = plan_commit(&one).await;
    assert_eq!(plan.message, "Switches and sets");
    assert!(plan.skills.is_empty() && plan.switches.iter().all(|change| change.machine.is_none()));
    assert!(machines(&one).is_empty());
    one.push().await.unwrap();
    let file = machines(&one);
    let text = file.values().next().unwrap();
    assert!(text.ends_with("version: 1\nskills:\n  tea: on 1\nsets:\n  calm:\n    name: Calm\n    count: 2\n    skills:\n      ale: on 2\n      tea: on 2\n"), "{text}");
    assert_eq!(one.git(&["status", "--porcelain"]), "");
    // Nothing changed since, so there is nothing to say.
    assert_eq!(one.push().await.unwrap_err().kind, ErrorKind::Already);

    // The other machine does not take part, so it is a file like any other.
    let plan = two.plan_pull().await.unwrap();
    assert_eq!((plan.others.len(), plan.switches.len()), (1, 0));
    share(&two, true).await;
    let plan = two.plan_pull().await.unwrap();
    assert_eq!(
        changes(&plan),
        [
            change(SwitchHow::On, "tea", "", true),
            change(SwitchHow::SetComes, "", "Calm", false),
            change(SwitchHow::Joins, "ale", "Calm", false),
            change(SwitchHow::Joins, "tea", "Calm", false)
        ]
    );
    let machine = file.keys().next().unwrap().trim_end_matches(".yaml");
    assert!(plan.switches.iter().all(|change| change.machine.as_deref() == Some(machine)), "{plan:?}");
    assert!(plan.others.is_empty() && plan.notes.is_empty(), "{plan:?}");
    assert!(sets(&two).is_empty() && !is_on(&two, "tea"));
    two.pull().await.unwrap();
    assert_eq!(sets(&two), sets(&one));
    assert!(!is_on(&two, "tea"), "nobody has looked at it here");
    // It still waits, also without a commit.
    let plan = two.plan_pull().await.unwrap();
    assert_eq!((plan.commits, changes(&plan)), (0, vec![change(SwitchHow::On, "tea", "", true)]));
    assert_eq!(plan.id, "", "there is nothing to take");
    enable(&two.engine, "f1/tea").await;
    assert!(two.plan_pull().await.unwrap().switches.is_empty());
    assert_eq!(two.push().await.unwrap_err().kind, ErrorKind::Already, "it says what is said already");

    // From now on a switch comes by the yes to the page.
    switch(&two, "tea", false).await;
    two.push().await.unwrap();
    let plan = one.plan_pull().await.unwrap();
    assert_eq!(changes(&plan), [change(SwitchHow::Off, "tea", "", false)]);
    assert!(is_on(&one, "tea"));
    one.pull().await.unwrap();
    assert!(!is_on(&one, "tea"));
    assert!(machines(&one).len() == 2 && one.plan_pull().await.unwrap().switches.is_empty());
    let stays = actions::traces(&one.engine).await.unwrap().stays;
    assert!(stays.iter().any(|stays| stays.contains(".yaml tells your other machines what is on here.")), "{stays:?}");
    // Off again, everything stays here.
    share(&one, false).await;
    switch(&one, "tea", true).await;
    assert_eq!(one.push().await.unwrap_err().kind, ErrorKind::Already);
    share(&one, true).await;
    assert_eq!(plan_commit(&one).await.switches.len(), 1);
}

#[tokio::test]
async fn what_was_committed_is_said_also_where_the_program_ended_before_it_noted_that() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (mut one, two) = (sharing(&repository).await, sharing(&repository).await);
    one.push().await.unwrap();
    let known = one.home.choices()["folders"].clone();
    switch(&one, "tea", true).await;
    one.push().await.unwrap();
    one.engine.stop().await;
    // As it is after a kill between the commit and the note.
    let mut choices = one.home.choices();
    for (at, folder) in known.as_array().unwrap().iter().enumerate() {
        choices["folders"][at]["shared"] = folder["shared"].clone();
    }
    fs::write(one.home.machine.data.join("choices.json"), choices.to_string()).unwrap();
    one.engine = one.home.start().await;
    assert!(plan_commit(&one).await.switches.is_empty() && one.plan_pull().await.unwrap().switches.is_empty());
    switch(&one, "tea", false).await;
    assert!(one.plan_pull().await.unwrap().switches.is_empty(), "its own file brings nothing back");
    let plan = plan_commit(&one).await;
    assert_eq!(plan.switches.iter().map(|change| change.how).collect::<Vec<_>>(), [SwitchHow::Off]);
    one.push().await.unwrap();
    two.pull().await.unwrap();
    assert!(!is_on(&two, "tea"));
}

#[tokio::test]
async fn what_is_switched_while_the_page_is_open_is_asked_about_again_and_stays() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (sharing(&repository).await, sharing(&repository).await);
    switch(&one, "tea", true).await;
    switch(&one, "ale", true).await;
    one.push().await.unwrap();
    let plan = two.plan_pull().await.unwrap();
    assert_eq!(plan.switches.len(), 2);
    switch(&two, "tea", true).await;
    let error = actions::pull(&two.engine, &two.folder(), &plan.id).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Changed);
    assert!(!is_on(&two, "ale"));
    // What was pulled in a terminal is shown with the next pull.
    two.git(&["pull", "--quiet", "--ff-only"]);
    let plan = two.plan_pull().await.unwrap();
    assert_eq!((plan.commits, changes(&plan)), (0, vec![change(SwitchHow::On, "ale", "", false)]));
    two.pull().await.unwrap();
    assert!(is_on(&two, "ale"));
}

#[tokio::test]
async fn what_is_odd_in_the_files_of_others_is_said_with_its_place_and_the_rest_comes() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (sharing(&repository).await, sharing(&repository).await);
    switch(&one, "tea", true).await;
    one.push().await.unwrap();
    let odd = |name: &str, bytes: &[u8]| one.write(&format!("lib/.skilltender/{name}"), bytes);
    odd("00000000000a.yaml", b"version: 1\nskills:\n  ../../etc: on 5\n");
    odd("00000000000b.yaml", &[0, 159, 146, 150]);
    odd("00000000000c.yaml", &vec![b'#'; 5 << 20]);
    odd("00000000000d.yaml", b"version: 9\nnew: true\n");
    odd("00000000000e.yaml", b"version: 1\nskills:\n  a: &a [x]\n  b: [*a, *a]\n");
    odd("host.name.yaml", b"version: 1\n");
    odd("notes.md", b"Mine.\n");
    odd("deep/00000000000a.yaml", b"version: 9\n");
    let mut many = "version: 1\nskills:\n".to_owned();
    for number in 0..100_000 {
        many += &format!("  s{number}: on 7\n");
    }
    odd("00000000000f.yaml", many.as_bytes());
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", one.top.join("lib/.skilltender/0000000000aa.yaml")).unwrap();
    one.git(&["add", "--all"]);
    one.git(&["commit", "--quiet", "--message", "odd"]);
    one.git(&["push", "--quiet"]);
    let plan = two.plan_pull().await.unwrap();
    assert_eq!(changes(&plan), [change(SwitchHow::On, "tea", "", false)]);
    assert_eq!(plan.absent, 100_000);
    let notes = plan.notes.join("\n");
    for says in [
        "lib/.skilltender/00000000000a.yaml is left out and stays as it is: line 3, column 3: ",
        "00000000000b.yaml is left out and stays as it is: it is no text.",
        "00000000000c.yaml is left out and stays as it is: it is larger than 4 MiB.",
        "00000000000d.yaml is left out and stays as it is: it is of version 9, which a newer Skilltender reads.",
        "00000000000e.yaml is left out and stays as it is: line 3, column 9: it holds too much, or an anchor or alias.",
        "host.name.yaml is left out and stays as it is: its name is none of a machine.",
    ] {
        assert!(notes.contains(says), "{says}: {notes}");
    }
    assert!(!notes.contains("passwd") && (cfg!(windows) || notes.contains("it is no file of a machine")), "{notes}");
    two.pull().await.unwrap();
    assert!(is_on(&two, "tea"));
    // A pipe where the own file belongs, or a link to elsewhere, is refused, and nothing is committed.
    switch(&two, "ale", true).await;
    let own = two.home.choices()["machine"]["id"].as_str().unwrap().to_owned();
    let path = two.top.join(format!("lib/.skilltender/{own}.yaml"));
    let head = two.git(&["rev-parse", "HEAD"]);
    #[cfg(unix)]
    {
        let elsewhere = two.home.elsewhere().join("mine");
        fs::write(&elsewhere, "mine").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        let error = two.push().await.unwrap_err();
        assert!(error.message.ends_with("is no place for the file of this machine."), "{}", error.message);
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(two.push().await.unwrap_err().message.ends_with("is no place for the file of this machine."));
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(two.git(&["rev-parse", "HEAD"]), head);
    // Where git ignores it, that is said, and the file is not left there.
    two.write(".gitignore", ".skilltender\n");
    let error = two.push().await.unwrap_err();
    assert!(error.message.starts_with("git ignores lib/.skilltender/"), "{}", error.message);
    assert!(!path.exists());
    fs::remove_file(two.top.join(".gitignore")).unwrap();
    two.push().await.unwrap();
    // A newer program wrote ours: it is left alone, and the skills go all the same.
    two.write(&format!("lib/.skilltender/{own}.yaml"), "version: 2\n");
    two.git(&["commit", "--quiet", "--all", "--message", "newer"]);
    switch(&two, "ale", false).await;
    two.write("lib/tea/notes.md", "Black.\n");
    let plan = plan_commit(&two).await;
    assert_eq!((plan.skills.len(), plan.switches.len()), (1, 0));
}

#[tokio::test]
async fn a_file_that_somebody_removed_takes_nothing_along() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (sharing(&repository).await, sharing(&repository).await);
    switch(&one, "tea", true).await;
    make_set(&one, "Calm", &["tea"]).await;
    one.push().await.unwrap();
    two.pull().await.unwrap();
    let file = machines(&one).into_keys().next().unwrap();
    two.git(&["rm", "--quiet", &format!("lib/.skilltender/{file}")]);
    two.git(&["commit", "--quiet", "--message", "tidy"]);
    two.push().await.unwrap();
    // What only the removed file said, the one that knows it says now.
    let said = machines(&two);
    assert!(said.len() == 1 && !said.contains_key(&file), "{said:?}");
    assert!(said.values().all(|text| text.contains("tea: on ") && text.contains("name: Calm")), "{said:?}");
    one.pull().await.unwrap();
    assert!(is_on(&one, "tea") && sets(&one) == sets(&two));
    let third = sharing(&repository).await;
    third.pull().await.unwrap();
    assert!(is_on(&third, "tea") && sets(&third) == sets(&one));
    switch(&one, "tea", false).await;
    one.push().await.unwrap();
    two.pull().await.unwrap();
    third.pull().await.unwrap();
    assert!(!is_on(&two, "tea") && !is_on(&third, "tea"));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&path, &to),
            kind if kind.is_file() => drop(fs::copy(&path, &to).unwrap()),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_copy_of_a_home_gets_a_name_of_its_own_so_that_both_write_apart() {
    let host = GitHost::start();
    let repository = repository(&host);
    let one = sharing(&repository).await;
    switch(&one, "tea", true).await;
    one.push().await.unwrap();
    let there = home();
    copy(&one.home.machine.data, &there.machine.data);
    let choices = there.machine.data.join("choices.json");
    let lib = |home: &crate::home::Home| serde_json::to_string(&home.path("desk/lib")).unwrap();
    let text = fs::read_to_string(&choices).unwrap().replace(&lib(&one.home), &lib(&there));
    fs::write(&choices, text).unwrap();
    let top = there.path("desk");
    repository.clone_to(&top);
    let engine = there.start().await;
    let two = Desk { home: there, engine, top };
    assert!(is_on(&two, "tea"));
    // Both say something at once.
    switch(&one, "ale", true).await;
    one.push().await.unwrap();
    switch(&two, "tea", false).await;
    assert!(two.push().await.unwrap().refused.is_some());
    two.pull().await.unwrap();
    two.push().await.unwrap();
    one.pull().await.unwrap();
    for desk in [&one, &two] {
        assert!(!is_on(desk, "tea") && is_on(desk, "ale"));
        assert_eq!(machines(desk).len(), 2);
    }
}

#[tokio::test]
async fn an_end_in_the_midst_of_a_push_or_pull_is_made_good_by_the_next_one() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (sharing(&repository).await, sharing(&repository).await);
    switch(&one, "tea", true).await;
    one.push().await.unwrap();
    two.pull().await.unwrap();
    switch(&two, "tea", false).await;
    two.engine.stop().await;
    let before = fs::read(two.home.machine.data.join("choices.json")).unwrap();
    let again = |desk: Desk, git: &'static [&'static str]| {
        let before = before.clone();
        async move {
            let Desk { home, engine, top } = desk;
            engine.stop().await;
            fs::write(home.machine.data.join("choices.json"), before).unwrap();
            let engine = home.start().await;
            let desk = Desk { home, engine, top };
            if !git.is_empty() {
                desk.git(git);
            }
            desk
        }
    };
    let two = again(two, &[]).await;
    two.push().await.unwrap();
    // The commit was made and pushed, and the engine ended before it knew.
    let two = again(two, &[]).await;
    assert_eq!(two.push().await.unwrap_err().kind, ErrorKind::Already);
    assert!(two.plan_pull().await.unwrap().switches.is_empty());
    // The file was written, and nothing committed.
    switch(&two, "ale", true).await;
    two.push().await.unwrap();
    let file = machines(&two);
    let two = again(two, &["reset", "--quiet", "HEAD~1"]).await;
    assert!(two.git(&["status", "--porcelain"]).contains(".skilltender/"));
    switch(&two, "ale", true).await;
    assert_eq!(plan_commit(&two).await.switches.len(), 1);
    two.push().await.unwrap();
    assert_eq!(machines(&two), file);
    assert_eq!(two.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_set_that_a_client_sees_stays_and_a_folder_that_is_a_skill_is_not_shared() {
    let host = GitHost::start();
    let repository = repository(&host);
    let (one, two) = (sharing(&repository).await, sharing(&repository).await);
    let calm = make_set(&one, "Calm", &["tea"]).await;
    one.push().await.unwrap();
    two.pull().await.unwrap();
    let theirs = two.engine.snapshot().sets[0].id.clone();
    actions::give_set(&two.engine, choices::tokens::BY_HAND, Some(theirs)).await.unwrap();
    actions::delete_set(&one.engine, &calm).await.unwrap();
    one.push().await.unwrap();
    let plan = two.plan_pull().await.unwrap();
    assert_eq!(changes(&plan), [change(SwitchHow::SetGoes, "", "Calm", true)]);
    two.pull().await.unwrap();
    assert_eq!(sets(&two).len(), 1);
    actions::give_set(&two.engine, choices::tokens::BY_HAND, None).await.unwrap();
    two.pull().await.unwrap();
    assert_eq!(sets(&two).len(), 0);

    one.write("lib/SKILL.md", text("lib", "All of it."));
    actions::read_again(&one.engine).await.unwrap();
    if one.engine.snapshot().skills.iter().any(|row| row.key == "f1/") {
        let error = actions::share_switches(&one.engine, &one.folder(), true).await.unwrap_err();
        assert!(error.message.starts_with("This folder is a skill itself"), "{}", error.message);
    }
    let error = actions::share_switches(&one.engine, "own", true).await.unwrap_err();
    assert!(error.message.ends_with("lies in no git work tree."), "{}", error.message);
}

#[tokio::test]
async fn a_secret_as_the_name_of_a_set_is_not_committed() {
    let host = GitHost::start();
    let desk = sharing(&repository(&host)).await;
    make_set(&desk, &format!("ghp_{}", "x7Kq9ZpL2mNvR4tYc8WdB1sGhJ6fEa3Uo5Qi"), &["tea"]).await;
    let plan = plan_commit(&desk).await;
    assert!(plan.secrets[0].ends_with("looks like a token of GitHub."), "{:?}", plan.secrets);
    assert!(desk.push().await.unwrap_err().message.ends_with("Nothing was committed."));
    assert!(machines(&desk).is_empty());
}

/// Two desks switch skills, make, change and delete sets, push and pull in any order. In the end both hold the same, and
/// each switch is as one of them left it last. More steps by `DESK_STEPS`.
#[tokio::test]
async fn in_any_order_of_switches_pulls_and_pushes_both_desks_come_to_the_same() {
    let steps = std::env::var("DESK_STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(80_u32);
    let host = GitHost::start();
    let repository = repository(&host);
    repository.write("lib/mead/SKILL.md", text("mead", "Brew it."));
    repository.commit("two");
    let desks = [sharing(&repository).await, sharing(&repository).await];
    let mut random = Random(0x00de_5ced_cafe);
    let (mut log, mut last) = (Vec::new(), BTreeMap::new());
    let (mut pushed, mut pulled) = (0, 0);
    for step in 0..steps {
        let at = usize::try_from(random.below(2)).unwrap();
        let desk = &desks[at];
        let skill = ["tea", "ale", "mead"][usize::try_from(random.below(3)).unwrap()];
        let name = ["calm", "loud"][usize::try_from(random.below(2)).unwrap()];
        let act = random.below(9);
        log.push(format!("{step}: desk {at} does {act} with {skill} and {name}"));
        let set = desk.engine.snapshot().sets.iter().find(|set| set.name.eq_ignore_ascii_case(name)).cloned();
        match (act, set) {
            (0..=2, _) => {
                let on = !is_on(desk, skill);
                switch(desk, skill, on).await;
                last.insert((skill, at), on);
            }
            (3 | 4, None) => drop(make_set(desk, name, &[skill]).await),
            (3 | 4, Some(set)) => {
                let key = format!("{}/{skill}", desk.folder());
                let others = set.skills.iter().filter(|one| **one != key).cloned();
                let added = (!set.skills.contains(&key)).then(|| key.clone());
                let skills: Vec<_> = others.chain(added).collect();
                actions::change_set(&desk.engine, &set.id, name, &skills).await.unwrap();
            }
            (5, Some(set)) if random.below(3) == 0 => actions::delete_set(&desk.engine, &set.id).await.unwrap(),
            (5, _) => {
                desk.write(&format!("lib/{skill}/desk-{at}.md"), format!("{step}\n"));
            }
            (6, _) => pushed += u32::from(desk.push().await.is_ok_and(|pushed| pushed.refused.is_none())),
            _ => match desk.pull().await {
                Ok(()) => pulled += 1,
                Err(error) => assert!(error.message.contains("Commit your changes first"), "{}", error.message),
            },
        }
    }
    assert!(pushed > steps / 20 && pulled > steps / 20, "{pushed} {pulled}");
    for _ in 0..3 {
        for desk in &desks {
            drop(desk.push().await);
            desk.pull().await.unwrap();
            desk.push().await.map(drop).unwrap_or_else(|error| assert_eq!(error.kind, ErrorKind::Already));
        }
    }
    let [one, two] = &desks;
    assert_eq!(sets(one), sets(two), "{}", log.join("\n"));
    for skill in ["tea", "ale", "mead"] {
        let is = is_on(one, skill);
        assert_eq!(is, is_on(two, skill), "{skill}\n{}", log.join("\n"));
        let left: Vec<_> = (0..2).filter_map(|at| last.get(&(skill, at))).collect();
        assert!(left.is_empty() && !is || left.contains(&&is), "{skill}: {is} {left:?}\n{}", log.join("\n"));
    }
    assert_eq!(machines(one), machines(two));
    for desk in &desks {
        assert_eq!(desk.git(&["status", "--porcelain"]), "");
        assert!(desk.plan_pull().await.unwrap().switches.is_empty());
    }
}
