#![no_main]

#[path = "../bodies/document.rs"]
mod document;
#[path = "../bodies/frontmatter.rs"]
mod frontmatter;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frontmatter::run(bytes));
