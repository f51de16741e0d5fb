//! What the journal says after a change by another program, an error or a kill at every system call.

#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod foreign;
mod records;
#[cfg(target_os = "linux")]
mod write;

/// Runs `act` on each of many cases, on all cores.
#[cfg(target_os = "linux")]
fn each<T: Sync>(cases: &[T], act: impl Fn(&T) + Sync) {
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let act = &act;
            scope.spawn(move || cases.iter().skip(worker).step_by(workers).for_each(act));
        }
    });
}
