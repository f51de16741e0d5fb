//! The commands of the window, which are functions in `src-tauri/src/ipc`, registered by `ipc.rs` and granted to a window
//! by `src-tauri/capabilities`. The page's side of them is generated here: `ui/src/backend/commands.ts`, with an interface for each window, has
//! only what that window is granted. `cargo xtask golden` writes it again.

use std::{collections::BTreeSet, env, fs};

use regex::Regex;
use syn::{Expr, FnArg, GenericArgument, Item, ItemFn, Lit, Meta, Pat, PathArguments, ReturnType, Type};

use crate::architecture::{root, sources};

const PAGE: &str = "ui/src/backend/commands.ts";
const HEADER: &str = "\
// The commands that each window is granted. Generated from src-tauri/src/ipc and src-tauri/capabilities. Do not edit:
// cargo xtask golden
";
/// The windows by the name of their capability, and the interface of their commands.
const WINDOWS: [(&str, &str); 2] = [("main", "MainCommands"), ("consent", "ConsentCommands")];

/// One command, as the page sees it.
struct Command {
    name: String,
    doc: Vec<String>,
    /// Each argument with its type in TypeScript.
    arguments: Vec<(String, String)>,
    answer: String,
}

#[test]
fn the_pages_commands_of_the_window_are_those_of_the_shell() {
    let file = root().join(PAGE);
    let now = page(&commands());
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, &now).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == now, "{PAGE} is out of date: cargo xtask golden");
}

#[test]
fn every_command_of_the_window_is_registered_granted_to_a_window_and_used_by_its_page() {
    let written: BTreeSet<_> = commands().into_iter().map(|command| command.name).collect();
    assert!(written.len() > 80, "only {} commands were found in ipc", written.len());
    let registered = registered().into_iter().collect();
    let granted = WINDOWS.iter().flat_map(|(window, _)| granted(window)).collect();
    for (named, place) in [(registered, "the list of ipc.rs"), (granted, "src-tauri/capabilities")] {
        assert_eq!(Vec::from_iter(written.difference(&named)), [""; 0], "{place} does not have these");
        assert_eq!(Vec::from_iter(named.difference(&written)), [""; 0], "{place} has these, and no file of ipc does");
    }
    let texts = page_texts();
    let unused: Vec<_> = written.iter().filter(|name| !texts.contains(&format!(".{}(", camel(name)))).collect();
    assert_eq!(unused, [""; 0], "no page uses these");
}

/// The functions of `ipc` with the attribute `command`, in the order of its list.
fn commands() -> Vec<Command> {
    let texts = sources(&root().join("src-tauri/src/ipc"), "rs")
        .into_iter()
        .map(|file| fs::read_to_string(file).expect("commands of the window"));
    let items = texts.flat_map(|text| syn::parse_file(&text).expect("Rust").items);
    let functions = items.filter_map(|item| if let Item::Fn(function) = item { Some(function) } else { None });
    let mut commands: Vec<_> = functions
        .filter(|function| function.attrs.iter().any(|attribute| attribute.path().is_ident("command")))
        .map(|function| Command {
            name: function.sig.ident.to_string(),
            doc: doc(&function),
            arguments: function.sig.inputs.iter().filter_map(argument).collect(),
            answer: match &function.sig.output {
                ReturnType::Default => "void".to_owned(),
                ReturnType::Type(_, answer) => typescript(answer),
            },
        })
        .collect();
    let list = registered();
    commands.sort_by_key(|command| list.iter().position(|name| *name == command.name));
    commands
}

fn doc(function: &ItemFn) -> Vec<String> {
    let texts = function.attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(named) if named.path.is_ident("doc") => Some(&named.value),
        _ => None,
    });
    let lines = texts.map(|text| match text {
        Expr::Lit(literal) if let Lit::Str(line) = &literal.lit => line.value().trim().to_owned(),
        _ => panic!("a line of documentation is a text"),
    });
    lines.collect()
}

/// An argument that the page passes; Tauri passes the others.
fn argument(argument: &FnArg) -> Option<(String, String)> {
    let FnArg::Typed(typed) = argument else { panic!("a command is a function") };
    let Pat::Ident(name) = &*typed.pat else { panic!("an argument of a command has a name") };
    let of_tauri = matches!(last(&typed.ty).0.as_str(), "State" | "AppHandle");
    (!of_tauri).then(|| (camel(&name.ident.to_string()), typescript(&typed.ty)))
}

/// A type as the page has it.
fn typescript(of: &Type) -> String {
    let (name, inner) = last(of);
    match (name.as_str(), inner.as_slice()) {
        ("Done" | "unit", []) => "void".to_owned(),
        ("Done", [answer]) => answer.clone(),
        ("Option", [some]) => format!("{some} | null"),
        ("Vec", [each]) if each.contains(' ') => format!("({each})[]"),
        ("Vec", [each]) => format!("{each}[]"),
        ("BTreeMap", [key, value]) => format!("Record<{key}, {value}>"),
        ("str" | "String", []) => "string".to_owned(),
        ("bool", []) => "boolean".to_owned(),
        ("u16" | "u32" | "u64" | "usize", []) => "number".to_owned(),
        (_, []) => name,
        _ => panic!("the page has no type for {name}"),
    }
}

/// The last name of a type's path, and its arguments as the page has them.
fn last(of: &Type) -> (String, Vec<String>) {
    match of {
        Type::Reference(reference) => last(&reference.elem),
        Type::Path(path) => {
            let segment = path.path.segments.last().expect("a path has a name");
            let arguments = match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => arguments.args.iter().filter_map(type_argument).collect(),
                _ => Vec::new(),
            };
            (segment.ident.to_string(), arguments)
        }
        _ => panic!("a command takes and gives types with names"),
    }
}

fn type_argument(argument: &GenericArgument) -> Option<String> {
    if let GenericArgument::Type(argument) = argument { Some(typescript(argument)) } else { None }
}

/// The text of [`PAGE`].
fn page(commands: &[Command]) -> String {
    let types = fs::read_to_string(root().join("ui/src/backend/types.ts")).expect("the window's types");
    let word = Regex::new(r"\b[A-Z]\w*").expect("a pattern");
    let signatures = commands.iter().flat_map(|one| one.arguments.iter().map(|(_, of)| of).chain([&one.answer]));
    let signatures: Vec<_> = signatures.cloned().collect();
    let named = signatures.iter().flat_map(|signature| word.find_iter(signature)).map(|found| found.as_str());
    let named: BTreeSet<_> = named.filter(|name| *name != "Record").collect();
    let (shared, own): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|name| types.contains(&format!("export type {name} ")));
    let mut text = format!("{HEADER}\nimport {{ invoke }} from '@tauri-apps/api/core';\n\n");
    text += &format!("import type {{ {} }} from './backend';\n", own.join(", "));
    text += &format!("import type {{\n  {},\n}} from './types';\n", shared.join(", "));
    for (window, interface) in WINDOWS {
        let granted = granted(window);
        let own: String = commands.iter().filter(|one| granted.contains(&one.name)).map(signature).collect();
        text += &format!("\nexport interface {interface} {{\n{own}}}\n");
    }
    let interfaces = WINDOWS.map(|(_, interface)| interface).join(" & ");
    let calls: String = commands.iter().map(call).collect();
    text + &format!("\nexport const commands: {interfaces} = {{\n{calls}}};\n")
}

fn signature(command: &Command) -> String {
    let doc = match command.doc.as_slice() {
        [] => String::new(),
        lines => format!("  /** {} */\n", lines.join("\n   * ")),
    };
    let arguments: Vec<_> = command.arguments.iter().map(|(name, of)| format!("{name}: {of}")).collect();
    format!("{doc}  {}({}): Promise<{}>;\n", camel(&command.name), arguments.join(", "), command.answer)
}

fn call(Command { name, arguments, .. }: &Command) -> String {
    let names: Vec<_> = arguments.iter().map(|(name, _)| name.as_str()).collect();
    let names = names.join(", ");
    let passed = if names.is_empty() { String::new() } else { format!(", {{ {names} }}") };
    format!("  {}: ({names}) => invoke('{name}'{passed}),\n", camel(name))
}

/// A name as the page writes it.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| all + &word[..1].to_uppercase() + &word[1..])
}

/// The commands in the list of `ipc.rs`, in its order.
fn registered() -> Vec<String> {
    let text = fs::read_to_string(root().join("src-tauri/src/ipc.rs")).expect("the commands of the window");
    let (_, list) = text.split_once("generate_handler![").expect("a list of commands");
    let (list, _) = list.split_once(']').expect("the end of the list");
    list.split(',').filter_map(|path| Some(path.split_once("::")?.1.to_owned())).collect()
}

/// The app's commands that a window's capability grants.
fn granted(window: &str) -> BTreeSet<String> {
    let file = root().join("src-tauri/capabilities").join(window).with_extension("json");
    let capability: serde_json::Value =
        serde_json::from_slice(&fs::read(file).expect("a capability")).expect("a capability is JSON");
    let permissions = capability["permissions"].as_array().expect("a list of permissions").iter();
    let ours = permissions.filter_map(|permission| permission.as_str()?.strip_prefix("allow-"));
    ours.map(|name| name.replace('-', "_")).collect()
}

/// The code of the page without its backend.
fn page_texts() -> String {
    let ui = root().join("ui/src");
    let files = ["ts", "svelte"].into_iter().flat_map(|ending| sources(&ui, ending));
    let files = files.filter(|path| !path.starts_with(ui.join("backend")));
    files.map(|path| fs::read_to_string(path).expect("a source of the page")).collect()
}
