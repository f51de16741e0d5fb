//! Gives Tauri the list of our commands and sees to it that there is a window to take in.

use std::{collections::BTreeSet, fs, path::Path};

use tauri_build::{AppManifest, Attributes};

const WINDOW: &str = "../ui/dist";

const NOT_BUILT: &str = "<!doctype html><meta charset=\"utf-8\"><title>Skilltender</title>\
    <p>The window's code was not built yet: run <code>cargo xtask run</code>, or <code>npm ci &amp;&amp; npm run build</code> in <code>ui</code>.</p>\n";

fn main() {
    let page = Path::new(WINDOW).join("index.html");
    if !page.exists() {
        fs::create_dir_all(WINDOW).and_then(|()| fs::write(&page, NOT_BUILT)).expect("ui/dist can be written");
    }
    println!("cargo:rerun-if-changed={WINDOW}");

    // Naming the commands is what puts them under permissions: none may be called without one.
    let commands = AppManifest::new().commands(commands());
    tauri_build::try_build(Attributes::new().app_manifest(commands)).expect("tauri.conf.json and the capabilities fit");
}

/// The commands that the capabilities grant. A command that none of them names cannot be called.
fn commands() -> &'static [&'static str] {
    let mut commands: BTreeSet<&str> = BTreeSet::new();
    for capability in fs::read_dir("capabilities").expect("capabilities can be read") {
        let path = capability.expect("capabilities can be read").path();
        let text: &'static str = fs::read_to_string(&path).expect("a capability is text").leak();
        let quoted = text.split('"').skip(1).step_by(2);
        commands.extend(quoted.filter_map(|word| word.strip_prefix("allow-")));
    }
    let spelled = commands.into_iter().map(|command| &*command.replace('-', "_").leak());
    spelled.collect::<Vec<_>>().leak()
}
