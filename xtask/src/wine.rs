//! What of Windows can be run on Linux: the crates' tests, and `skilltender.exe` from end to end, in Wine.
//!
//! Wine is no Windows. What passes here is shown for the calls that Wine carries out as Windows does; what it cannot is
//! named below with its reason, and left to the hosted workflow.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    paths,
    step::{Done, Failed, Steps, cargo, output_of, run},
};

/// The target that is linked with Debian's own tools.
pub(crate) const TARGET: &str = "x86_64-pc-windows-gnu";

/// Tests that do not pass in Wine, by their full names, and why.
const CANNOT: &[(&str, &str)] = &[
    ("watch::tests::one_watch_of_a_library_folder_tells_what_happens_far_below_it", BELOW),
    ("engine::staleness::with_a_watch_each_answer_is_fresh", BELOW),
    ("engine::staleness::right_after_the_start_each_answer_is_fresh", BELOW),
    ("client_watch::tests::every_client::every_client_is_connected_from_nothing_and_leaves_nothing", KEPT),
    ("client_watch::tests::one_client::a_missing_file_and_its_folder_are_made_and_go_again", KEPT),
    ("client_watch::tests::undo::a_file_that_we_made_goes_with_its_folders_and_comes_back", KEPT),
    ("corpus::every_skill_of_the_corpus_is_found_and_opens", CORPUS),
    ("corpus::every_skill_of_the_corpus_is_packed_or_refused_with_its_reasons", CORPUS),
    ("packing::an_independent_program_unpacks_what_was_packed", "Wine has no Python"),
    (
        "servers::agreed::a_program_of_the_skill_is_agreed_to_with_its_content_also_where_nobody_noticed_the_change",
        "its server is a script of `sh`, which Wine has not",
    ),
    (
        "watching::a_snapshot_is_published_only_when_it_differs",
        "in Wine there is one snapshot more, and why is not known yet",
    ),
];

const BELOW: &str = "Wine reports nothing from below a folder that nobody has opened";
const CORPUS: &str = "the list of the corpus names its files as Linux does";
const KEPT: &str = "in Wine a folder that is removed keeps its name while it is watched";

/// What is missing to run anything, as a command.
pub(crate) fn missing() -> Option<String> {
    output_of(Command::new("wine").arg("--version")).is_none().then(|| "apt-get install wine64".to_owned())
}

/// Runs everything. The compiler of [`TARGET`] must be there.
///
/// # Errors
/// When Wine cannot be prepared, or a test fails.
pub(crate) fn test(compiler: &str, steps: &mut Steps) -> Done {
    let prefix = steps.step("Wine", || prepare(compiler))?;
    let done = steps
        .step("the crates' tests in Wine", || crates(&prefix))
        .and_then(|()| steps.step("skilltender.exe from end to end", || from_end_to_end(compiler, &prefix)));
    stop(&prefix);
    done
}

/// Ends Wine's services, which would stay behind.
pub(crate) fn stop(prefix: &Path) {
    drop(output_of(in_wine(&mut Command::new("wineserver"), prefix).arg("-k")));
}

/// Makes Wine's own folder, with what this Wine lacks.
///
/// # Errors
/// When a step of it fails.
pub(crate) fn prepare(compiler: &str) -> Done<PathBuf> {
    let prefix = paths::cache().join("wine");
    let system = prefix.join("drive_c/windows/system32");
    if !system.is_dir() {
        fs::create_dir_all(&prefix).map_err(Failed::because)?;
        run(in_wine(&mut Command::new("wineboot"), &prefix).arg("--init"))?;
    }
    let library = system.join("bcryptprimitives.dll");
    if !library.is_file() {
        let source = paths::root().join("xtask/src/wine/bcryptprimitives.c");
        run(Command::new(compiler).args(["-shared", "-O1", "-o"]).arg(&library).arg(source).arg("-ladvapi32"))?;
    }
    empty_temporary(&prefix.join("drive_c/users"))?;
    Ok(prefix)
}

/// Removes what earlier tests left in the people's folders of temporary files.
fn empty_temporary(users: &Path) -> Done {
    let entries = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders =
        entries(users.to_path_buf()).flat_map(|user| ["Temp", "AppData/Local/Temp"].map(|below| user.join(below)));
    let left = folders.filter(|folder| !folder.is_symlink()).flat_map(entries).filter(|path| path.is_dir());
    left.into_iter().try_for_each(|folder| fs::remove_dir_all(folder).map_err(Failed::because))
}

/// The tests of the crates, the command line's among them.
fn crates(prefix: &Path) -> Done {
    for (name, why) in CANNOT {
        println!("skipped: {name} ({why})");
    }
    let packages: Vec<_> = paths::crates().iter().map(|name| format!("--package={name}")).collect();
    // The servers and children that the tests start. `cargo test --examples` would build them as tests.
    run(cargo(&["build", "--locked", "--target", TARGET, "--examples"]).args(&packages))?;
    let mut tests = cargo(&["test", "--locked", "--target", TARGET, "--no-fail-fast", "--tests"]);
    tests.args(&packages).args(["--", "--exact"]);
    tests.args(CANNOT.iter().flat_map(|(name, _)| ["--skip", name]));
    let tests = in_wine(&mut tests, prefix);
    tests.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine").env("SKILLTENDER_EXAMPLES", "built");
    run(tests.env("INSTA_WORKSPACE_ROOT", paths::root()))
}

/// `skilltender.exe`, seen from Linux.
fn from_end_to_end(compiler: &str, prefix: &Path) -> Done {
    let start = paths::cache().join("start.exe");
    run(Command::new(compiler).args(["-O1", "-o"]).arg(&start).arg(paths::root().join("xtask/src/wine/start.c")))?;
    run(&mut cargo(&["build", "--locked", "--target", TARGET, "--package=cli"]))?;
    run(&mut cargo(&["build", "--locked", "--target", TARGET, "--package=engine", "--example=server"]))?;
    let built = paths::target().join(TARGET).join("debug");
    let mut tests = cargo(&["test", "--locked", "--package=tests", "--features=wine", "--test=wine"]);
    let tests = in_wine(&mut tests, prefix);
    tests.env("SKILLTENDER_WINE_PROGRAM", built.join("skilltender.exe")).env("SKILLTENDER_WINE_START", start);
    run(tests.env("SKILLTENDER_WINE_SERVER", built.join("examples/server.exe")))
}

/// Sets where Wine keeps its Windows, without its chatter, its offers to install more, and a screen.
pub(crate) fn in_wine<'c>(command: &'c mut Command, prefix: &Path) -> &'c mut Command {
    command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", "mscoree,mshtml=");
    command.env_remove("DISPLAY")
}
