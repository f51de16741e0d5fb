//! What a program of ours says on standard error while it runs.
//!
//! `RUST_LOG` chooses what of ours is said. What other crates say stops at `info` whatever it asks
//! for: at `debug` some of them print whole requests and answers (decision 30).

use std::io::{self, IsTerminal as _};

use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter, Layer as _, filter, fmt, layer::SubscriberExt as _, registry, util::SubscriberInitExt as _,
};

/// The crates whose logs we answer for.
const OURS: &[&str] = &["text", "skills", "clients", "mcp", "engine", "skilltender", "skilltender_app"];

/// Starts the log of this process. A second call changes nothing.
pub fn start_log() {
    // When `RUST_LOG` says nothing: what went wrong. That a client leaves is nothing wrong.
    let usual = || EnvFilter::new(format!("warn,{}=off", mcp::LEAVING_TARGET));
    let wanted = EnvFilter::try_from_default_env().unwrap_or_else(|_| usual());
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let capped = filter::filter_fn(may_be_said);
    drop(registry().with(lines.with_filter(capped)).with(wanted).try_init());
}

fn may_be_said(metadata: &Metadata<'_>) -> bool {
    if metadata.target() == mcp::TURNED_AWAY_TARGET {
        return false;
    }
    let crate_ = metadata.target().split("::").next().unwrap_or_default();
    let most = if OURS.contains(&crate_) {
        Level::TRACE
    } else if mcp::QUIET_TARGETS.contains(&crate_) {
        Level::WARN
    } else {
        Level::INFO
    };
    *metadata.level() <= most
}
