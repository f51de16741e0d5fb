//! A rule: one row of the table.

use super::{Draft, content::Content};
use crate::{Severity, problem::Fault};

/// Names, for people, of the clients and hosts that object when a rule is broken.
pub(super) mod client {
    pub(crate) const CLAUDE_CODE: &str = "Claude Code";
    pub(crate) const CODEX: &str = "Codex";
    pub(crate) const COPILOT: &str = "Copilot";
    pub(crate) const GEMINI: &str = "Gemini CLI";
    pub(crate) const OPENCODE: &str = "opencode";
    /// Uploads of custom skills to Anthropic's API and apps.
    pub(crate) const UPLOAD: &str = "Anthropic upload";
    /// Hosts that receive skills over MCP and check every byte (SEP-2640).
    pub(crate) const MCP_HOSTS: &str = "MCP hosts";
}

/// A rule for skills.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id, in kebab-case.
    pub id: &'static str,
    /// How serious a violation is.
    pub severity: Severity,
    /// Whether the Agent Skills specification demands it: a host that checks what it receives refuses the skill.
    pub specified: bool,
    /// What it demands, as a sentence.
    pub demands: &'static str,
    /// Why, as a sentence or two.
    pub why: &'static str,
    /// The clients that object, by name; empty when the rule serves people and all models alike.
    pub clients: &'static [&'static str],
    pub(super) look: Look,
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Nothing by itself: the reader of a file or a library reports it.
    Reading,
    /// The frontmatter and the fences: cheap, so it runs on every file at start.
    Frontmatter(fn(&Draft<'_>) -> Vec<Fault>),
    /// Everything: the body, the links, the other files. Runs on request.
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

    /// Sets the function that checks the frontmatter.
    pub(super) const fn found_by(self, look: fn(&Draft<'_>) -> Vec<Fault>) -> Self {
        Self { look: Look::Frontmatter(look), ..self }
    }

    /// Sets the function that checks the whole skill.
    pub(super) const fn found_inside_by(self, look: fn(&mut Content<'_>) -> Vec<Fault>) -> Self {
        Self { look: Look::Content(look), ..self }
    }
}
