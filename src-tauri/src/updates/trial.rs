//! A trial of the updater: a build with debug assertions takes its configuration from a variable, so that tests can
//! update it from a server of their own. A release takes it from the workflow alone.

use tauri::Context;

/// The variable, as JSON: `url` of the file with the versions, public `key`, and the `version` that this one counts as.
const VARIABLE: &str = "SKILLTENDER_TRIAL_UPDATES";

/// Configures the updater for a trial, if the variable asks for one.
pub(super) fn configure(context: &mut Context, plugin: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(trial) = std::env::var(VARIABLE).ok() else { return };
    let trial: serde_json::Value = match serde_json::from_str(&trial) {
        Ok(trial) => trial,
        Err(why) => return tracing::error!("{VARIABLE} is no JSON: {why}"),
    };
    if let Some(version) = trial["version"].as_str().and_then(|version| version.parse().ok()) {
        context.package_info_mut().version = version;
    }
    let configuration = serde_json::json!({
        "endpoints": [trial["url"]],
        "pubkey": trial["key"],
        "requireSignedVersion": true,
        "dangerousInsecureTransportProtocol": true,
    });
    context.config_mut().plugins.0.insert(plugin.to_owned(), configuration);
}
