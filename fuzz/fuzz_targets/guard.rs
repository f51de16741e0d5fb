#![no_main]

#[path = "../bodies/guard.rs"]
mod guard;

use guard::Caller;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| guard::run(bytes));
