//! The window's types in TypeScript: one file, generated from this crate, committed and compared.
//!
//! `cargo xtask golden` writes it again.

use std::{collections::BTreeMap, env, fs, path::Path};

use ts_rs::{Config, TS, TypeVisitor};

use crate as api;

const HEADER: &str = "// Generated from the crate api. Do not edit: cargo xtask golden\n";

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
    types.visit::<api::Snapshot>();
    types.visit::<api::SkillPage>();
    types.visit::<api::Problem>();
    types.visit::<api::EditorSplice>();
    types.visit::<api::Saved>();
    types.visit::<api::ClientChange>();
    types.visit::<api::ConnectPlan>();
    types.visit::<api::Drift>();
    types.visit::<api::DriftChoice>();
    types.visit::<api::EntryText>();
    types.visit::<api::ConfiguredServer>();
    types.visit::<api::Hit>();
    types.visit::<api::Call>();
    types.visit::<api::OwnWrite>();
    types.visit::<api::TagPlan>();
    types.visit::<api::Tagged>();
    types.visit::<api::UsageReport>();
    types.visit::<api::Kept>();
    types.visit::<api::Template>();
    types.visit::<api::Packed>();
    types.visit::<api::ImportPlan>();
    types.visit::<api::SourcePlan>();
    types.visit::<api::TeamQuestion>();
    types.visit::<api::ClientCall>();
    types.visit::<api::UpdatePlan>();
    types.visit::<api::Take>();
    types.visit::<api::SkillVersion>();
    types.visit::<api::ManagedSkill>();
    types.visit::<api::WorkTreeStatus>();
    types.visit::<api::PullPlan>();
    types.visit::<api::CommitPlan>();
    types.visit::<api::Pushed>();
    types.visit::<api::Look>();
    types.visit::<api::ClientSees>();
    types.visit::<api::Checkup>();
    types.visit::<api::ClientFolder>();
    types.visit::<api::ClientFolderPlan>();
    types.visit::<api::Consent>();
    types.visit::<api::PinOffer>();
    types.visit::<api::ServerPage>();
    types.visit::<api::ToolMode>();
    types.visit::<api::AppSwitch>();
    types.visit::<api::ActionError>();
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
