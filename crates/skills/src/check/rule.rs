//! What a rule is: one row of the table.

use super::{Draft, content::Content};
use crate::{Severity, problem::Fault};

/// Clients and hosts that mind when a rule is broken, by the names that people know them by.
pub(super) mod client {
    pub(crate) const CLAUDE_CODE: &str = "Claude Code";
    pub(crate) const CODEX: &str = "Codex";
    pub(crate) const COPILOT: &str = "Copilot";
    pub(crate) const GEMINI: &str = "Gemini CLI";
    pub(crate) const OPENCODE: &str = "opencode";
    /// Uploads of custom skills to Anthropic's API and apps.
    pub(crate) const UPLOAD: &str = "Anthropic upload";
    /// Hosts that take skills over MCP and check every byte (SEP-2640).
    pub(crate) const MCP_HOSTS: &str = "MCP hosts";
}

/// A rule that a skill is held to.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// What names it, in kebab-case.
    pub id: &'static str,
    /// How much breaking it matters.
    pub severity: Severity,
    /// Whether it is the Agent Skills specification's: a host that checks what it is served
    /// refuses the skill.
    pub specified: bool,
    /// What it demands, as a sentence.
    pub demands: &'static str,
    /// Why, as a sentence or two.
    pub why: &'static str,
    /// The clients that mind, by name; empty where the rule is for people and for every model alike.
    pub clients: &'static [&'static str],
    pub(super) look: Look,
}

/// Where a rule looks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Nowhere by itself: what it is about comes to light while a file or a library is read.
    Reading,
    /// In the frontmatter and the fences: cheap, so it runs on every file at start.
    Frontmatter(fn(&Draft<'_>) -> Vec<Fault>),
    /// In everything: the body, the links, the other files. Runs when somebody asks.
    Content(fn(&mut Content<'_>) -> Vec<Fault>),
}

impl Rule {
    pub(super) const fn new(id: &'static str, severity: Severity, demands: &'static str) -> Self {
        Self { id, severity, specified: false, demands, why: "", clients: &[], look: Look::Reading }
    }

    pub(super) const fn because(self, why: &'static str) -> Self {
        Self { why, ..self }
    }

    pub(super) const fn minded_by(self, clients: &'static [&'static str]) -> Self {
        Self { clients, ..self }
    }

    pub(super) const fn specified(self) -> Self {
        Self { specified: true, ..self }
    }

    /// The function that finds it in the frontmatter.
    pub(super) const fn found_by(self, look: fn(&Draft<'_>) -> Vec<Fault>) -> Self {
        Self { look: Look::Frontmatter(look), ..self }
    }

    /// The function that finds it in the whole skill.
    pub(super) const fn found_inside_by(self, look: fn(&mut Content<'_>) -> Vec<Fault>) -> Self {
        Self { look: Look::Content(look), ..self }
    }
}
