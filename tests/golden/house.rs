//! Structure metrics of the code: the size of each crate, files in dependency cycles, and the number of layers per
//! crate. `cargo xtask house` prints them and fails when one exceeds its limit. A change that improves one lowers its
//! limit.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::architecture::{root, sources};

/// The largest crate's share of all lines of Rust that are not tests, in percent.
const SHARE: usize = 17;
/// The number of top-level modules of the engine.
const TOP_MODULES: usize = 16;
/// Files of one crate in the largest dependency cycle.
const CIRCLE: usize = 5;
/// Layers of the engine: the longest dependency path from file to file.
const ENGINE_FLOORS: usize = 8;
/// Layers of any crate. A cycle counts as one layer, so a crate without cycles has more.
const FLOORS: usize = 11;
/// Lines of the median file, and of the 90th percentile.
const MEDIAN: usize = 150;
const NINE_OF_TEN: usize = 400;

/// A source file of a crate: its module path and its text without tests.
struct Source {
    module: Vec<String>,
    text: String,
}

#[test]
#[expect(clippy::print_stdout, reason = "the numbers are for people who ask for them")]
fn the_house_is_no_worse_than_it_was() {
    let mut crates: Vec<(String, Vec<Source>)> = ["crates", "src-tauri", "xtask"].iter().flat_map(crates_in).collect();
    crates.sort_by_key(|(_, files)| std::cmp::Reverse(lines(files)));
    let all: usize = crates.iter().map(|(_, files)| lines(files)).sum();
    let (mut circle, mut floors, mut engine_floors) = (0, 0, 0);
    println!("crate           lines  share  files  largest circle  floors");
    for (name, files) in &crates {
        let graph = Graph::of(files);
        let (round, high) = (graph.largest_circle(), graph.floors());
        let share = lines(files) * 100 / all;
        println!("{name:<14} {:>6} {share:>5}% {:>6} {:>15} {high:>7}", lines(files), files.len(), round.len());
        (circle, floors) = (circle.max(round.len()), floors.max(high));
        if name == "engine" {
            engine_floors = high;
        }
        if round.len() > 5 {
            println!("    in the circle: {}", round.join(" "));
        }
    }
    let mut sizes: Vec<usize> =
        crates.iter().flat_map(|(_, files)| files).map(|file| file.text.lines().count()).collect();
    sizes.sort_unstable();
    let (median, most) = (sizes[sizes.len() / 2], sizes[sizes.len() * 9 / 10]);
    let top = top_modules("crates/engine/src/lib.rs");
    println!("modules at the top of the engine: {top}; lines of a file: median {median}, nine of ten under {most}");

    let share = lines(&crates[0].1) * 100 / all;
    for (what, now, limit) in [
        ("percent of all lines in one crate", share, SHARE),
        ("modules at the top of the engine", top, TOP_MODULES),
        ("files in one circle", circle, CIRCLE),
        ("floors of the engine", engine_floors, ENGINE_FLOORS),
        ("floors of a crate", floors, FLOORS),
        ("lines of the file in the middle", median, MEDIAN),
        ("lines that nine of ten files stay under", most, NINE_OF_TEN),
    ] {
        assert!(now <= limit, "{what}: {now}, and the limit is {limit}. See tests/golden/house.rs");
    }
}

/// The crates in a folder, each with its sources.
fn crates_in(folder: &&str) -> Vec<(String, Vec<Source>)> {
    let folder = root().join(folder);
    let mut places = vec![folder.clone()];
    places.extend(fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()));
    let crates = places.into_iter().filter(|place| place.join("Cargo.toml").exists() && place.join("src").exists());
    crates
        .map(|place| (place.file_name().unwrap_or_default().to_string_lossy().into_owned(), sources_of(&place)))
        .collect()
}

fn sources_of(place: &Path) -> Vec<Source> {
    let top = place.join("src");
    let files =
        sources(&top, "rs").into_iter().filter(|file| !file.iter().any(|part| part == "tests" || part == "tests.rs"));
    let read = |file: &Path| {
        let inside = file.strip_prefix(&top).expect("below its crate").with_extension("");
        let mut module: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if matches!(module.last().map(String::as_str), Some("lib" | "main" | "mod")) {
            module.pop();
        }
        let text = fs::read_to_string(file).expect("a source");
        let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        Source { module, text: text[..end].to_owned() }
    };
    files.map(|file| read(&file)).collect()
}

fn lines(files: &[Source]) -> usize {
    files.iter().map(|file| file.text.lines().count()).sum()
}

fn top_modules(file: &str) -> usize {
    let text = fs::read_to_string(root().join(file)).expect("the top of the engine");
    let named = |line: &&str| line.trim_start_matches("pub(crate) ").trim_start_matches("pub ").starts_with("mod ");
    text.lines().filter(named).count()
}

/// Which file of a crate refers to which others.
struct Graph {
    names: Vec<String>,
    uses: Vec<BTreeSet<usize>>,
}

impl Graph {
    fn of(files: &[Source]) -> Self {
        let modules: BTreeMap<&[String], usize> =
            files.iter().enumerate().map(|(at, file)| (file.module.as_slice(), at)).collect();
        let paths: Vec<Vec<Vec<String>>> = files.iter().map(paths_in).collect();
        let uses = files.iter().enumerate().map(|(at, _)| {
            let found = paths[at].iter().filter_map(|path| home(path, files, &modules, 0));
            found.filter(|other| *other != at).collect()
        });
        let names = files.iter().map(|file| file.module.join("/"));
        Self { names: names.collect(), uses: uses.collect() }
    }

    /// The largest strongly connected set of files.
    fn largest_circle(&self) -> Vec<String> {
        let reach = self.reach();
        let circles = (0..self.uses.len()).map(|at| {
            let round: Vec<usize> = reach[at].iter().copied().filter(|other| reach[*other].contains(&at)).collect();
            round
        });
        let largest = circles.max_by_key(Vec::len).unwrap_or_default();
        largest.into_iter().map(|at| self.names[at].clone()).collect()
    }

    /// The longest path from file to file, with each cycle counted as one layer.
    fn floors(&self) -> usize {
        let reach = self.reach();
        let is_round = |a: usize, b: usize| reach[a].contains(&b) && reach[b].contains(&a);
        let mut order: Vec<usize> = (0..self.uses.len()).collect();
        // A file that reaches fewer files is lower; the files of a cycle reach the same ones.
        order.sort_by_key(|at| reach[*at].len());
        let mut floor = vec![1_usize; self.uses.len()];
        for at in order {
            let below = reach[at].iter().filter(|other| !is_round(at, **other)).map(|other| floor[*other] + 1);
            floor[at] = below.max().unwrap_or(1);
        }
        floor.into_iter().max().unwrap_or(0)
    }

    /// All files that each file reaches, directly or not.
    fn reach(&self) -> Vec<BTreeSet<usize>> {
        let from = |start: usize| {
            let (mut found, mut open) = (BTreeSet::new(), vec![start]);
            while let Some(at) = open.pop() {
                open.extend(self.uses[at].iter().filter(|other| found.insert(**other)));
            }
            found
        };
        (0..self.uses.len()).map(from).collect()
    }
}

/// The file that defines a path's item; re-exports are followed.
fn home(path: &[String], files: &[Source], modules: &BTreeMap<&[String], usize>, depth: usize) -> Option<usize> {
    let (at, rest) = (0..=path.len()).rev().find_map(|end| Some((*modules.get(&path[..end])?, &path[end..])))?;
    let Some(name) = rest.first().filter(|_| depth < 6) else { return Some(at) };
    let through = re_exports(&files[at]).into_iter().find(|(exported, _)| exported == name);
    match through {
        Some((_, target)) if target != path => home(&target, files, modules, depth + 1).or(Some(at)),
        _ => Some(at),
    }
}

/// The names that a module re-exports, with their sources.
fn re_exports(file: &Source) -> Vec<(String, Vec<String>)> {
    let passed = used(&file.text).into_iter().filter(|(is_passed, _)| *is_passed);
    passed
        .flat_map(|(_, tree)| leaves(tree))
        .filter_map(|leaf| {
            let (path, name) = leaf.split_once(" as ").map_or((leaf.as_str(), None), |(path, name)| (path, Some(name)));
            let mut target = absolute(path, &file.module);
            if target.is_none() {
                // The path starts with a child module.
                target = Some([file.module.clone(), path.split("::").map(str::to_owned).collect()].concat());
            }
            let name = name.map(|name| name.trim().to_owned()).or_else(|| target.as_ref()?.last().cloned())?;
            Some((name, target?))
        })
        .collect()
}

/// The trees of a file's `use` statements, and whether each is a re-export.
fn used(text: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let statement =
            start.trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ").trim_start_matches("pub ");
        if statement.starts_with("use ") {
            let from = at + line.len() - statement.len() + 4;
            let end = text[from..].find(';').map_or(text.len(), |end| from + end);
            found.push((statement.len() < start.len(), &text[from..end]));
        }
        at += line.len();
    }
    found
}

/// Every path into its own crate in a file, in `use` and elsewhere.
fn paths_in(file: &Source) -> Vec<Vec<String>> {
    let mut found: Vec<_> = used(&file.text)
        .into_iter()
        .flat_map(|(_, tree)| leaves(tree))
        .filter_map(|leaf| absolute(leaf.split(" as ").next()?, &file.module))
        .collect();
    for line in
        file.text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.trim_start().contains("use "))
    {
        for start in ["crate::", "super::"] {
            for (at, _) in line.match_indices(start) {
                let end = line[at..]
                    .find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
                    .map_or(line.len(), |end| at + end);
                found.extend(absolute(line[at..end].trim_end_matches(':'), &file.module));
            }
        }
    }
    found
}

/// The paths of a `use` tree: `a::{b, c::D}` is `a::b` and `a::c::D`.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else { return vec![tree.to_owned()] };
    let close = tree.rfind('}').filter(|close| *close > open).unwrap_or(tree.len());
    let (before, inside) = (&tree[..open], &tree[open + 1..close]);
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, character) in inside.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let filled = parts.into_iter().filter(|part| !part.trim().is_empty());
    filled.flat_map(leaves).map(|leaf| format!("{before}{leaf}")).collect()
}

/// The path from the crate's root; `None` for another crate.
fn absolute(path: &str, module: &[String]) -> Option<Vec<String>> {
    let mut parts: Vec<&str> =
        path.split("::").map(str::trim).filter(|part| !part.is_empty() && *part != "self").collect();
    let mut base: Vec<String> = match *parts.first()? {
        "crate" => {
            parts.remove(0);
            Vec::new()
        }
        "super" => module.to_vec(),
        _ => return None,
    };
    while parts.first() == Some(&"super") {
        parts.remove(0);
        base.pop();
    }
    base.extend(parts.into_iter().map(|part| part.to_owned()));
    Some(base)
}
