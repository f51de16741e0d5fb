//! Each event of a console, as the system brings it: it starts a thread in the process, in its own function
//! `CtrlRoutine`, which calls whoever listens. Without a listener that ends the process.

#![expect(unsafe_code, reason = "no library calls the system's function")]

use std::{
    env,
    ffi::{CStr, c_char, c_void},
    process::{self, Command},
    thread,
};

use super::asked_to_stop;

const EVENT: &str = "SKILLTENDER_TEST_EVENT";

/// The code of a process that was asked to stop and did.
const HEARD: i32 = 42;

unsafe extern "system" {
    fn GetModuleHandleA(name: *const c_char) -> *mut c_void;
    fn GetProcAddress(module: *mut c_void, name: *const c_char) -> *const c_void;
}

/// Ctrl-C, Ctrl-Break, a closed console, logging off, shutting down.
#[test]
fn every_event_of_a_console_asks_the_program_to_stop() {
    for event in [0, 1, 2, 5, 6] {
        let mut program = Command::new(env::current_exe().unwrap());
        program.args(["--ignored", "--exact", "signals::tests::a_program_that_gets_an_event"]);
        let ended = program.env(EVENT, event.to_string()).output().unwrap();
        assert_eq!(ended.status.code(), Some(HEARD), "event {event}: {ended:?}");
    }
}

#[tokio::test]
#[ignore = "another test runs it as a process of its own"]
async fn a_program_that_gets_an_event() {
    let Some(event) = env::var(EVENT).ok().and_then(|event| event.parse().ok()) else { return };
    let asked = asked_to_stop().unwrap();
    thread::spawn(move || happens(event));
    asked.await;
    process::exit(HEARD);
}

fn happens(event: usize) {
    let [system, function] = [c"kernel32", c"CtrlRoutine"].map(CStr::as_ptr);
    // SAFETY: both names end with a zero, and the function is a thread's: it takes one pointer, here the event's number.
    let routine = unsafe {
        let found = GetProcAddress(GetModuleHandleA(system), function);
        assert!(!found.is_null(), "the system has its function");
        std::mem::transmute::<*const c_void, extern "system" fn(usize) -> u32>(found)
    };
    routine(event);
}
