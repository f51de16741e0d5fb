//! The JSON Schema of the frontmatter: it is the committed one, is valid by its own draft, and agrees with the checks
//! on every frontmatter of the corpus and on generated ones.
//!
//! They agree field by field: a field that the schema refuses has a problem in the checks, and the reverse, for every
//! rule of [`JUDGED`].

use std::{collections::BTreeSet, env, fs, path::Path, sync::LazyLock};

use jsonschema::{Validator, error::ValidationErrorKind};
use proptest::{
    prelude::*,
    sample::select,
    test_runner::{Config, RngSeed},
};
use serde_json::{Map, Value, json};
use skills::Skill;

use tests::{corpus, json as read_json, say};

mod servers;

/// Skills of the corpus that load.
const LOADED: usize = 308;

/// Rules that the schema has too.
const JUDGED: &[&str] = &[
    "name-missing",
    "name-type",
    "name-length",
    "name-format",
    "name-reserved",
    "description-missing",
    "description-type",
    "description-length",
    "description-tag",
    "key-type",
    "compatibility-length",
    "metadata-value",
    "metadata-reserved",
    "personal-block",
    "personal-tags",
    "server-block",
];

/// Rules that depend on more than the values of one frontmatter, and why no schema has them.
const BEYOND: &[(&str, &[&str])] = &[
    (
        "the bytes and lines of the file, which a schema never sees",
        &[
            "unreadable",
            "no-frontmatter",
            "path-instead-of-text",
            "sloppy-fence",
            "byte-order-mark",
            "not-utf8",
            "yaml-syntax",
            "yaml-limit",
            "yaml-tag",
            "unquoted-colon",
            "unquoted-value",
            "duplicate-key",
            "frontmatter-not-mapping",
            "invisible-text",
            "control-character",
            "credential",
        ],
    ),
    (
        "the folder's name, the skill's other files, and the library",
        &[
            "name-folder",
            "file-missing",
            "file-unlinked",
            "reference-missing",
            "reference-length",
            "folder-size",
            "duplicate-id",
            "depends-on-unknown",
            "depends-on-cycle",
            "link-broken",
            "link-outside",
            "reference-link",
        ],
    ),
    (
        "what a field means together with others",
        &[
            "personal-capability",
            "server-unknown",
            "server-placeholder",
            "server-undeclared",
            "server-credential",
            "server-mount",
            "server-secret",
            "server-environment",
            "server-redirect",
            "server-header",
            "server-transport",
            "server-description",
            "server-parameter-unused",
            "server-sensitive",
        ],
    ),
    ("what a list of the protocol leaves out, though clients read it", &["skill-unlisted"]),
    (
        "likeness and wording, which are advice and no matter of right or wrong",
        &[
            "unknown-key",
            "personal-key",
            "server-key",
            "description-vague",
            "description-person",
            "description-budget",
            "body-length",
        ],
    ),
];

#[test]
fn the_committed_schema_is_the_one_that_the_types_make() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/skill.schema.json");
    let now = serde_json::to_string_pretty(&skills::schema()).unwrap() + "\n";
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, &now).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), now, "run: cargo xtask golden");
}

#[test]
fn the_schema_is_one_of_draft_2020_12_and_tells_editors_what_each_key_is_for() {
    let schema = skills::schema();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    for (name, property) in schema["properties"].as_object().unwrap() {
        let says = |key: &str| property[key].as_str().is_some_and(|text| !text.is_empty());
        assert!(says("title") && says("description"), "{name}");
    }
}

#[test]
fn every_rule_is_in_the_schema_or_beyond_it_for_a_reason() {
    for rule in skills::RULES {
        let places = BEYOND.iter().filter(|(_, rules)| rules.contains(&rule.id)).count();
        assert_eq!(places + usize::from(JUDGED.contains(&rule.id)), 1, "{}: list it in JUDGED or in BEYOND", rule.id);
    }
}

#[test]
fn schema_and_checks_are_of_one_mind_about_every_loaded_skill_of_the_corpus() {
    let Some(corpus) = corpus() else { return };
    let (mut compared, mut refused) = (0, 0);
    for row in read_json(&corpus.join("expected.json"))["skills"].as_array().unwrap() {
        let path = row["path"].as_str().unwrap();
        let folder = Path::new(path).parent().and_then(Path::file_name).unwrap().to_str().unwrap();
        let skill = skills::read(folder, &fs::read(corpus.join(path)).unwrap());
        if skill.loads() {
            let theirs = refused_by_schema(&skill);
            assert_eq!(theirs, minded_by_us(&skill), "{path}: {:#?}", skill.problems);
            compared += 1;
            refused += usize::from(!theirs.is_empty());
        }
    }
    say(&format!("schema: {compared} frontmatters of the corpus compared, {refused} refused by both"));
    assert_eq!(compared, LOADED);
}

proptest! {
    #![proptest_config(Config {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn schema_and_checks_are_of_one_mind_about_generated_frontmatter(frontmatter in frontmatter()) {
        let name = frontmatter.get("name").and_then(Value::as_str).filter(|name| skills::is_kebab_case(name));
        let lines = frontmatter.iter().map(|(key, value)| format!("{key}: {value}\n"));
        let file = format!("---\n{}---\nBody.\n", lines.collect::<String>());
        let skill = skills::read(name.unwrap_or("a-folder"), file.as_bytes());
        prop_assert_eq!(refused_by_schema(&skill), minded_by_us(&skill), "{}\n{:#?}", file, skill.problems);
    }
}

/// A frontmatter of valid, invalid and borderline values.
fn frontmatter() -> impl Strategy<Value = Map<String, Value>> {
    let plain = [
        ("license", one_of(&[json!("MIT"), json!(5), json!(true), json!(["MIT"]), json!({"a": "b"}), json!(null)])),
        ("compatibility", one_of(&[json!("a network"), json!("c".repeat(500)), json!("c".repeat(501)), json!([])])),
        (
            "metadata",
            one_of(&[
                json!({}),
                json!({"author": "Mei"}),
                json!({"version": 1.5}),
                json!({"a": {"b": "c"}}),
                json!({"a": null}),
                json!({"io.modelcontextprotocol/x": "y"}),
                json!("text"),
                json!(["a"]),
                json!(null),
            ]),
        ),
        ("allowed-tools", texts()),
        ("disallowed-tools", texts()),
        ("arguments", texts()),
        ("argument-hint", one_of(&[json!("[file]"), json!(5), json!(["file"]), json!({}), json!(null)])),
        ("when_to_use", one_of(&[json!("at noon"), json!(1.5), json!([])])),
        ("user-invocable", flag()),
        ("disable-model-invocation", flag()),
        ("model", one_of(&[json!("inherit"), json!([1]), json!({"a": 1}), json!(null)])),
        ("of-the-author", one_of(&[json!([1, {"a": null}]), json!(true)])),
    ];
    let plain = plain.map(|(key, values)| proptest::option::weighted(0.3, values.prop_map(move |value| (key, value))));
    let described = (proptest::option::weighted(0.95, name()), proptest::option::weighted(0.95, description()));
    (described, plain.to_vec(), any::<bool>(), any::<bool>()).prop_flat_map(
        |((name, description), plain, own, servers)| {
            let mut frontmatter = Map::new();
            frontmatter.extend(name.map(|name| ("name".to_owned(), name)));
            frontmatter.extend(description.map(|description| ("description".to_owned(), description)));
            frontmatter.extend(plain.into_iter().flatten().map(|(key, value)| (key.to_owned(), value)));
            let name = frontmatter.get("name").and_then(Value::as_str).filter(|name| skills::is_kebab_case(name));
            let own = name.filter(|_| own).map_or(Just(Value::Null).boxed(), |name| personal(name).boxed());
            let servers = if servers { servers::block().boxed() } else { Just(Value::Null).boxed() };
            (Just(frontmatter), own, servers).prop_map(|(mut frontmatter, own, servers)| {
                frontmatter.insert("x-personal-mcp".to_owned(), own);
                frontmatter.insert("requires-mcp-servers".to_owned(), servers);
                frontmatter
            })
        },
    )
}

fn name() -> BoxedStrategy<Value> {
    let edges = [
        json!("a".repeat(64)),
        json!("a".repeat(65)),
        json!("claude-tea"),
        json!(""),
        json!("a--b"),
        json!("-a"),
        json!("a-"),
    ];
    let kinds = [json!(5), json!(1.5), json!(true), json!(null), json!(["tea"]), json!({"a": "b"})];
    prop_oneof![
        6 => "[a-z]{1,8}(-[a-z0-9]{1,4}){0,2}".prop_map(Value::from),
        1 => "[A-Za-z_.]{1,8}".prop_map(Value::from),
        2 => one_of(&edges),
        1 => one_of(&kinds),
    ]
    .boxed()
}

fn description() -> BoxedStrategy<Value> {
    let edges = [
        json!("d".repeat(1024)),
        json!("é".repeat(1025)),
        json!(""),
        json!("  "),
        json!("Makes <b>tea</b>."),
        json!("a < b > c"),
    ];
    let kinds = [json!(5), json!(false), json!(null), json!(["tea"]), json!({"a": "b"})];
    prop_oneof![4 => "[A-Za-z][a-z ]{0,30}[a-z.]".prop_map(Value::from), 2 => one_of(&edges), 1 => one_of(&kinds)]
        .boxed()
}

fn texts() -> BoxedStrategy<Value> {
    one_of(&[
        json!("Read, Grep"),
        json!(["Read", "Grep"]),
        json!([5, null]),
        json!([["Read"]]),
        json!([{"a": "b"}]),
        json!({"a": "b"}),
        json!(5),
    ])
}

fn flag() -> BoxedStrategy<Value> {
    one_of(&[json!(true), json!(false), json!("true"), json!("yes"), json!(1), json!([]), json!(null)])
}

/// The block of a skill with this name. A schema cannot check that the id is the folder's and that the document is
/// the skill's own; here both are right, or wrong in another way.
fn personal(name: &str) -> impl Strategy<Value = Value> + use<> {
    let document = json!(format!("resource://skills/{name}/document"));
    let fields = [
        (
            "id",
            right_or(
                &[json!(name)],
                &[json!("3tea"), json!("Tea"), json!("a b"), json!(""), json!(5), json!(["tea"]), json!(null)],
            ),
        ),
        (
            "version",
            right_or(
                &[json!("1.2.0"), json!("0.0.1-rc.1+b")],
                &[json!("1.2"), json!("v1.2.0"), json!("01.2.0"), json!("1.2.0-"), json!(1.5), json!({}), json!(null)],
            ),
        ),
        (
            "capabilities",
            right_or(
                &[json!([document]), json!(["resource://library/catalog", document])],
                &[json!([]), json!(["https://a.example"]), json!("text"), json!([["a"]]), json!([null])],
            ),
        ),
        (
            "tags",
            right_or(
                &[json!(["hot-drinks", "tea"]), json!([]), json!([2026]), json!(null)],
                &[
                    json!(["Hot Drinks"]),
                    json!([1.5]),
                    json!([-1]),
                    json!([""]),
                    json!("tea"),
                    json!([["a"]]),
                    json!({}),
                ],
            ),
        ),
        (
            "depends_on",
            right_or(
                &[json!(["kettle"]), json!([]), json!(null)],
                &[json!(["The Kettle"]), json!(["3d"]), json!([5]), json!("kettle"), json!([null])],
            ),
        ),
        (
            "references",
            right_or(
                &[
                    json!({}),
                    json!(null),
                    json!({"guide": {"path": "references/guide.md", "title": 5, "mime_type": null}}),
                    json!({"guide": {"path": "references/a b/.MD", "more": 1}}),
                ],
                &[
                    json!({"Guide": {"path": "references/guide.md"}}),
                    json!({"guide": {}}),
                    json!({"guide": null}),
                    json!({"guide": "references/guide.md"}),
                    json!({"guide": {"path": "references/../guide.md"}}),
                    json!({"guide": {"path": "/references/guide.md"}}),
                    json!({"guide": {"path": "references/./a.md"}}),
                    json!({"guide": {"path": "references//a.md"}}),
                    json!({"guide": {"path": "references/a\\b.md"}}),
                    json!({"guide": {"path": "references/c:d.md"}}),
                    json!({"guide": {"path": "guide.md"}}),
                    json!({"guide": {"path": "references/guide.txt"}}),
                    json!({"guide": {"path": 5}}),
                    json!({"guide": {"path": "references/guide.md", "title": ["a"]}}),
                    json!([]),
                    json!("text"),
                ],
            ),
        ),
        ("of-the-author", one_of(&[json!(5), json!(["a"])])),
    ];
    let fields = fields
        .map(|(key, values)| proptest::option::weighted(0.9, values.prop_map(move |value| (key.to_owned(), value))));
    let whole = one_of(&[json!(5), json!("text"), json!([]), json!({}), json!(true)]);
    prop_oneof![9 => fields.to_vec().prop_map(|fields| fields.into_iter().flatten().collect::<Map<_, _>>().into()), 1 => whole]
}

fn right_or(right: &[Value], wrong: &[Value]) -> BoxedStrategy<Value> {
    prop_oneof![5 => one_of(right), 1 => one_of(wrong)].boxed()
}

fn one_of(values: &[Value]) -> BoxedStrategy<Value> {
    select(values.to_vec()).boxed()
}

/// Built once, because that takes far longer than a validation.
static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&skills::schema()).expect("the schema is one"));

/// The top-level fields that the schema refuses.
fn refused_by_schema(skill: &Skill) -> BTreeSet<String> {
    let frontmatter = Value::Object(skill.frontmatter());
    let field = |error: jsonschema::ValidationError<'_>| match (error.instance_path().as_str(), error.kind()) {
        ("", ValidationErrorKind::Required { property }) => property.as_str().unwrap_or_default().to_owned(),
        (path, _) => path.split('/').nth(1).unwrap_or_default().to_owned(),
    };
    SCHEMA.iter_errors(&frontmatter).map(field).collect()
}

/// The top-level fields in which a rule of [`JUDGED`] finds a problem.
fn minded_by_us(skill: &Skill) -> BTreeSet<String> {
    let judged = skill.problems.iter().filter(|problem| JUDGED.contains(&problem.rule));
    let field = |field: &str| field.split(['.', '[']).next().unwrap_or_default().to_owned();
    judged.map(|problem| field(problem.field.as_deref().expect("such a problem is about a field"))).collect()
}
