//! What others wrote of the product: the crates of its programs on every system, and the packages of its window. The
//! window's *About* shows them by name and licence, from a committed list; packages carry the licences' texts.
//! Whether a licence may come in at all is `deny.toml`'s.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    node::Node,
    paths,
    step::{Done, Failed, cargo, output_of},
};

/// The list that the window shows.
const LIST: &str = "ui/src/third-party.json";
/// The crates that are programs of the product.
const PROGRAMS: &[&str] = &["cli", "skilltender-app"];
/// The window is compiled with it, and its runtime becomes a part of the window, although npm counts it as a tool.
const COMPILED_IN: &str = "svelte";
/// How the names of files begin that hold a licence or a notice.
const TEXTS: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// A crate or a package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    version: String,
    /// As SPDX writes it.
    licence: String,
    /// Where its files are.
    folder: PathBuf,
    is_crate: bool,
}

/// Fails when the committed list is not what the product is made of.
pub(crate) fn check() -> Done {
    let is_present =
        fs::read_to_string(paths::root().join(LIST)).is_ok_and(|text| list(&parts().unwrap_or_default()) == text);
    if is_present { Ok(()) } else { Err(Failed(format!("{LIST} is out of date: cargo xtask golden"))) }
}

/// Writes the list anew.
pub(crate) fn renew() -> Done {
    fs::write(paths::root().join(LIST), list(&parts()?)).map_err(Failed::because)
}

/// Writes every part with the texts of its licences; parts with the same text share it.
pub(crate) fn write_texts(node: &Node, file: &Path) -> Done {
    node.install(&paths::root().join("ui"))?;
    let text = texts(&parts()?)?;
    fs::write(file, text).map_err(Failed::because)
}

fn parts() -> Done<Vec<Part>> {
    let metadata = output_of(&mut cargo(&["metadata", "--locked", "--format-version=1"]))
        .ok_or_else(|| Failed("cargo metadata --locked fails".to_owned()))?;
    let lock = fs::read_to_string(paths::root().join("ui/package-lock.json")).map_err(Failed::because)?;
    let mut parts = crates(&serde_json::from_str(&metadata).map_err(Failed::because)?);
    parts.extend(packages(&serde_json::from_str(&lock).map_err(Failed::because)?));
    parts.sort();
    Ok(parts)
}

/// The crates from elsewhere that the programs are linked with, on any system.
fn crates(metadata: &Value) -> Vec<Part> {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let known: BTreeMap<_, _> = list(&metadata["packages"]).into_iter().map(|each| (text(&each, "id"), each)).collect();
    let nodes: BTreeMap<_, _> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|each| (text(&each, "id"), each)).collect();
    let is_linked = |dependency: &Value| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
    let is_program = |id: &String| PROGRAMS.contains(&known[id]["name"].as_str().unwrap_or_default());
    let mut left: Vec<String> = known.keys().filter(|id| is_program(id)).cloned().collect();
    let mut found: BTreeSet<String> = left.iter().cloned().collect();
    while let Some(node) = left.pop().and_then(|id| nodes.get(&id)) {
        let linked = list(&node["deps"]).into_iter().filter(is_linked).map(|each| text(&each, "pkg"));
        left.extend(linked.filter(|id| found.insert(id.clone())));
    }
    let from_elsewhere = found.iter().map(|id| &known[id]).filter(|each| !each["source"].is_null());
    let part = |each: &Value| Part {
        name: text(each, "name"),
        version: text(each, "version"),
        licence: text(each, "license"),
        folder: Path::new(&text(each, "manifest_path")).parent().map(Path::to_path_buf).unwrap_or_default(),
        is_crate: true,
    };
    from_elsewhere.map(part).collect()
}

/// The packages in the window, and the runtime of what it is compiled with.
fn packages(lock: &Value) -> Vec<Part> {
    let installed = lock["packages"].as_object().into_iter().flatten();
    let mut parts = Vec::new();
    for (place, package) in installed {
        let Some((_, name)) = place.rsplit_once("node_modules/") else { continue };
        if package["dev"] == true && name != COMPILED_IN {
            continue;
        }
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        let folder = paths::root().join("ui").join(place);
        parts.push(Part {
            name: name.to_owned(),
            version: text("version"),
            licence: text("license"),
            folder,
            is_crate: false,
        });
    }
    parts
}

/// A line for each part, so that a change of one is a change of one line.
fn list(parts: &[Part]) -> String {
    let row = |part: &Part| {
        let from = if part.is_crate { "crate" } else { "npm" };
        format!("  {}", json!([part.name, part.version, part.licence, from]))
    };
    format!("[\n{}\n]\n", parts.iter().map(row).collect::<Vec<_>>().join(",\n"))
}

fn texts(parts: &[Part]) -> Done<String> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in parts {
        let name = format!("{} {} ({})", part.name, part.version, part.licence);
        let texts = own_texts(&part.folder)?;
        if texts.is_empty() {
            let nothing = "Their packages hold no text of their licence, which is named beside each.".to_owned();
            by_text.entry(nothing).or_default().push(name.clone());
        }
        for text in texts {
            by_text.entry(text).or_default().push(name.clone());
        }
    }
    let mut groups: Vec<_> = by_text.into_iter().map(|(text, names)| (names, text)).collect();
    groups.sort();
    let line = "-".repeat(80);
    let group = |(names, text): (Vec<String>, String)| format!("{line}\n{}\n\n{text}\n", names.join("\n"));
    let head = "Skilltender is built from these parts that others wrote, under these licences.\n\n".to_owned();
    Ok(head + &groups.into_iter().map(group).collect::<Vec<_>>().join("\n"))
}

/// The texts of the licences and notices in a package's own folder.
fn own_texts(folder: &Path) -> Done<Vec<String>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).map_err(Failed::because)?.filter_map(Result::ok).map(|file| file.path()).collect();
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        file.is_file() && TEXTS.iter().any(|start| name.starts_with(start))
    });
    files.sort();
    let read =
        |file: PathBuf| fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).replace('\r', "").trim().to_owned());
    files.into_iter().map(read).collect::<Result<_, _>>().map_err(Failed::because)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_crates_from_elsewhere_that_a_program_is_linked_with_are_its_parts() {
        let package = |name: &str, source: Option<&str>| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT", "source": source, "manifest_path": format!("/crates/{name}/Cargo.toml")});
        let on = |name: &str, kind: Option<&str>| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [package("cli", None), package("text", None), package("serde", Some("r")), package("cc", Some("r")),
                package("proptest", Some("r")), package("unrelated", Some("r"))],
            "resolve": {"nodes": [
                {"id": "cli", "deps": [on("text", None), on("cc", Some("build")), on("proptest", Some("dev"))]},
                {"id": "text", "deps": [on("serde", None)]}, {"id": "serde", "deps": []}, {"id": "unrelated", "deps": []},
            ]},
        });
        let found = crates(&metadata);
        assert_eq!(found.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["serde"]);
        assert_eq!(found[0].folder, Path::new("/crates/serde"));
    }

    #[test]
    fn the_windows_parts_are_its_packages_and_svelte_and_no_tool() {
        let lock = json!({"packages": {
            "": {"name": "ui"},
            "node_modules/marked": {"version": "18.2.1", "license": "MIT"},
            "node_modules/svelte": {"version": "5.0.0", "license": "MIT", "dev": true},
            "node_modules/vite": {"version": "8.0.0", "license": "MIT", "dev": true},
            "node_modules/a/node_modules/@b/c": {"version": "1.0.0", "license": "ISC"},
        }});
        let names: BTreeSet<_> = packages(&lock).into_iter().map(|part| part.name).collect();
        assert_eq!(names, BTreeSet::from(["marked", "svelte", "@b/c"].map(str::to_owned)));
    }

    #[test]
    fn parts_with_the_same_text_share_it_and_one_without_a_text_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let part = |name: &str, file: Option<&str>| {
            let own = folder.path().join(name);
            fs::create_dir(&own).unwrap();
            if let Some(file) = file {
                fs::write(own.join(file), "Take it.\r\n").unwrap();
            }
            Part {
                name: name.to_owned(),
                version: "1.0.0".to_owned(),
                licence: "MIT".to_owned(),
                folder: own,
                is_crate: true,
            }
        };
        let text = texts(&[part("a", Some("LICENSE-MIT")), part("b", Some("license.md")), part("c", None)]).unwrap();
        assert!(text.contains("a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\nTake it.\n"), "{text}");
        assert!(text.contains("c 1.0.0 (MIT)\n\nTheir packages hold no text"), "{text}");
    }
}
