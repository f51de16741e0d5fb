//! Programs that run other people's code and are updated with the system: package runners, container engines,
//! interpreters. The code that they run is named in their arguments. A new question with every system update
//! would teach people to say yes, so an approval covers the path of such a program, not its content.

use std::path::Path;

/// Their names, without a version at the end and without Windows' extensions.
const NAMES: &[&str] = &[
    "npx",
    "npm",
    "pnpx",
    "pnpm",
    "yarn",
    "bunx",
    "bun",
    "deno",
    "node",
    "nodejs",
    "uvx",
    "uv",
    "pipx",
    "python",
    "py",
    "docker",
    "podman",
    "nerdctl",
    "sh",
    "bash",
    "dash",
    "zsh",
    "fish",
    "ruby",
    "perl",
    "php",
    "java",
    "dotnet",
    "pwsh",
    "powershell",
    "cmd",
];

/// Whether this is one, by its name.
pub(crate) fn is(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = [".exe", ".cmd", ".bat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    NAMES.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_is_known_by_its_name_whatever_its_version() {
        for name in ["npx", "/usr/bin/python3", "python3.12", "node22", "npx.cmd", "Docker.exe", "uvx"] {
            assert!(is(Path::new(name)), "{name}");
        }
        for name in ["teapot", "/home/mei/bin/npx-like", "my-node", "pythonic", "3"] {
            assert!(!is(Path::new(name)), "{name}");
        }
    }
}
