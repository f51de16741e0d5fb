//! Classes of characters, from Unicode's tables: `icu_properties`, the Unicode Consortium's library, which `url`
//! depends on too. This module does not judge: `visible` decides what is shown, `hidden_text` what hides something.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        BidiControl, DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory, PrependedConcatenationMark,
        VariationSelector,
    },
};

/// Joins its neighbours into one sign.
pub(crate) const JOINER: char = '\u{200d}';
/// Keeps its neighbours from being joined.
pub(crate) const NON_JOINER: char = '\u{200c}';

/// Whether it controls the display of bidirectional text: Bidi_Control.
pub(crate) fn is_direction(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<BidiControl>().contains(c)
}

/// Whether a program that does not support it draws nothing: Default_Ignorable_Code_Point.
pub(crate) fn is_ignorable(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whether it selects a variant of the character before it: Variation_Selector.
pub(crate) fn is_selector(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<VariationSelector>().contains(c)
}

/// Whether it is a pictograph that can be joined to others: Extended_Pictographic.
pub(crate) fn is_picture(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

/// Whether its meaning is a private agreement, so no two people see the same: General_Category Co.
pub(crate) fn is_private(c: char) -> bool {
    category(c) == GeneralCategory::PrivateUse
}

/// Whether Unicode has no meaning for it yet: General_Category Cn.
pub(crate) fn is_unassigned(c: char) -> bool {
    category(c) == GeneralCategory::Unassigned
}

/// Whether a person sees nothing, or nothing certain, in its place: ignorable characters, controls, line separators,
/// format characters that are not drawn, private use, and two characters that Unicode counts as signs.
pub(crate) fn is_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    // A shortcut for whole ranges of the most frequent scripts; a test compares them with the tables.
    if matches!(c, '\u{ae}'..='\u{34e}' | '\u{370}'..='\u{5ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f300}'..='\u{1faff}')
    {
        return false;
    }
    is_unseen_by_the_tables(c)
}

fn is_unseen_by_the_tables(c: char) -> bool {
    is_ignorable(c)
        || is_direction(c)
        // The braille pattern without dots, and the object replacement character.
        || matches!(c, '\u{2800}' | '\u{fffc}')
        || match category(c) {
            GeneralCategory::Control
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::PrivateUse => true,
            GeneralCategory::Format => !CodePointSetData::new::<PrependedConcatenationMark>().contains(c),
            _ => false,
        }
}

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_stretch_that_is_passed_over_holds_an_unseen_character() {
        for c in '\u{80}'..=char::MAX {
            assert_eq!(is_unseen(c), is_unseen_by_the_tables(c), "U+{:04X}", u32::from(c));
        }
    }

    /// Unicode 17, DerivedCoreProperties.txt and PropList.txt.
    #[test]
    fn the_tables_are_unicodes() {
        let count = |is: fn(char) -> bool| ('\0'..=char::MAX).filter(|&c| is(c)).count();
        assert_eq!(count(is_ignorable), 4_174);
        assert_eq!(count(is_direction), 12);
        assert_eq!(count(is_selector), 260);
    }
}
