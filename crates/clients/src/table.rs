//! One row per client. Each fact about a client is here and nowhere else.

mod agents;
mod anthropic;
mod apps;
mod code;
mod editors;
mod more_agents;
mod more_apps;
mod more_editors;
mod newer_agents;
mod parts;

#[cfg(test)]
mod tests;

use crate::Client;

/// Every known client, in display order.
pub static TABLE: &[&Client] = &[
    &anthropic::CLAUDE_DESKTOP,
    &anthropic::CLAUDE_CODE,
    &code::CURSOR,
    &code::VSCODE,
    &agents::COPILOT_CLI,
    &agents::CODEX,
    &agents::GEMINI_CLI,
    &agents::OPENCODE,
    &code::VSCODE_INSIDERS,
    &code::VSCODIUM,
    &code::VISUAL_STUDIO,
    &more_editors::DEVIN,
    &code::WINDSURF,
    &editors::ZED,
    &editors::ANTIGRAVITY,
    &editors::CLINE,
    &apps::LM_STUDIO,
    &code::KIRO,
    &agents::QWEN_CODE,
    &agents::KILO_CODE,
    &apps::CONTINUE,
    &apps::GOOSE,
    &more_agents::AMP,
    &apps::WARP,
    &editors::JUNIE,
    &editors::JETBRAINS_AI,
    &more_editors::COPILOT_JETBRAINS,
    &more_editors::JETBRAINS_AIR,
    &more_agents::CRUSH,
    &code::TRAE,
    &more_editors::TRAE_CN,
    &more_editors::QODER,
    &newer_agents::OPENCLAW,
    &newer_agents::HERMES_AGENT,
    &more_agents::FACTORY_DROID,
    &more_agents::KIMI_CODE,
    &more_agents::AUGGIE,
    &more_agents::MISTRAL_VIBE,
    &more_agents::GROK_BUILD,
    &editors::ROO_CODE,
    &more_editors::ZOO_CODE,
    &more_agents::MCPORTER,
    &more_agents::AMAZON_Q,
    &apps::BOLTAI,
    &more_apps::JAN,
    &more_apps::ANYTHINGLLM,
    &more_apps::LIBRECHAT,
    &more_agents::MASTRA_CODE,
    &more_agents::PI,
    &newer_agents::OH_MY_PI,
    &more_agents::FX,
];

/// The row of a client.
pub fn client(id: &str) -> Option<&'static Client> {
    TABLE.iter().find(|client| client.id == id).copied()
}

/// The rows that an unknown client can be modelled on: one for each form of an entry. The user supplies the path of its
/// file.
pub fn models() -> Vec<&'static Client> {
    let mut models: Vec<&'static Client> = Vec::new();
    for client in TABLE {
        let way = |client: &Client| (client.format, client.key, client.stdio, client.http);
        let known = models.iter().any(|other| way(other) == way(client));
        if !known {
            models.push(client);
        }
    }
    models
}
