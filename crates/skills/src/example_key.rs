//! Keys that are made up for an example.

/// Whether a key is a made-up example: `EXAMPLE`, `xxxx`, `abcdefgh`, `1234567`.
pub(crate) fn is_example(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    let says_so = ["example", "your", "xxxx", "fake", "dummy", "placeholder", "redacted", "test"];
    let counts_up = |window: &[u8]| window.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1));
    let repeats = |window: &[u8]| window.iter().all(|byte| *byte == window[0]);
    let dull = lower.as_bytes().windows(6).any(|window| counts_up(window) || repeats(window));
    dull || says_so.iter().any(|word| lower.contains(word))
}
