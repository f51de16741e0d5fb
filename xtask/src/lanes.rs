//! Parts of the tests that run at once, in two lanes: tests of the engine wait for disks, servers and clients for half
//! of their time, and so do those of the window.
//!
//! Each part is this program again, with the programs that are built, and its output is printed as a whole when it
//! ends. After a failure no lane begins another part.

use std::{
    fs,
    io::{self, Write as _},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{
    paths,
    programs::{APP, PROGRAM, Programs},
    step::{Done, Failed, NOT_TESTED, Steps},
};

/// Runs the lanes at once, and the parts of each one after the other; a part is its word and its title.
///
/// # Errors
///
/// What failed in each of them.
pub(crate) fn run(steps: &mut Steps, programs: &Programs, long: bool, lanes: &[Vec<(&str, &str)>]) -> Done {
    let failed = AtomicBool::new(false);
    let done: Vec<_> = thread::scope(|scope| {
        let begun = lanes.iter().map(|lane| scope.spawn(|| one(lane, programs, long, &failed)));
        let begun: Vec<_> = begun.collect();
        begun.into_iter().map(|lane| lane.join().expect("a lane does not panic")).collect()
    });
    let mut whys = Vec::new();
    for (taken, why) in done {
        steps.taken_beside(taken);
        whys.extend(why);
    }
    if whys.is_empty() { Ok(()) } else { Err(Failed(whys.join(" "))) }
}

/// What each part of a lane took, and why it ended early.
type Ended = (Vec<(String, Duration)>, Option<String>);

fn one(lane: &[(&str, &str)], programs: &Programs, long: bool, failed: &AtomicBool) -> Ended {
    let mut taken = Vec::new();
    for (word, title) in lane {
        if failed.load(Ordering::Relaxed) {
            break;
        }
        let start = Instant::now();
        let done = part(word, title, programs, long);
        taken.push(((*title).to_owned(), start.elapsed()));
        if let Err(Failed(why)) = done {
            failed.store(true, Ordering::Relaxed);
            return (taken, Some(why));
        }
    }
    (taken, None)
}

fn part(word: &str, title: &str, programs: &Programs, long: bool) -> Done {
    println!("({title}: begins)");
    let told = paths::cache().join(format!("{word}.log"));
    let file = fs::File::create(&told).map_err(Failed::because)?;
    let mut part = Command::new(std::env::current_exe().map_err(Failed::because)?);
    part.args(["test", word]).args(long.then_some("--long"));
    part.env(PROGRAM, &programs.skilltender).env(APP, &programs.app).env(NOT_TESTED, paths::not_tested());
    part.stdin(Stdio::null()).stdout(file.try_clone().map_err(Failed::because)?).stderr(file);
    let status = part.status().map_err(Failed::because)?;
    // At once, so that no line of the other lane comes between.
    let printed = fs::read(&told).and_then(|text| io::stdout().lock().write_all(&text));
    printed.map_err(Failed::because)?;
    if status.success() { Ok(()) } else { Err(Failed(format!("{title}: it ended with {status}."))) }
}
