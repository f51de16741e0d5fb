#![no_main]

#[path = "../bodies/address.rs"]
mod address;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| address::run(bytes));
