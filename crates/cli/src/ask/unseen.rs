//! The terminal while a secret is typed: what is typed is hidden before the question appears, because people and pasted
//! texts are quicker than a program, and it is shown again whatever ends the answer.

use std::{fs::File, io};

use nix::sys::{
    signal::{SigSet, Signal},
    termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr},
};

/// Hides what is typed until it is dropped.
pub(super) struct Unseen {
    terminal: File,
    before: Termios,
    interrupt: SigSet,
}

impl Unseen {
    /// # Errors
    ///
    /// This process has no terminal.
    pub(super) fn begin() -> io::Result<Self> {
        let terminal = File::options().read(true).write(true).open("/dev/tty")?;
        let before = tcgetattr(&terminal)?;
        let mut interrupt = SigSet::empty();
        interrupt.add(Signal::SIGINT);
        // Ctrl+C ends this process, but not before the terminal is as it was: until then it is a character like others,
        // and the signal that `rpassword` raises for it waits.
        interrupt.thread_block()?;
        let begun = Self { terminal, before, interrupt };
        let mut hidden = begun.before.clone();
        hidden.local_flags.remove(LocalFlags::ECHO | LocalFlags::ISIG);
        tcsetattr(&begun.terminal, SetArg::TCSANOW, &hidden)?;
        Ok(begun)
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        // Where either fails, the terminal is gone, and so is who could see it.
        tcsetattr(&self.terminal, SetArg::TCSANOW, &self.before).ok();
        self.interrupt.thread_unblock().ok();
    }
}
