//! What the rules about a skill's content look at.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::markdown::Markdown;
use crate::{
    File, Skill, SkillPath, about_tokens, document::Document, frontmatter::Frontmatter, problem::Fault, yaml::Node,
};

const MOST_LINES: usize = 500;
const MOST_TOKENS: usize = 5_000;

/// A skill with all that stands in it.
pub(crate) struct Content<'a> {
    pub(crate) skill: &'a Skill,
    /// Always a mapping.
    pub(crate) frontmatter: Node,
    pub(crate) markdown: Markdown,
    text: Cow<'a, str>,
    /// `None` where only SKILL.md is known.
    pub(crate) folder: Option<Folder<'a>>,
}

/// The files beside a SKILL.md.
pub(crate) struct Folder<'a> {
    pub(crate) files: &'a [File],
    pub(crate) text_of: &'a mut dyn FnMut(&SkillPath) -> Option<String>,
    /// Asked for what is not listed, where not all is.
    is_there: &'a dyn Fn(&SkillPath) -> bool,
    /// The paths of all files, and of the folders on the way to them.
    paths: HashSet<&'a str>,
    /// The files by their paths without regard to letter case; `None` where two differ in nothing else.
    folded: HashMap<String, Option<&'a SkillPath>>,
}

impl<'a> Content<'a> {
    pub(crate) fn new(skill: &'a Skill, file: &'a [u8]) -> Self {
        let text = text(file);
        let markdown = Markdown::new(&text, skill.body.clone());
        let frontmatter = Frontmatter::read(&Document::new(file)).root;
        Self { skill, frontmatter, markdown, text, folder: None }
    }

    pub(crate) fn beside(
        self,
        files: &'a [File],
        text_of: &'a mut dyn FnMut(&SkillPath) -> Option<String>,
        is_there: &'a dyn Fn(&SkillPath) -> bool,
    ) -> Self {
        let (mut paths, mut folded) = (HashSet::new(), HashMap::new());
        for path in files.iter().map(|file| &file.path) {
            let folders = path.as_str().match_indices('/').map(|(at, _)| &path.as_str()[..at]);
            paths.extend(folders.chain([path.as_str()]));
            folded.entry(fold(path.as_str())).and_modify(|other| *other = None).or_insert(Some(path));
        }
        Self { folder: Some(Folder { files, text_of, is_there, paths, folded }), ..self }
    }

    /// The whole SKILL.md; its offsets are those of the file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text below the frontmatter.
    pub(crate) fn body(&self) -> &str {
        self.text.get(self.skill.body.clone()).unwrap_or_default()
    }

    /// The first line of the body: the place of what is about all of it.
    pub(crate) fn first_line(&self) -> Range<usize> {
        let start = self.skill.body.start;
        start..start + self.body().lines().next().unwrap_or_default().len()
    }
}

impl<'a> Folder<'a> {
    /// Whether the path is that of a file, or of a folder with files in it; the empty one is.
    pub(super) fn holds(&self, path: &str) -> bool {
        let is_there = || SkillPath::new(path).is_some_and(|path| (self.is_there)(&path));
        path.is_empty() || self.paths.contains(path) || is_there()
    }

    pub(super) fn has(&self, path: &SkillPath) -> bool {
        self.files.iter().any(|file| file.path == *path) || (self.is_there)(path)
    }

    /// The only file whose path differs in letter case or in the kind of slash.
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
         lines and about {MOST_TOKENS} tokens are usual. Move what is rarely needed into files below references/."
    );
    vec![Fault::new("body-length", content.first_line(), message)]
}
