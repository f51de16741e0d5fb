//! The window's types in TypeScript: one file, generated from [`crate::view`], committed and compared.
//!
//! `cargo xtask golden` writes it again.

use std::{collections::BTreeMap, env, fs, path::Path};

use ts_rs::{Config, TS, TypeVisitor};

use crate::view;

const HEADER: &str = "// Generated from engine::view. Do not edit: cargo xtask golden\n";

#[test]
fn the_windows_types_are_those_of_the_view() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/backend/types.ts");
    let now = typescript();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &now).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), now, "run: {HEADER}");
}

/// Every type that the window receives, sorted by name: the derive macro orders the parts of a type differently
/// with every build.
fn typescript() -> String {
    let mut types = Types { config: Config::new(), found: BTreeMap::new() };
    types.visit::<view::Snapshot>();
    types.visit::<view::SkillPage>();
    types.visit::<view::Problem>();
    types.visit::<view::EditorSplice>();
    types.visit::<view::Saved>();
    types.visit::<view::ClientChange>();
    types.visit::<view::ConnectPlan>();
    types.visit::<view::Drift>();
    types.visit::<view::DriftChoice>();
    types.visit::<view::EntryText>();
    types.visit::<view::ConfiguredServer>();
    types.visit::<view::Hit>();
    types.visit::<view::Call>();
    types.visit::<view::Kept>();
    types.visit::<view::Template>();
    types.visit::<view::Packed>();
    types.visit::<view::ImportPlan>();
    types.visit::<view::Look>();
    types.visit::<view::ClientSees>();
    types.visit::<view::Checkup>();
    types.visit::<view::SkillFolder>();
    types.visit::<view::FolderPlan>();
    types.visit::<view::Consent>();
    types.visit::<view::PinOffer>();
    types.visit::<view::ServerPage>();
    types.visit::<view::ToolMode>();
    types.visit::<view::ActionError>();
    types.found.into_values().fold(HEADER.to_owned(), |text, declaration| text + "\n" + &declaration + "\n")
}

struct Types {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let name = T::ident(&self.config);
        if T::output_path().is_none() || self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.found.insert(name, format!("{docs}export {}", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}
