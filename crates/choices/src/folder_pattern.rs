//! Patterns of folders, by which a set of skills is bound to what a client works in, and the rule of which one counts.
//! Pure: which links lead where is found out by those who call.
//!
//! A pattern is an absolute folder, or one below `~`. In it, `*` stands for any run of characters within one name, once
//! in a name; the last name may be `**`, which stands for the folder before it and everything inside. Every other
//! character means itself.
//!
//! Of several patterns that match a folder the most specific one counts. They are compared name by name from the left,
//! and the first difference decides: a name as it is written comes before a name with `*` (of two such names, the one
//! with more other characters), that before a bare `*`, and that before `**`. Two patterns of different sets that this
//! cannot tell apart, and that match a folder together, are refused when the second one is bound ([`FolderPattern::ties`]).

use std::path::Path;

/// How this system writes and compares folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writing {
    /// Whether `\` separates names too, and drives and shares exist.
    pub windows: bool,
    /// Whether names that differ only in case are the same.
    pub ignores_case: bool,
}

impl Writing {
    /// The system that this program runs on.
    pub const HERE: Self =
        Self { windows: cfg!(windows), ignores_case: cfg!(any(windows, target_os = "macos", target_os = "ios")) };
}

/// A folder without its spelling: what it begins with, and its names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names {
    /// Empty, a drive (`c:`) or a share (`\\host\share`).
    start: String,
    names: Vec<String>,
}

/// A parsed pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderPattern {
    start: String,
    parts: Vec<Part>,
    /// Whether what is inside counts too.
    deep: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Name(String),
    /// A name with a `*`: what comes before it and after it.
    Star(String, String),
}

/// How specific one place of a pattern is, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Rank {
    Deep,
    /// A name with a `*`, by the number of its other characters.
    Star(usize),
    Name,
    /// Nothing more: the folder itself.
    End,
}

/// How specific a pattern is; the greater one counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity(Vec<Rank>);

impl FolderPattern {
    /// Reads a pattern. `home` is what `~` stands for.
    ///
    /// # Errors
    /// A sentence with what is wrong and what to write.
    pub fn read(text: &str, home: &Path, writing: Writing) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || text.contains(char::is_control) {
            return Err("A folder for a set is one line, such as `~/projects/*`.".to_owned());
        }
        let full = written_out(text, home, writing);
        let Names { start, mut names } = full
            .and_then(|full| names(&full, writing))
            .ok_or_else(|| format!("`{text}` is no absolute folder: begin it with `/`, a drive or `~/`."))?;
        if names.iter().any(|name| name == "..") {
            return Err(format!("`{text}` leads upwards with `..`: write the folder that is meant."));
        }
        let deep = names.last().is_some_and(|name| name == "**");
        if deep {
            names.pop();
        }
        if names.iter().any(|name| name.contains("**")) {
            return Err(format!("In `{text}`, `**` can only be the whole last name: it means everything inside."));
        }
        let part = |name: String| match name.split_once('*') {
            None => Ok(Part::Name(name)),
            Some((_, after)) if after.contains('*') => {
                Err(format!("In `{text}`, one name has more than one `*`: use one in each name."))
            }
            Some((before, after)) => Ok(Part::Star(before.to_owned(), after.to_owned())),
        };
        Ok(Self { start, parts: names.into_iter().map(part).collect::<Result<_, _>>()?, deep })
    }

    /// The same pattern, where `real` is what its part without `*` leads to; `None` if nothing would change.
    #[must_use]
    pub fn leading_to(&self, real: &Path, writing: Writing) -> Option<Self> {
        let Names { start, names } = names(real.to_str()?, writing)?;
        let parts = names.into_iter().map(Part::Name).chain(self.parts[self.fixed()..].iter().cloned()).collect();
        let led = Self { start, parts, deep: self.deep };
        (led != *self).then_some(led)
    }

    /// The number of names before the first one with a `*`.
    fn fixed(&self) -> usize {
        self.parts.iter().take_while(|part| matches!(part, Part::Name(_))).count()
    }

    /// Whether this folder is meant.
    fn matches(&self, Names { start, names }: &Names) -> bool {
        let long_enough = if self.deep { names.len() >= self.parts.len() } else { names.len() == self.parts.len() };
        long_enough && *start == self.start && self.parts.iter().zip(names).all(|(part, name)| part.matches(name))
    }

    /// How specific it is. Only patterns that match one folder are to be compared.
    #[must_use]
    pub fn specificity(&self) -> Specificity {
        let end = if self.deep { Rank::Deep } else { Rank::End };
        Specificity(self.parts.iter().map(Part::rank).chain([end]).collect())
    }

    /// Whether some folder is matched by both, and neither is more specific.
    #[must_use]
    pub fn ties(&self, other: &Self) -> bool {
        self.start == other.start
            && self.specificity() == other.specificity()
            && self.parts.iter().zip(&other.parts).all(|(one, other)| one.overlaps(other))
    }
}

/// Patterns, each with what is bound to it.
#[derive(Debug, Clone, Default)]
pub struct Bindings<T>(Vec<(FolderPattern, T)>);

impl<T: Ord> Bindings<T> {
    /// The same bindings in whichever order they come.
    pub fn new(bindings: impl IntoIterator<Item = (FolderPattern, T)>) -> Self {
        Self(bindings.into_iter().collect())
    }

    /// What is bound to a folder, by the most specific of the patterns that match any of its spellings. Of two that
    /// nothing tells apart, which a link that was moved since can bring about, the first by its own order counts.
    ///
    /// A spelling that is not absolute, or leads upwards with `..`, matches nothing.
    pub fn of<'p>(&self, spellings: impl IntoIterator<Item = &'p Path>, writing: Writing) -> Option<&T> {
        let names = spellings.into_iter().filter_map(|folder| names(folder.to_str()?, writing));
        let names: Vec<_> = names.filter(|folder| folder.names.iter().all(|name| name != "..")).collect();
        let matching = self.0.iter().filter(|(pattern, _)| names.iter().any(|names| pattern.matches(names)));
        let best = matching.max_by(|(one, bound), (other, other_bound)| {
            one.specificity().cmp(&other.specificity()).then_with(|| other_bound.cmp(bound))
        });
        best.map(|(_, bound)| bound)
    }
}

impl Part {
    fn rank(&self) -> Rank {
        match self {
            Self::Name(_) => Rank::Name,
            Self::Star(before, after) => Rank::Star(before.chars().count() + after.chars().count()),
        }
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Star(before, after) => {
                name.strip_prefix(before.as_str()).is_some_and(|rest| rest.ends_with(after.as_str()))
            }
        }
    }

    /// Whether a name exists that both match: as a `*` stands for any number of characters, the longer beginning and the
    /// longer end make one.
    fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Name(name), part) | (part, Self::Name(name)) => part.matches(name),
            (Self::Star(before, after), Self::Star(other_before, other_after)) => {
                let begins = before.starts_with(other_before.as_str()) || other_before.starts_with(before.as_str());
                begins && (after.ends_with(other_after.as_str()) || other_after.ends_with(after.as_str()))
            }
        }
    }
}

/// The part of a pattern that names one folder, before the first name with a `*`, as it is written: what a link may
/// stand in. `None` for a share of another computer, which is never looked at (a share is shown the user's name and
/// password of Windows), and for what is no absolute folder.
#[must_use]
pub fn fixed_part(text: &str, home: &Path, writing: Writing) -> Option<String> {
    let full = written_out(text.trim(), home, writing)?;
    if is_share(&full, writing) {
        return None;
    }
    let is_separator = |character| character == '/' || (writing.windows && character == '\\');
    let star = full.find('*').unwrap_or(full.len());
    let end = if star == full.len() { star } else { full[..star].rfind(is_separator)? + 1 };
    Some(full[..end].to_owned())
}

/// Whether a path names a share of another computer.
#[must_use]
pub fn is_share(path: &str, writing: Writing) -> bool {
    let path = path.replace('/', "\\");
    let verbatim = path.strip_prefix(r"\\?\").or_else(|| path.strip_prefix(r"\\.\"));
    writing.windows && path.starts_with(r"\\") && verbatim.is_none_or(|rest| rest.get(1..2) != Some(":"))
}

/// The pattern with the home folder in place of `~`.
fn written_out(text: &str, home: &Path, writing: Writing) -> Option<String> {
    let is_separator = |character| character == '/' || (writing.windows && character == '\\');
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with(is_separator) => Some(format!("{}{rest}", home.to_str()?)),
        Some(_) => None,
        None => Some(text.to_owned()),
    }
}

/// Takes a path apart; `None` if it is not absolute. Separators that repeat, one at the end, and `.` change nothing.
fn names(path: &str, writing: Writing) -> Option<Names> {
    let folded = if writing.ignores_case { path.to_lowercase() } else { path.to_owned() };
    let (start, rest) = if writing.windows {
        let path = folded.replace('/', "\\");
        let path = match path.strip_prefix(r"\\?\unc\").or_else(|| path.strip_prefix(r"\\?\UNC\")) {
            Some(share) => format!(r"\\{share}"),
            None => path.strip_prefix(r"\\?\").unwrap_or(&path).to_owned(),
        };
        start_of_windows(&path)?
    } else {
        (String::new(), folded.strip_prefix('/')?.to_owned())
    };
    let separator = if writing.windows { '\\' } else { '/' };
    let names = rest.split(separator).filter(|name| !name.is_empty() && *name != ".");
    Some(Names { start, names: names.map(str::to_owned).collect() })
}

/// The drive or share at the start of a path of Windows, and the rest.
fn start_of_windows(path: &str) -> Option<(String, String)> {
    if let Some(share) = path.strip_prefix(r"\\") {
        let mut parts = share.splitn(3, '\\');
        let (host, name) = (parts.next()?, parts.next()?);
        let named = !host.is_empty() && !name.is_empty();
        return named.then(|| (format!(r"\\{host}\{name}"), parts.next().unwrap_or_default().to_owned()));
    }
    let (drive, rest) = path.split_once(':')?;
    let is_drive = drive.len() == 1 && drive.starts_with(|letter: char| letter.is_ascii_alphabetic());
    (is_drive && rest.starts_with('\\')).then(|| (format!("{drive}:"), rest.to_owned()))
}

#[cfg(test)]
mod tests;
