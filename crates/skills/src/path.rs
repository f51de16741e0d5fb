//! The path of a file inside a skill.

use serde::{Serialize, Serializer};
use smol_str::SmolStr;

/// The path of a file inside a skill's folder: relative, `/` between segments, and without any segment that could
/// lead out of it. No other value can be built.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillPath(SmolStr);

/// The rest of a path or key below another; empty when they are equal.
pub fn below<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

impl SkillPath {
    /// The path, or `None` when it is empty, absolute, or has an empty, `.` or `..` segment, a
    /// backslash, a NUL, or a segment that Windows reads as a drive or a stream (`:`).
    pub fn new(path: &str) -> Option<Self> {
        let fine = |segment: &str| !matches!(segment, "" | "." | "..") && !segment.contains(['\\', '\0', ':']);
        path.split('/').all(fine).then(|| Self(path.into()))
    }

    /// `SKILL.md` itself.
    pub fn skill_md() -> Self {
        Self(SmolStr::new_static("SKILL.md"))
    }

    /// The path as text, with `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file name.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

impl std::fmt::Display for SkillPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SkillPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_lead_out_of_the_skill() {
        for path in
            ["", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\\b", "..\\a", "C:a", "a:b", "a\0b"]
        {
            assert_eq!(SkillPath::new(path), None, "{path:?}");
        }
        for path in ["SKILL.md", "references/guide.md", "...", "a..b", ".hidden", "résumé.md"] {
            assert_eq!(SkillPath::new(path).unwrap().as_str(), path);
        }
    }
}
