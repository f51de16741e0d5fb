//! The approximate cost of a text for a model.

/// Approximate characters per token of English text.
const CHARACTERS_PER_TOKEN: usize = 4;

/// The approximate number of tokens of a text: its characters divided by four, rounded up. Every model counts
/// differently, so messages always say "about".
pub fn about_tokens(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_PER_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_characters_are_about_a_token() {
        assert_eq!(["", "tea", "teas", "kettle", "日本語です"].map(about_tokens), [0, 1, 1, 2, 2]);
    }
}
