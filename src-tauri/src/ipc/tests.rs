//! What the main window's page can name: a script in it must not reach a file that the person did not choose, or
//! start a program.

use std::collections::BTreeSet;

/// Every argument of the main window's commands, by class. A new argument is classified here first. No argument is a
/// path, unless the person chose it or the engine knows it.
const ARGUMENTS: &[&str] = &[
    // Names of things that the engine looks up: keys, ids, names.
    "key: &str",
    "keys: Vec<String>",
    "keys: Option<Vec<String>>",
    "id: &str",
    "client: &str",
    "client: Option<String>",
    "server: &str",
    "name: &str",
    "tool: Option<String>",
    "set: Option<String>",
    "skill: &str",
    "template: &str",
    "with_key: Option<String>",
    "like: String",
    "folder: &str",
    "folder: Option<String>",
    "folders: Vec<String>",
    "new_on: Vec<String>",
    "only: Option<Vec<String>>",
    // What was chosen in a dialog or dropped.
    "source: &str",
    "save_to: &str",
    // A client, or a folder that a known client reads: the engine refuses any other.
    "target: &str",
    // A project was chosen or is known; `meant` checks this.
    "project: Option<String>",
    "change: ClientChange",
    // Digests and ids of what was shown.
    "digest: &str",
    "seen: BTreeMap<String, String>",
    "plan_id: &str",
    "drift_id: &str",
    "moment: u64",
    "commit: &str",
    "number: u32",
    // A source as it was typed: an address over https or ssh. A path of this computer is refused.
    "written: &str",
    // Patterns that are compared with folders, and open none.
    "patterns: Vec<String>",
    // Texts and values.
    "query: &str",
    "text: String",
    "message: &str",
    "splices: Vec<EditorSplice>",
    "value: String",
    "value: Option<String>",
    "add: Vec<String>",
    "remove: Vec<String>",
    // The page's own words for its next window.
    "state: Option<String>",
    "unsaved: BTreeMap<String, String>",
    "name: String",
    "url: &str",
    // Choices of a few.
    "on: bool",
    "what: AppSwitch",
    "on: Option<bool>",
    "dark: Option<bool>",
    "zoom: u16",
    "unsaved: bool",
    "replace: bool",
    "flat: bool",
    "keep_claude_code: bool",
    "enable_ready: bool",
    "enable_new: bool",
    "way: Option<WayKind>",
    "way: Option<PlaceWay>",
    "way: PlaceWay",
    "mode: ToolMode",
    "transport: Option<Transport>",
    "choice: DriftChoice",
    "answers: Answers",
    "surface: Surface",
    "limit: usize",
    "port: u16",
    "language: Option<Language>",
    "most: usize",
    "days: u16",
];

/// The files of the commands.
const SOURCE: &str = concat!(
    include_str!("clients.rs"),
    include_str!("page.rs"),
    include_str!("servers.rs"),
    include_str!("settings.rs"),
    include_str!("skills.rs"),
    include_str!("sources.rs"),
    include_str!("teams.rs"),
    include_str!("work_trees.rs")
);

/// The commands that a capability grants.
fn granted(capability: &str) -> BTreeSet<String> {
    let quoted = capability.split('"').skip(1).step_by(2);
    quoted.filter_map(|word| word.strip_prefix("allow-")).map(|command| command.replace('-', "_")).collect()
}

/// What a command takes from the page.
fn arguments(command: &str) -> Vec<String> {
    let begin = format!("fn {command}(");
    let at = SOURCE.find(&begin).unwrap_or_else(|| panic!("there is no command {command}")) + begin.len();
    let mut depth = 0;
    let ends = |c: char| {
        depth += i32::from(matches!(c, '(' | '<')) - i32::from(matches!(c, ')' | '>'));
        depth < 0
    };
    let inside = &SOURCE[at..at + SOURCE[at..].find(ends).unwrap()];
    let (mut all, mut depth, mut one) = (Vec::new(), 0, String::new());
    for c in inside.chars().chain([',']) {
        depth += i32::from(c == '<') - i32::from(c == '>');
        match c {
            ',' if depth == 0 => all.push(std::mem::take(&mut one).trim().to_owned()),
            c => one.push(c),
        }
    }
    all.retain(|one| !one.is_empty() && !one.contains("State<") && !one.ends_with("AppHandle"));
    all
}

#[test]
fn no_command_of_the_main_window_takes_a_path() {
    let main = granted(include_str!("../../capabilities/main.json"));
    assert!(main.len() > 60, "{main:?}");
    let is_known = |argument: &String| ARGUMENTS.contains(&argument.as_str());
    let unknown: Vec<_> = main
        .iter()
        .flat_map(|command| arguments(command).into_iter().map(move |argument| (command, argument)))
        .filter(|(_, argument)| !is_known(argument))
        .collect();
    assert_eq!(unknown, [], "classify them; a path comes from a dialog and stays in `chosen`");
    // Each command with one of these arguments gets the path from the choices.
    for command in &main {
        let chooses = arguments(command).iter().any(|argument| {
            ["source: &str", "save_to: &str", "change: ClientChange", "project: Option<String>"]
                .contains(&argument.as_str())
        });
        let at = SOURCE.find(&format!("fn {command}(")).unwrap();
        let body = &SOURCE[at..at + SOURCE[at..].find("\n}\n").unwrap()];
        assert!(!chooses || body.contains("State<'_, Chosen>"), "{command}");
    }
}

#[test]
fn the_main_window_starts_no_program() {
    let main = granted(include_str!("../../capabilities/main.json"));
    for command in [
        "look_for_programs",
        "approve_server",
        "approve_tools",
        "pin_server",
        "plan_server",
        "offer_version",
        "join_team",
    ] {
        assert!(!main.contains(command), "{command}");
    }
}
