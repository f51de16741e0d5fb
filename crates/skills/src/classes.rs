//! Classes of characters, by Unicode's own tables and not by lists of ours: `icu_properties`, the Unicode
//! Consortium's library, which `url` brings along as well. Who judges by them stands elsewhere: what is shown in
//! `visible`, what hides something in `invisible`.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        BidiControl, DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory, PrependedConcatenationMark,
        VariationSelector,
    },
};

/// Joins what stands beside it into one sign.
pub(crate) const JOINER: char = '\u{200d}';
/// Keeps what stands beside it from being joined.
pub(crate) const NON_JOINER: char = '\u{200c}';

/// Whether it orders how text of two directions is shown: Bidi_Control.
pub(crate) fn is_direction(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<BidiControl>().contains(c)
}

/// Whether nothing is drawn for it where it is not known: Default_Ignorable_Code_Point.
pub(crate) fn is_ignorable(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whether it chooses a form of what stands before it: Variation_Selector.
pub(crate) fn is_selector(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<VariationSelector>().contains(c)
}

/// Whether it is a picture that joins others: Extended_Pictographic.
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

/// Whether a person sees nothing, or nothing certain, where it stands: what is ignorable, controls and separators of
/// lines, marks of format that are not drawn themselves, private use, and two that Unicode counts as signs.
pub(crate) fn is_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    // Whole stretches of the most frequent scripts need no look; a test holds them to the tables.
    if matches!(c, '\u{ae}'..='\u{34e}' | '\u{370}'..='\u{5ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f300}'..='\u{1faff}')
    {
        return false;
    }
    is_unseen_by_the_tables(c)
}

fn is_unseen_by_the_tables(c: char) -> bool {
    is_ignorable(c)
        || is_direction(c)
        // The braille pattern without dots, and the place of an object that is not there.
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
