//! A stored secret may be a reference into a password manager (`op://vault/item/field`): it is followed when a server
//! starts, by that manager's own program, and what it gives is treated like any secret.

use std::{path::PathBuf, process::Stdio, time::Duration};

use tokio::{process::Command, time::timeout};
use zeroize::Zeroizing;

use super::form::find_program;
use crate::secret::Secret;

/// 1Password's references.
const ONE_PASSWORD: &str = "op://";
/// It may ask the person to unlock it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The secret itself.
///
/// # Errors
/// Why a reference leads to none, as a sentence without the reference.
pub(crate) async fn follow(secret: Secret, name: &str, search: &[PathBuf]) -> Result<Secret, String> {
    if !secret.expose().starts_with(ONE_PASSWORD) {
        return Ok(secret);
    }
    let program = find_program("op", search).ok_or_else(|| {
        format!(
            "{name} refers to 1Password, and its program `op` was not found. Install 1Password CLI, then try again."
        )
    })?;
    let mut command = Command::new(program);
    // A reference says where a secret is and not what it is, so it may stand where others can read it.
    command.args(["read", "--no-newline", secret.expose()]);
    command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let failed = || format!("1Password gave nothing for {name}. Unlock it and check the reference, then try again.");
    let output = timeout(PATIENCE, command.output()).await.map_err(|_| failed())?.map_err(|_| failed())?;
    let text = Zeroizing::new(output.stdout);
    if !output.status.success() {
        return Err(failed());
    }
    let text = str::from_utf8(&text).map_err(|_| failed())?;
    Secret::new(text.to_owned()).map_err(|refused| refused.to_string())
}
