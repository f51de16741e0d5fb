//! A home with a real client, and the assertions once it is connected.

use std::fs;

use serde_json::Value;
use tests::{Home, Serving};

use crate::program::{Printed, Program, out_of};

/// What a client reports about Skilltender.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// It is connected, and has these tools, under its own names.
    Connected(Vec<String>),
    /// It is not connected.
    Failed,
}

/// One real client, as the tests use it.
pub(crate) trait Client {
    /// Its id in the table of clients.
    const ID: &'static str;
    /// Its name for one of Skilltender's tools.
    fn tool(name: &str) -> String;
    /// Its file, below the home.
    const FILE: &'static str;
    /// The file's content before connecting; `None` for no file.
    const BEFORE: Option<&'static str>;
    /// Lets it connect, and reads its report.
    fn ask(home: &Home) -> Said;
}

/// Connects it over stdio, checks both sides, and disconnects it again.
pub(crate) fn over_stdio<C: Client>() {
    let home = home::<C>();
    let _serving = Serving::start(&home);

    skilltender(&home, &["connect", C::ID, "--yes"]);
    assert_eq!(C::ask(&home), has_both::<C>());
    let row = row::<C>(&home);
    assert!(row["connected"].is_u64(), "{row}");
    assert!(row["peer"].to_string().contains("stdio"), "{row}");

    let written = fs::read_to_string(home.path(C::FILE)).unwrap();
    assert!(!written.contains("Bearer"), "a file of a client on stdio holds no token: {written}");
    skilltender(&home, &["disconnect", C::ID, "--yes"]);
    let after = fs::read_to_string(home.path(C::FILE)).unwrap_or_default();
    assert!(!after.contains("skilltender"), "{after}");
}

/// Connects it over HTTP, and then gives it a wrong token.
pub(crate) fn over_http<C: Client>() {
    let home = home::<C>();
    let _serving = Serving::start(&home);

    skilltender(&home, &["connect", C::ID, "--http", "--yes"]);
    assert_eq!(C::ask(&home), has_both::<C>());
    let row = row::<C>(&home);
    assert!(row["peer"].to_string().contains("http"), "{row}");

    let written = fs::read_to_string(home.path(C::FILE)).unwrap();
    let token = written.split("Bearer ").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(token.len(), 43, "256 bits");
    fs::write(home.path(C::FILE), written.replace(token, &"x".repeat(43))).unwrap();
    assert_eq!(C::ask(&home), Said::Failed);
}

fn home<C: Client>() -> Home {
    let home = Home::new();
    if let Some(before) = C::BEFORE {
        home.write(C::FILE, before);
    }
    fs::create_dir_all(home.path("project")).unwrap();
    home
}

/// Runs `skilltender`, which must succeed.
pub(crate) fn skilltender(home: &Home, words: &[&str]) -> String {
    let output = home.skilltender().args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The client's row in Skilltender's list.
fn row<C: Client>(home: &Home) -> Value {
    let clients: Value = serde_json::from_str(&skilltender(home, &["clients", "--json"])).unwrap();
    let rows = clients["clients"].as_array().or(clients.as_array()).unwrap();
    rows.iter().find(|row| row["id"] == C::ID).unwrap_or_else(|| panic!("no {} in {clients}", C::ID)).clone()
}

fn has_both<C: Client>() -> Said {
    Said::Connected(vec![C::tool("get_skill"), C::tool("list_skills")])
}

/// The standard output of a client's program in this home.
pub(crate) fn printed(home: &Home, program: &Program, words: &[&str], environment: &[(&str, &str)]) -> String {
    run(home, program, words, environment).out
}

/// All its output.
pub(crate) fn run(home: &Home, program: &Program, words: &[&str], environment: &[(&str, &str)]) -> Printed {
    out_of(program.command(home).args(words).envs(environment.iter().copied()))
}

/// The names of Skilltender's tools, sorted; others are the client's own.
pub(crate) fn ours<'t>(tools: impl Iterator<Item = &'t str>, prefix: &str) -> Vec<String> {
    let mut ours: Vec<_> = tools.filter(|tool| tool.starts_with(prefix)).map(str::to_owned).collect();
    ours.sort();
    ours.dedup();
    ours
}
