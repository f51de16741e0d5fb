//! Time, processor time and memory of this and of other processes (Linux).

use std::{
    fs,
    time::{Duration, Instant},
};

use nix::{time::ClockId, unistd::Pid};

/// How long it takes, in milliseconds, and what it gives.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let value = work();
    (milliseconds(start.elapsed()), value)
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// The part of sorted figures that is not larger than this one.
pub(crate) fn percentile(figures: &mut [f64], percent: usize) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[(figures.len() * percent / 100).min(figures.len() - 1)]
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    percentile(&mut figures, 50)
}

/// The processor time that a process has used, in milliseconds, with that of its threads that have ended.
pub(crate) fn processor_time(process: u32) -> f64 {
    let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(process.cast_signed())).unwrap();
    milliseconds(clock.now().unwrap().into())
}

/// The memory of a process, in MB: its proportional share, so that what is shared counts in part.
pub(crate) fn memory(process: u32) -> f64 {
    // An engine lets nobody but the administrator look closer than at all that it holds.
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup"));
    let all = || fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let told = rollup.unwrap_or_else(|_| all());
    let line = told.lines().find(|line| line.starts_with("Pss:") || line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

/// How many folders a process watches, as far as it may be looked at.
pub(crate) fn watches(process: u32) -> usize {
    let files = fs::read_dir(format!("/proc/{process}/fdinfo")).into_iter().flatten().filter_map(Result::ok);
    let count = |text: String| text.lines().filter(|line| line.starts_with("inotify")).count();
    files.filter_map(|file| fs::read_to_string(file.path()).ok()).map(count).sum()
}
