//! The known clients, one row each. A row lists the differences from [`STRICT`].
//!
//! The rows record what these versions did in real runs: Codex 0.169.0, Gemini CLI 0.61.0, Claude Code 2.1.197,
//! GitHub Copilot CLI 1.0.102, opencode 1.18.33, `skills` (vercel) 1.5.18, openskills 1.5.0 and skills-ref 0.1.1.
//! `tests/golden/verdicts.rs` compares the rows with those runs.

use super::{
    client::{Client, Needs},
    dialect::{Dialect, Duplicates, Kind, Tags},
    fences::{Closing, Empty, Fences, Opening},
    field::{Field, Lack, Takes},
    lines, repairs, rules, words,
};

/// Every client.
pub(super) const CLIENTS: &[Client] = &[
    Client {
        id: "codex",
        name: "Codex",
        lossy: false,
        fences: Some(Fences { opening: Opening::Trimmed, closing: Closing::Trimmed, empty: Empty::Nothing, ..FENCES }),
        dialect: Some(Dialect {
            duplicates: Duplicates::RefusedWhereTyped,
            beyond_limits: true,
            typed: &[
                ("name", Kind::Single),
                ("description", Kind::Single),
                ("metadata", Kind::Mapping),
                ("metadata.short-description", Kind::Single),
            ],
            ..SERDE_YAML
        }),
        repair: Some(repairs::quote_colons_and_openers),
        name_field: Field {
            takes: Takes::Scalars,
            null: Lack::Folder,
            missing: Lack::Folder,
            empty: Lack::Folder,
            tidied: &[rules::one_line],
            demands: &[rules::at_most_64],
            ..NAME
        },
        description: Field { takes: Takes::Scalars, tidied: &[rules::one_line], ..DESCRIPTION },
        ..STRICT
    },
    Client {
        id: "gemini-cli",
        name: "Gemini CLI",
        fences: Some(PLAIN_FENCES),
        dialect: Some(JS_YAML),
        by_line: Some(lines::last_with_continuations),
        needs: Needs { yaml: false, mapping: false, ..ALL },
        name_field: Field { empty: Lack::Empty, tidied: &[rules::no_path_characters], ..NAME },
        description: Field { empty: Lack::Empty, ..DESCRIPTION },
        ..STRICT
    },
    Client {
        id: "claude-code",
        name: "Claude Code",
        fences: Some(Fences { closing: Closing::Anywhere, ..FENCES }),
        dialect: Some(Dialect { duplicates: Duplicates::LastHolds, merges: true, ..YAML_1_2 }),
        repair: Some(repairs::quote_special),
        needs: Needs { frontmatter: false, yaml: false, mapping: false },
        name_field: FOLDER,
        description: Field {
            takes: Takes::Values,
            other: Lack::Body(rules::first_line),
            null: Lack::Body(rules::first_line),
            missing: Lack::Body(rules::first_line),
            empty: Lack::Body(rules::first_line),
            tidied: &[rules::trimmed],
            ..DESCRIPTION
        },
        complaints: &[rules::not_for_the_model, rules::not_for_the_person],
        ..STRICT
    },
    Client {
        id: "copilot",
        name: "Copilot",
        mark: true,
        needs: Needs { mapping: false, ..ALL },
        name_field: Field {
            missing: Lack::Folder,
            tidied: &[rules::trimmed, rules::hyphens_for_blanks],
            demands: &[rules::at_most_64, rules::ascii_name],
            ..NAME
        },
        description: Field {
            missing: Lack::Body(rules::first_lines),
            empty: Lack::Empty,
            demands: &[rules::at_most_1024_units],
            ..DESCRIPTION
        },
        demands: &[rules::argument_hint_is_text, rules::allowed_tools_are_text, rules::switches_are_on_or_off],
        ..STRICT
    },
    Client {
        id: "opencode",
        name: "opencode",
        mark: true,
        // gray-matter
        fences: Some(Fences { opening: Opening::Language, closing: Closing::Start, unclosed: true, ..FENCES }),
        dialect: Some(JS_YAML),
        repair: Some(repairs::block_colons),
        repair_fences: Some(PLAIN_FENCES),
        needs: Needs { mapping: false, ..ALL },
        name_field: Field { empty: Lack::Empty, ..NAME },
        description: Field { missing: Lack::Nothing, empty: Lack::Empty, ..DESCRIPTION },
        ..STRICT
    },
    Client {
        id: "skills-cli",
        name: "The skills CLI",
        fences: Some(PLAIN_FENCES),
        dialect: Some(YAML_1_2),
        needs: Needs { mapping: false, ..ALL },
        name_field: Field { tidied: &[rules::no_control_characters, rules::line_ends_as_blanks], ..NAME },
        description: Field { tidied: &[rules::no_control_characters, rules::line_ends_as_blanks], ..DESCRIPTION },
        demands: &[rules::not_internal],
        ..STRICT
    },
    Client {
        id: "openskills",
        name: "openskills",
        fences: None,
        dialect: None,
        by_line: Some(lines::first_in_file),
        name_field: FOLDER,
        description: Field { missing: Lack::Empty, empty: Lack::Empty, ..DESCRIPTION },
        ..STRICT
    },
    Client {
        id: "skills-ref",
        name: "skills-ref",
        lossy: false,
        fences: Some(Fences { opening: Opening::Anything, closing: Closing::Anywhere, ..FENCES }),
        dialect: Some(Dialect {
            tags: Tags::Refused,
            flow: false,
            surrogates: true,
            old_line_ends: false,
            texts: &[words::is_null_word],
            ..SERDE_YAML
        }),
        name_field: Field { takes: Takes::Scalars, tidied: &[rules::trimmed], ..NAME },
        description: Field { takes: Takes::Scalars, tidied: &[rules::trimmed], ..DESCRIPTION },
        complaints: &[
            rules::six_keys,
            rules::short_name,
            rules::lowercase_name,
            rules::hyphenated_name,
            rules::word_name,
            rules::folder_name,
            rules::short_description,
            rules::compatibility_is_short_text,
        ],
        ..STRICT
    },
];

/// Accepts only what the specification allows; the base of all rows.
const STRICT: Client = Client {
    id: "",
    name: "",
    lossy: true,
    mark: false,
    fences: Some(FENCES),
    dialect: Some(SERDE_YAML),
    repair: None,
    repair_fences: None,
    by_line: None,
    needs: ALL,
    name_field: NAME,
    description: DESCRIPTION,
    demands: &[],
    complaints: &[],
};

const ALL: Needs = Needs { frontmatter: true, yaml: true, mapping: true };

/// Two lines `---`, optionally followed by blanks.
const FENCES: Fences =
    Fences { opening: Opening::Blanks, closing: Closing::Blanks, empty: Empty::Frontmatter, unclosed: false };

/// A line of exactly `---`, then any that starts so: `^---\n(...)\n---`.
const PLAIN_FENCES: Fences = Fences { opening: Opening::Exact, closing: Closing::Start, empty: Empty::Line, ..FENCES };

/// serde_yaml on libyaml, used by Codex and Copilot: YAML 1.1 in its lines, 1.2 in its words.
const SERDE_YAML: Dialect = Dialect {
    controls: false,
    duplicates: Duplicates::Refused,
    tags: Tags::Ignored,
    flow: true,
    beyond_limits: false,
    surrogates: false,
    old_line_ends: true,
    leading_tabs: false,
    loose_quotes: true,
    last_line_end: false,
    merges: false,
    words: &[words::is_infinite],
    texts: &[words::is_led_by_zero],
    typed: &[],
};

/// js-yaml, used by Gemini CLI and opencode.
const JS_YAML: Dialect = Dialect {
    tags: Tags::UnknownRefused,
    beyond_limits: true,
    surrogates: true,
    old_line_ends: false,
    leading_tabs: true,
    last_line_end: true,
    merges: true,
    words: &[words::is_infinite, words::is_date, words::is_underscored, words::is_sexagesimal],
    texts: &[words::is_new_octal],
    ..SERDE_YAML
};

/// The YAML 1.2 readers of Claude Code and the skills CLI.
const YAML_1_2: Dialect = Dialect {
    controls: true,
    beyond_limits: true,
    surrogates: true,
    old_line_ends: false,
    loose_quotes: false,
    texts: &[],
    ..SERDE_YAML
};

/// A required name, as text.
const NAME: Field = Field {
    key: "name",
    takes: Takes::Text,
    other: Lack::Refused,
    null: Lack::Refused,
    missing: Lack::Refused,
    empty: Lack::Refused,
    tidied: &[],
    demands: &[],
};

/// Always the folder's name.
const FOLDER: Field = Field { takes: Takes::Nothing, missing: Lack::Folder, ..NAME };

/// A required description, as text.
const DESCRIPTION: Field = Field { key: "description", ..NAME };
