//! How clients split a SKILL.md into frontmatter and body.

/// The fences that a client recognises.
#[derive(Debug)]
pub(super) struct Fences {
    pub(super) opening: Opening,
    pub(super) closing: Closing,
    /// How a frontmatter without a line is read.
    pub(super) empty: Empty,
    /// Whether an unclosed frontmatter extends to the end of the file.
    pub(super) unclosed: bool,
}

/// What the first line must be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Opening {
    /// `---`.
    Exact,
    /// `---`, optionally followed by blanks.
    Blanks,
    /// `---`, optionally with blanks on both sides.
    Trimmed,
    /// `---` and the name of a language; only YAML is read.
    Language,
    /// `---`; the rest of the line is already frontmatter.
    Anything,
}

/// What ends the frontmatter.
#[derive(Debug, Clone, Copy)]
pub(super) enum Closing {
    /// A line `---`, optionally followed by blanks.
    Blanks,
    /// A line `---`, optionally with blanks on both sides.
    Trimmed,
    /// A line that starts with `---`.
    Start,
    /// `---` anywhere.
    Anywhere,
}

/// How a closing fence right after the opening one is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// It ends an empty frontmatter.
    Frontmatter,
    /// It is a line of the frontmatter.
    Line,
    /// There is no frontmatter at all.
    Nothing,
}

/// A split file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut<'t> {
    /// The frontmatter, without the line end before the closing fence.
    pub(super) yaml: &'t str,
    pub(super) body: &'t str,
}

impl Fences {
    /// `None` when the client sees no frontmatter.
    pub(super) fn cut<'t>(&self, text: &'t str) -> Option<Cut<'t>> {
        let start = self.start(text)?;
        let rest = &text[start..];
        if let Closing::Anywhere = self.closing {
            return rest.split_once("---").map(|(yaml, body)| Cut { yaml, body });
        }
        let cut = |end: usize, after: usize| {
            let yaml = rest[..end].strip_suffix('\n').unwrap_or(&rest[..end]);
            Cut { yaml: yaml.strip_suffix('\r').unwrap_or(yaml), body: &rest[after..] }
        };
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            let behind = at == 0;
            if self.closes(line) && !(behind && self.empty == Empty::Line) {
                return (!behind || self.empty == Empty::Frontmatter).then(|| cut(at, at + line.len()));
            }
            at += line.len();
        }
        self.unclosed.then(|| cut(rest.len(), rest.len()))
    }

    /// Where the frontmatter starts.
    fn start(&self, text: &str) -> Option<usize> {
        let line = text.split_inclusive('\n').next()?;
        let end = line.trim_end_matches(['\r', '\n']);
        let opens = match self.opening {
            Opening::Exact => end == "---",
            Opening::Blanks => end.trim_end() == "---",
            Opening::Trimmed => end.trim() == "---",
            Opening::Language => {
                let language = end.strip_prefix("---").map(|language| language.trim_matches([' ', '\t']));
                language.is_some_and(|language| ["", "yaml", "yml"].contains(&language.to_ascii_lowercase().as_str()))
            }
            Opening::Anything => return text.starts_with("---").then_some(3),
        };
        opens.then_some(line.len())
    }

    fn closes(&self, line: &str) -> bool {
        match self.closing {
            Closing::Blanks => line.trim_end() == "---",
            Closing::Trimmed => line.trim() == "---",
            Closing::Start | Closing::Anywhere => line.starts_with("---"),
        }
    }
}
