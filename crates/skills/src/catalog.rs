//! The index of all skills of a library.
//!
//! A catalog is immutable. The engine builds a new one when a file or a user's choice changes; the servers of skills
//! compare the old and the new one.

mod circles;
mod problems;

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use self::circles::Circles;
use crate::{Problem, Skill, SkillPath, is_kebab_case, name::kebab_case};

/// The most files of one published skill (SEP-2640).
pub(crate) const MOST_FILES: usize = 512;
/// The most bytes of one published skill (SEP-2640).
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The most files of a skill that are counted. A folder with more is probably a home folder, not a skill.
pub const MOST_COUNTED: usize = 10_000;

/// One skill of a library, and where it is.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The skill as read.
    pub skill: Arc<Skill>,
    /// The id of the library folder that holds it.
    pub folder: String,
    /// Its path below that folder (`release-notes`, `team/release-notes`); empty for a SKILL.md directly in the
    /// folder.
    pub path: String,
    /// The skill's own folder on this computer, absolute.
    pub location: PathBuf,
    /// SHA-256 of SKILL.md, 64 lowercase hexadecimal digits.
    pub digest: String,
    /// Every file that counts as part of the skill, SKILL.md included, sorted by path.
    pub files: Arc<[File]>,
    /// Whether the user has switched it on.
    pub enabled: bool,
    /// The key of the earlier skill with the same id that is served instead (decision 10). Set by [`Catalog::new`].
    pub shadowed_by: Option<String>,
}

/// One file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path inside the skill.
    pub path: SkillPath,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in milliseconds since 1970.
    pub modified: u64,
}

impl Entry {
    /// The skill's unique name in the library: folder id and path.
    pub fn key(&self) -> String {
        if self.path.is_empty() { self.folder.clone() } else { format!("{}/{}", self.folder, self.path) }
    }

    /// Whether it is served: switched on, loadable, and the first of its id. Tools offer every served skill, whatever
    /// its name.
    pub fn served(&self) -> bool {
        self.competes() && self.shadowed_by.is_none()
    }

    /// Whether it is served in the catalog and under `resource://`, which require a kebab-case id.
    pub fn cataloged(&self) -> bool {
        self.served() && is_kebab_case(&self.skill.id)
    }

    /// Whether it can be published unchanged under `skill://` and in `skills/*`, to hosts that check every byte: it
    /// follows the specification and SEP-2640's limits.
    pub fn strict(&self) -> bool {
        self.skill.is_strict() && within_limits(self.files.iter().map(|file| file.size))
    }

    /// When one of its files was last changed, in milliseconds since 1970.
    pub fn modified(&self) -> u64 {
        self.files.iter().map(|file| file.modified).max().unwrap_or_default()
    }

    /// Total size of its files, in bytes.
    fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Its path below `skill://`; the last segment is its id.
    pub fn skill_path(&self) -> &str {
        if self.path.is_empty() { &self.skill.id } else { &self.path }
    }

    /// The file at `path`, when it counts as part of the skill.
    pub fn file(&self, path: &SkillPath) -> Option<&File> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok().map(|index| &self.files[index])
    }

    /// The ids in its `depends_on`.
    fn depends_on(&self) -> &[String] {
        self.skill.personal.as_ref().map(|personal| &personal.depends_on[..]).unwrap_or_default()
    }

    fn competes(&self) -> bool {
        self.enabled && self.skill.loads()
    }
}

/// Whether a skill with files of these sizes is within SEP-2640's limits.
pub fn within_limits(sizes: impl ExactSizeIterator<Item = u64>) -> bool {
    sizes.len() <= MOST_FILES && sizes.sum::<u64>() <= MOST_BYTES
}

/// All skills of a library, sorted by id, then by the order of the folders, then by path.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    entries: Vec<Arc<Entry>>,
    /// Indexes of the entries, sorted by folder and path.
    by_key: Vec<u32>,
    /// The served entries, sorted by id.
    served: Vec<Arc<Entry>>,
    /// The published entries (under `skill://`), sorted by id.
    published: Vec<Arc<Entry>>,
    /// The published entries, sorted by [`Entry::skill_path`].
    places: Vec<Arc<Entry>>,
    circles: Circles,
}

impl Catalog {
    /// Sorts the skills of a library. Of several with the same id, the first that is on and loads is served.
    /// `folders` are the ids of the library's folders in the user's order; a folder that is not listed comes last.
    pub fn new(entries: Vec<impl Into<Arc<Entry>>>, folders: &[String]) -> Self {
        let mut entries: Vec<Arc<Entry>> = entries.into_iter().map(Into::into).collect();
        let order: HashMap<&str, usize> = folders.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
        let rank = |entry: &Entry| order.get(entry.folder.as_str()).copied().unwrap_or(usize::MAX);
        let among_equals = |entry: &Entry| (rank(entry), entry.folder.clone(), entry.path.clone());
        entries.sort_by(|a, b| a.skill.id.cmp(&b.skill.id).then_with(|| among_equals(a).cmp(&among_equals(b))));
        let mut first: Option<(String, String)> = None;
        for entry in &mut entries {
            let mut shadowed_by = None;
            if entry.competes() {
                match &first {
                    Some((id, key)) if *id == entry.skill.id => shadowed_by = Some(key.clone()),
                    _ => first = Some((entry.skill.id.clone(), entry.key())),
                }
            }
            if entry.shadowed_by != shadowed_by {
                Arc::make_mut(entry).shadowed_by = shadowed_by;
            }
        }
        let mut by_key: Vec<u32> = (0..).take(entries.len()).collect();
        by_key.sort_unstable_by_key(|&at| place(&entries[at as usize]));
        let served: Vec<_> = entries.iter().filter(|entry| entry.served()).cloned().collect();
        let (published, places) = publish(served.iter().filter(|entry| entry.strict()));
        let mut catalog = Self { entries, by_key, served, published, places, circles: Circles::default() };
        catalog.circles = Circles::of(&catalog);
        catalog
    }

    /// Every entry, including broken, disabled and shadowed ones.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The entries that are served, sorted by id.
    pub fn served(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.served.iter()
    }

    /// The entries that are served and whose id is not less than `id`.
    pub fn served_from(&self, id: &str) -> &[Arc<Entry>] {
        from(&self.served, id)
    }

    /// The served skill of this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Entry>> {
        self.served_from(id).first().filter(|entry| entry.skill.id == id)
    }

    /// The entry of this key, served or not.
    pub fn by_key(&self, key: &str) -> Option<&Arc<Entry>> {
        let key = key.split_once('/').unwrap_or((key, ""));
        let entry = |at: u32| &self.entries[at as usize];
        let at = self.by_key.binary_search_by(|&at| place(entry(at)).cmp(&key)).ok()?;
        Some(entry(self.by_key[at]))
    }

    /// The published skill at this path below `skill://`.
    pub fn at(&self, skill_path: &str) -> Option<&Arc<Entry>> {
        at(&self.places, skill_path)
    }

    /// Problems of an entry as a member of this library (id, dependencies, size), in addition to the skill's own.
    pub fn problems_of(&self, entry: &Entry) -> Vec<Problem> {
        problems::of(self, entry)
    }

    /// Whether another skill has this name, or would have it once its own name is fixed. Letter case is ignored, as
    /// many disks ignore it in folder names. A skill that already shares the entry's name does not count.
    pub fn has_name(&self, entry: &Entry, name: &str) -> bool {
        let (name, own) = (name.trim().to_lowercase(), entry.skill.name.trim().to_lowercase());
        let key = entry.key();
        let others = self.entries.iter().filter(|other| other.key() != key);
        others.map(|other| &other.skill).filter(|other| other.name.trim().to_lowercase() != own).any(|other| {
            let names = [&other.name, &other.id];
            names
                .iter()
                .any(|one| one.trim().to_lowercase() == name || kebab_case(one).is_some_and(|kebab| kebab == name))
        })
    }

    /// The skills published under `skill://` (served and [`Entry::strict`]), sorted by id.
    pub fn published(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.published.iter()
    }

    /// The published skills whose id is not less than `id`.
    pub fn published_from(&self, id: &str) -> &[Arc<Entry>] {
        from(&self.published, id)
    }

    /// Whether this entry of the catalog is published.
    pub fn publishes(&self, entry: &Entry) -> bool {
        self.at(entry.skill_path()).is_some_and(|other| other.skill.id == entry.skill.id)
    }
}

/// The parts of an entry's key. A folder's id has no `/`.
fn place(entry: &Entry) -> (&str, &str) {
    (&entry.folder, &entry.path)
}

/// Gives each skill its path below `skill://`. A skill inside another folder's skill there is left out: two files
/// would share one address.
fn publish<'e>(strict: impl Iterator<Item = &'e Arc<Entry>>) -> (Vec<Arc<Entry>>, Vec<Arc<Entry>>) {
    let mut places: Vec<Arc<Entry>> = strict.cloned().collect();
    places.sort_by(|a, b| a.skill_path().cmp(b.skill_path()));
    let held = |entry: &Entry| {
        let path = entry.skill_path();
        let mut above = path.match_indices('/').map(|(end, _)| &path[..end]);
        above.any(|above| at(&places, above).is_some_and(|outer| outer.folder != entry.folder))
    };
    let mut published: Vec<_> = places.iter().filter(|entry| !held(entry)).cloned().collect();
    if published.len() < places.len() {
        places.clone_from(&published);
    }
    published.sort_by(|a, b| a.skill.id.cmp(&b.skill.id));
    (published, places)
}

fn at<'e>(places: &'e [Arc<Entry>], skill_path: &str) -> Option<&'e Arc<Entry>> {
    places.binary_search_by(|entry| entry.skill_path().cmp(skill_path)).ok().map(|at| &places[at])
}

fn from<'e>(sorted: &'e [Arc<Entry>], id: &str) -> &'e [Arc<Entry>] {
    &sorted[sorted.partition_point(|entry| entry.skill.id.as_str() < id)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn entry(folder: &str, path: &str, enabled: bool) -> Entry {
        let id = path.rsplit('/').next().unwrap();
        Entry {
            skill: Arc::new(read(id, format!("---\nname: {id}\ndescription: Makes tea.\n---\n").as_bytes())),
            folder: folder.into(),
            path: path.into(),
            location: PathBuf::from("/library").join(folder).join(path),
            digest: String::new(),
            files: Arc::new([File { path: SkillPath::skill_md(), size: 1, modified: 0 }]),
            enabled,
            shadowed_by: None,
        }
    }

    fn catalog(entries: Vec<Entry>) -> Catalog {
        Catalog::new(entries, &["mine".into(), "team".into()])
    }

    #[test]
    fn the_first_folder_wins_and_the_others_say_so() {
        let catalog =
            catalog(vec![entry("team", "tea", true), entry("mine", "z/tea", true), entry("mine", "a/tea", true)]);
        assert_eq!(catalog.get("tea").unwrap().key(), "mine/a/tea");
        let shadowed: Vec<_> = catalog.entries().iter().flat_map(|entry| catalog.problems_of(entry)).collect();
        assert_eq!(shadowed.len(), 2);
        assert!(shadowed[0].message.starts_with("`mine/a/tea` has the same id, `tea`, and comes first"));
    }

    #[test]
    fn a_skill_that_is_off_or_broken_shadows_nobody() {
        let mut broken = entry("mine", "tea", true);
        broken.skill = Arc::new(read("tea", b"# Tea"));
        let catalog = catalog(vec![broken, entry("mine", "off/tea", false), entry("team", "tea", true)]);
        assert_eq!(catalog.get("tea").unwrap().key(), "team/tea");
        assert_eq!(catalog.served().count(), 1);
        assert_eq!(catalog.entries().len(), 3);
    }

    #[test]
    fn entries_are_found_by_id_key_and_path() {
        let catalog = catalog(vec![entry("mine", "deep/tea", true), entry("mine", "coffee", false)]);
        assert_eq!(catalog.by_key("mine/coffee").unwrap().skill.id, "coffee");
        assert_eq!(catalog.at("deep/tea").unwrap().skill.id, "tea");
        assert!(catalog.get("coffee").is_none() && catalog.at("coffee").is_none());
    }

    #[test]
    fn an_odd_id_is_served_by_tools_only() {
        let catalog = catalog(vec![entry("mine", "My Tea", true)]);
        let tea = catalog.get("My Tea").unwrap();
        assert!(tea.served() && !tea.cataloged() && !tea.strict());
    }

    #[test]
    fn a_skill_that_another_folders_skill_would_hold_is_not_published() {
        let catalog = catalog(vec![
            entry("mine", "tea", true),
            entry("mine", "tea/green", true),
            entry("team", "tea/black", true),
            entry("team", "black/rum", true),
        ]);
        let published: Vec<_> = catalog.published().map(|entry| entry.skill_path()).collect();
        assert_eq!(published, ["tea/green", "black/rum", "tea"]);
        assert!(catalog.at("tea/black").is_none() && catalog.get("black").is_some());
    }

    #[test]
    fn a_list_can_begin_in_the_middle() {
        let catalog = catalog(vec![entry("mine", "c", true), entry("mine", "a", true), entry("mine", "b", false)]);
        let from = |id| catalog.served_from(id).iter().map(|entry| entry.skill.id.as_str()).collect::<Vec<_>>();
        assert_eq!((from(""), from("b"), from("d")), (vec!["a", "c"], vec!["c"], vec![]));
        assert_eq!(catalog.published_from("b").len(), 1);
    }
}
