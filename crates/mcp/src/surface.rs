//! The parts of the server that the user can switch off, for all clients or for one (decision 27). A disabled part
//! lists nothing, is not announced, and answers every call with a sentence that says where to enable it. A pause
//! disables all of them.

use serde::{Deserialize, Serialize};

use crate::{Caller, Host};

/// The answer to every call while serving is paused.
const PAUSED: &str = "Skilltender is paused. Resume it in its window or in its tray menu, then try again.";

/// One part of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// `list_skills` and `get_skill` (the skills server specification).
    Tools,
    /// The usage guide, and one prompt per skill.
    Prompts,
    /// The files of skills and the `resource://` family.
    Resources,
    /// `skills/*` and `resources/directory/read` (SEP-2640). Their files are resources.
    Skills,
}

impl Surface {
    /// All parts, in display order.
    pub const ALL: [Self; 4] = [Self::Tools, Self::Prompts, Self::Resources, Self::Skills];

    /// The part that a method belongs to.
    pub(crate) fn of(method: &str) -> Self {
        match method.split('/').next() {
            Some("tools") => Self::Tools,
            Some("prompts") => Self::Prompts,
            Some("skills") => Self::Skills,
            _ if method == "resources/directory/read" => Self::Skills,
            _ => Self::Resources,
        }
    }

    /// The answer to a call while the part is disabled.
    fn off(self) -> &'static str {
        match self {
            Self::Tools => {
                "Tools are switched off for this client. Switch them on in Skilltender's window, under Settings, then try again."
            }
            Self::Prompts => {
                "Prompts are switched off for this client. Switch them on in Skilltender's window, under Settings, then try again."
            }
            Self::Resources => {
                "Resources are switched off for this client. Switch them on in Skilltender's window, under Settings, then try again."
            }
            Self::Skills => {
                "The skills extension is switched off for this client. Switch it on in Skilltender's window, under Settings, then try again."
            }
        }
    }
}

/// Which parts of the server one client may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surfaces {
    /// See [`Surface::Tools`].
    pub tools: bool,
    /// See [`Surface::Prompts`].
    pub prompts: bool,
    /// See [`Surface::Resources`].
    pub resources: bool,
    /// See [`Surface::Skills`].
    pub skills: bool,
}

impl Default for Surfaces {
    /// All of them.
    fn default() -> Self {
        Self { tools: true, prompts: true, resources: true, skills: true }
    }
}

impl Surfaces {
    /// Whether this part may be used. The extension's files are read as resources: without these it is disabled too.
    pub fn allow(self, surface: Surface) -> bool {
        match surface {
            Surface::Tools => self.tools,
            Surface::Prompts => self.prompts,
            Surface::Resources => self.resources,
            Surface::Skills => self.skills && self.resources,
        }
    }
}

/// Why this part is closed to the caller now, as a sentence.
pub(crate) fn closed<H: Host>(host: &H, caller: &Caller, surface: Surface) -> Option<&'static str> {
    if host.paused() {
        return Some(PAUSED);
    }
    (!host.surfaces(caller).allow(surface)).then(|| surface.off())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_belongs_to_one_part() {
        for (method, surface) in [
            ("tools/call", Surface::Tools),
            ("prompts/get", Surface::Prompts),
            ("resources/read", Surface::Resources),
            ("resources/templates/list", Surface::Resources),
            ("completion/complete", Surface::Resources),
            ("subscriptions/listen", Surface::Resources),
            ("resources/directory/read", Surface::Skills),
            ("skills/list", Surface::Skills),
        ] {
            assert_eq!(Surface::of(method), surface, "{method}");
        }
    }

    #[test]
    fn without_resources_there_is_no_skills_extension() {
        let without = Surfaces { resources: false, ..Surfaces::default() };
        assert!(!without.allow(Surface::Skills) && without.allow(Surface::Prompts));
        assert!(Surface::ALL.iter().all(|surface| Surfaces::default().allow(*surface)));
    }
}
