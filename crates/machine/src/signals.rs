//! How a running Skilltender program is asked to stop.

use std::io;

/// Ends when the person presses Ctrl-C or the system asks the program to end. From the call on, not from the
/// first poll, such a signal no longer kills the process.
///
/// # Errors
/// When the system does not let the process listen for signals.
#[cfg(unix)]
pub fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

/// Ends when the person presses Ctrl-C or Ctrl-Break, closes the console, logs off or shuts the computer down. A program
/// that loads user32, as one with a window does, hears nothing of the last two: its window is told.
///
/// # Errors
/// When the system does not let the process listen for it.
#[cfg(not(unix))]
pub fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};

    let (mut interrupt, mut stop, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = stop.recv() => {}
            _ = close.recv() => {}
            _ = logoff.recv() => {}
            _ = shutdown.recv() => {}
        }
    })
}

#[cfg(test)]
#[cfg(windows)]
#[path = "signals/tests.rs"]
mod tests;
