//! What the frontmatter contract demands of each field of the block, with fixes for most faults.

use text::{Lines, Splice};

use super::{BLOCK, PersonalMcp, Reference, Written, WrittenReference};
use crate::{
    Address, SkillPath, is_kebab_case,
    name::kebab_case,
    problem::{Fault, Spot},
    yaml::{Content, Node, grow},
};

/// A version for a skill that gives none.
const FIRST_VERSION: &str = "0.1.0";

/// The fields that hold lists.
const LISTS: &[&str] = &["tags", "capabilities", "depends_on"];

pub(super) struct Contract<'n, 'f> {
    pub(super) file: &'n [u8],
    /// The name of the skill's folder.
    pub(super) folder: &'n str,
    pub(super) name: Option<&'n str>,
    pub(super) key: &'n Node,
    pub(super) block: &'n Node,
    pub(super) faults: &'f mut Vec<Fault>,
    pub(super) holds: bool,
}

impl Contract<'_, '_> {
    /// The block, when it is valid; its faults are collected.
    pub(super) fn personal(mut self, written: Written) -> Option<PersonalMcp> {
        let id = self.id(written.id);
        let version = self.version(written.version);
        let (tags, depends_on) = (trimmed(written.tags), trimmed(written.depends_on));
        self.tags(&tags);
        self.depends_on(&depends_on);
        let references = written.references.into_iter();
        let references = references.filter_map(|(id, written)| self.reference(id, written)).collect();
        let depends_on_spots = self.spots("depends_on");
        let capabilities = trimmed(written.capabilities);
        let personal = PersonalMcp { id, version, tags, capabilities, depends_on, references, depends_on_spots };
        self.capabilities(&personal);
        self.holds.then_some(personal)
    }

    fn id(&mut self, written: Option<String>) -> String {
        let id = written.unwrap_or_default().trim().to_owned();
        let folder = Some(self.folder).filter(|folder| is_id(folder)).map(str::to_owned);
        let what = match &*id {
            "" => "is required",
            id if !is_id(id) => "must be lowercase letters, digits and single hyphens, and start with a letter",
            id if id != self.folder || self.name.is_some_and(|name| name != id) => {
                "must equal the skill's name and its folder's name"
            }
            _ => return id,
        };
        let fault = self.fault("personal-block", &["id"], what);
        // When only the name differs, the fix changes the name.
        let fix = folder.filter(|folder| *folder != id).and_then(|folder| self.set("id", &folder));
        self.breaks(match fix {
            Some(splice) => fault.fixed_by("Use the folder's name", vec![splice]),
            None => fault,
        });
        id
    }

    fn version(&mut self, written: Option<String>) -> String {
        let version = written.unwrap_or_default().trim().to_owned();
        if is_semantic_version(&version) {
            return version;
        }
        let what = if version.is_empty() { "is required" } else { "must be a semantic version such as `1.2.0`" };
        let meant = if version.is_empty() { Some(FIRST_VERSION.to_owned()) } else { meant_version(&version) };
        let fault = self.fault("personal-block", &["version"], what);
        let fix = meant.and_then(|meant| Some((self.set("version", &meant)?, meant)));
        self.breaks(match fix {
            Some((splice, meant)) => fault.fixed_by(format!("Write {meant}"), vec![splice]),
            None => fault,
        });
        version
    }

    fn tags(&mut self, tags: &[String]) {
        for (index, tag) in tags.iter().enumerate().filter(|(_, tag)| !is_kebab_case(tag)) {
            let fault = self.fault(
                "personal-tags",
                &["tags", &index.to_string()],
                "should be lowercase words joined by hyphens",
            );
            let fault = self.renamed(fault, "tags", index, kebab_case(tag));
            self.faults.push(fault);
        }
    }

    fn depends_on(&mut self, ids: &[String]) {
        for (index, id) in ids.iter().enumerate().filter(|(_, id)| !is_id(id)) {
            let what = "must be the id of a skill: lowercase words joined by hyphens";
            let fault = self.fault("personal-block", &["depends_on", &index.to_string()], what);
            let fault = self.renamed(fault, "depends_on", index, kebab_case(id).filter(|id| is_id(id)));
            self.breaks(fault);
        }
    }

    fn reference(&mut self, id: String, written: WrittenReference) -> Option<(String, Reference)> {
        if !is_id(&id) {
            let what = "must have a key of lowercase words joined by hyphens";
            let fault = self.fault("personal-block", &["references", &id], what);
            let key = self.block.get("references").and_then(|all| all.entry(&id)).map(|(key, _)| key.span.clone());
            let free = |meant: &String| self.block.get("references").is_some_and(|all| all.get(meant).is_none());
            let meant = kebab_case(&id).filter(|meant| is_id(meant) && free(meant));
            self.breaks(match key.zip(meant) {
                Some((key, meant)) => fault.fixed_by(format!("Rename to {meant}"), vec![Splice::new(key, meant)]),
                None => fault,
            });
        }
        let written_path = written.path.unwrap_or_default();
        let place = self.block.get("references").and_then(|all| all.get(&id)).and_then(|one| one.get("path"));
        let Some(path) = reference_path(written_path.trim()) else {
            let what = "must be the path of a Markdown file below `references/` in the skill's folder";
            let fault = self.fault("personal-block", &["references", &id, "path"], what);
            let meant = reference_path(written_path.trim().replace('\\', "/").trim_start_matches("./"));
            self.breaks(match place.zip(meant) {
                Some((place, meant)) => {
                    fault.fixed_by(format!("Write {meant}"), vec![Splice::new(place.span.clone(), meant.as_str())])
                }
                None => fault,
            });
            return None;
        };
        let text = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let mime_type = text(written.mime_type).unwrap_or_else(|| "text/markdown".to_owned());
        let span = place.map_or(&self.key.span, |path| &path.span).clone();
        Some((id, Reference { path, mime_type, title: text(written.title), span }))
    }

    fn capabilities(&mut self, personal: &PersonalMcp) {
        let document = Address::Document(personal.id.clone()).to_string();
        if !personal.id.is_empty() && !personal.capabilities.contains(&document) {
            let fault = self.fault("personal-block", &["capabilities"], &format!("must include `{document}`"));
            let fix = match self.block.get("capabilities") {
                Some(list) => grow::item(self.file, list, &document),
                None => grow::entry(self.file, self.block, "capabilities", &format!("[{document}]")),
            };
            self.breaks(match fix.filter(|_| is_id(&personal.id)) {
                Some(splice) => fault.fixed_by("Add the address", vec![splice]),
                None => fault,
            });
        }
        if !self.holds {
            return;
        }
        for (index, uri) in personal.capabilities.iter().enumerate().filter(|(_, uri)| !personal.serves(uri)) {
            let path = ["capabilities", &index.to_string()];
            let fault = self.fault("personal-capability", &path, &format!("names `{uri}`, which is not served"));
            let fix = self
                .block
                .get("capabilities")
                .and_then(|list| grow::without(self.file, list, list.items().get(index)?.span.clone()));
            self.faults.push(match fix {
                Some(splice) => fault.fixed_by("Remove it", vec![splice]),
                None => fault,
            });
        }
    }

    /// Replaces a field's value, or adds the field.
    fn set(&self, field: &str, value: &str) -> Option<Splice> {
        match self.block.get(field) {
            Some(node) if node.is_null() && node.span.is_empty() => None,
            Some(node) => Some(Splice::new(node.span.clone(), value)),
            None => grow::entry(self.file, self.block, field, value),
        }
    }

    /// The fault with a fix that replaces an item of a list.
    fn renamed(&self, fault: Fault, list: &str, index: usize, meant: Option<String>) -> Fault {
        let item = self.block.get(list).and_then(|list| list.items().get(index));
        match item.zip(meant) {
            Some((item, meant)) => {
                fault.fixed_by(format!("Write {meant}"), vec![Splice::new(item.span.clone(), meant)])
            }
            None => fault,
        }
    }

    /// The places of the items of a list.
    fn spots(&self, field: &str) -> Vec<Spot> {
        let items = self.block.get(field).map(Node::items).unwrap_or_default();
        if items.is_empty() {
            return Vec::new();
        }
        let lines = Lines::new(self.file);
        items.iter().map(|item| Spot { span: item.span.clone(), place: lines.place(item.span.start) }).collect()
    }

    fn breaks(&mut self, fault: Fault) {
        self.holds = false;
        self.faults.push(fault);
    }

    /// A fault of the field at `path`, placed at the deepest part of the path that exists.
    fn fault(&self, rule: &'static str, path: &[&str], what: &str) -> Fault {
        let mut span = &self.key.span;
        let mut node = Some(self.block);
        let mut field = BLOCK.to_owned();
        for name in path {
            match node.map(|node| &node.content) {
                Some(Content::List(items)) => {
                    let item = name.parse().ok().and_then(|index: usize| items.get(index));
                    span = item.map_or(span, |item| &item.span);
                    node = item;
                    field += &format!("[{name}]");
                }
                _ => {
                    let entry = node.and_then(|node| node.entry(name));
                    span = entry
                        .map_or(span, |(key, value)| if value.entries().is_empty() { &value.span } else { &key.span });
                    node = entry.map(|(_, value)| value);
                    field += &format!(".{name}");
                }
            }
        }
        Fault::new(rule, span.clone(), format!("`{field}` {what}.")).about(field)
    }
}

/// The fault of an unreadable block, with a fix when a single value is in place of a list.
pub(super) fn listed(block: &Node, fault: Fault) -> Fault {
    let field = |list: &&&str| fault.field.as_deref() == Some(&format!("{BLOCK}.{list}"));
    let value = LISTS.iter().find(field).and_then(|list| block.get(list));
    let text = value.and_then(|value| value.string().map(|text| (value, text)));
    match text.filter(|(_, text)| !text.is_empty() && !text.contains([',', '[', ']', '{', '}', '#', '"', '\'', '\n'])) {
        Some((value, text)) => {
            let fix = vec![Splice::new(value.span.clone(), format!("[{text}]"))];
            fault.fixed_by("Make it a list", fix)
        }
        None => fault,
    }
}

/// A Markdown file below references/.
fn reference_path(path: &str) -> Option<SkillPath> {
    let is_markdown = |path: &SkillPath| path.as_str().to_ascii_lowercase().ends_with(".md");
    SkillPath::new(path).filter(|path| path.as_str().starts_with("references/") && is_markdown(path))
}

fn trimmed(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(|text| text.trim().to_owned()).collect()
}

/// Whether both the frontmatter contract and the specification accept the id.
fn is_id(text: &str) -> bool {
    is_kebab_case(text) && text.starts_with(|first: char| first.is_ascii_lowercase())
}

/// `major.minor.patch` without leading zeros, then anything after a `-` or `+`.
pub(super) fn is_semantic_version(text: &str) -> bool {
    let (numbers, rest) = text.find(['-', '+']).map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    let number = |text: &str| {
        text == "0" || !text.is_empty() && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit())
    };
    let numbers: Vec<_> = numbers.split('.').collect();
    numbers.len() == 3
        && numbers.iter().all(|text| number(text))
        && rest.is_none_or(|rest| {
            !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+'))
        })
}

/// The semantic version that `v1.2` or `1` means.
fn meant_version(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['v', 'V']);
    let zeros = 2_usize.checked_sub(text.matches('.').count())?;
    let version = text.to_owned() + &".0".repeat(zeros);
    is_semantic_version(&version).then_some(version)
}
