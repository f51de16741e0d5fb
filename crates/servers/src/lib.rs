//! Which servers may run: the servers that skills need, what each would be started with, and whether a person approved
//! exactly that.
//!
//! The flow has one direction: skills, values and choices become the [`Requirements`], the servers that are wanted, each
//! with a [`LaunchSpec`] that gives the complete command line. The person's [`Approvals`] of launch specs decide what may
//! run; [`Offers`] is the part of it that clients see. `skills` reads declarations. Starting servers, and speaking with
//! them, is left to `gateway`, `processes` and `mcp`: nothing here starts what a skill names.

#![forbid(unsafe_code)]

mod adopted;
mod approvals;
mod consent;
pub mod containers;
mod fetched;
mod held;
mod launch_spec;
mod observed;
mod offers;
mod parameter_values;
mod paths;
mod pins;
mod reaches;
mod readiness;
mod requirement;
mod requirements;
mod runners;
mod servers;
pub mod sign_in;
#[cfg(test)]
mod tests;
mod unfilled;
mod view;

pub use adopted::{Adopted, AdoptedServers, FILE as ADOPTED, OF_CLIENTS};
pub use approvals::{Advertised, AdvertisedChange, Approval, Approvals, FILE, Pinned};
pub use consent::consent;
pub use containers::Containers;
pub use fetched::Fetched;
pub use launch_spec::{Kind, LaunchSpec, SpecSource, find_command, is_path};
pub use observed::{Observed, What};
pub use offers::{Offers, Present};
pub use parameter_values::ParameterValues;
pub use paths::{WINDOWS_ENDINGS, ask as ask_for_programs, find_program, search as search_programs};
pub use pins::{is_version, offered as offered_version};
pub use readiness::{is_ready, missing, problem, readiness};
pub use requirement::Requirement;
pub use requirements::Requirements;
pub use servers::{Run, Servers, held_back};
pub use unfilled::Unfilled;
pub use view::{not_yet, page, renamed, row, said_digest, trouble_of};
