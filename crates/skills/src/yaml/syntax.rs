//! Sentences for YAML that cannot be read.

use std::ops::Range;

use granit_parser::ErrorKind;

use crate::problem::Fault;

pub(super) const UNKNOWN_ALIAS: &str = "`*` at the start of a value repeats an earlier one, and no such value has a name (`&`) here. Quote text that starts with `*`.";
pub(super) const TOO_DEEP: &str = "Lists and mappings are nested too deeply here.";

/// Whether YAML forbids this character everywhere (section 5.1 of the specification).
pub(super) fn is_control(character: char) -> bool {
    !matches!(character, '\t' | '\n' | '\r' | '\u{85}') && character.is_control()
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

pub(super) fn control(character: char) -> String {
    format!("There is an invisible control character (U+{:04X}) here; YAML does not allow it.", u32::from(character))
}

/// The fault for an error of the parser.
pub(super) fn fault(kind: &ErrorKind, span: Range<usize>) -> Fault {
    let message = match kind {
        ErrorKind::MappingValueNotAllowed | ErrorKind::SimpleKeyExpected | ErrorKind::InvalidColonPlacement => {
            "A colon followed by a blank starts a value here, where YAML allows none. Quote the text."
        }
        ErrorKind::UnexpectedCharacter { character: '@' | '`' } => {
            "Plain text cannot start with `@` or a backtick in YAML. Quote the text."
        }
        ErrorKind::InvalidBlockScalarHeader => {
            "`|` and `>` take no text on their own line. Put the text on the next lines, indented, or quote it."
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "Text follows the closing quote. Quote the value as a whole."
        }
        ErrorKind::UnclosedQuotedScalar => "A quote is opened here and never closed.",
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator
        | ErrorKind::MismatchedFlowCollectionEnd { .. }
        | ErrorKind::MisplacedFlowCollectionEnd => {
            "A list `[...]` or mapping `{...}` is not closed properly here. Quote the value when it is meant as text."
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            "`- ` starts a list item here, where YAML allows none. Quote the text."
        }
        ErrorKind::TabInIndentation | ErrorKind::TabInBlockIndentation | ErrorKind::TabNotAllowed => {
            "There is a tab where YAML requires blanks. Indent with blanks."
        }
        ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidSimpleKey => {
            "This line fits neither the line before nor a new `key: value`. Check its indentation and its colon."
        }
        ErrorKind::UnknownAnchor | ErrorKind::MissingAnchorOrAliasName => UNKNOWN_ALIAS,
        ErrorKind::RecursionLimitExceeded => return Fault::new("yaml-limit", span, TOO_DEEP),
        other => return Fault::new("yaml-syntax", span, format!("This is not YAML: {other}.")),
    };
    Fault::new("yaml-syntax", span, message)
}
