//! What we call the tools and prompts of other servers: `<server>__<tool>` (decision 33).
//!
//! Clients put `mcp__skilltender__` before it, and models take names of 64 characters, so ours has 46. A name that is
//! too long, or holds what none may, is cut and ends in a digest of the whole.

use sha2::{Digest as _, Sha256};

/// The longest name, in characters.
const LONGEST: usize = 46;
/// How many hexadecimal digits tell two names apart that were cut alike.
const DIGITS: usize = 8;

/// Our name for a tool or a prompt of a server. It always holds `__`, which no tool of our own does.
pub fn our_name(server: &str, own: &str) -> String {
    let whole = format!("{server}__{own}");
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if whole.len() <= LONGEST && whole.chars().all(fits) && !own.is_empty() {
        return whole;
    }
    let digest = Sha256::digest([server.as_bytes(), b"\0", own.as_bytes()].concat());
    let digits: String = digest.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect();
    let start: String = whole.chars().map(|c| if fits(c) { c } else { '_' }).take(LONGEST - DIGITS - 1).collect();
    format!("{start}_{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_fits_is_the_server_and_the_tool() {
        assert_eq!(our_name("filesystem", "read_file"), "filesystem__read_file");
    }

    /// mcp-contract 7.44
    #[test]
    fn a_name_that_is_too_long_or_odd_is_cut_and_stays_apart_from_others() {
        let long = "a".repeat(60);
        for tool in [long.as_str(), "lies mich", "читать", "read:file", ""] {
            let name = our_name("filesystem", tool);
            assert!(name.len() <= LONGEST && name.starts_with("filesystem__"), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)), "{name}");
        }
        assert_ne!(our_name("s", &format!("{long}1")), our_name("s", &format!("{long}2")));
        assert_ne!(our_name("s", "a b"), our_name("s", "a:b"));
    }
}
