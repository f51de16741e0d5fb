//! The input of the rules about a skill's content.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::{links::Beside, markdown::Markdown};
use crate::{
    File, Skill, SkillPath, about_tokens, document::Document, frontmatter::Frontmatter, problem::Fault, yaml::Node,
};

const MOST_LINES: usize = 500;
const MOST_TOKENS: usize = 5_000;

/// A skill with its whole content.
pub(crate) struct Content<'a> {
    pub(crate) skill: &'a Skill,
    /// Always a mapping.
    pub(crate) frontmatter: Node,
    pub(crate) markdown: Markdown,
    text: Cow<'a, str>,
    /// `None` when only SKILL.md is known.
    pub(crate) folder: Option<Folder<'a>>,
    /// What the links in the other files say, filled on first use.
    pub(super) beside: Option<Beside>,
}

/// What the disk knows of a skill's folder beyond the list of its files. That list may omit deep files, files of
/// tools, and some of very many files.
pub struct Disk<'d> {
    /// Looks up a path that is not in the list.
    pub find: &'d dyn Fn(&SkillPath) -> Found,
    /// Paths of the symbolic links that lead out of the folder.
    pub links_out: &'d [String],
}

/// What a path of a skill's folder leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file or a folder.
    Here,
    /// A symbolic link out of the folder.
    Outside,
}

/// The files next to a SKILL.md.
pub(crate) struct Folder<'a> {
    pub(crate) files: &'a [File],
    pub(crate) text_of: &'a mut dyn FnMut(&SkillPath) -> Option<String>,
    /// Looks up paths that are not listed.
    find: &'a dyn Fn(&SkillPath) -> Found,
    /// The symbolic links that lead out of the folder.
    pub(super) links_out: &'a [String],
    /// The paths of all files and of their parent folders.
    paths: HashSet<&'a str>,
    /// The files by case-folded path; `None` where two differ only in letter case.
    folded: HashMap<String, Option<&'a SkillPath>>,
}

impl<'a> Content<'a> {
    pub(crate) fn new(skill: &'a Skill, file: &'a [u8]) -> Self {
        let text = text(file);
        let markdown = Markdown::new(&text, skill.body.clone());
        let frontmatter = Frontmatter::read(&Document::new(file)).root;
        Self { skill, frontmatter, markdown, text, folder: None, beside: None }
    }

    pub(crate) fn beside(
        self,
        files: &'a [File],
        text_of: &'a mut dyn FnMut(&SkillPath) -> Option<String>,
        disk: &Disk<'a>,
    ) -> Self {
        let (mut paths, mut folded) = (HashSet::new(), HashMap::new());
        for path in files.iter().map(|file| &file.path) {
            let folders = path.as_str().match_indices('/').map(|(at, _)| &path.as_str()[..at]);
            paths.extend(folders.chain([path.as_str()]));
            folded.entry(fold(path.as_str())).and_modify(|other| *other = None).or_insert(Some(path));
        }
        Self {
            folder: Some(Folder { files, text_of, find: disk.find, links_out: disk.links_out, paths, folded }),
            ..self
        }
    }

    /// The whole SKILL.md; offsets are those of the file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text below the frontmatter.
    pub(crate) fn body(&self) -> &str {
        self.text.get(self.skill.body.clone()).unwrap_or_default()
    }

    /// The first line of the body: the place for problems of the whole body.
    pub(crate) fn first_line(&self) -> Range<usize> {
        let start = self.skill.body.start;
        start..start + self.body().lines().next().unwrap_or_default().len()
    }
}

impl<'a> Folder<'a> {
    /// What a path leads to: a file, a folder with files in it, or nothing. The empty path is the skill's own folder.
    pub(super) fn found(&self, path: &str) -> Found {
        if path.is_empty() || self.paths.contains(path) {
            return Found::Here;
        }
        SkillPath::new(path).map_or(Found::Nothing, |path| (self.find)(&path))
    }

    /// Whether the path exists, wherever it leads.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.found(path) != Found::Nothing
    }

    pub(super) fn has(&self, path: &SkillPath) -> bool {
        self.files.iter().any(|file| file.path == *path) || (self.find)(path) == Found::Here
    }

    /// The only file whose path differs just in letter case or in the kind of slash.
    pub(super) fn nearly(&self, path: &str) -> Option<&'a SkillPath> {
        self.folded.get(&fold(path)).copied().flatten()
    }
}

fn fold(path: &str) -> String {
    path.replace('\\', "/").to_lowercase()
}

/// The file as text of the same length: a byte that is not UTF-8 becomes a question mark.
fn text(file: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(file) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(file.len());
    for chunk in file.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(text)
}

pub(super) fn length(content: &mut Content<'_>) -> Vec<Fault> {
    let body = content.body();
    let (lines, tokens) = (body.lines().count(), about_tokens(body));
    if lines <= MOST_LINES && tokens <= MOST_TOKENS {
        return Vec::new();
    }
    let message = format!(
        "The body has {lines} lines, about {tokens} tokens. A model reads all of it at each use; up to {MOST_LINES} \
         lines and about {MOST_TOKENS} tokens are usual. Move rarely needed parts into files in references/."
    );
    vec![Fault::new("body-length", content.first_line(), message)]
}
