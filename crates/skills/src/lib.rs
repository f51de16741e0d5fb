//! The model of a skill.
//!
//! A skill is a folder with a `SKILL.md` in it: YAML frontmatter (a name, a description, maybe more) and a Markdown
//! body. This crate turns the bytes of such a file into a [`Skill`]. That never fails: every fault becomes a
//! [`Problem`] with its place, a full sentence and, where possible, a fix that changes only the bytes it must. Skills
//! together form a [`Catalog`]; [`address`] defines the URIs of a catalog's skills and their files.
//!
//! The crate is pure: it takes values and returns values. It opens no file and reads no clock or environment;
//! `engine` does that and passes the bytes in.
//!
//! ```
//! let file = b"---\nname: tea\ndescription: Use when: somebody wants tea\n---\nBoil water.\n";
//! let skill = skills::read("tea", file);
//!
//! assert_eq!(skill.description, "Use when: somebody wants tea");
//! assert_eq!(skill.problems[0].place.to_string(), "3:22");
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod address;
mod cached;
mod catalog;
mod check;
mod classes;
mod compact;
mod dependency;
mod document;
mod example_key;
mod fix;
mod frontmatter;
mod hidden_text;
mod inventory;
mod invocation;
mod known_keys;
mod listing;
mod name;
mod nearest;
mod pack;
mod path;
mod personal_mcp;
mod problem;
mod read;
mod rename;
mod repair;
mod said;
mod scan;
mod schema;
mod skill;
mod specified;
mod tag;
mod tokens;
mod typed;
mod verdict;
mod visible;
mod yaml;

pub use address::{Address, Target};
pub use cached::CachedSkill;
pub use catalog::{Catalog, Entry, File, MOST_COUNTED, within_limits};
pub use check::{Disk, Found, RULES, Rule, credentials, examine, examine_on_disk};
pub use dependency::{
    Archived, Container, Launch, LaunchError, Missing, Mount, Parameter, Remote, SecretHeader, Server, Slot, Start,
    Suggestion, Way, WayKind, archived, holds_password, launch, looks_secret, missing, redirects, suggestions,
    suggestions_of_codex, written_out,
};
pub use fix::{Applied, Fixed, fix_all, fix_all_among, keep_names_apart};
pub use hidden_text::{HiddenKind, HiddenText, invisible};
pub use inventory::{Inventory, Scripts, carried};
pub use invocation::Argument;
pub use listing::{Budget, Listed, Listing, listing};
pub use name::is_kebab_case;
pub use pack::{PackFile, PackOptions, PackRefused, Packed, pack, project};
pub use path::{SkillPath, below};
pub use personal_mcp::{PersonalMcp, Reference};
pub use problem::{Fix, Problem, Severity};
pub use read::{read, unread};
pub use rename::rename;
pub use scan::{Danger, Finding, SIGNS, Sign, scan};
pub use schema::schema;
pub use skill::{Reading, Skill};
pub use tag::{Untagged, tag};
pub use tokens::about_tokens;
pub use verdict::{Outcome, Verdict, verdicts};
pub use visible::{visible, visible_json, visible_line};
