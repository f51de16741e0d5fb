//! The list of skills that a client gives its model: one line each, which costs tokens in every conversation. Clients
//! with a limit shorten descriptions or leave skills out.
//!
//! The limits are those of Codex (its source: `core-skills/src/render.rs`, pull request 20112) and of Claude Code
//! since 2.1.105 (its settings `skillListingBudgetFraction` and `maxSkillDescriptionChars`). They were read in the
//! source, not tested in a run. Limits of other clients are unknown, but may exist.

use serde::Serialize;

use crate::{Outcome, Skill, Verdict, tokens::about_tokens, verdict};

/// The list of skills of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// One for each given skill, in the same order.
    pub skills: Vec<Listed>,
    /// The approximate cost of the list in every conversation, in tokens.
    pub tokens: usize,
    /// The most it may cost, when the client's limit is known.
    pub budget: Option<Budget>,
}

/// One skill in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// How the client loads the file, and why.
    pub verdict: Verdict,
    /// The number of characters of its description that are shown, when it is shortened.
    pub cut: Option<usize>,
    /// The approximate cost of its line, in tokens; 0 when it is refused or hidden from models.
    pub tokens: usize,
}

/// The most that a list may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Budget {
    /// Approximate number of tokens, for a model's context window of usual size.
    pub tokens: usize,
    /// The source of the limit, and what happens beyond it, as sentences.
    pub rule: &'static str,
}

impl Listing {
    /// Whether the list costs more than it may.
    pub fn is_over(&self) -> bool {
        self.budget.is_some_and(|budget| self.tokens > budget.tokens)
    }
}

struct Limits {
    loader: &'static str,
    /// The most characters of one description.
    description: Option<usize>,
    budget: Budget,
}

const LIMITS: &[Limits] = &[
    Limits {
        loader: "claude-code",
        description: Some(1_536),
        budget: Budget {
            tokens: 2_000,
            rule: "Claude Code gives the list 1 % of the model's window: about 2,000 tokens of 200,000. Beyond it, it leaves out descriptions, those of the skills least used first.",
        },
    },
    Limits {
        loader: "codex",
        description: None,
        budget: Budget {
            tokens: 5_440,
            rule: "Codex gives the list 2 % of the model's window: about 5,440 tokens of 272,000. Beyond it, it cuts all descriptions short, and then leaves out skills.",
        },
    },
];

/// The list of the loader with this id for these skills, each given as its folder's name and its SKILL.md; `None`
/// when the loader is unknown.
pub fn listing<'f>(loader: &str, files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Option<Listing> {
    let limits = LIMITS.iter().find(|limits| limits.loader == loader);
    let skills: Option<Vec<_>> = files.into_iter().map(|(id, file)| listed(loader, limits, id, file)).collect();
    let skills = skills.filter(|_| verdict::is_known(loader))?;
    let tokens = skills.iter().map(|skill| skill.tokens).sum();
    Some(Listing { skills, tokens, budget: limits.map(|limits| limits.budget) })
}

fn listed(loader: &str, limits: Option<&Limits>, id: &str, file: &[u8]) -> Option<Listed> {
    let skill = crate::read(id, file);
    let verdict = verdict::verdict_of(loader, &skill, file)?;
    let description = verdict.description_shown.as_deref().unwrap_or_default();
    let cut = limits.and_then(|limits| limits.description).filter(|most| description.chars().count() > *most);
    let line = line(&verdict, cut);
    let tokens = if is_told(loader, &verdict, &skill) { about_tokens(&line) } else { 0 };
    Some(Listed { verdict, cut, tokens })
}

/// Whether the client shows the skill to its model. Only Claude Code hides skills from models.
fn is_told(loader: &str, verdict: &Verdict, skill: &Skill) -> bool {
    verdict.verdict != Outcome::Refused && (loader != "claude-code" || skill.for_models())
}

fn line(verdict: &Verdict, cut: Option<usize>) -> String {
    let description = verdict.description_shown.as_deref().unwrap_or_default();
    let shown: String = description.chars().take(cut.unwrap_or(usize::MAX)).collect();
    format!("- {}: {shown}\n", verdict.name_shown.as_deref().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(description: &str) -> Vec<u8> {
        format!("---\nname: tea\ndescription: {description}\n---\nBoil water.\n").into_bytes()
    }

    fn one(loader: &str, file: &[u8]) -> Listed {
        listing(loader, [("tea", file)]).unwrap().skills.remove(0)
    }

    #[test]
    fn a_skill_costs_what_its_line_costs() {
        let file = skill("Makes tea.");
        let listing = listing("codex", [("tea", &*file), ("tea", &*file)]).unwrap();
        assert_eq!(listing.tokens, 2 * about_tokens("- tea: Makes tea.\n"));
        assert!(!listing.is_over());
    }

    #[test]
    fn a_refused_skill_costs_nothing_and_says_why() {
        let refused = one("codex", b"no frontmatter");
        assert_eq!((refused.tokens, refused.verdict.verdict), (0, Outcome::Refused));
        assert!(refused.verdict.why[0].starts_with("Codex refuses it"));
    }

    #[test]
    fn claude_code_shows_the_beginning_of_a_long_description() {
        let long = one("claude-code", &skill(&"a".repeat(1_600)));
        assert_eq!(long.cut, Some(1_536));
        assert_eq!(long.tokens, (1_536 + "- tea: \n".len()) / 4);
        assert_eq!(one("claude-code", &skill(&"a".repeat(1_536))).cut, None);
    }

    #[test]
    fn a_skill_that_is_kept_from_models_costs_nothing_in_claude_code_alone() {
        let file = skill("Makes tea.\ndisable-model-invocation: true");
        assert_eq!(one("claude-code", &file).tokens, 0);
        assert!(one("opencode", &file).tokens > 0);
    }

    #[test]
    fn a_list_that_is_too_long_is_over_its_budget_where_one_is_known() {
        let file = skill(&"a".repeat(1_000));
        let many = |loader| listing(loader, (0..30).map(|_| ("tea", &*file))).unwrap();
        assert!(many("codex").is_over() && many("claude-code").is_over());
        let unknown = many("gemini-cli");
        assert!(unknown.budget.is_none() && !unknown.is_over());
    }

    #[test]
    fn of_a_client_that_nobody_ran_nothing_is_claimed() {
        assert_eq!(listing("notepad", []), None);
    }
}
