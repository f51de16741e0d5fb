//! What the journal says after a change by another program, an error or a kill at every system call.

#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod foreign;
mod records;
#[cfg(target_os = "linux")]
mod tools;
#[cfg(target_os = "linux")]
mod write;
