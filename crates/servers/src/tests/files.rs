//! The files in a launch spec: a change of any code that a program could load asks again, other changes do not.

#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
};

use files::Digests;
use skills::{Launch, Start};

use crate::{Containers, Kind, LaunchSpec, SpecSource};

/// A home with a skill that has code in many places, and programs.
struct World {
    home: tempfile::TempDir,
    digests: Digests,
}

const FILES: &[&str] = &[
    "app.py",
    "helper.py",
    "pkg/__main__.py",
    "app/__main__.py",
    "index.js",
    "package.json",
    "settings.json",
    "env.sh",
    "run.sh",
    "lib/pkg/__init__.py",
    ".venv/bin/teapot",
    ".venv/lib/site-packages/tea.pth",
    "node_modules/leaf/index.js",
    ".hidden/.npmrc",
    ".git/config",
    ".git/hooks/post-checkout",
    "SKILL.md",
    "references/notes.MD",
    ".git/index",
    ".git/objects/ab",
    ".DS_Store",
];

/// The files among those whose changes do not ask again.
fn is_said_to_the_model_only(file: &str) -> bool {
    ["SKILL.md", "references/notes.MD", ".git/index", ".git/objects/ab", ".DS_Store"].contains(&file)
}

impl World {
    fn new() -> Self {
        let world = Self { home: tempfile::tempdir().unwrap(), digests: Digests::default() };
        for file in FILES {
            world.write(&world.skill().join(file), &format!("1 {file}"));
        }
        for program in ["teapot", "npx", "python3", "node", "sh", "real/npx-cli.js", "real/other-cli.js"] {
            world.write(&world.home().join("bin").join(program), program);
        }
        world.write(&world.home().join("elsewhere/shared.py"), "1");
        world.write(&world.home().join("elsewhere/deeper/shared.py"), "1");
        symlink(world.home().join("elsewhere"), world.skill().join("shared")).unwrap();
        symlink(world.home().join("elsewhere/shared.py"), world.skill().join("linked.py")).unwrap();
        world
    }

    fn home(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }

    fn skill(&self) -> PathBuf {
        self.home().join("skills/tea")
    }

    fn write(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Keeps length and modification time.
    fn edit(&self, path: &Path) {
        let (modified, text) = (fs::metadata(path).unwrap().modified().unwrap(), fs::read_to_string(path).unwrap());
        fs::write(path, if text.starts_with('1') { text.replacen('1', "2", 1) } else { text.to_uppercase() }).unwrap();
        fs::File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
    }

    fn spec(&self, (argv, env, cwd): &Way) -> LaunchSpec {
        let (home, skill) = (self.home(), self.skill());
        let fill = |text: &&str| text.replace("{skill}", &skill.display().to_string());
        let fill = |text: &&str| fill(text).replace("{home}", &home.display().to_string());
        let env: BTreeMap<_, _> = env.iter().map(|(name, value)| ((*name).to_owned(), fill(value))).collect();
        let argv = argv.iter().map(fill).collect();
        let launch = Launch { argv, env, secrets: BTreeMap::new(), cwd: cwd.as_ref().map(fill) };
        let (data, search, containers) = (home.join("data"), [home.join("bin")], Containers::Unknown);
        let source = SpecSource { home: &home, data: &data, search: &search, containers, digests: &self.digests };
        source.spec("teapot", "teapot", "f1/tea", &skill, Start::Program(launch)).unwrap()
    }
}

/// A command line, an environment, a folder.
type Way<'w> = (&'w [&'w str], &'w [(&'w str, &'w str)], Option<&'w str>);

/// Each of them runs code that its command line does not name.
const WAYS: &[Way<'static>] = &[
    (&["python3", "app.py"], &[], None),
    (&["python3", "-m", "pkg"], &[], Some(".")),
    (&["python3", "app/"], &[], Some(".")),
    (&["node", "."], &[], Some(".")),
    (&["teapot", "--config={skill}/settings.json"], &[], None),
    (&["teapot", "-c", "{\"file\": \"~/skills/tea/settings.json\"}"], &[], None),
    (&["sh", "-c", ". ./env.sh; exec teapot"], &[], Some("")),
    (&["sh", "run.sh"], &[], None),
    (&[".venv/bin/teapot"], &[], None),
    (&["python3", "-m", "pkg"], &[("PYTHONPATH", "/usr/lib/tea:{skill}/lib")], None),
    (&["node", "skills/tea/index.js"], &[], Some("{home}")),
    (&["node", "../../tea/index.js"], &[], Some("{home}/skills/other/x")),
    (&["npx", "-y", "tea@1.0.0"], &[("TEA_HOME", "{skill}")], None),
];

#[test]
fn any_code_of_the_skill_that_changes_asks_again_however_it_is_started() {
    let world = World::new();
    fs::create_dir_all(world.home().join("skills/other/x")).unwrap();
    let mut tried = 0;
    for way in WAYS {
        let agreed = world.spec(way);
        let Kind::Program { held: Some(held), .. } = &agreed.kind else { panic!("{way:?}") };
        assert!(held.others.is_none(), "{way:?}");
        assert_eq!(world.spec(way), agreed, "{way:?}");
        let skill = world.skill();
        let differs = |what: &str| {
            assert_ne!(world.spec(way), agreed, "{way:?}: {what}");
            assert!(!agreed.is_as_it_was(&world.digests), "{way:?}: {what}");
        };
        for file in FILES {
            let path = skill.join(file);
            let before = fs::read(&path).unwrap();
            world.edit(&path);
            if is_said_to_the_model_only(file) {
                assert!(agreed.is_as_it_was(&world.digests) && world.spec(way) == agreed, "{way:?}: {file}");
            } else {
                differs(file);
            }
            fs::write(&path, before).unwrap();
            assert!(agreed.is_as_it_was(&world.digests), "{way:?}: {file} is as it was");
            tried += 1;
        }
        for new in ["sitecustomize.py", "pkg/evil.py", ".venv/evil.pth", "node_modules/leaf/package.json", ".env"] {
            world.write(&skill.join(new), "1");
            differs(new);
            fs::remove_file(skill.join(new)).unwrap();
        }
        fs::rename(skill.join("helper.py"), skill.join("other.py")).unwrap();
        differs("a file that is called otherwise");
        fs::rename(skill.join("other.py"), skill.join("helper.py")).unwrap();
        for linked in ["elsewhere/shared.py", "elsewhere/deeper/shared.py"] {
            world.edit(&world.home().join(linked));
            differs(linked);
            fs::write(world.home().join(linked), "1").unwrap();
        }
        assert!(agreed.is_as_it_was(&world.digests) && world.spec(way) == agreed, "{way:?}");
    }
    assert!(tried >= 200, "{tried}");
}

#[test]
fn a_server_that_reaches_nothing_of_the_skill_asks_nothing_when_that_changes() {
    let world = World::new();
    for way in [
        (&["npx", "-y", "tea@1.0.0"][..], &[][..], None),
        (&["teapot", "--port", "1", "README"], &[("MODE", "a:b=c"), ("URL", "https://tea.example/skills/tea")], None),
    ] {
        let agreed = world.spec(&way);
        let Kind::Program { held: None, files, .. } = &agreed.kind else { panic!("{agreed:?}") };
        assert!(files.is_empty());
        world.edit(&world.skill().join("helper.py"));
        assert_eq!(world.spec(&way), agreed);
    }
}

#[test]
fn a_program_counts_by_what_it_leads_to_and_by_its_content_unless_it_runs_what_others_wrote() {
    let world = World::new();
    let bin = world.home().join("bin");
    let npx: Way<'_> = (&["npx", "-y", "tea@1.0.0"], &[], None);
    fs::remove_file(bin.join("npx")).unwrap();
    symlink("real/npx-cli.js", bin.join("npx")).unwrap();
    let agreed = world.spec(&npx);
    world.edit(&bin.join("real/npx-cli.js"));
    assert_eq!(world.spec(&npx), agreed, "an update of the system");
    fs::remove_file(bin.join("npx")).unwrap();
    symlink("real/other-cli.js", bin.join("npx")).unwrap();
    assert_ne!(world.spec(&npx), agreed);
    assert!(!agreed.is_as_it_was(&world.digests));

    let elsewhere = world.home().join("elsewhere/npx");
    world.write(&elsewhere, "1 npx");
    let path = elsewhere.display().to_string();
    for argv in [&["teapot"][..], &[path.as_str()], &["../../elsewhere/npx"]] {
        let way: Way<'_> = (argv, &[], None);
        let agreed = world.spec(&way);
        assert_eq!(world.spec(&way), agreed);
        let program = if argv == ["teapot"] { bin.join("teapot") } else { elsewhere.clone() };
        let before = fs::read(&program).unwrap();
        world.edit(&program);
        assert_ne!(world.spec(&way), agreed, "{argv:?}");
        assert!(!agreed.is_as_it_was(&world.digests), "{argv:?}");
        fs::write(&program, before).unwrap();
    }
}

#[test]
fn what_is_too_much_to_be_read_is_known_by_how_it_looks_and_what_nobody_can_agree_to_is_refused() {
    let world = World::new();
    for number in 0..600 {
        world.write(&world.skill().join(format!("node_modules/deep/{number}.js")), "1");
    }
    let large = world.skill().join("large.bin");
    fs::File::create(&large).unwrap().set_len(17 << 20).unwrap();
    let way = WAYS[0];
    let agreed = world.spec(&way);
    let Kind::Program { held: Some(held), .. } = &agreed.kind else { panic!() };
    assert_eq!(held.files.len(), 512);
    assert!(held.files.contains_key("helper.py"), "what lies on top is read first");
    assert_eq!(held.others.as_ref().unwrap().count, 600 + 1 + 19 - 512);
    for file in [large, world.skill().join("node_modules/deep/99.js")] {
        assert_eq!(world.spec(&way), world.spec(&way));
        let before = world.spec(&way);
        fs::write(&file, "2").unwrap();
        assert_ne!(world.spec(&way), before, "{}", file.display());
        assert!(!before.is_as_it_was(&world.digests));
    }
}

/// Without this, its first start would change the approved folder.
#[test]
fn python_writes_nothing_into_the_skill() {
    let world = World::new();
    let of = |way: &Way<'_>| match world.spec(way).kind {
        Kind::Program { env, .. } => env.get("PYTHONDONTWRITEBYTECODE").cloned(),
        Kind::Address { .. } => None,
    };
    assert_eq!(of(&WAYS[0]).as_deref(), Some("1"));
    assert_eq!(of(&(&["python3", "app.py"], &[("PYTHONDONTWRITEBYTECODE", "")], None)).as_deref(), Some(""));
    assert_eq!(of(&(&["npx", "-y", "tea"], &[], None)), None);
}
