//! How a running program is asked to stop.

/// Waits for Ctrl-C, or for the signal by which a system ends a program.
#[cfg(unix)]
pub(crate) async fn asked() {
    use tokio::signal::unix::{SignalKind, signal};

    match (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup())) {
        (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) => tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        },
        // Without handlers the system ends us, which is what was asked for.
        _ => std::future::pending().await,
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub(crate) async fn asked() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
