//! The problems of a skill as a member of its library.

use super::{Catalog, Entry, MOST_BYTES, MOST_COUNTED, MOST_FILES, circles::Way};
use crate::{Problem, Severity::Warning, problem::Spot};

pub(super) fn of(catalog: &Catalog, entry: &Entry) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(shadowed(entry));
    problems.extend(too_large(entry));
    problems.extend(dependencies(catalog, entry));
    problems
}

fn shadowed(entry: &Entry) -> Option<Problem> {
    let other = entry.shadowed_by.as_ref()?;
    let message = format!(
        "`{other}` has the same id, `{}`, and comes first, so this skill is served nowhere. \
         Rename one of the two folders, or switch one off.",
        entry.skill.id
    );
    Some(Problem::of_file("duplicate-id", Warning, message))
}

fn too_large(entry: &Entry) -> Option<Problem> {
    let (files, bytes) = (entry.files.len(), entry.bytes());
    if files <= MOST_FILES && bytes <= MOST_BYTES {
        return None;
    }
    // Only the first of very many files are listed, so neither number would be true.
    let much = match files {
        files if files > MOST_COUNTED => format!("more than {MOST_COUNTED} files"),
        files => format!("{files} files with {bytes} bytes"),
    };
    let message = format!(
        "The folder contains {much}. MCP offers whole skills up to {MOST_FILES} \
         files and {MOST_BYTES} bytes; of this one, it offers only the text."
    );
    Some(Problem::of_file("folder-size", Warning, message))
}

fn dependencies(catalog: &Catalog, entry: &Entry) -> Vec<Problem> {
    let spots = entry.skill.personal.iter().flat_map(|personal| &personal.depends_on_spots);
    let each = entry.depends_on().iter().zip(spots).enumerate();
    each.filter_map(|(index, (id, spot))| {
        let field = format!("x-personal-mcp.depends_on[{index}]");
        unknown(catalog, id, &field, spot).or_else(|| circle(catalog, entry, id, &field, spot))
    })
    .collect()
}

fn unknown(catalog: &Catalog, id: &str, field: &str, spot: &Spot) -> Option<Problem> {
    if catalog.get(id).is_some() {
        return None;
    }
    let known = catalog.entries.binary_search_by(|entry| entry.skill.id.as_str().cmp(id));
    let message = match known {
        Ok(_) => {
            format!("`{id}` is in the library, but it is switched off or does not load, so no client can read it.")
        }
        Err(_) => format!("No skill in the library has the id `{id}`. Add it to a folder, or remove it from the list."),
    };
    Some(Problem::of_field("depends-on-unknown", Warning, message, field, spot))
}

fn circle(catalog: &Catalog, entry: &Entry, id: &str, field: &str, spot: &Spot) -> Option<Problem> {
    let message = match catalog.circles.way_back(catalog, entry, id)? {
        Way::Itself => "The skill depends on itself. Remove it from the list.".to_owned(),
        Way::Through(way) => {
            let way = way.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", then ");
            format!("The skill depends on itself through {way}, so none of them can come first.")
        }
        Way::Long(size) => {
            format!("`{id}` leads back to this skill in a circle of {size}, so none of them can come first.")
        }
    };
    Some(Problem::of_field("depends-on-cycle", Warning, message, field, spot))
}

#[cfg(test)]
mod tests {
    use std::{path::PathBuf, sync::Arc};

    use crate::{Catalog, Entry, File, SkillPath, read};

    fn entry(id: &str, depends_on: &str) -> Entry {
        let file = format!(
            "---\nname: {id}\ndescription: Makes {id}.\nx-personal-mcp:\n  id: {id}\n  version: 1.0.0\n  \
             capabilities: [resource://skills/{id}/document]\n  depends_on: [{depends_on}]\n---\n"
        );
        Entry {
            skill: Arc::new(read(id, file.as_bytes())),
            folder: "mine".into(),
            path: id.into(),
            location: PathBuf::new(),
            digest: String::new(),
            files: Arc::new([File { path: SkillPath::skill_md(), size: 1, modified: 0 }]),
            enabled: true,
            shadowed_by: None,
        }
    }

    /// The problems that a library of these skills reports for the first of them.
    fn said(skills: &[(&str, &str)]) -> Vec<String> {
        let catalog = Catalog::new(skills.iter().map(|(id, depends_on)| entry(id, depends_on)).collect(), &[]);
        let first = catalog.get(skills[0].0).unwrap();
        let problems = catalog.problems_of(first);
        problems.iter().map(|problem| format!("{} {} {}", problem.place, problem.rule, problem.message)).collect()
    }

    #[test]
    fn a_skill_that_is_not_there_is_named_at_its_place() {
        assert_eq!(said(&[("tea", "water"), ("water", "")]), Vec::<String>::new());
        assert_eq!(
            said(&[("tea", "water, kettle"), ("water", "")]),
            [
                "8:23 depends-on-unknown No skill in the library has the id `kettle`. Add it to a folder, or remove it from the list."
            ]
        );
    }

    #[test]
    fn a_skill_that_is_off_cannot_be_counted_on() {
        let mut kettle = entry("kettle", "");
        kettle.enabled = false;
        let catalog = Catalog::new(vec![entry("tea", "kettle"), kettle], &[]);
        let problems = catalog.problems_of(catalog.get("tea").unwrap());
        assert!(problems[0].message.contains("switched off"), "{problems:?}");
    }

    #[test]
    fn a_circle_is_told_by_its_shortest_way() {
        assert!(said(&[("tea", "tea")])[0].contains("depends on itself. Remove it"));
        let circle = said(&[("tea", "kettle"), ("kettle", "water, stove"), ("stove", "water"), ("water", "tea")]);
        assert!(circle[0].starts_with("8:16 depends-on-cycle"), "{circle:?}");
        assert!(circle[0].contains("through `kettle`, then `water`, so"), "{circle:?}");
    }

    #[test]
    fn what_leads_into_a_circle_is_not_in_it() {
        assert_eq!(said(&[("cup", "tea"), ("tea", "kettle"), ("kettle", "tea")]), Vec::<String>::new());
    }

    #[test]
    fn a_very_long_circle_is_counted() {
        let names: Vec<_> = (0..2_000).map(|n| format!("skill-{n}")).collect();
        let ring: Vec<_> =
            names.iter().zip(names.iter().cycle().skip(1)).map(|(id, next)| (id.as_str(), next.as_str())).collect();
        assert!(said(&ring)[0].contains("in a circle of 2000"));
    }

    #[test]
    fn a_folder_too_large_to_offer_says_so() {
        let mut tea = entry("tea", "");
        tea.files = Arc::new([File { path: SkillPath::skill_md(), size: 20 << 20, modified: 0 }]);
        let catalog = Catalog::new(vec![tea], &[]);
        assert_eq!(catalog.problems_of(&catalog.entries()[0])[0].rule, "folder-size");
    }
}
