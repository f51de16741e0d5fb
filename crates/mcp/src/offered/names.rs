//! Our names for the tools and prompts of other servers: `<server>__<tool>` (decision 33).
//!
//! Clients prefix them with `mcp__skilltender__`, and models accept names of 64 characters, so ours has 46. A name that
//! is too long or contains invalid characters is cut and ends in a digest of the whole.

use sha2::{Digest as _, Sha256};

/// The maximum length of a name, in characters.
const LONGEST: usize = 46;
/// The number of hexadecimal digits that distinguish names with the same beginning.
const DIGITS: usize = 8;

/// Our name for a tool or a prompt of a server. It always contains `__`, which none of our own tools does.
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

    /// wire contract 44
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

    /// Servers of skills have names without `__` and without `_` at the end (decision 33), so no other server has a
    /// tool of the same name, whatever it is called and however it is cut.
    #[test]
    fn two_servers_never_have_a_name_in_common() {
        let long = "x".repeat(60);
        let servers = ["a", "a_b", "a-b", "a_b-c", "0", &"s".repeat(32), &format!("{}_t", "s".repeat(30))];
        let tools = ["b", "_b", "__b", "b__c", "_", "", "b c", "b@c", "b-c__d", &long, &format!("_{long}")];
        let of = |server: &str| tools.map(|tool| our_name(server, tool));
        for server in servers {
            for name in of(server) {
                assert_eq!(name.split_once("__").map(|(before, _)| before), Some(server), "{name}");
            }
        }
    }
}
