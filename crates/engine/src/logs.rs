//! The log of our programs on standard error.
//!
//! `RUST_LOG` filters our own messages. Those of other crates are limited to `info` regardless: at `debug` some of them
//! print whole requests and answers (decision 30). Each event is printed as one line in which every character is
//! visible.

use std::io::{self, Write};

use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter, Layer as _, filter, fmt, layer::SubscriberExt as _, registry, util::SubscriberInitExt as _,
};

/// The crates whose logs are ours.
const OURS: &[&str] = &[
    "api",
    "choices",
    "cli",
    "clients",
    "connect",
    "engine",
    "fetch",
    "files",
    "gateway",
    "library",
    "machine",
    "mcp",
    "origins",
    "processes",
    "secrets",
    "servers",
    "skills",
    "skilltender",
    "skilltender_app",
    "sources",
    "state",
    "text",
];

/// Starts the log of this process. A second call changes nothing.
pub fn start_log() {
    // The default without `RUST_LOG`: warnings and errors. A client that disconnects is neither.
    let usual = || EnvFilter::new(format!("warn,{}=off", mcp::LEAVING_TARGET));
    let wanted = EnvFilter::try_from_default_env().unwrap_or_else(|_| usual());
    let lines = fmt::layer().with_writer(|| OneLine(io::stderr())).with_ansi(false);
    let capped = filter::filter_fn(may_be_said);
    drop(registry().with(lines.with_filter(capped)).with(wanted).try_init());
}

/// Expects one whole event per write, as the layer passes them.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = skills::visible_line(text.strip_suffix('\n').unwrap_or(&text)) + "\n";
        self.0.write_all(line.as_bytes()).map(|()| event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_crate_of_ours_may_say_more_than_those_of_others() {
        let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        for entry in std::fs::read_dir(crates).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(OURS.contains(&name.as_str()), "{name} is not in OURS");
        }
    }

    #[test]
    fn an_event_is_one_line_whatever_it_holds() {
        let kept = Kept::default();
        let writer = kept.clone();
        let lines = fmt::layer().with_writer(move || OneLine(writer.clone())).with_ansi(false).without_time();
        tracing::subscriber::with_default(registry().with(lines), || {
            tracing::warn!(skill = "a\u{1b}[2J", "it says {}", "x\nERROR forged \u{202e}");
        });
        let said = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert_eq!(said.matches('\n').count(), 1, "{said}");
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
    }
}
