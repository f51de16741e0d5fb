//! The rule about files that no text names.

use super::{
    content::{Content, Folder},
    mentions::Mentions,
};
use crate::{File, SkillPath, catalog::MOST_FILES, problem::Fault};

/// Folders of a skill whose files are found by their location alone.
const FOLDERS: &[&str] = &["scripts/", "references/", "assets/", "agents/"];

/// Folders, at any depth, that hold tests and evidence, not instructions.
const PROOFS: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "spec",
    "specs",
    "evals",
    "eval",
    "fixtures",
    "__fixtures__",
    "testdata",
    "snapshots",
    "__snapshots__",
    "benchmarks",
];

/// Starts of the names of files that are for people and tools, not for a model.
const FOR_OTHERS: &[&str] = &[
    // Dot files are for tools.
    ".",
    // Licence and authors.
    "licen",
    "notice",
    "copying",
    "copyright",
    "third_party",
    "third-party",
    "ofl",
    "authors",
    "contribut",
    "credits",
    "acknowledg",
    "maintainers",
    "codeowners",
    "citation",
    "code_of_conduct",
    "code-of-conduct",
    "security",
    "support",
    // What it is, for readers of a list.
    "readme",
    "changelog",
    "changes",
    "history",
    "release",
    "roadmap",
    "todo",
    "version",
    "info.",
    "card.",
    "agents.md",
    "claude.md",
    "gemini.md",
    // Signatures and checksums.
    "signature",
    "checksum",
    "sha256sum",
    "sha512sum",
    "test_",
    "test-",
    "tests.",
    "conftest",
    "eval.",
    "evals.",
    // Package manifests and build files.
    "package",
    "pyproject.toml",
    "requirements",
    "setup.py",
    "setup.cfg",
    "cargo.",
    "go.mod",
    "go.sum",
    "gemfile",
    "pipfile",
    "composer.",
    "deno.json",
    "tsconfig",
    "jsconfig",
    "makefile",
    "justfile",
    "dockerfile",
    "environment.y",
    "plugin.json",
    "marketplace.json",
    "manifest.json",
    "skill.json",
    "skill.y",
    "metadata.",
    "_meta.json",
    "pom.xml",
    "build.gradle",
    "pytest.ini",
    "tox.ini",
    "__init__.py",
];

/// Ends of such names.
const ENDS: &[&str] = &[
    ".sig",
    ".asc",
    ".minisig",
    ".sigstore",
    ".sigstore.json",
    ".sha256",
    ".sha512",
    ".pem",
    ".crt",
    ".lock",
    ".lockb",
    "-lock.json",
    "-lock.yaml",
    "-card.md",
    "-card.json",
    "_card.md",
    "_card.json",
    "report.md",
    "_summary.md",
    "-log.md",
    "_log.md",
    ".config.js",
    ".config.ts",
    ".config.mjs",
    ".pyc",
    ".map",
];

/// Parts of such names: a test next to its subject, and the licence of something in the skill.
const HOLDS: &[&str] = &[".test.", ".spec.", "_test.", "-test.", "license", "licence"];

/// Texts in which files are named, by their ends.
const TEXTS: &[&str] = &[
    "md", "mdx", "markdown", "txt", "rst", "adoc", "json", "jsonc", "yaml", "yml", "toml", "html", "css", "sh", "bash",
    "zsh", "fish", "py", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "rb", "pl", "php", "ps1", "go", "rs",
    "lua", "r", "jl", "swift", "kt", "java", "cs", "sql", "j2", "tmpl", "svelte", "vue",
];

const MOST_NAMED: usize = 10;
/// More text than this is not searched for names.
const MOST_BYTES: u64 = 8 << 20;

pub(super) fn unlinked(content: &mut Content<'_>) -> Vec<Fault> {
    let (skill_md, place) = (content.text().to_owned(), content.first_line());
    // Another rule reports a folder of more files as too large.
    let Some(folder) = content.folder.as_mut().filter(|folder| folder.files.len() <= MOST_FILES) else {
        return Vec::new();
    };
    let Some(left) = unnamed(folder, &skill_md) else { return Vec::new() };
    if left.is_empty() {
        return Vec::new();
    }
    let named = left.iter().take(MOST_NAMED).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    let message = match left.len() {
        1 => format!("No text of the skill names {named}, so no model will read it. Link to it, or remove it."),
        count if count <= MOST_NAMED => {
            format!("No text of the skill names {named}, so no model will read them. Link to them, or remove them.")
        }
        count => format!(
            "No text of the skill names {named} and {} more, so no model will read them. Link to them, or remove them.",
            count - MOST_NAMED
        ),
    };
    vec![Fault::new("file-unlinked", place, message)]
}

/// The files that no text names. `None` when a text cannot be read: it may name any of them.
fn unnamed<'f>(folder: &mut Folder<'f>, skill_md: &str) -> Option<Vec<&'f SkillPath>> {
    let nested: Vec<&str> = folder.files.iter().filter_map(nested).collect();
    let candidates = folder.files.iter().map(|file| &file.path);
    let candidates =
        candidates.filter(|path| wants_a_link(path) && !nested.iter().any(|top| path.as_str().starts_with(top)));
    let mut left: Vec<&SkillPath> = candidates.collect();
    if left.is_empty() {
        return Some(left);
    }
    let mentions = Mentions::new(skill_md);
    left.retain(|path| !mentions.name(path));
    let texts: Vec<_> = folder.files.iter().filter(|file| is_text(file)).collect();
    if texts.iter().map(|file| file.size).sum::<u64>() > MOST_BYTES {
        return None;
    }
    for file in texts {
        if left.is_empty() {
            break;
        }
        let text = (folder.text_of)(&file.path)?;
        let mentions = Mentions::new(&text);
        left.retain(|path| *path == &file.path || !mentions.name(path));
    }
    Some(left)
}

/// The folder of a nested skill, which has its own SKILL.md; ends with a `/`.
fn nested(file: &File) -> Option<&str> {
    let (folder, name) = file.path.as_str().rsplit_once('/')?;
    name.eq_ignore_ascii_case("SKILL.md").then(|| &file.path.as_str()[..=folder.len()])
}

fn is_text(file: &File) -> bool {
    let ends =
        |path: &str| path.rsplit_once('.').is_some_and(|(_, end)| TEXTS.contains(&end.to_ascii_lowercase().as_str()));
    file.path.as_str() != "SKILL.md" && ends(file.path.file_name())
}

fn wants_a_link(path: &SkillPath) -> bool {
    let (path, name) = (path.as_str(), path.file_name().to_ascii_lowercase());
    let (folders, _) = path.rsplit_once('/').unwrap_or_default();
    // A specification in capitals, such as `SPEC.md`, is for the skill's authors.
    let is_specification =
        path.rsplit('/').next().is_some_and(|name| name.starts_with("SPEC.") || name.starts_with("SPEC-"));
    path != "SKILL.md"
        && !FOLDERS.iter().any(|folder| path.starts_with(folder))
        && !folders
            .split('/')
            .any(|folder| folder.starts_with('.') || PROOFS.contains(&folder.to_ascii_lowercase().as_str()))
        && !FOR_OTHERS.iter().any(|start| name.starts_with(start))
        && !ENDS.iter().any(|end| name.ends_with(end))
        && !HOLDS.iter().any(|part| name.contains(part))
        && !is_specification
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_people_and_for_tools_needs_no_link() {
        for path in [
            "LICENSE",
            "apache-license-2.0.txt",
            "OFL.txt",
            "NOTICE.md",
            "docs/README.md",
            ".gitignore",
            ".github/x.md",
            "sub/.hidden/x.md",
            "skill-card.md",
            "card.yaml",
            "agent-card.json",
            "SKILL.md.sig",
            "skill.asc",
            "SHA256SUMS",
            "tests/a.md",
            "lib/__tests__/a.ts",
            "lib/a.test.ts",
            "test_a.py",
            "TEST_PROMPTS.md",
            "package.json",
            "package-lock.json",
            "pnpm-lock.yaml",
            "pyproject.toml",
            "requirements-dev.txt",
            "Cargo.toml",
            "go.sum",
            "Makefile",
            "uv.lock",
            "references/a.md",
            "scripts/lib/a.py",
            "SPEC.md",
            "CREATION-LOG.md",
            "_meta.json",
        ] {
            assert!(!wants_a_link(&SkillPath::new(path).unwrap()), "{path}");
        }
        for path in ["guide.md", "prompts/a.md", "data/table.csv", "spec-reviewer.md", "EXAMPLES.md", "latest.md"] {
            assert!(wants_a_link(&SkillPath::new(path).unwrap()), "{path}");
        }
    }
}
