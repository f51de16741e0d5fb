//! Whether a text names a file: by its name, by one of its folders, or by a pattern that it fits.
//!
//! People name files in many ways, and a form that is not recognised causes a wrong remark. So anything that could be
//! a name counts.

use crate::SkillPath;

/// A text to search for names of files.
pub(super) struct Mentions {
    /// In lower case: authors write a name in another letter case than the disk.
    text: String,
    patterns: Vec<String>,
}

impl Mentions {
    pub(super) fn new(text: &str) -> Self {
        let text = text.to_lowercase().replace("%20", " ").replace('\\', "/");
        let patterns = text.split(is_end).filter_map(pattern).collect();
        Self { text, patterns }
    }

    pub(super) fn name(&self, path: &SkillPath) -> bool {
        let path = path.as_str().to_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.holds_name(name)
            || self.holds_stem(stem)
            || folders.split('/').any(|folder| self.holds_folder(folder))
            || self.patterns.iter().any(|pattern| fits_an_end(pattern, &path))
    }

    /// Whether the name appears as a whole word: `a-guide.md` does not name `guide.md`.
    fn holds_name(&self, name: &str) -> bool {
        self.places(name).any(|at| self.begins_word(at))
    }

    /// Whether the name appears without its suffix: `[[guide]]`, `` `guide` ``, `import "./guide"`,
    /// `from guide import`.
    fn holds_stem(&self, stem: &str) -> bool {
        self.places(stem).any(|at| {
            let (before, after) = (&self.text[..at], &self.text[at + stem.len()..]);
            let is_whole = before.ends_with(['`', '"', '\'', '[', '/', '#'])
                && after.starts_with(['`', '"', '\'', ']', '|', ')', '#']);
            let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
            let is_code =
                ["import ", "from ", "source ", "use ", "mod ", "require"].iter().any(|word| line.starts_with(word));
            is_whole || is_code && self.begins_word(at) && !after.starts_with(is_word)
        })
    }

    /// Whether the folder is named: `prompts/`, `` `prompts` ``, "the prompts folder".
    fn holds_folder(&self, folder: &str) -> bool {
        !folder.is_empty()
            && self.places(folder).any(|at| {
                let (before, after) = (&self.text[..at], &self.text[at + folder.len()..]);
                let is_quoted = before.ends_with(['`', '"', '\'']) && after.starts_with(['`', '"', '\'']);
                let is_called =
                    [" folder", " directory", "` folder", "` directory"].iter().any(|word| after.starts_with(word));
                self.begins_word(at) && (after.starts_with('/') || is_quoted || is_called)
            })
    }

    fn places<'t>(&'t self, what: &'t str) -> impl Iterator<Item = usize> + 't {
        self.text.match_indices(what).map(|(at, _)| at)
    }

    fn begins_word(&self, at: usize) -> bool {
        !self.text[..at].ends_with(is_word)
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Whether a character ends a word that may be a pattern.
fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | ')' | '|' | ';')
}

/// A word that means many files, as a pattern with `*` for each variable part.
fn pattern(word: &str) -> Option<String> {
    if word.contains("://") || !word.contains(['*', '{', '<', '[', '$', '…']) || word.len() > 256 {
        return None;
    }
    let word = word.trim_matches([',', ':', '.', '!', '?']);
    let mut open = 0_usize;
    let mut pattern = String::new();
    let mut characters = word.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '{' | '<' | '[' => open += 1,
            '}' | '>' | ']' if open > 0 => {
                open -= 1;
                pattern.push('*');
            }
            '*' | '…' => pattern.push('*'),
            '$' => {
                while characters.next_if(|c| c.is_ascii_alphanumeric() || *c == '_').is_some() {}
                pattern.push('*');
            }
            c if open == 0 => pattern.push(c),
            _ => {}
        }
    }
    // A pattern without letters outside its suffix fits every file, so it says nothing.
    let is_star = |pattern: &str| {
        pattern.rsplit_once('.').map_or(pattern, |(stem, _)| stem).chars().all(|c| matches!(c, '*' | '/' | '.'))
    };
    let is_glob = word.contains('*') && word.contains('.');
    (is_glob && pattern.chars().any(char::is_alphanumeric) || !is_star(&pattern)).then_some(pattern)
}

/// Whether the pattern fits the path, or what follows one of its folders.
fn fits_an_end(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("../").trim_start_matches("./");
    // A pattern may start with a folder that only its author knows: `${skill}/prompts/*.md`.
    let rest = pattern.strip_prefix('*').and_then(|rest| rest.strip_prefix('/'));
    let ends = || path.match_indices('/').map(|(at, _)| &path[at + 1..]).chain([path]);
    ends().any(|end| {
        fits(pattern.as_bytes(), end.as_bytes()) || rest.is_some_and(|rest| fits(rest.as_bytes(), end.as_bytes()))
    })
}

/// Whether a text fits a pattern in which `*` is anything: the usual loop with one backtracking point.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t, mut back) = (0, 0, None);
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            back = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((star, from)) = back {
            back = Some((star, from + 1));
            p = star + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, path: &str) -> bool {
        Mentions::new(text).name(&SkillPath::new(path).unwrap())
    }

    #[test]
    fn a_file_is_named_in_every_way_that_people_use() {
        for text in [
            "See guide.md.",
            "See [it](./prompts/GUIDE.md#top).",
            "Read `prompts/`.",
            "Every file in the prompts folder.",
            "Look into `prompts`.",
            "Load prompts/*.md",
            "Load `prompts/{kind}.md`.",
            "Load `prompts/<kind>.md`, then",
            "cat \"$HERE/prompts/$kind.md\"",
            "cat ${SKILL_ROOT}/prompts/g*.md",
            "find . -name '*.md'",
            "See [[guide]].",
            "The `guide` says it.",
            "import guide from './guide'",
            "prompts\\guide.md",
        ] {
            assert!(names(text, "prompts/guide.md"), "{text}");
        }
        assert!(names("[x](my%20guide.md)", "my guide.md"));
        assert!(names("from tea_pot import brew", "tea_pot.py"));
        assert!(names("See b/.", "a/b/c.txt"));
    }

    #[test]
    fn what_only_looks_alike_names_no_file() {
        for text in [
            "See a-guide.md.",
            "The guide says it.",
            "A guided tour.",
            "https://x.example/*.md",
            "other/*.md",
            "{date}.md",
            "myprompts/",
            "prompts are texts",
            "`<kind>`",
        ] {
            assert!(!names(text, "prompts/guide.md"), "{text}");
        }
    }

    #[test]
    fn a_pattern_is_fitted_in_time_that_its_length_bounds() {
        assert!(!fits(("a*".repeat(60) + "c").as_bytes(), "a".repeat(20_000).as_bytes()));
    }
}
