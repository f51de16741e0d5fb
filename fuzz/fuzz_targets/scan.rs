#![no_main]

#[path = "../bodies/scan.rs"]
mod scan;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| scan::run(bytes));
