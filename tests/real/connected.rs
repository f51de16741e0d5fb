//! A home with a real client in it, and what has to hold once it is connected.

use std::fs;

use serde_json::Value;
use tests::{Home, Serving};

use crate::program::{Printed, Program, out_of};

/// What a client says of us.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// It reached us, and has these tools, by the names that it gives them.
    Connected(Vec<String>),
    /// It did not.
    Failed,
}

/// One real client, as the tests see it.
pub(crate) trait Client {
    /// Its id in our table.
    const ID: &'static str;
    /// The name that it gives to a tool of ours.
    fn tool(name: &str) -> String;
    /// Its file, below the home.
    const FILE: &'static str;
    /// What stands in that file before we come; nothing for no file.
    const BEFORE: Option<&'static str>;
    /// Lets it connect, and reads what it says.
    fn ask(home: &Home) -> Said;
}

/// Connects it over stdio, looks at both sides, and gives its file back.
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

/// Our own command line, which must succeed.
pub(crate) fn skilltender(home: &Home, words: &[&str]) -> String {
    let output = home.skilltender().args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// What we know of the client.
fn row<C: Client>(home: &Home) -> Value {
    let clients: Value = serde_json::from_str(&skilltender(home, &["clients", "--json"])).unwrap();
    let rows = clients["clients"].as_array().or(clients.as_array()).unwrap();
    rows.iter().find(|row| row["id"] == C::ID).unwrap_or_else(|| panic!("no {} in {clients}", C::ID)).clone()
}

fn has_both<C: Client>() -> Said {
    Said::Connected(vec![C::tool("get_skill"), C::tool("list_skills")])
}

/// What a program of the client prints in this home.
pub(crate) fn printed(home: &Home, program: &Program, words: &[&str], environment: &[(&str, &str)]) -> String {
    run(home, program, words, environment).out
}

/// All that it prints.
pub(crate) fn run(home: &Home, program: &Program, words: &[&str], environment: &[(&str, &str)]) -> Printed {
    out_of(program.command(home).args(words).envs(environment.iter().copied()))
}

/// The names of tools, sorted; those that are not of our server are the client's own.
pub(crate) fn ours<'t>(tools: impl Iterator<Item = &'t str>, prefix: &str) -> Vec<String> {
    let mut ours: Vec<_> = tools.filter(|tool| tool.starts_with(prefix)).map(str::to_owned).collect();
    ours.sort();
    ours.dedup();
    ours
}
