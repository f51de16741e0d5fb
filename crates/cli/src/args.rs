//! The words of the command line. What a command takes is next to what it does.

use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::{
    activity, adopt, check, client_folders, clients, complete, completions, connect, direct, doctor, export, fix,
    go_back, import, install, instructions, kept, library, list, locks, man, mcp, new, pack, schema, secrets, sees,
    serve, servers, sets, settings, show, sources, switch, tag, team, token, trash, uninstall, updates, usage, values,
    versions, words::absolute,
};

/// Skilltender tends your agent skills: one place for all of them, and one local MCP endpoint that
/// serves them to every client.
#[derive(Debug, Parser)]
#[command(name = "skilltender", version, arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Arguments {
    /// Use this as Skilltender's data folder
    #[arg(long, global = true, value_name = "FOLDER", value_parser = absolute, hide_short_help = true)]
    pub(crate) home: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
A skill is named by its id (the name of its folder), by its key in `skilltender list`, or by the path of its folder.

Exit codes: 0 fine, 1 problems were found, 2 wrong use, 3 refused or failed.

  skilltender list                      the skills, and which are on
  skilltender check ./skills            the problems of the skills in a folder
  skilltender connect claude-code       add Skilltender to a client
  skilltender serve                     run the endpoint without a window
  skilltender mcp --skills-dir /skills  serve one folder to the client that runs this";

/// The commands as `--help` groups them, the common ones first.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Skills",
        &[
            "list",
            "show",
            "enable",
            "disable",
            "check",
            "fix",
            "import",
            "install",
            "new",
            "duplicate",
            "pack",
            "move",
            "tag",
            "trash",
            "restore",
            "kept",
            "library",
            "sets",
        ],
    ),
    (
        "Where skills come from",
        &["sources", "outdated", "update", "history", "rollback", "lock", "sync", "team", "adopt", "export"],
    ),
    (
        "Clients",
        &["clients", "connect", "disconnect", "undo", "redo", "client-folders", "sees", "activity", "usage", "token"],
    ),
    ("Servers and secrets", &["servers", "secrets", "values"]),
    ("Serving", &["serve", "mcp", "run", "settings"]),
    ("Help", &["doctor", "instructions", "schema", "completions", "man", "go-back", "uninstall", "help"]),
];

/// No line of help is longer, however wide the terminal is.
const WIDEST: usize = 100;

/// Clap's own command, which it adds as it reads, and what it says of it.
const HELP: (&str, &str) = ("help", "Print this message or the help of the given subcommand(s)");

/// The words of the command line, with the commands in groups. They are not built for that: it would take a fifth of the
/// time of a short command.
pub(crate) fn command() -> clap::Command {
    let command = Arguments::command();
    let mut groups = String::new();
    for (group, names) in GROUPS {
        groups += &format!("{group}:\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| if *name == HELP.0 { HELP.1.to_owned() } else { String::new() });
            groups += &format!("  {name:<14} {about}\n");
        }
        groups.push('\n');
    }
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}");
    command.help_template(template).max_term_width(WIDEST)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the skills
    List(list::Arguments),
    /// List, add and remove library folders
    Library(library::Arguments),
    /// Show a skill: its files, problems and needs
    Show(show::Arguments),
    /// Report the problems of skills, for people, programs and CI
    Check(check::Arguments),
    /// Show the fixes that need no decision, or make them with --all
    Fix(fix::Arguments),
    /// Switch skills on for all clients
    Enable(switch::Arguments),
    /// Switch skills off for all clients
    Disable(switch::Arguments),
    /// Create a skill from a template
    New(new::Arguments),
    /// Create a skill as a copy of another one
    Duplicate(new::DuplicateArguments),
    /// Copy skills from a folder or a zip file into the library
    Import(import::Arguments),
    /// Import a skill, set up its servers, and switch it on
    Install(install::Arguments),
    /// List sources of skills, and add skills from one
    Sources(sources::Arguments),
    /// List the skills that have another version at their source
    Outdated(updates::OutdatedArguments),
    /// Show what updates would change, and make them
    Update(updates::UpdateArguments),
    /// List the versions of a skill
    History(versions::HistoryArguments),
    /// Go back to a version of a skill, byte for byte
    Rollback(versions::RollbackArguments),
    /// Write the lock: the exact version of each skill with a source
    Lock(locks::LockArguments),
    /// Make the library what a lock says, or compare it
    Sync(locks::SyncArguments),
    /// Write one file for a team, or join a team by its file
    Team(team::Arguments),
    /// List skills that other programs installed; follow their sources
    Adopt(adopt::Arguments),
    /// Write skills down as other programs read them
    Export(export::Arguments),
    /// Pack a skill as a zip file for an upload
    Pack(pack::Arguments),
    /// Move skills to another folder of the library
    Move(trash::MoveArguments),
    /// Add and remove tags of skills
    Tag(tag::Arguments),
    /// Move a skill to the trash, which keeps it for 30 days
    Trash(trash::Arguments),
    /// Restore a skill from the trash
    Restore(trash::RestoreArguments),
    /// List the MCP clients on this computer and their state
    Clients(clients::Arguments),
    /// Add Skilltender to a client: shows the change, then asks
    Connect(connect::Arguments),
    /// Remove Skilltender from a client's file
    Disconnect(connect::DisconnectArguments),
    /// Undo the last change of a client's file
    ///
    /// Repeated, it undoes the change before that.
    Undo(connect::UndoArguments),
    /// Redo the change that was undone last
    Redo(connect::UndoArguments),
    /// Take back what a newer Skilltender made of our own files
    GoBack(go_back::Arguments),
    /// Take Skilltender out of clients' files and folders
    Uninstall(uninstall::Arguments),
    /// Serve skills to one MCP client over standard input and output
    Mcp(mcp::Arguments),
    /// Run the engine without a window, until Ctrl-C
    Serve(serve::Arguments),
    /// Become an approved server, for a client's own entry
    Run(direct::Arguments),
    /// List, approve and control the MCP servers that skills need
    Servers(servers::Arguments),
    /// List, store and delete the secrets of servers
    Secrets(secrets::Arguments),
    /// List, set and delete the plain values of servers
    Values(values::Arguments),
    /// Show and change what clients are offered
    Settings(settings::Arguments),
    /// List and make sets of skills, for clients and folders
    Sets(sets::Arguments),
    /// List, fill and clear the folders that clients read
    #[command(alias = "folders")]
    ClientFolders(client_folders::Arguments),
    /// Show the latest calls of clients
    Activity(activity::Arguments),
    /// Show which skills and servers are used, and what they cost
    Usage(usage::Arguments),
    /// Show the unsaved texts of a skill that the window keeps
    Kept(kept::Arguments),
    /// Check everything around Skilltender, and explain problems
    Doctor(doctor::Arguments),
    /// Show the skills as a client sees them, and their cost in tokens
    Sees(sees::Arguments),
    /// Print, replace or delete a client's token for HTTP
    Token(token::Arguments),
    /// Print the usage guide for agents, for a file such as AGENTS.md
    Instructions(instructions::Arguments),
    /// Print the JSON Schema of a skill's frontmatter, for editors
    Schema(schema::Arguments),
    /// Print the completion script for a shell
    Completions(completions::Arguments),
    /// List the completions of a word for a shell
    #[command(hide = true)]
    Complete(complete::Arguments),
    /// Print the manual pages
    Man(man::Arguments),
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use clap::error::ErrorKind;

    use super::{GROUPS, WIDEST, command};

    #[test]
    fn every_command_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn no_line_of_help_is_wider_than_a_terminal_may_be() {
        let mut command = command();
        command.build();
        let mut waiting = vec![command];
        while let Some(mut command) = waiting.pop() {
            let name = command.get_bin_name().unwrap_or_default().to_owned();
            for help in [command.render_help(), command.render_long_help()].map(|help| help.to_string()) {
                let wide = help.lines().find(|line| line.chars().count() > WIDEST);
                assert_eq!(wide, None, "{name}");
            }
            waiting.extend(command.get_subcommands().cloned());
        }
    }

    #[test]
    fn the_list_of_commands_fits_a_terminal_of_eighty_columns() {
        let help = command().term_width(80).render_help().to_string();
        assert_eq!(help.lines().find(|line| line.chars().count() > 80), None);
    }

    #[test]
    fn every_command_is_described_in_the_list() {
        let mut made = command();
        made.build();
        let list = command().render_help().to_string();
        for one in made.get_subcommands().filter(|one| !one.is_hide_set()) {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(
                !about.is_empty() && list.contains(&format!("  {:<14} {about}", one.get_name())),
                "{}",
                one.get_name()
            );
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = command();
        command.build();
        let known: Vec<_> =
            command.get_subcommands().filter(|one| !one.is_hide_set()).map(|one| one.get_name().to_owned()).collect();
        let grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(known.iter().map(String::as_str).collect::<BTreeSet<_>>(), grouped.iter().copied().collect());
        assert_eq!(known.len(), grouped.len(), "no command is in two groups");
    }

    #[test]
    fn the_readme_has_a_row_for_every_command() {
        let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
        let readme = fs::read_to_string(readme).unwrap();
        let rows: Vec<_> = readme.lines().filter(|line| line.starts_with("| `")).collect();
        for name in GROUPS.iter().flat_map(|(_, names)| *names).filter(|name| **name != "help") {
            let named = [format!("`{name}`"), format!("`{name} ")];
            assert!(
                rows.iter().any(|row| named.iter().any(|name| row.contains(name))),
                "no row of README.md has `{name}`"
            );
        }
    }

    #[test]
    fn earlier_names_of_commands_are_still_accepted() {
        for words in ["folders", "folders link codex --copy"] {
            assert!(
                command().try_get_matches_from(["skilltender"].into_iter().chain(words.split(' '))).is_ok(),
                "{words}"
            );
        }
    }

    /// What the window does, and a command line that does it here.
    const TWINS: &[(&str, &str)] = &[
        ("add_client", "clients add Editor --file /x.json --like cursor"),
        ("add_folder", "library add ./skills"),
        ("approve_server", "servers approve stock --digest 3f"),
        ("approve_tools", "servers tools stock --approve 3f"),
        ("change_client", "connect codex --yes"),
        ("change_set", "sets fill calm tea"),
        ("set_folders", "sets bind calm ~/tea/**"),
        ("check_text", "check ./skills/tea"),
        ("client_sees", "sees codex"),
        ("configured_servers", "clients --servers"),
        ("current", "list"),
        ("delete_secret", "secrets delete tea stock TOKEN"),
        ("delete_set", "sets delete calm"),
        ("doctor", "doctor"),
        ("duplicate_skill", "duplicate tea coffee"),
        ("enable_skills", "enable tea"),
        ("entry_text", "clients entry zed"),
        ("finish_first_run", "serve"),
        ("fix_skill", "fix --all tea"),
        ("give_set", "sets give codex calm"),
        ("import_skill", "import --yes ./tea"),
        ("kept_versions", "kept tea"),
        ("link_server", "servers link tea stock --with coffee"),
        ("link_skills", "client-folders link codex"),
        ("look_at_import", "import ./tea"),
        ("look_at_source", "sources add acme/skills"),
        ("add_source", "sources add acme/skills --yes"),
        ("look_at_team", "team join acme/team"),
        ("join_team", "team join acme/team --digest 3f"),
        ("call_client", "team join acme/team --yes"),
        ("ask_sources", "outdated"),
        ("plan_update", "update tea"),
        ("update_skill", "update tea --yes"),
        ("skill_versions", "history tea"),
        ("plan_back", "rollback tea"),
        ("go_back_to", "rollback tea --to 2 --yes"),
        ("managed_skills", "adopt"),
        ("adopt_skill", "adopt tea"),
        ("forget_origins", "sources remove acme/skills"),
        ("work_tree_status", "library status"),
        ("plan_pull", "library pull"),
        ("pull", "library pull ./skills --yes"),
        ("share_switches", "library share-switches ./skills on"),
        ("plan_commit", "library push"),
        ("commit_and_push", "library push ./skills --yes --message More"),
        ("look_at_ready", "library add ./skills --on"),
        ("look_at_skill", "enable tea"),
        ("make_set", "sets make calm tea"),
        ("move_skill", "move tea f2"),
        ("new_skill", "new tea"),
        ("offer_version", "servers pin stock"),
        ("pack_into", "pack tea --out ."),
        ("pack_skill", "pack tea"),
        ("pause", "settings pause on"),
        ("pick_way", "servers way tea stock stdio"),
        ("pin_server", "servers pin stock 1.2.3"),
        ("plan_client", "connect codex --dry-run"),
        ("plan_server", "servers show stock"),
        ("plan_client_folder", "client-folders link codex --dry-run"),
        ("own_writes", "activity --ours"),
        ("plan_tags", "tag tea +green"),
        ("read_calls", "activity"),
        ("read_drift", "clients drift zed"),
        ("read_file", "show tea --json"),
        ("read_kept", "kept tea read 1"),
        ("read_server", "servers show stock"),
        ("read_skill", "show tea"),
        ("remove_client", "clients remove custom-editor"),
        ("remove_folder", "library remove f1"),
        ("replace_token", "token codex --replace"),
        ("restart_server", "servers restart stock"),
        ("restore_skill", "restore tea"),
        ("retry_keychain", "secrets retry"),
        ("revoke_server", "servers revoke stock"),
        ("save_report", "doctor --report report.txt"),
        ("search_skills", "list green tea"),
        ("set_app_switch", "settings notify-skills off"),
        ("set_archives", "settings archives on"),
        ("set_ask_sources", "settings ask-sources on"),
        ("set_language", "settings language zh-CN"),
        ("set_port", "settings port 8400"),
        ("set_secret", "secrets set tea stock TOKEN"),
        ("set_surface", "settings prompts off --client codex"),
        ("set_tool_mode", "servers mode codex on-demand"),
        ("set_updates", "settings updates on"),
        ("set_value", "values set tea stock REGION north"),
        ("set_withhold", "settings withhold on"),
        ("set_login_start", "settings login on"),
        ("set_app_menu", "settings menu on"),
        ("settle_copy", "client-folders settle codex tea --replace"),
        ("settle_drift", "clients drift zed --keep"),
        ("settle_kept", "kept tea settle 1"),
        ("sign_in", "servers sign-in stock"),
        ("sign_out", "servers sign-out stock"),
        ("client_folders", "client-folders"),
        ("stop_server", "servers stop stock"),
        ("switch_new_skills", "library new-skills f1 on"),
        ("tag_skills", "tag --yes tea +green -old"),
        ("undo_write", "activity --undo 1"),
        ("switch_tool", "servers switch stock count off"),
        ("templates", "new --help"),
        ("trash_skill", "trash tea"),
        ("unlink_skills", "client-folders unlink codex"),
        ("read_usage", "usage --json"),
        ("save_usage", "usage --csv"),
        ("wipe_usage", "usage --wipe"),
    ];

    /// What only the app has: its dialogs, its windows, its editor's text, what it shows of the desktop, and its package.
    const PICTURES: &[&str] = &[
        "ask_consent",
        "ask_team",
        "team_asked",
        "team_left",
        "cancel_fetching",
        "cancel_sign_in",
        "choose_file",
        "choose_folder",
        "choose_save",
        "choose_zip",
        "close_consent",
        "dismiss_notice",
        "fit_consent",
        "keep_version",
        "leave",
        "look_for_programs",
        "look_for_update",
        "open_link",
        "put_away",
        "quit",
        "read_again",
        "save_skill",
        "show_config",
        "show_data",
        "show_as",
        "show_in_folder",
        "stay",
        "take_up",
        "take_update",
    ];

    #[test]
    fn what_the_window_does_the_command_line_does_too_but_pictures() {
        let ipc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src-tauri/src/ipc.rs");
        let ipc = fs::read_to_string(ipc).unwrap();
        let list = ipc.split("generate_handler![").nth(1).unwrap().split(']').next().unwrap();
        let window: BTreeSet<_> = list.split(',').filter_map(|path| Some(path.split_once("::")?.1)).collect();
        assert!(window.len() > 80, "{window:?}");
        let here = |name: &str| TWINS.iter().any(|(twin, _)| *twin == name) || PICTURES.contains(&name);
        let missing: Vec<_> = window.iter().filter(|name| !here(name)).collect();
        assert!(missing.is_empty(), "no command line does this: {missing:?}");
        let mut named = TWINS.iter().map(|(twin, _)| twin).chain(PICTURES);
        assert_eq!(named.find(|name| !window.contains(*name)), None, "the window no longer has this command");
        for (twin, words) in TWINS {
            let read = command().try_get_matches_from(["skilltender"].into_iter().chain(words.split(' ')));
            let help = read.as_ref().is_err_and(|error| error.kind() == ErrorKind::DisplayHelp);
            assert!(read.is_ok() || help, "{twin}: `{words}` is not accepted: {}", read.unwrap_err());
        }
    }
}
