//! One function per thing that a person can do. The window and the command line call these and
//! nothing else, so everything that one can do, the other and a test can do too.
//!
//! An action does its own reading and writing, hands what it learnt to the loop
//! ([`Engine::change`](crate::Engine)) and returns when the new snapshot is out.

mod clients;
mod find;
mod folders;
mod search;
mod secrets;
mod serving;
mod settings;
mod skills;

pub use clients::{connect_client, disconnect_client, plan_connect, plan_disconnect};
pub use find::find_skill;
pub use folders::{add_folder, dismiss_notice, finish_first_run, give_notice, remove_folder};
pub use search::search_skills;
pub use secrets::{delete_secret, retry_keychain, set_secret, set_value};
pub use serving::pause;
pub use settings::{set_archives, set_surface};
pub use skills::{check_text, enable_skill, fix_skill, keep_version, read_file, read_skill, save_skill};

use crate::view::{ActionError, ErrorKind};

/// An error without hints.
pub(crate) fn failed(kind: ErrorKind, message: impl Into<String>) -> ActionError {
    ActionError { kind, message: message.into(), hints: Vec::new() }
}

/// Runs what waits for the disk, or for a keychain's person, where waiting disturbs nobody.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| failed(ErrorKind::System, "Skilltender is quitting, so this was not done."))?
}
