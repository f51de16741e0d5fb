//! Reasons why YAML cannot be read, as sentences that never quote the file.

use granit_parser::ErrorKind;

pub(super) const CONTROL: &str = "there is an invisible control character";
pub(super) const SECOND_DOCUMENT: &str = "a second document begins there, and this client reads one";
pub(super) const TOO_DEEP: &str = "lists and maps are nested too deeply";
pub(super) const ITSELF: &str = "this value would contain itself";
pub(super) const DUPLICATE: &str = "this name is there a second time";
pub(super) const OTHER: &str = "this is not YAML";

/// Whether YAML forbids this character everywhere (section 5.1 of the specification).
pub(super) fn is_control(character: char) -> bool {
    !matches!(character, '\t' | '\n' | '\r' | '\u{85}') && character.is_control()
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// The sentence for an error of the parser.
pub(super) fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::MappingValueNotAllowed | ErrorKind::SimpleKeyExpected | ErrorKind::InvalidColonPlacement => {
            "a colon starts a value where YAML allows none"
        }
        ErrorKind::UnexpectedCharacter { .. } => "this character cannot begin a value; it needs quotes",
        ErrorKind::InvalidBlockScalarHeader => "there is text after the sign that begins a block of text",
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "text follows the closing quote"
        }
        ErrorKind::UnclosedQuotedScalar => "the quote that opens here is never closed",
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator
        | ErrorKind::MismatchedFlowCollectionEnd { .. }
        | ErrorKind::MisplacedFlowCollectionEnd => "a bracket is not closed as it was opened",
        ErrorKind::BlockSequenceEntryNotAllowed => "a list item begins where YAML allows none",
        ErrorKind::TabInIndentation | ErrorKind::TabInBlockIndentation | ErrorKind::TabNotAllowed => {
            "there is a tab where YAML requires blanks"
        }
        ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidSimpleKey => {
            "this line fits neither the line before nor a new name; its indentation is off"
        }
        ErrorKind::UnknownAnchor | ErrorKind::MissingAnchorOrAliasName => "a value is repeated that has no name here",
        ErrorKind::RecursionLimitExceeded => TOO_DEEP,
        _ => OTHER,
    }
}
