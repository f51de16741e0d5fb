//! The engine as the window and the command line use it: real folders, real files, no window.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod addresses;
mod choices;
#[cfg(unix)]
mod client_folders;
mod corpus;
#[cfg(unix)]
mod declared;
#[cfg(unix)]
mod direct;
#[cfg(target_os = "linux")]
mod doctor;
mod editing;
#[cfg(target_os = "linux")]
mod ending;
mod exporting;
mod forward;
mod harm;
mod home;
mod hostile;
mod importing;
mod library;
mod lifecycle;
mod managed;
#[cfg(unix)]
mod moving;
#[cfg(unix)]
mod odd_files;
mod orders;
mod packing;
#[cfg(unix)]
mod pins;
#[cfg(target_os = "linux")]
mod places;
mod present;
mod searching;
mod secrets;
mod seen;
mod sees;
mod servers;
mod serving;
mod set_folders;
mod sets;
mod settings;
mod shared_switches;
mod source_corpus;
mod sources;
mod tags;
#[cfg(unix)]
mod team;
mod theirs;
mod tokens;
mod trash;
mod trust;
mod uninstalling;
mod usage;
mod versions;
mod watching;
mod without_git;
mod work_trees;
mod writes;
mod zips;
