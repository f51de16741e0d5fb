//! How much of a model's attention a text costs.

/// About how many characters make a token of English text.
const CHARACTERS_PER_TOKEN: usize = 4;

/// About how many tokens a text has: its characters divided by four, rounded up. Every model
/// counts in its own way, so people are always told "about".
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
