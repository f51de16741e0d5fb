//! The command that runs a package, from its name.

/// The program and the first arguments that run a package: `npx -y` for npm, `uvx` for PyPI (`pypi:name`). `version`
/// goes where that program expects it.
pub(super) fn run(package: &str, version: Option<&str>) -> (String, Vec<String>) {
    match package.strip_prefix("pypi:") {
        Some(package) => ("uvx".to_owned(), vec![pinned(package, "==", version)]),
        None => {
            let package = package.strip_prefix("npm:").unwrap_or(package);
            ("npx".to_owned(), vec!["-y".to_owned(), pinned(package, "@", version)])
        }
    }
}

/// The server name from its package: `@modelcontextprotocol/server-postgres` is `postgres`.
pub(super) fn server_name(package: &str) -> String {
    let name = package.trim_start_matches("npm:").trim_start_matches("pypi:");
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split(['@', '=']).next().unwrap_or(name);
    let short = ["server-", "mcp-server-", "mcp-"].into_iter().find_map(|start| name.strip_prefix(start));
    let short = short.unwrap_or(name);
    short.strip_suffix("-mcp").or(short.strip_suffix("-mcp-server")).unwrap_or(short).to_ascii_lowercase()
}

/// Whether it looks like a package name and cannot be read as an option.
pub(super) fn is_package(text: &str) -> bool {
    let name = text.strip_prefix("pypi:").or(text.strip_prefix("npm:")).unwrap_or(text);
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"@/._-=~^<>+[]".contains(&b))
}

/// The package without its version.
pub(super) fn without_version(package: &str) -> &str {
    let name = package.strip_prefix("npm:").unwrap_or(package);
    let ends: &[char] = if name.starts_with("pypi:") { &['@', '=', '<', '>', '~', '^', '['] } else { &['@'] };
    // A leading `@` is npm's scope.
    let end = name.get(1..).and_then(|rest| rest.find(ends)).map_or(name.len(), |at| at + 1);
    &name[..end]
}

fn pinned(package: &str, sign: &str, version: Option<&str>) -> String {
    // A leading `@` is npm's scope, not a version.
    let has_version = package.get(1..).is_some_and(|rest| rest.contains(['@', '=']));
    match version.filter(|_| !has_version) {
        Some(version) => format!("{package}{sign}{version}"),
        None => package.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(package: &str, version: Option<&str>) -> String {
        let (command, args) = run(package, version);
        format!("{command} {}", args.join(" "))
    }

    #[test]
    fn packages_run_with_the_program_of_their_registry() {
        assert_eq!(argv("@modelcontextprotocol/server-github", None), "npx -y @modelcontextprotocol/server-github");
        assert_eq!(argv("@a/b", Some("1.2.3")), "npx -y @a/b@1.2.3");
        assert_eq!(argv("a@1.0.0", Some("1.2.3")), "npx -y a@1.0.0");
        assert_eq!(argv("pypi:mcp-server-git", Some("2026.1")), "uvx mcp-server-git==2026.1");
    }

    #[test]
    fn a_server_is_named_after_its_package() {
        for (package, name) in [
            ("@modelcontextprotocol/server-postgres", "postgres"),
            ("pypi:mcp-server-git", "git"),
            ("@org/figma-mcp@1.2.0", "figma"),
            ("tavily-mcp", "tavily"),
        ] {
            assert_eq!(server_name(package), name);
        }
    }

    #[test]
    fn a_package_is_the_same_whatever_its_version() {
        for (package, name) in [
            ("@modelcontextprotocol/server-github@2025.4.8", "@modelcontextprotocol/server-github"),
            ("npm:tavily-mcp@latest", "tavily-mcp"),
            ("pypi:mcp-server-git==2026.1", "pypi:mcp-server-git"),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(without_version(package), name);
        }
    }

    #[test]
    fn an_option_is_no_package() {
        for text in ["-c", "--call", "", "a b", "a;b", "../x", "pypi:-x"] {
            assert!(!is_package(text), "{text}");
        }
    }
}
