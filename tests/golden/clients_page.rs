//! `docs/clients.md` is generated from the table of clients, so that people can read and check it.

use std::{env, fmt::Write as _, fs, path::Path};

use clients::{Choice, Client, Entry, Format, Mark, TABLE, Variable, models, snippet};

const HEAD: &str = "\
# The clients

Which MCP clients Skilltender knows, where their files are, and the form of our entry in them. How sure a row is:

- **Ran**: the real program was run with such an entry.
- **Read**: from the client's source or its own documentation.
- **Table**: from the table of another tool.
- **Unverified**: nobody has confirmed it.

Nobody of us has seen the paths on Windows and macOS, or what the clients do there.

A client that runs our program needs no token and no port in its file. A client that connects to our address has a token in its file.
Nothing is guessed: *no* in the last column means that connecting by address is not offered. Only our entry in a file changes, and a
file that the client itself could not read is left alone.

This page is generated from the table in `crates/clients/src/table/`; `cargo xtask golden` renews it.
";

#[test]
fn the_page_of_clients_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/clients.md");
    let written = page();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == written, "docs/clients.md is not what the table says; `cargo xtask golden` renews it");
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str(
        "\n| client | how sure | its file on Linux | format | servers below | address |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for client in TABLE {
        let file = client.files.linux.first().map_or_else(|| "none".to_owned(), |path| shown(path));
        let _ = writeln!(
            page,
            "| [{}](#{}) | {} | {file} | {} | `{}`{} | {} |",
            client.name,
            client.id,
            mark(client),
            format(client),
            client.key.path.join("` > `"),
            if client.key.list { ", a list" } else { "" },
            if client.http.is_some() { "yes" } else { "no" },
        );
    }
    for client in TABLE {
        section(&mut page, client);
    }
    page
}

fn section(page: &mut String, client: &Client) {
    let _ = write!(page, "\n## {}\n\n**{}**. {}: {}\n\n", client.id, client.name, mark(client), client.source);
    let files = &client.files;
    let every = if files.choice == Choice::Every { " (each one whose folder is there)" } else { "" };
    if files.macos == files.windows && files.windows == files.linux {
        list(page, &format!("File{every}"), files.linux);
    } else {
        for (system, paths) in [("macOS", files.macos), ("Windows", files.windows), ("Linux", files.linux)] {
            list(page, &format!("File on {system}{every}"), paths);
        }
    }
    if let Some(Variable { name, file, .. }) = files.variable {
        let file = if file.is_empty() { format!("`${name}`") } else { format!("`${name}/{file}`") };
        let _ = writeln!(page, "- Where {name} is set: {file}");
    }
    list(page, "In a sandbox", files.sandboxed);
    list(page, "In a project", client.project);
    list(page, "Skills", client.skills.user);
    if let Some(Variable { name, instead_of, .. }) = files.variable {
        let inside = |path: &&&str| !instead_of.is_empty() && path.starts_with(&format!("{instead_of}/"));
        let moved = client.skills.user.iter().filter(inside);
        let moved: Vec<_> = moved.map(|path| format!("`${name}{}`", &path[instead_of.len()..])).collect();
        if !moved.is_empty() {
            let _ = writeln!(page, "- Skills where {name} is set: {}", moved.join(", "));
        }
    }
    list(page, "Skills in a project", client.skills.project);
    let _ = writeln!(page, "- After a change: {}", client.to_reload());
    for pitfall in client.pitfalls {
        let _ = writeln!(page, "- {pitfall}");
    }
    entries(page, client);
}

/// The entries as written in a file, or the name of the client that writes the same ones.
fn entries(page: &mut String, client: &Client) {
    let way = |client: &Client| (format(client), client.key, client.stdio, client.http);
    let Some(model) = models().into_iter().find(|model| way(model) == way(client)) else { return };
    if model.id != client.id {
        let _ = writeln!(page, "- Its entries are written like those of [{}](#{}).", model.name, model.id);
        return;
    }
    let args = ["mcp", "--client", client.id].map(str::to_owned).to_vec();
    let program = Entry::Stdio { command: "/usr/bin/skilltender".to_owned(), args };
    let address = Entry::Http { url: "http://127.0.0.1:8363/mcp".to_owned(), token: "TOKEN".to_owned() };
    for (entry, title) in [(program, "It runs our program"), (address, "It dials our address")] {
        if let Ok(text) = snippet(client, &entry) {
            let _ = write!(page, "\n{title}:\n\n```{}\n{text}```\n", format(client).to_lowercase());
        }
    }
}

fn list(page: &mut String, title: &str, paths: &[&str]) {
    if !paths.is_empty() {
        let paths: Vec<_> = paths.iter().map(|path| shown(path)).collect();
        let _ = writeln!(page, "- {title}: {}", paths.join(", "));
    }
}

/// A pattern in its usual notation.
fn shown(pattern: &str) -> String {
    let path = pattern.replace("{home}", "~").replace("{config}", "~/.config");
    let windows = path.contains("{appdata}") || path.contains("{localappdata}");
    let path = path.replace("{appdata}", "%APPDATA%").replace("{localappdata}", "%LOCALAPPDATA%");
    format!("`{}`", if windows { path.replace('/', "\\") } else { path })
}

fn mark(client: &Client) -> &'static str {
    match client.mark {
        Mark::Ran => "Ran",
        Mark::Read => "Read",
        Mark::Table => "Table",
        Mark::Unverified => "Unverified",
    }
}

fn format(client: &Client) -> &'static str {
    match client.format {
        Format::Json => "JSON",
        Format::Jsonc => "JSONC",
        Format::Toml => "TOML",
        Format::Yaml => "YAML",
    }
}
