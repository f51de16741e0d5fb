//! Time, processor time and memory of this and of other processes (Linux).

use std::{
    fs,
    time::{Duration, Instant},
};

/// The duration of `work` in milliseconds, and its result.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let value = work();
    (milliseconds(start.elapsed()), value)
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// The percentile of the figures, which it sorts.
pub(crate) fn percentile(figures: &mut [f64], percent: usize) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[(figures.len() * percent / 100).min(figures.len() - 1)]
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    percentile(&mut figures, 50)
}

/// The processor time of a process in milliseconds, including its ended threads.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time(process: u32) -> f64 {
    use nix::{time::ClockId, unistd::Pid};

    let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(process.cast_signed())).unwrap();
    milliseconds(clock.now().unwrap().into())
}

/// Not known on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time(_: u32) -> f64 {
    f64::NAN
}

/// The memory of a process in MB: its proportional set size, so that shared pages count in part.
pub(crate) fn memory(process: u32) -> f64 {
    // Only the administrator may read more than the total of an engine's memory.
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup"));
    let all = || fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let told = rollup.unwrap_or_else(|_| all());
    let line = told.lines().find(|line| line.starts_with("Pss:") || line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

/// The number of folders that a process watches, when it may be read.
pub(crate) fn watches(process: u32) -> usize {
    let files = fs::read_dir(format!("/proc/{process}/fdinfo")).into_iter().flatten().filter_map(Result::ok);
    let count = |text: String| text.lines().filter(|line| line.starts_with("inotify")).count();
    files.filter_map(|file| fs::read_to_string(file.path()).ok()).map(count).sum()
}
