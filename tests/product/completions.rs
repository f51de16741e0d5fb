//! Shell completions: bash with the printed script, and the program's answers to any shell.

use std::{
    fs,
    process::{Command, Output},
};

use tests::Home;

use crate::command_line::{run, text};

/// The program's answer to a shell: the words, without their descriptions.
fn offered(home: &Home, words: &[&str]) -> Vec<String> {
    let output = run(home, &[&["complete", "--"], words].concat());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{words:?}");
    text(&output.stdout).lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

/// Runs bash with the completion script, in this home.
fn bash(home: &Home, lines: &str) -> Output {
    let program = tests::given("SKILLTENDER_PROGRAM");
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let mut bash = Command::new("bash");
    bash.env_clear().env("HOME", home.path("")).env("PATH", path).current_dir(home.path(""));
    bash.args(["--norc", "--noprofile", "-c", lines]).output().unwrap()
}

/// The home of the tests, with a set, a client's file, a server, and something in the trash.
fn home() -> Home {
    let home = Home::new();
    home.write(
        "skills/ca ke/SKILL.md",
        "---\nname: ca ke\ndescription: \"Bakes cake: for the hungry.\"\nrequires-mcp-servers:\n  - name: stock\n    \
         command: \"true\"\n---\n\nBake.\n",
    );
    home.write("skills/ev\til/SKILL.md", &tests::skill("evil", "Nobody can type it."));
    home.write("skills/old/SKILL.md", &tests::skill("old", "Was here."));
    home.write(".cursor/mcp.json", "{}\n");
    for words in [&["sets", "make", "calm", "tea"][..], &["trash", "old"], &["enable", "--yes", "ca ke"]] {
        assert_eq!(run(&home, words).status.code(), Some(0), "{words:?}");
    }
    home
}

#[test]
fn names_are_offered_as_they_are_at_that_moment() {
    let home = home();
    assert_eq!(offered(&home, &["disable", ""]), ["ca ke", "coffee", "tea"]);
    assert_eq!(offered(&home, &["disable", "tea", ""]), ["ca ke", "coffee"], "one is not named twice");
    assert_eq!(offered(&home, &["sets", "fill", "c"]), ["calm"]);
    assert_eq!(offered(&home, &["restore", ""]), ["old"]);
    assert_eq!(offered(&home, &["servers", "show", ""]), ["stock"]);
    assert_eq!(offered(&home, &["library", "remove", "/"]).len(), 2, "our own folder, and the chosen one");
    assert_eq!(offered(&home, &["connect", ""]), ["cursor"], "those of this computer");
    assert!(offered(&home, &["connect", "claude"]).contains(&"claude-code".to_owned()), "and any other that is meant");
    assert_eq!(offered(&home, &["activity", "--client", "cur"]), ["cursor"]);
    assert_eq!(offered(&home, &["servers", "link", "tea", "stock", "--with", "cof"]), ["coffee"]);
    let about = text(&run(&home, &["complete", "--", "show", "ca"]).stdout);
    assert_eq!(about, "ca ke\tBakes cake: for the hungry.\n");
    assert_eq!(run(&home, &["disable", "tea"]).status.code(), Some(0));
    home.write("skills/tart/SKILL.md", &tests::skill("tart", "Bakes tarts. Use when somebody is hungry."));
    assert_eq!(offered(&home, &["show", "ta"]), ["tart"], "a new one at once");
}

#[test]
fn a_library_that_is_broken_or_away_offers_nothing_and_says_nothing() {
    let home = Home::new();
    let nowhere = home.path("nowhere");
    for broken in ["{", "[]", ""] {
        fs::write(home.data().join("choices.json"), broken).unwrap();
        for words in [&["show", ""][..], &["connect", ""], &["sets", "give", "codex", ""], &["servers", "stop", ""]] {
            assert_eq!(offered(&home, words), [""; 0], "{broken:?} {words:?}");
        }
        assert_eq!(offered(&home, &["serv"]), ["serve", "servers"], "the commands are there all the same");
    }
    home.choose(&[]);
    fs::remove_dir_all(home.path("skills")).unwrap();
    assert_eq!(offered(&home, &["show", ""]), [""; 0]);
    let elsewhere = ["--home", nowhere.to_str().unwrap(), "sets", "delete", ""];
    assert_eq!(offered(&home, &elsewhere), [""; 0]);
    assert!(!nowhere.exists(), "looking makes nothing");
    assert_eq!(text(&run(&home, &["complete"]).stdout), "");
}

#[test]
fn bash_offers_commands_words_and_names_with_the_script_that_we_print() {
    let home = home();
    let script = "source <(skilltender completions bash)\n\
        try() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _skilltender skilltender; printf '[%s]' \"${COMPREPLY[@]}\"; echo; }\n\
        try skilltender instr\n\
        try skilltender disable ''\n\
        try skilltender disable 'ca\\ k'\n\
        try skilltender check --format = s\n\
        try skilltender check --format =\n\
        try skilltender settings prompts o\n\
        try skilltender --home /nowhere show ''\n\
        complete -p skilltender\n";
    let output = bash(&home, script);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(
        text(&output.stdout).lines().collect::<Vec<_>>(),
        [
            "[instructions]",
            "[ca\\ ke][coffee][tea]",
            "[ca\\ ke]",
            "[sarif]",
            "[human][json][sarif]",
            "[on][off]",
            "[]",
            "complete -o bashdefault -o default -F _skilltender skilltender",
        ]
    );
}

#[test]
fn a_program_that_is_gone_leaves_bash_as_it_was() {
    let home = Home::new();
    let script = text(&run(&home, &["completions", "bash"]).stdout);
    let lines = format!(
        "{script}\nPATH=/nowhere\nCOMP_WORDS=(skilltender sh); COMP_CWORD=1; _skilltender; echo ${{#COMPREPLY[@]}}"
    );
    let output = bash(&home, &lines);
    assert_eq!((text(&output.stdout).as_str(), text(&output.stderr).as_str()), ("0\n", ""));
}
