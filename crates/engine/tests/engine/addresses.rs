//! Skills from what is no repository: a folder, an archive, one SKILL.md, a site, a marketplace; looked at, pinned to the
//! digests of their files, updated after a review, and back.

use std::{fs, io::Write as _, path::Path};

use api::{Answers, ErrorKind, SkillOrigin, SourcePlan, UpdatePlan};
use engine::{Engine, actions};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};
use tests::{GitHost, Reply, WebHost};

use crate::{
    home::row,
    sources::{files, home, text},
};

async fn look(engine: &Engine, source: &str) -> SourcePlan {
    actions::look_at_source(engine, source, None).await.unwrap_or_else(|error| panic!("{source}: {error}"))
}

/// The sentence of why a source cannot be looked at.
async fn refused(engine: &Engine, source: &str) -> String {
    let error = actions::look_at_source(engine, source, None).await.unwrap_err();
    error.message.replace(source, "THERE")
}

async fn add(engine: &Engine, source: &str) -> Vec<String> {
    let SourcePlan { commit, plan, .. } = look(engine, source).await;
    actions::add_source(engine, source, &commit, &plan.id, "own", None).await.unwrap()
}

fn origin(engine: &Engine, id: &str) -> SkillOrigin {
    row(&engine.snapshot(), id).origin.clone().unwrap()
}

async fn update(engine: &Engine, key: &str) -> UpdatePlan {
    let plan = actions::plan_update(engine, key).await.unwrap();
    actions::update_skill(engine, key, &plan.to, &plan.id, Answers::new()).await.unwrap();
    plan
}

/// Makes an archive of paths with their texts.
type Pack<'p> = dyn Fn(&[(&str, &str)]) -> Vec<u8> + 'p;

/// What a tar archive has: paths with their texts.
fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_ustar();
        header.set_mode(if path.ends_with(".sh") { 0o755 } else { 0o644 });
        header.set_size(text.len() as u64);
        // Whatever the name is: the builder would refuse hostile ones.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        archive.append(&header, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, text) in files {
        archive.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn write(folder: &Path, path: &str, text: &str) {
    let at = folder.join(path);
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    fs::write(at, text).unwrap();
}

#[tokio::test]
async fn a_folder_is_followed_as_it_lies_there() {
    let home = home();
    let folder = home.machine.home.join("team skills");
    write(&folder, "tea/SKILL.md", &text("tea", "Boil water."));
    write(&folder, "tea/notes.md", "Green.\n");
    write(&folder, "ale/SKILL.md", &text("ale", "Brew it."));
    write(&folder, ".git/HEAD", "ref: refs/heads/main\n");
    let engine = home.start().await;
    let seen = look(&engine, "~/team skills").await;
    assert!(seen.commit.starts_with("sha256:") && seen.follows.is_none(), "{seen:?}");
    let source = folder.display().to_string();
    assert_eq!(add(&engine, &source).await, ["own/ale", "own/tea"]);
    assert!(!row(&engine.snapshot(), "tea").enabled);
    let before = origin(&engine, "tea");
    assert_eq!((before.inside.as_str(), before.newer.clone()), ("tea", None));
    assert!(before.commit.starts_with("sha256:") && before.commit.len() == 71, "{}", before.commit);
    assert_eq!(refused(&engine, &source).await, "Every skill of THERE that can come is in your library already.");
    let records = fs::read_dir(home.machine.data.join("origins")).unwrap().flatten();
    for record in records {
        let record: serde_json::Value = serde_json::from_slice(&fs::read(record.path()).unwrap()).unwrap();
        assert_eq!(record["now"]["commit"], "", "no commit is made up");
    }

    write(&folder, "tea/SKILL.md", &text("tea", "Boil fresh water."));
    actions::ask_sources(&engine, None).await.unwrap();
    assert!(origin(&engine, "tea").newer.is_some() && origin(&engine, "ale").newer.is_none());
    let mine = home.machine.data.join("skills/tea");
    let first = files(&mine);
    let plan = update(&engine, "own/tea").await;
    assert_eq!((plan.from, plan.to), (before.commit.clone(), origin(&engine, "tea").commit));
    assert!(fs::read_to_string(mine.join("SKILL.md")).unwrap().contains("fresh"));
    let back = actions::plan_back(&engine, "own/tea", 1).await.unwrap();
    actions::go_back_to(&engine, "own/tea", 1, &back.id).await.unwrap();
    assert_eq!(files(&mine), first, "byte for byte");
    assert_eq!(origin(&engine, "tea").commit, before.commit);
    // Nothing was asked of the network, and Activity does not say so.
    let asked = actions::own_writes(&engine)
        .await
        .unwrap()
        .into_iter()
        .any(|write| matches!(write.what, api::Wrote::Asked { .. }));
    assert!(!asked);

    fs::remove_dir_all(&folder).unwrap();
    actions::ask_sources(&engine, None).await.unwrap();
    let trouble = engine.snapshot().sources[0].trouble.clone().unwrap();
    assert!(trouble.contains("cannot be read"), "{trouble}");
    assert!(mine.join("SKILL.md").is_file());
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_outside_of_a_folder_is_read_and_what_is_no_folder_of_skills_says_so() {
    let home = home();
    let folder = home.machine.home.join("team");
    write(&home.machine.home, "private.txt", "mine");
    write(&folder, "tea/SKILL.md", &text("tea", "Boil water."));
    write(&folder, "ale/SKILL.md", &text("ale", "Brew it."));
    std::os::unix::fs::symlink(home.machine.home.join("private.txt"), folder.join("tea/notes.md")).unwrap();
    std::os::unix::fs::symlink(home.machine.home.clone(), folder.join("home")).unwrap();
    let engine = home.start().await;
    let seen = look(&engine, &folder.display().to_string()).await;
    assert_eq!(seen.plan.skills.len(), 1);
    let why = &seen.plan.refused[0].why;
    assert_eq!(why, "`tea/notes.md` is a link, and a skill that is imported has none.");

    // The list of a marketplace is read as a skill's files are: one that never ends holds nobody up, one outside is not read.
    let list = folder.join(".claude-plugin/marketplace.json");
    let plugin = r#"{"plugins": [{"name": "far", "source": {"source": "github", "repo": "acme/far"}}]}"#;
    write(&folder, ".claude-plugin/marketplace.json", plugin);
    let elsewhere = async || look(&engine, &folder.display().to_string()).await.elsewhere.len();
    assert_eq!(elsewhere().await, 1);
    fs::rename(&list, home.machine.home.join("list.json")).unwrap();
    std::os::unix::fs::symlink(home.machine.home.join("list.json"), &list).unwrap();
    assert_eq!(elsewhere().await, 0);
    fs::remove_file(&list).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&list).status().unwrap().success());
    assert_eq!(elsewhere().await, 0);

    let bare = home.machine.home.join("bare.git");
    for part in ["objects", "refs"] {
        fs::create_dir_all(bare.join(part)).unwrap();
    }
    fs::write(bare.join("HEAD"), "x").unwrap();
    write(&home.machine.home, "one/SKILL.md", &text("one", "x"));
    write(&home.machine.home, "empty/x.txt", "x");
    let here = |path: &str| home.machine.home.join(path).display().to_string();
    for (source, why) in [
        ("./team".to_owned(), "does not say where it begins. Write the whole path."),
        (here("bare.git"), "is a git repository without its files. Clone it"),
        (here("one/SKILL.md"), "is one file. Write its folder."),
        (here("private.txt"), "is no archive: neither zip nor tar."),
        (here("empty"), "There is no SKILL.md in"),
        (here("nowhere"), "cannot be read"),
        ("/dev/zero".to_owned(), "is neither a folder nor a file."),
    ] {
        let said = refused(&engine, &source).await;
        assert!(said.contains(why), "{source}: {said}");
    }
}

#[tokio::test]
async fn an_archive_is_followed_whatever_its_one_folder_is_called() {
    let (host, home) = (WebHost::start(), home());
    let engine = home.start().await;
    let archive = |version: &str, body: &str| {
        let (tea, script) =
            (format!("skills-{version}/skills/tea/SKILL.md"), format!("skills-{version}/skills/tea/boil.sh"));
        let readme = format!("skills-{version}/README.md");
        [(tea, text("tea", body)), (script, "echo\n".to_owned()), (readme, "x".to_owned())]
    };
    let packed = |version: &str, body: &str, pack: &Pack<'_>| {
        let files = archive(version, body);
        pack(&files.each_ref().map(|(path, text)| (path.as_str(), text.as_str())))
    };
    let tgz = |files: &[(&str, &str)]| gz(&tar(files));
    for (path, pack) in [("/a.tar.gz", &tgz as &Pack<'_>), ("/b.zip", &zip), ("/c.tar", &tar)] {
        let address = host.serves(path, packed("1", "Boil water.", pack));
        let seen = look(&engine, &address).await;
        assert_eq!(seen.plan.skills[0].path, "skills/tea");
        host.asked();
        // What was shown comes, and is not asked for again, whatever is there by now.
        host.serves(path, packed("2", "Boil fresh water.", pack));
        let keys = actions::add_source(&engine, &address, &seen.commit, &seen.plan.id, "own", None).await.unwrap();
        assert_eq!((keys.clone(), host.asked()), (vec!["own/tea".to_owned()], Vec::new()));
        let mine = home.machine.data.join("skills/tea");
        assert!(fs::read_to_string(mine.join("SKILL.md")).unwrap().contains("Boil water."));
        actions::ask_sources(&engine, None).await.unwrap();
        assert!(origin(&engine, "tea").newer.is_some(), "{path}");
        let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
        host.asked();
        actions::update_skill(&engine, "own/tea", &plan.to, &plan.id, Answers::new()).await.unwrap();
        assert_eq!(host.asked(), Vec::<String>::new(), "what was reviewed is here");
        assert!(fs::read_to_string(mine.join("SKILL.md")).unwrap().contains("fresh"), "{path}");
        actions::ask_sources(&engine, None).await.unwrap();
        assert_eq!(origin(&engine, "tea").newer, None);
        // The same files in another archive are no update.
        host.serves(path, packed("3", "Boil fresh water.", pack));
        actions::ask_sources(&engine, None).await.unwrap();
        assert_eq!(origin(&engine, "tea").newer, None);
        // A host that says what it has sends it once; one that says for ever that it is the same has no update.
        host.sent();
        for (body, is_sent) in [("Boil hot water.", true), ("Boil hot water.", false), ("Boil no water.", false)] {
            host.answers(path, Reply::Known(packed("4", body, pack), vec!["ETag: \"4\"".to_owned()]));
            actions::ask_sources(&engine, None).await.unwrap();
            assert_eq!(host.sent() > 0, is_sent, "{path} {body}");
            assert!(origin(&engine, "tea").newer.is_some(), "{path} {body}");
        }
        let review = actions::plan_update(&engine, "own/tea").await.unwrap();
        actions::update_skill(&engine, "own/tea", &review.to, &review.id, Answers::new()).await.unwrap();
        assert!(fs::read_to_string(mine.join("SKILL.md")).unwrap().contains("hot"), "what comes is what was sent");
        host.answers(path, Reply::Status(404));
        actions::ask_sources(&engine, None).await.unwrap();
        let trouble = engine.snapshot().sources[0].trouble.clone().unwrap();
        assert!(trouble.starts_with("There is nothing at http://127.0.0.1"), "{trouble}");
        actions::forget_source(&engine, &address).await.unwrap();
        actions::trash_skill(&engine, "own/tea").await.unwrap();
    }
}

#[tokio::test]
async fn one_skill_md_at_an_address_is_a_skill() {
    let (host, home) = (WebHost::start(), home());
    let engine = home.start().await;
    let address = host.serves("/brew/SKILL.md", text("tea", "Boil water."));
    assert_eq!(add(&engine, &address).await, ["own/tea"]);
    host.serves("/brew/SKILL.md", text("tea", "Boil fresh water."));
    update(&engine, "own/tea").await;
    let mine = home.machine.data.join("skills/tea/SKILL.md");
    assert!(fs::read_to_string(mine).unwrap().contains("fresh"));
    let page = host.serves("/page/SKILL.md", "<html>Not here</html>");
    drop(actions::look_at_source(&engine, &page, None).await);
}

#[tokio::test]
async fn a_hostile_archive_is_refused_in_a_sentence() {
    let (host, home) = (WebHost::start(), home());
    let engine = home.start().await;
    let good = text("tea", "Boil water.");
    let tea = ("tea/SKILL.md", good.as_str());
    let mut link = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    link.append_link(&mut header, "tea/SKILL.md", "/etc/passwd").unwrap();
    let mut device = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Fifo);
    header.set_size(0);
    device.append_data(&mut header, "tea/pipe", &b""[..]).unwrap();
    let bomb = {
        let mut header = tar::Header::new_ustar();
        header.set_size(600 << 20);
        header.set_path("tea/SKILL.md").unwrap();
        header.set_cksum();
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend(vec![0; 4096]);
        gz(&bytes)
    };
    let cut = {
        let whole = gz(&tar(&[tea]));
        whole[..whole.len() / 2].to_vec()
    };
    for (name, bytes, why) in [
        ("up.tar", tar(&[tea, ("../../.bashrc", "x")]), "leads out of where it is unpacked"),
        ("root.tar.gz", gz(&tar(&[tea, ("/etc/x", "x")])), "leads out of where it is unpacked"),
        ("up.zip", zip(&[tea, ("../x", "x")]), "leads out of where it is unpacked"),
        ("drive.tar", tar(&[tea, ("C:/x", "x")]), "leads out of where it is unpacked"),
        ("twice.tar", tar(&[tea, tea]), "twice, so nothing was read"),
        ("case.tar", tar(&[tea, ("tea/Notes.md", "x"), ("tea/notes.md", "y")]), "are one file on many systems"),
        ("form.tar", tar(&[tea, ("tea/\u{e9}.md", "x"), ("tea/e\u{301}.md", "y")]), "are one file on many systems"),
        ("link.tar", link.into_inner().unwrap(), "is a link"),
        ("pipe.tar", device.into_inner().unwrap(), "is no ordinary file"),
        ("bomb.tgz", bomb, "becomes larger than 512 MiB"),
        ("cut.tgz", cut, "is a broken archive"),
        ("page.zip", b"<html>Sign in</html>".to_vec(), "is no archive: neither zip nor tar"),
        ("none.zip", zip(&[("x.txt", "x")]), "There is no SKILL.md"),
        ("nothing.zip", Vec::new(), "is no archive"),
    ] {
        let address = host.serves(&format!("/{name}"), bytes);
        let said = refused(&engine, &address).await;
        assert!(said.contains(why), "{name}: {said}");
        assert!(!said.contains("fetched/") && said.ends_with('.'), "{name}: {said}");
    }
    assert!(!home.machine.data.join("skills/tea").exists());
}

fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{:x}", Sha256::digest(bytes))
}

const INDEX: &str = "/docs/.well-known/agent-skills/index.json";

/// An index with these entries: name, kind, address, digest.
fn index(entries: &[(&str, &str, &str, String)]) -> String {
    let entry = |(name, kind, url, digest): &(&str, &str, &str, String)| serde_json::json!({"name": name, "type": kind, "description": "x", "url": url, "digest": digest});
    let skills: Vec<_> = entries.iter().map(entry).collect();
    serde_json::json!({"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": skills})
        .to_string()
}

#[tokio::test]
async fn a_site_lists_its_skills_and_what_differs_from_the_list_is_refused() {
    let (host, home) = (WebHost::start(), home());
    let engine = home.start().await;
    let site = host.address("/docs");
    let said = refused(&engine, &site).await;
    assert!(said.starts_with("THERE lists no skills: nothing is at /.well-known/agent-skills/index.json."), "{said}");

    let (tea, ale) =
        (text("tea", "Boil water."), gz(&tar(&[("SKILL.md", &text("ale", "Brew it.")), ("brew.sh", "echo\n")])));
    host.serves("/docs/.well-known/agent-skills/tea/SKILL.md", tea.clone());
    host.serves("/files/ale.tar.gz", ale.clone());
    host.serves("/files/other.tar.gz", ale.clone());
    let internal = "https://10.0.0.7/x.tar.gz";
    let listed = |tea: &str| {
        index(&[
            ("tea", "skill-md", "tea/SKILL.md", sha256(tea.as_bytes())),
            ("ale", "archive", "/files/ale.tar.gz", sha256(&ale)),
            ("other", "archive", "/files/other.tar.gz", sha256(b"other")),
            ("inner", "archive", internal, sha256(b"")),
            ("gone", "skill-md", "gone.md", sha256(b"")),
        ])
    };
    host.serves(INDEX, listed(&tea));
    let seen = look(&engine, &site).await;
    assert_eq!(seen.plan.skills.iter().map(|skill| skill.path.as_str()).collect::<Vec<_>>(), ["ale", "tea"]);
    let why = |name: &str| seen.plan.refused.iter().find(|one| one.path == name).unwrap().why.clone();
    assert!(why("other").contains("is another file than the list says: its digest differs."), "{}", why("other"));
    assert!(why("inner").contains("is in a network that this source is not in"), "{}", why("inner"));
    assert!(why("gone").starts_with("There is nothing at "), "{}", why("gone"));
    let only = Some(vec!["tea".to_owned()]);
    let keys = actions::add_source(&engine, &site, &seen.commit, &seen.plan.id, "own", only).await.unwrap();
    assert_eq!(keys, ["own/tea"]);
    assert_eq!(origin(&engine, "tea").inside, "tea");

    // Only what is followed is asked for again, and only if the list has another digest for it.
    let fresh = text("tea", "Boil fresh water.");
    host.serves("/docs/.well-known/agent-skills/tea/SKILL.md", fresh.clone());
    host.asked();
    actions::ask_sources(&engine, None).await.unwrap();
    assert_eq!(host.asked(), [INDEX]);
    host.serves(INDEX, listed("another"));
    actions::ask_sources(&engine, None).await.unwrap();
    assert_eq!(host.asked(), [INDEX, "/docs/.well-known/agent-skills/tea/SKILL.md"]);
    let trouble = engine.snapshot().sources[0].trouble.clone().unwrap();
    assert!(trouble.contains("its digest differs"), "{trouble}");
    host.serves(INDEX, listed(&fresh));
    actions::ask_sources(&engine, None).await.unwrap();
    assert!(origin(&engine, "tea").newer.is_some());
    update(&engine, "own/tea").await;
    assert!(fs::read_to_string(home.machine.data.join("skills/tea/SKILL.md")).unwrap().contains("fresh"));
    host.serves(INDEX, index(&[("ale", "archive", "/files/ale.tar.gz", sha256(&ale))]));
    actions::ask_sources(&engine, None).await.unwrap();
    assert!(engine.snapshot().sources[0].trouble.is_some(), "what is listed no more is said");
}

#[tokio::test]
async fn a_site_of_the_draft_before_is_read_too() {
    let (host, home) = (WebHost::start(), home());
    let engine = home.start().await;
    host.serves(
        "/.well-known/skills/index.json",
        r#"{"skills": [{"name": "tea", "description": "x", "files": ["SKILL.md", "notes.md"]}]}"#,
    );
    host.serves("/.well-known/skills/tea/SKILL.md", text("tea", "Boil water."));
    host.serves("/.well-known/skills/tea/notes.md", "Green.\n");
    assert_eq!(add(&engine, &host.address("")).await, ["own/tea"]);
    assert!(home.machine.data.join("skills/tea/notes.md").is_file());
}

#[tokio::test]
async fn a_marketplace_lists_what_is_elsewhere_and_fetches_none_of_it() {
    let (git, host, home) = (GitHost::start(), WebHost::start(), home());
    let engine = home.start().await;
    let sha = "0123456789012345678901234567890123456789";
    let list = format!(
        r#"{{"name": "m", "plugins": [{{"name": "here", "source": "./plugins/here"}},
        {{"name": "far", "description": "Far.", "source": {{"source": "github", "repo": "far/away", "sha": "{sha}"}}}},
        {{"name": "npm", "source": {{"source": "npm", "package": "x"}}}}]}}"#
    );
    let repository = git.repository("market");
    repository.write(".claude-plugin/marketplace.json", &list);
    repository.write("plugins/here/skills/tea/SKILL.md", text("tea", "Boil water."));
    repository.commit("one");
    let seen = look(&engine, &repository.address).await;
    assert_eq!(seen.plan.skills[0].path, "plugins/here/skills/tea");
    let [far, npm] = &seen.elsewhere[..] else { panic!("{seen:?}") };
    assert_eq!((far.name.as_str(), far.source.as_deref()), ("far", Some(&*format!("far/away#{sha}"))));
    assert_eq!(npm.trouble.as_deref(), Some("It is a package of a registry, which is not fetched."));

    let address = host.serves("/marketplace.json", list);
    let seen = look(&engine, &address).await;
    assert!(seen.plan.skills.is_empty() && seen.elsewhere.len() == 2, "{seen:?}");
    let none = actions::add_source(&engine, &address, &seen.commit, &seen.plan.id, "own", None).await.unwrap_err();
    assert_eq!(none.kind, ErrorKind::NotFound, "{none}");
    let empty = host.serves("/x/marketplace.json", r#"{"plugins": [{"name": "a", "source": "./a"}]}"#);
    assert!(refused(&engine, &empty).await.contains("lists only folders beside it"));
    let odd = host.serves("/y/marketplace.json", "<html>");
    assert!(refused(&engine, &odd).await.contains("It is no list of plugins"));
}

#[tokio::test]
async fn a_lock_has_what_came_from_an_address_and_leaves_out_what_is_only_here() {
    let (host, one, other) = (WebHost::start(), home(), home());
    let engine = one.start().await;
    let folder = one.machine.home.join("team");
    write(&folder, "ale/SKILL.md", &text("ale", "Brew it."));
    add(&engine, &folder.display().to_string()).await;
    let alone = actions::lock_text(&engine, None).await.unwrap_err();
    assert!(alone.message.starts_with("ale came from a place of this computer"), "{alone}");
    let address = host.serves("/skills.zip", zip(&[("s/tea/SKILL.md", &text("tea", "Boil water."))]));
    add(&engine, &address).await;
    let lock = actions::lock_text(&engine, None).await.unwrap();
    assert_eq!(lock.left_out, ["ale"]);
    assert!(!lock.text.contains("commit") && !lock.text.contains("team"), "{}", lock.text);

    let second = other.start().await;
    let seen = actions::look_at_locked(&second, &lock.text, "tea").await.unwrap();
    let only = Some(seen.plan.skills.iter().map(|skill| skill.path.clone()).collect());
    actions::add_source(&second, &address, &seen.commit, &seen.plan.id, "own", only).await.unwrap();
    let compared = actions::compare_with_lock(&second, &lock.text).await.unwrap();
    assert_eq!(compared.rows[0].state, api::LockState::Same);
    assert_eq!(actions::lock_text(&second, None).await.unwrap().text, lock.text);

    host.serves("/skills.zip", zip(&[("s/tea/SKILL.md", &text("tea", "Boil fresh water."))]));
    let third = home();
    let third = third.start().await;
    let refused = actions::look_at_locked(&third, &lock.text, "tea").await.unwrap_err();
    assert!(refused.message.contains("has other files of tea by now than the lock has"), "{refused}");
    // Somebody else's lock leads nowhere into this computer.
    let local = lock.text.replace(&address, &folder.display().to_string());
    let refused = actions::look_at_locked(&third, &local, "tea").await.unwrap_err();
    assert!(refused.message.starts_with("The lock has no commit of tea"), "{refused}");
}

#[test]
fn what_somebody_else_names_is_a_source_of_the_public_network() {
    for source in [
        "acme/skills",
        "acme/skills@tea#v1",
        "https://github.com/acme/skills/tree/main/skills/tea",
        "https://example.org/skills.tar.gz",
        "https://example.org",
        "git@git.example.net:acme/skills.git",
        "ssh://git@git.example.net:2222/acme/skills.git",
    ] {
        assert_eq!(actions::source_named(source).as_deref(), Ok(source));
    }
    for (source, why) in [
        ("", "Write where the skills are"),
        ("tea", "is no source"),
        ("~/private", "is a place of this computer"),
        ("/etc", "is a place of this computer"),
        ("file:///etc", "is a place of this computer"),
        ("../../etc", "is a place of this computer"),
        ("//host/share", "is no source"),
        (r"\\host\share", "is no source"),
        ("ext::sh -c x", "is no source"),
        ("ext::sh", "is a way of fetching that is not used"),
        ("--upload-pack=x", "begins with a hyphen"),
        ("javascript:alert(1)", "only a person may write"),
        ("host:path/of/it", "only a person may write"),
        ("http://example.org/a.git", "is not encrypted"),
        ("http://127.0.0.1:8080/a.git", "is not encrypted"),
        ("https://127.0.0.1/a.git", "is not on the public network"),
        ("https://localhost/a.zip", "is not on the public network"),
        ("https://[::1]/a.zip", "is not on the public network"),
        ("https://10.0.0.7/a.zip", "is not on the public network"),
        ("https://0x7f.1/a.zip", "is not on the public network"),
        ("https://169.254.169.254/latest", "is not on the public network"),
        ("git@192.168.1.1:a/b.git", "is not on the public network"),
        ("ssh://git@intranet/a.git", "is not on the public network"),
        ("https://me:secret@example.org/a.git", "holds a name or a password"),
        ("https://ex\u{430}mple.org/a.zip", "letters that look like others"),
        ("acme/skills\u{202e}", "letters that look like others"),
        ("acme/skills\nacme/other", "is no source"),
    ] {
        let error = actions::source_named(source).unwrap_err();
        assert!(error.message.contains(why), "{source}: {error}");
    }
}
