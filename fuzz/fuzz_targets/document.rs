#![no_main]

#[path = "../bodies/document.rs"]
mod document;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| document::run(bytes));
