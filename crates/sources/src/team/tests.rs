//! A team's file: what is written is read again, and what is hostile is refused with its place.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::LockedFile;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn skill(source: &str) -> LockedSkill {
    LockedSkill {
        source: source.to_owned(),
        follows: Some("main".to_owned()),
        commit: Some(COMMIT.to_owned()),
        inside: "skills/tea".to_owned(),
        files: BTreeMap::from([
            ("SKILL.md".to_owned(), LockedFile::of(b"tea", false)),
            ("scripts/boil.sh".to_owned(), LockedFile::of(b"boil", true)),
        ]),
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn team() -> Team {
    let secret = TeamSecret {
        how: Some("Ask Ada.\nShe has them.".to_owned()),
        address: Some("https://shop.example/keys?new".to_owned()),
    };
    let stock = TeamServer {
        name: "stock".to_owned(),
        skills: ["tea".to_owned()].into(),
        form: Form::Program {
            command: "npx".to_owned(),
            args: texts(&["-y", "@acme/stock", "${REGION}", "no", "1.0"]),
            env: BTreeMap::from([("TOKEN".to_owned(), "${TOKEN}".to_owned())]),
            cwd: None,
        },
        version: Some("1.2.3".to_owned()),
        secrets: BTreeMap::from([("TOKEN".to_owned(), secret)]),
    };
    let shop = TeamServer {
        name: "shop".to_owned(),
        form: Form::Address {
            url: "https://shop.example/mcp".to_owned(),
            headers: BTreeMap::from([("Authorization".to_owned(), "Bearer ${SHOP}".to_owned())]),
        },
        version: None,
        secrets: BTreeMap::from([("SHOP".to_owned(), TeamSecret::default())]),
        ..stock.clone()
    };
    let cellar = TeamServer {
        name: "cellar".to_owned(),
        form: Form::Container {
            image: "cellar:1.0".to_owned(),
            args: texts(&["--quiet"]),
            env: BTreeMap::new(),
            mounts: texts(&["${WORKSPACE}:/work:ro"]),
            port: Some(3001),
        },
        version: None,
        secrets: BTreeMap::new(),
        ..stock.clone()
    };
    Team {
        name: Some("Cellar: tea & more".to_owned()),
        advice: Some("Begin with tea.\n\nThen \"ale\".\n".to_owned()),
        clients: ["codex".to_owned(), "claude-code".to_owned()].into(),
        skills: BTreeMap::from([("tea".to_owned(), skill("acme/skills"))]),
        servers: vec![cellar, shop, stock],
        sets: BTreeMap::from([("calm".to_owned(), ["tea".to_owned()].into()), ("no".to_owned(), Default::default())]),
        policy: Policy {
            sources: Some([Pattern::read("acme/*").unwrap()].into()),
            no_unpinned_servers: true,
            no_remote_servers: false,
        },
    }
}

fn why(text: &str) -> String {
    Team::read(text).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_again_and_written_the_same() {
    let team = team();
    let text = team.to_string();
    assert_eq!(Team::read(&text), Ok(team), "{text}");
    assert_eq!(Team::read(&text).unwrap().to_string(), text);
    assert!(text.contains("advice: |\n  Begin with tea.\n\n  Then"), "{text}");
    let empty = Team::default();
    assert_eq!(Team::read(&empty.to_string()), Ok(empty));
}

#[test]
fn the_order_in_a_file_changes_nothing() {
    let mut other = team();
    other.servers.reverse();
    let text = other.to_string();
    assert_eq!(Team::read(&text).unwrap().to_string(), team().to_string());
}

#[test]
fn an_unknown_key_is_told_with_its_place() {
    assert_eq!(
        why("version: 1\nskils: []\n"),
        "The team's file cannot be read: line 2, column 1: the key `skils` is not known."
    );
    let text = team().to_string().replace("    version: \"1.2.3\"\n", "    version: \"1.2.3\"\n    trusted: true\n");
    let line = text.lines().position(|line| line.contains("trusted")).unwrap() + 1;
    assert_eq!(
        why(&text),
        format!("The team's file cannot be read: line {line}, column 5: the key `trusted` is not known.")
    );
    assert!(why("version: 1\npolicy: {allow: ['*/*']}\n").contains("`allow` is not known"));
    assert!(why("version: 1\npolicy: {refuse: [nothing]}\n").contains("line 2"));
}

#[test]
fn a_newer_version_is_refused_in_a_sentence_whatever_else_is_in_it() {
    assert_eq!(
        why("version: 2\nunheard: [of]\n"),
        "The team's file is of version 2, which this Skilltender does not know: it needs a newer one."
    );
    assert!(why("version: 0\n").contains("its version is 0"));
    assert!(why("name: tea\n").contains("`version` is missing"));
    assert!(why("").starts_with("The team's file cannot be read"));
}

#[test]
fn a_conflict_of_git_is_named_by_its_line() {
    assert!(why("version: 1\n<<<<<<< HEAD\n").contains("in line 2"));
}

#[test]
fn what_is_hostile_is_refused() {
    let good = team().to_string();
    for (from, to, says) in [
        ("name: tea", "name: \"../tea\"", "no name of a skill"),
        ("  SKILL.md\"", "  ../SKILL.md\"", "no file with its digest"),
        ("inside: skills/tea", "inside: \"../..\"", "leads elsewhere"),
        ("digest: \"sha256:", "digest: \"sha256:0", "the digest does not belong"),
        ("source: acme/skills", "source: \"ext::sh -c evil\"", "is refused"),
        ("source: acme/skills", "source: \"./here\"", "is no git repository alone"),
        ("source: acme/skills", "source: \"acme/skills#v2\"", "is no git repository alone"),
        ("source: acme/skills", "source: \"acme/skills/inner\"", "is no git repository alone"),
        ("follows: main", "follows: \"--upload-pack=evil\"", "is refused"),
        (COMMIT, "0123456", "no commit with all its digits"),
        (COMMIT, "--upload-pack=evil--upload-pack=evil--up", "no commit with all its digits"),
        ("url: ", "command: npx\n    url: ", "mixes what belongs"),
        ("    url: \"https://shop.example/mcp\"\n    headers:", "    env:", "has neither"),
        ("address: \"https://shop", "address: \"javascript://shop", "is no address"),
        ("address: \"https://shop", "address: \"https://me:pw@shop", "is no address"),
        ("name: \"Cellar: tea & more\"", "advice: \"a\\u001b[2J\"", "is there twice"),
        ("name: \"Cellar: tea & more\"", "name: \"a\\u001b[2J\"", "is no name"),
        ("- codex", "- \"../codex\"", "no id of a client"),
        ("- \"acme/*\"", "- \"*\"", "no pattern of sources"),
        ("name: stock", "name: \"St ock\"", "no name of a server"),
        ("version: \"1.2.3\"", "version: latest", "that is none"),
        ("      TOKEN:\n        how", "      \"TO KEN\":\n        how", "which is no name of one"),
        ("  calm:\n    - tea", "  calm:\n    - ale", "which is not in the file"),
        ("name: shop", "name: stock", "is there twice"),
        ("name: \"Cellar: tea & more\"", "name: \"a\\nb\"", "is no name"),
    ] {
        assert!(good.contains(from), "{from} is in\n{good}");
        let text = good.replacen(from, to, 1);
        let error = Team::read(&text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(says), "{to}: {error:?}");
    }
    let (_, tea) = good.rsplit_once("skills:\n").unwrap();
    assert!(why(&format!("{good}{tea}")).contains("the skill tea is there twice"));
    assert!(why("version: 1\nadvice: \"a\\u001b[2J\"\n").contains("no person reads"));
}

#[test]
fn what_is_too_much_is_refused_before_it_is_built() {
    assert_eq!(why(&format!("version: 1\nadvice: {}\n", "a".repeat(1 << 20))), TeamError::TooLarge.to_string());
    assert!(why(&format!("version: 1\nadvice: {}\n", "a".repeat(5_000))).contains("longer than"));
    let deep = format!("version: 1\nsets: {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    assert!(why(&deep).starts_with("The team's file cannot be read: line 2"), "{}", why(&deep));
    let laughs = "version: 1\nname: &a lol\nadvice: *a\n";
    assert!(why(laughs).contains("alias"), "{}", why(laughs));
    let merged = "version: 1\npolicy: {<<: {sources: []}}\n";
    assert!(Team::read(merged).is_err());
    let twice = "version: 1\nname: a\nname: b\n";
    assert!(why(twice).contains("a key is there twice"), "{}", why(twice));
    let many: String = (0..600).map(|at| format!("  s{at}: []\n")).collect();
    assert!(why(&format!("version: 1\nsets:\n{many}")).contains("more than 500"));
}

#[test]
fn what_people_wrote_stays_when_a_file_is_written_again() {
    let (older, mut newer) = (team(), team());
    newer.name = None;
    newer.advice = None;
    newer.policy = Policy::default();
    newer.clients = ["zed".to_owned()].into();
    for server in &mut newer.servers {
        server.secrets.values_mut().for_each(|secret| *secret = TeamSecret::default());
    }
    newer.keep_of(&older);
    assert_eq!((&newer.name, &newer.advice, &newer.policy), (&older.name, &older.advice, &older.policy));
    assert_eq!(newer.clients, older.clients);
    assert_eq!(newer.servers, older.servers);
}

proptest! {
    #[test]
    fn any_text_for_people_survives(name in "\\PC{1,40}", advice in "[\\PC\n]{0,200}", how in "[ -~\n]{0,80}", arg in "\\PC{0,40}") {
        let mut team = team();
        team.name = Some(name).filter(|name| name.trim() == name && !name.is_empty());
        team.advice = Some(advice);
        let stock = &mut team.servers[2];
        if let Form::Program { args, env, .. } = &mut stock.form {
            args.push(arg.clone());
            env.insert("MORE".to_owned(), arg);
        }
        stock.secrets.insert("MORE".to_owned(), TeamSecret { how: Some(how), address: None });
        let text = team.to_string();
        prop_assert_eq!(Team::read(&text), Ok(team), "{}", text);
    }

    #[test]
    fn no_bytes_make_it_fall(text in "\\PC{0,400}") {
        drop(Team::read(&text));
        drop(Team::read(&format!("version: 1\n{text}")));
    }
}
