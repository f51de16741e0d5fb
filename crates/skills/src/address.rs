//! The URIs by which a catalog's skills and their files are reached: `skill://` (the MCP Skills
//! extension, SEP-2640) and `resource://` (the URI contract).
//!
//! [`Address`] is a parsed URI, percent-decoded once; [`Address::resolve`] looks it up in a catalog. No address names
//! anything outside a skill: every path is a [`SkillPath`] or is refused.

use std::{fmt, sync::Arc};

use crate::{Catalog, Entry, Reference, SkillPath};

/// Ending of a packed skill's address.
const ARCHIVE: &str = ".tar.gz";

/// The address that a URI names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    /// `skill://index.json`: the index that hosts read before `skills/list` existed (the draft of the skills extension).
    SkillIndex,
    /// `skill://<skill-path>/<file>`, or a folder of a skill.
    Skill(SkillPath),
    /// `resource://catalog/skills_index`: a summary of every skill.
    Catalog,
    /// `resource://catalog/skills/{skill_id}`: the full record of one skill.
    Record(String),
    /// `resource://skills/{skill_id}/document`: its SKILL.md.
    Document(String),
    /// `resource://skills/{skill_id}/references/{ref_id}`: a declared reference document.
    Reference(String, String),
    /// `resource://docs/{path*}`: a Markdown file, by its path.
    Docs(SkillPath),
}

/// What an address leads to in a catalog.
#[derive(Debug, Clone)]
pub enum Target<'c> {
    /// The index under `skill://`.
    SkillIndex,
    /// A published skill as one packed file (the draft of the skills extension).
    Archive(&'c Arc<Entry>),
    /// A file of a published skill.
    File(&'c Arc<Entry>, SkillPath),
    /// A folder of a published skill; `None` is the skill's own folder.
    Folder(&'c Arc<Entry>, Option<SkillPath>),
    /// The catalog.
    Catalog,
    /// The record of a skill.
    Record(&'c Arc<Entry>),
    /// SKILL.md of a skill, as the `resource://` family serves it.
    Document(&'c Arc<Entry>),
    /// A reference document: its skill, its id and the reference.
    Reference(&'c Arc<Entry>, &'c str, &'c Reference),
    /// The generated page `index.md`, which lists what is served.
    DocsIndex,
    /// The generated page `usage.md`.
    DocsUsage,
    /// A Markdown file of a skill, by its path under `docs/skills/`.
    DocsFile(&'c Arc<Entry>, SkillPath),
}

/// The URI of one file of a skill: `skill://<skill path>/<file>`, every segment percent-encoded.
pub fn skill_uri(entry: &Entry, path: &SkillPath) -> String {
    format!("skill://{}/{}", encoded(entry.skill_path()), encoded(path.as_str()))
}

/// The URI of one folder of a skill; `None` is its own folder. No `/` at the end.
pub fn folder_uri(entry: &Entry, path: Option<&SkillPath>) -> String {
    let skill = encoded(entry.skill_path());
    path.map_or_else(|| format!("skill://{skill}"), |path| format!("skill://{skill}/{}", encoded(path.as_str())))
}

/// The URI of a skill as one packed file.
pub fn archive_uri(entry: &Entry) -> String {
    format!("skill://{}{ARCHIVE}", encoded(entry.skill_path()))
}

/// What is served at a URI; `None` when nothing is.
pub fn resolve<'c>(catalog: &'c Catalog, uri: &str) -> Option<Target<'c>> {
    Address::parse(uri)?.resolve(catalog)
}

/// The folder of a published skill that a `skill://` URI names, in the innermost skill. The folder holds files, or
/// may exist without any.
pub fn find_skill_folder<'c>(catalog: &'c Catalog, uri: &str) -> Option<(&'c Arc<Entry>, Option<SkillPath>)> {
    let Address::Skill(path) = Address::parse(uri)? else { return None };
    match beneath(catalog, &path) {
        Some(Target::Folder(entry, within)) => Some((entry, within)),
        Some(_) => None,
        None => above(catalog, &path).next(),
    }
}

/// The published file that a `skill://` URI names, in the innermost skill that holds it.
pub fn find_skill_file<'c>(catalog: &'c Catalog, uri: &str) -> Option<(&'c Arc<Entry>, SkillPath)> {
    match resolve(catalog, uri)? {
        Target::File(entry, path) => Some((entry, path)),
        _ => None,
    }
}

impl Address {
    /// Parses a URI; `None` when the catalog does not serve its scheme or form, or its path could lead out of a
    /// skill.
    pub fn parse(uri: &str) -> Option<Self> {
        if uri == "skill://index.json" {
            return Some(Self::SkillIndex);
        }
        if let Some(path) = uri.strip_prefix("skill://") {
            return SkillPath::new(&segments(path)?.join("/")).map(Self::Skill);
        }
        let rest = uri.strip_prefix("resource://")?;
        if let Some(path) = rest.strip_prefix("docs/") {
            // `{path*}` expands `a/b` to `a%2Fb`; clients that fill it in by hand send `a/b`.
            return SkillPath::new(&decoded(path)?).filter(|path| path.as_str().ends_with(".md")).map(Self::Docs);
        }
        match segments(rest)?.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["catalog", "skills_index"] => Some(Self::Catalog),
            ["catalog", "skills", id] => Some(Self::Record(id.to_owned())),
            ["skills", id, "document"] => Some(Self::Document(id.to_owned())),
            ["skills", id, "references", reference] => Some(Self::Reference(id.to_owned(), reference.to_owned())),
            _ => None,
        }
    }

    /// What is served at this address; `None` when nothing is.
    pub fn resolve<'c>(&self, catalog: &'c Catalog) -> Option<Target<'c>> {
        let skill = |id: &str| catalog.get(id).filter(|entry| entry.cataloged());
        match self {
            Self::SkillIndex => Some(Target::SkillIndex),
            Self::Skill(path) => beneath(catalog, path),
            Self::Catalog => Some(Target::Catalog),
            Self::Record(id) => skill(id).map(Target::Record),
            Self::Document(id) => skill(id).map(Target::Document),
            Self::Reference(id, reference) => {
                let entry = skill(id)?;
                let (id, reference) = entry.skill.personal.as_ref()?.references.get_key_value(reference)?;
                entry.file(&reference.path)?;
                Some(Target::Reference(entry, id, reference))
            }
            Self::Docs(path) => match path.as_str().split_once('/') {
                None if path.as_str() == "index.md" => Some(Target::DocsIndex),
                None if path.as_str() == "usage.md" => Some(Target::DocsUsage),
                Some(("skills", rest)) => {
                    let (id, file) = rest.split_once('/')?;
                    let (entry, file) = (skill(id)?, SkillPath::new(file)?);
                    entry.file(&file)?;
                    Some(Target::DocsFile(entry, file))
                }
                _ => None,
            },
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SkillIndex => f.write_str("skill://index.json"),
            Self::Skill(path) => write!(f, "skill://{}", encoded(path.as_str())),
            Self::Catalog => f.write_str("resource://catalog/skills_index"),
            Self::Record(id) => write!(f, "resource://catalog/skills/{}", encoded(id)),
            Self::Document(id) => write!(f, "resource://skills/{}/document", encoded(id)),
            Self::Reference(id, reference) => {
                write!(f, "resource://skills/{}/references/{}", encoded(id), encoded(reference))
            }
            Self::Docs(path) => write!(f, "resource://docs/{}", encoded(path.as_str())),
        }
    }
}

/// Resolves `path` in the innermost published skill that has it. Skills may be nested; a file of the inner skill also
/// belongs to the outer one, at the same address.
fn beneath<'c>(catalog: &'c Catalog, path: &SkillPath) -> Option<Target<'c>> {
    let inside = above(catalog, path).find_map(|(entry, inside)| {
        let Some(inside) = inside else { return Some(Target::Folder(entry, None)) };
        if entry.file(&inside).is_some() {
            return Some(Target::File(entry, inside));
        }
        let folder = format!("{inside}/");
        let holds = entry.files.iter().any(|file| file.path.as_str().starts_with(&folder));
        holds.then_some(Target::Folder(entry, Some(inside)))
    });
    inside.or_else(|| catalog.at(path.as_str().strip_suffix(ARCHIVE)?).map(Target::Archive))
}

/// The published skills that contain `path`, innermost first, each with the rest of the path.
fn above<'c>(catalog: &'c Catalog, path: &SkillPath) -> impl Iterator<Item = (&'c Arc<Entry>, Option<SkillPath>)> {
    let path = path.as_str();
    let ends = path.rmatch_indices('/').map(|(at, _)| at);
    std::iter::once(path.len()).chain(ends).filter_map(move |end| {
        let inside = path.get(end + 1..).and_then(SkillPath::new);
        catalog.at(&path[..end]).map(|entry| (entry, inside))
    })
}

/// The segments of a path, each percent-decoded once. `None` when a decoded segment holds a `/`.
fn segments(path: &str) -> Option<Vec<String>> {
    path.split('/').map(|segment| decoded(segment).filter(|segment| !segment.contains('/'))).collect()
}

/// Percent-decodes once. `None` for a broken escape, bytes that are not UTF-8, a query or a fragment.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            b'?' | b'#' => return None,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Percent-encodes the characters that RFC 3986 does not allow in a path or a registered name.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut uri, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';'
            | b'=' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    fn catalog(skills: &[(&str, &[&str])]) -> Catalog {
        let entries = skills.iter().map(|(place, files)| {
            let id = place.rsplit('/').next().unwrap();
            let file = format!(
                "---\nname: {id}\ndescription: Something.\nx-personal-mcp:\n  id: {id}\n  version: 1.0.0\n  \
                 capabilities: [resource://skills/{id}/document]\n  references:\n    guide: {{path: references/guide.md}}\n    \
                 lost: {{path: references/lost.md}}\n---\n"
            );
            let mut files: Vec<_> = files
                .iter()
                .map(|path| File { path: SkillPath::new(path).unwrap(), size: 1, modified: 0 })
                .collect();
            files.sort_by(|a, b| a.path.cmp(&b.path));
            Entry {
                skill: Arc::new(crate::read(id, file.as_bytes())),
                folder: "one".into(),
                path: (*place).to_owned(),
                location: "/skills".into(),
                digest: String::new(),
                files: files.into(),
                enabled: true,
                shadowed_by: None,
            }
        });
        Catalog::new(entries.collect(), &[])
    }

    #[test]
    fn every_file_is_found_again_by_its_own_uri() {
        let names =
            ["SKILL.md", "references/a b.md", "50%.txt", "what?#.md", "r\u{e9}f\u{e9}rence.md", "a+b&c=d.md", "..x"];
        let catalog = catalog(&[("team/tea", &names)]);
        let entry = catalog.at("team/tea").unwrap();
        for file in entry.files.iter() {
            let uri = skill_uri(entry, &file.path);
            assert!(uri.is_ascii() && !uri.contains([' ', '?', '#']), "{uri}");
            assert_eq!(find_skill_file(&catalog, &uri).map(|(_, path)| path).as_ref(), Some(&file.path), "{uri}");
        }
    }

    #[test]
    fn a_file_of_a_nested_skill_belongs_to_the_innermost_one() {
        let catalog =
            catalog(&[("tea", &["SKILL.md", "green/SKILL.md", "green/only-outer.md"]), ("tea/green", &["SKILL.md"])]);
        let found = |uri| find_skill_file(&catalog, uri).map(|(entry, path)| (entry.skill_path(), path.to_string()));
        assert_eq!(found("skill://tea/green/SKILL.md"), Some(("tea/green", "SKILL.md".into())));
        assert_eq!(found("skill://tea/green/only-outer.md"), Some(("tea", "green/only-outer.md".into())));
    }

    #[test]
    fn a_uri_that_leads_out_or_is_malformed_names_nothing() {
        let catalog = catalog(&[("tea", &["SKILL.md", "a/b.md"])]);
        for uri in [
            "skill://tea",
            "skill://tea/",
            "skill://tea/a",
            "skill://tea/a%2Fb.md",
            "skill://tea/../tea/SKILL.md",
            "skill://tea/%2e%2e/tea/SKILL.md",
            "skill://tea/./SKILL.md",
            "skill://tea//SKILL.md",
            "skill://tea/SKILL.md/",
            "skill://tea/SKILL.md?x",
            "skill://tea/%",
            "skill://tea/%4",
            "skill://tea/%+4",
            "skill://tea/%ff",
            "skill://tea/%2553KILL.md",
            "skill:///SKILL.md",
            "SKILL://tea/SKILL.md",
            "resource://tea/SKILL.md",
            "",
        ] {
            assert!(find_skill_file(&catalog, uri).is_none(), "{uri}");
        }
        assert!(find_skill_file(&catalog, "skill://tea/%53KILL.md").is_some());
    }

    #[test]
    fn a_folder_is_found_by_its_uri_even_without_a_file() {
        let catalog = catalog(&[("team/tea", &["SKILL.md", "a b/c.md"])]);
        let tea = catalog.at("team/tea").unwrap();
        let found = |uri: &str| find_skill_folder(&catalog, uri).map(|(_, within)| within);
        for within in [None, SkillPath::new("a b"), SkillPath::new("empty/inside")] {
            assert_eq!(found(&folder_uri(tea, within.as_ref())), Some(within));
        }
        for uri in
            ["skill://team", "skill://team/tea/", "skill://team/tea/SKILL.md", "skill://team/tea/..", "skill://x"]
        {
            assert_eq!(found(uri), None, "{uri}");
        }
    }

    #[test]
    fn each_resource_address_leads_to_its_target() {
        let catalog = catalog(&[("tea", &["SKILL.md", "references/guide.md", "deep/notes.md", "logo.png"])]);
        let target = |uri: &str| match Address::parse(uri)?.resolve(&catalog)? {
            Target::SkillIndex => Some("skill index".to_owned()),
            Target::Archive(entry) => Some(format!("archive {}", entry.skill.id)),
            Target::File(_, path) => Some(format!("file {path}")),
            Target::Folder(_, path) => Some(format!("folder {}", path.map_or(String::new(), |path| path.to_string()))),
            Target::Catalog => Some("catalog".to_owned()),
            Target::Record(entry) => Some(format!("record {}", entry.skill.id)),
            Target::Document(entry) => Some(format!("document {}", entry.skill.id)),
            Target::Reference(_, _, reference) => Some(format!("reference {}", reference.path)),
            Target::DocsIndex => Some("index".to_owned()),
            Target::DocsUsage => Some("usage".to_owned()),
            Target::DocsFile(entry, path) => Some(format!("docs {} {path}", entry.skill.id)),
        };
        for (uri, expected) in [
            ("skill://index.json", Some("skill index")),
            ("skill://tea.tar.gz", Some("archive tea")),
            ("skill://coffee.tar.gz", None),
            ("skill://tea", Some("folder ")),
            ("skill://tea/deep", Some("folder deep")),
            ("skill://tea/deep/notes.md", Some("file deep/notes.md")),
            ("resource://catalog/skills_index", Some("catalog")),
            ("resource://catalog/skills/tea", Some("record tea")),
            ("resource://catalog/skills/coffee", None),
            ("resource://skills/tea/document", Some("document tea")),
            ("resource://skills/tea/references/guide", Some("reference references/guide.md")),
            ("resource://skills/tea/references/lost", None),
            ("resource://skills/tea/references/references%2Fguide.md", None),
            ("resource://docs/index.md", Some("index")),
            ("resource://docs/usage.md", Some("usage")),
            ("resource://docs/skills/tea/SKILL.md", Some("docs tea SKILL.md")),
            ("resource://docs/skills%2Ftea%2Fdeep%2Fnotes.md", Some("docs tea deep/notes.md")),
            ("resource://docs/skills/tea/logo.png", None),
            ("resource://docs/skills/tea/../tea/SKILL.md", None),
            ("resource://docs/skills/tea/%2e%2e/tea/SKILL.md", None),
            ("resource://docs/%252e%252e/SKILL.md", None),
            ("resource://docs//index.md", None),
            ("resource://docs/skills\\tea\\SKILL.md", None),
            ("resource://docs/", None),
            ("resource://skills/te%2Fa/document", None),
            ("resource://skills/tea", None),
        ] {
            assert_eq!(target(uri).as_deref(), expected, "{uri}");
        }
    }

    proptest::proptest! {
        /// A printed address parses back to itself.
        #[test]
        fn a_printed_address_is_read_back(a in "[a-z0-9 %é?#+-]{1,8}", b in "[a-z0-9 %é?#+.-]{1,8}") {
            let paths = SkillPath::new(&format!("{a}/{b}")).into_iter().flat_map(|path| {
                [Some(Address::Skill(path.clone())), SkillPath::new(&format!("{path}.md")).map(Address::Docs)]
            });
            let ids = [Address::Record(a.clone()), Address::Document(a.clone()), Address::Reference(a.clone(), b.clone())];
            for address in paths.flatten().chain(ids) {
                proptest::prop_assert_eq!(Address::parse(&address.to_string()), Some(address));
            }
        }
    }
}
