#![no_main]

#[path = "../bodies/edit.rs"]
mod edit;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| edit::run(bytes));
