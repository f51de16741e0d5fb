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

/// Whether a person sees nothing, or nothing certain, where it stands: what is ignorable, controls and separators of
/// lines, marks of format that are not drawn themselves, private use, and two that Unicode counts as signs.
pub(crate) fn is_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
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
