//! The bundle for Claude Desktop (`.mcpb`): only the small program, which connects to the running app.
//!
//! Claude Desktop manages the entry of a bundle, so the entry is not lost when it rewrites its file. The bundle is
//! for the system it was built on; the format's own tool makes and checks it, in the version in `mcpb/package.json`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    node::Node,
    paths,
    step::{Done, Failed, output_of, run},
};

/// Makes the bundle of a built program, in `folder`.
pub(crate) fn pack(node: &Node, skilltender: &Path, folder: &Path) -> Done<PathBuf> {
    let ours = paths::root().join("xtask/mcpb");
    node.install(&ours)?;
    let inside = paths::cache().join("mcpb");
    let server = inside.join("server");
    fs::create_dir_all(&server).and_then(|()| fs::create_dir_all(folder)).map_err(Failed::because)?;
    fs::copy(skilltender, server.join(paths::program("skilltender"))).map_err(Failed::because)?;
    fs::copy(paths::root().join("icons/icon.png"), inside.join("icon.png")).map_err(Failed::because)?;
    let manifest = fs::read_to_string(ours.join("manifest.json")).map_err(Failed::because)?;
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    fs::write(inside.join("manifest.json"), manifest.replace("\"version\": \"0.0.0\"", &version))
        .map_err(Failed::because)?;

    let bundle = folder.join("skilltender.mcpb");
    let tool = |word: &str| -> Done<Command> {
        let mut tool = node.npm(&ours)?;
        tool.args(["exec", "--offline", "--", "mcpb", word]);
        Ok(tool)
    };
    // `pack` validates the manifest first.
    run(tool("pack")?.arg(&inside).arg(&bundle))?;
    Ok(bundle)
}

/// Unpacks a bundle of the development build: its program must start from there.
pub(crate) fn check(node: &Node, skilltender: &Path) -> Done {
    let bundle = pack(node, skilltender, &paths::target().join("debug/bundle/mcpb"))?;
    let place = paths::cache().join("mcpb-unpacked");
    if place.exists() {
        fs::remove_dir_all(&place).map_err(Failed::because)?;
    }
    let mut tool = node.npm(&paths::root().join("xtask/mcpb"))?;
    run(tool.args(["exec", "--offline", "--", "mcpb", "unpack"]).arg(&bundle).arg(&place))?;
    let program = place.join("server").join(paths::program("skilltender"));
    match output_of(Command::new(&program).arg("--version")) {
        Some(version) => {
            println!("{} holds {version}.", bundle.display());
            Ok(())
        }
        None => Err(Failed(format!("The program in {} does not start.", bundle.display()))),
    }
}
