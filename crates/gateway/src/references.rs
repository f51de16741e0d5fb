//! A stored secret may be a reference into a password manager (`op://vault/item/field`). When a server starts,
//! the manager's own program resolves it, and the result is treated like any secret.

use std::{env, path::PathBuf, process::Stdio, time::Duration};

use secrets::{Secret, of_tool};
use servers::find_program;
use tokio::{process::Command, time::timeout};
use zeroize::Zeroizing;

/// The prefix of 1Password's references.
const ONE_PASSWORD: &str = "op://";
/// The variables by which it finds the account, its settings, and the app that unlocks it. The rest of the
/// environment may hold other programs' secrets.
const ITS_VARIABLES: &[&str] = &["OP_", "XDG_", "DBUS_SESSION_BUS_ADDRESS"];
/// It may ask the person to unlock it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Resolves a reference; any other secret is returned as it is.
///
/// # Errors
/// Why a reference cannot be resolved, as a sentence without the reference.
pub(crate) async fn follow(secret: Secret, name: &str, search: &[PathBuf]) -> Result<Secret, String> {
    if !secret.expose().starts_with(ONE_PASSWORD) {
        return Ok(secret);
    }
    let program = find_program("op", search).ok_or_else(|| {
        format!(
            "{name} refers to 1Password, and its program `op` was not found. Install 1Password CLI, then try again."
        )
    })?;
    let mut command = machine::background(program);
    // A reference says where a secret is and not what it is, so it may appear in a command line that others can
    // read.
    command.args(["read", "--no-newline", secret.expose()]);
    of_tool(env::vars_os(), search, ITS_VARIABLES).give(&mut command);
    let mut command = Command::from(command);
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

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use secrets::passed_on;

    use super::*;

    #[tokio::test]
    async fn the_password_manager_gets_its_own_variables_and_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let op = folder.path().join("op");
        // Prints its arguments, then the names of its variables.
        let script = "#!/bin/sh\nprintf '%s\\n' \"$*\"; /usr/bin/env | /usr/bin/cut -d= -f1 | /usr/bin/tr '\\n' ' '\n";
        fs::write(&op, script).unwrap();
        fs::set_permissions(&op, fs::Permissions::from_mode(0o755)).unwrap();
        let search = [folder.path().to_path_buf()];
        let reference = Secret::new("op://tea/pot/key".to_owned()).ok().unwrap();
        let said = follow(reference, "KEY", &search).await.ok().unwrap();
        let (words, names) = said.expose().split_once('\n').unwrap();
        assert_eq!(words, "read --no-newline op://tea/pot/key");
        let names: Vec<_> = names.split_whitespace().collect();
        assert!(names.contains(&"PATH"), "{names:?}");
        let given: Vec<_> = passed_on(ITS_VARIABLES).collect();
        // Variables that the shell itself sets.
        let of_shells = ["PATH", "PWD", "OLDPWD", "SHLVL", "_"];
        let more: Vec<_> = names
            .iter()
            .filter(|name| !of_shells.contains(name) && !given.iter().any(|given| given == *name))
            .collect();
        assert!(more.is_empty(), "{more:?}");
    }

    #[tokio::test]
    async fn a_secret_that_refers_to_nothing_is_itself() {
        let secret = Secret::new("op-is-no-reference".to_owned()).ok().unwrap();
        assert_eq!(follow(secret, "KEY", &[]).await.ok().unwrap().expose(), "op-is-no-reference");
        let reference = Secret::new("op://tea/pot/key".to_owned()).ok().unwrap();
        let why = follow(reference, "KEY", &[]).await.err().unwrap();
        assert!(why.contains("`op` was not found") && !why.contains("tea/pot"), "{why}");
    }
}
