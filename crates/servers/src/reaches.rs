//! Whether anything that a program is started with leads into the folder of its skill. If so, it may run any
//! file there, and the folder is part of the approval.
//!
//! This checks the program, the folder that it runs in, and every path anywhere in an argument or a value
//! (`--config=./a.json`, `/a:/b`, `sh -c ". ~/skills/tea/env.sh"`). False positives are better than false
//! negatives: they only mean that a change of the folder asks again.

use std::path::{Path, PathBuf};

/// The places to check against.
pub(crate) struct Reaches<'m> {
    /// The skill's folder.
    pub skill: &'m Path,
    /// The user's home, which shells abbreviate.
    pub home: &'m Path,
    /// Where the program runs.
    pub cwd: &'m Path,
}

impl Reaches<'_> {
    /// Whether one of these places or texts leads into the folder.
    pub(crate) fn any<'t>(
        &self,
        places: impl IntoIterator<Item = &'t Path>,
        texts: impl IntoIterator<Item = &'t String>,
    ) -> bool {
        let real = self.skill.canonicalize().unwrap_or_else(|_| self.skill.to_path_buf());
        let is_inside = |place: &Path| {
            place.starts_with(self.skill) || place.canonicalize().is_ok_and(|place| place.starts_with(&real))
        };
        let names = [self.skill, &real].map(|place| place.to_string_lossy().into_owned());
        let leads = |text: &String| {
            names.iter().any(|name| text.contains(name.as_str()))
                || pieces(text).any(|piece| is_inside(&self.cwd.join(self.expanded(piece))))
        };
        places.into_iter().any(is_inside) || texts.into_iter().any(leads)
    }

    /// A path with the shells' names for home replaced.
    fn expanded(&self, piece: &str) -> PathBuf {
        let below = ["~/", "$HOME/", "${HOME}/", "%USERPROFILE%\\"].iter().find_map(|home| piece.strip_prefix(home));
        below.map_or_else(|| PathBuf::from(piece), |below| self.home.join(below))
    }
}

/// The possible paths in a text: all of it, and each part between characters that separate paths from other
/// words.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let separates = |c: char| {
        c.is_whitespace()
            || matches!(c, '=' | ':' | ';' | ',' | '"' | '\'' | '`' | '(' | ')' | '<' | '>' | '|' | '&' | '@')
    };
    let after_option = text.strip_prefix('-').and_then(|rest| rest.get(1..));
    let all = [text].into_iter().chain(after_option).chain(text.split(separates));
    all.filter(|piece| !piece.is_empty() && piece.len() < 4096)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_path_into_the_folder_is_found_wherever_it_stands_in_a_text() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let (skill, other) = (home.join("skills/tea"), home.join("work"));
        for folder in [&skill, &other, &home.join("skills/tea-pot")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("a.json"), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&skill, home.join("link")).unwrap();
        let leads = |cwd: &Path, text: &str| {
            let (skill, home) = (skill.as_path(), home.as_path());
            Reaches { skill, home, cwd }.any([], [&text.to_owned()])
        };
        let whole = skill.join("a.json").display().to_string();
        for text in [
            whole.clone(),
            format!("--config={whole}"),
            format!("/usr/lib:{}", skill.display()),
            format!("file://{whole}"),
            format!("-I{}", skill.display()),
            format!("[\"{whole}\"]"),
            "../skills/tea".to_owned(),
            "--dir=../skills/tea/a.json".to_owned(),
            "-I../skills/tea".to_owned(),
            ". ~/skills/tea/env.sh".to_owned(),
            "cat \"$HOME/skills/tea/a.json\"".to_owned(),
            "src=${HOME}/skills/tea/a.json,dst=/a".to_owned(),
            #[cfg(unix)]
            "../link/a.json".to_owned(),
        ] {
            // A path that does not exist leads nowhere, except by its name.
            let there = !text.contains("env.sh") || {
                fs::write(skill.join("env.sh"), "").unwrap();
                true
            };
            assert!(there && leads(&other, &text), "{text}");
        }
        for text in ["a.json", "-y", "", "../skills", "tea", "https://x.example/skills/tea", "~", "."] {
            assert!(!leads(&other, text), "{text}");
        }
        assert!(leads(&skill, "a.json"), "it runs there");
    }
}
