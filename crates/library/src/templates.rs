//! Templates for new skills. Each is a whole skill in `templates/`, called `new-skill`, and is renamed like a
//! copy of a skill.

use skills::SkillPath;

/// A template for a new skill.
#[derive(Debug)]
pub struct Template {
    /// Its id.
    id: &'static str,
    /// What it is, as a sentence.
    about: &'static str,
    files: &'static [Source],
}

/// One file of a template.
#[derive(Debug)]
struct Source {
    path: &'static str,
    text: &'static str,
    executable: bool,
}

/// One file of a new skill.
#[derive(Debug)]
pub struct NewFile {
    pub path: SkillPath,
    pub bytes: Vec<u8>,
    pub executable: bool,
}

/// Every template, the simplest first.
pub const TEMPLATES: &[Template] = &[
    Template {
        id: "blank",
        about: "One SKILL.md: what the task is, its steps and an example.",
        files: &[text("SKILL.md", include_str!("../templates/blank/SKILL.md"))],
    },
    Template {
        id: "references",
        about: "A short SKILL.md and two files that a model reads only when it needs them.",
        files: &[
            text("SKILL.md", include_str!("../templates/references/SKILL.md")),
            text("references/rules.md", include_str!("../templates/references/references/rules.md")),
            text("references/examples.md", include_str!("../templates/references/references/examples.md")),
        ],
    },
    Template {
        id: "script",
        about: "A SKILL.md and a Python script that does what a model should not do by hand.",
        files: &[
            text("SKILL.md", include_str!("../templates/script/SKILL.md")),
            script("scripts/measure.py", include_str!("../templates/script/scripts/measure.py")),
        ],
    },
    Template {
        id: "server",
        about: "A SKILL.md that needs an MCP server, and a secret that is kept in the keychain.",
        files: &[text("SKILL.md", include_str!("../templates/server/SKILL.md"))],
    },
];

const fn text(path: &'static str, text: &'static str) -> Source {
    Source { path, text, executable: false }
}

const fn script(path: &'static str, text: &'static str) -> Source {
    Source { path, text, executable: true }
}

/// The template of this id.
pub fn find(id: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.id == id)
}

impl Template {
    /// The files of a new skill `id` from this template.
    pub fn files(&self, id: &str) -> Vec<NewFile> {
        let new = |source: &Source| NewFile {
            path: SkillPath::new(source.path).expect("the paths above are plain"),
            bytes: if source.path == "SKILL.md" { named(source.text, id) } else { source.text.into() },
            executable: source.executable,
        };
        self.files.iter().map(new).collect()
    }

    /// How the window and the command line show it.
    pub fn view(&self) -> api::Template {
        let files = self.files.iter().map(|source| source.path.to_owned()).collect();
        api::Template { id: self.id.to_owned(), about: self.about.to_owned(), files }
    }
}

fn named(skill_md: &str, id: &str) -> Vec<u8> {
    let titled = skill_md.replacen("# New skill\n", &format!("# {}\n", title(id)), 1);
    skills::rename(titled.as_bytes(), id).expect("each template gives a plain name")
}

/// `release-notes` as a heading: "Release notes".
fn title(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use skills::File;

    use super::*;

    #[test]
    fn every_template_is_a_skill_without_a_problem() {
        for template in TEMPLATES {
            let files = template.files("release-notes");
            let skill = skills::read("release-notes", &files[0].bytes);
            assert_eq!(skill.problems, [], "{}", template.id);
            let listed: Vec<_> = files
                .iter()
                .map(|file| File { path: file.path.clone(), size: file.bytes.len() as u64, modified: 0 })
                .collect();
            let mut text_of = |path: &SkillPath| {
                let file = files.iter().find(|file| file.path == *path)?;
                String::from_utf8(file.bytes.clone()).ok()
            };
            assert_eq!(skills::examine(&skill, &files[0].bytes, &listed, &mut text_of), [], "{}", template.id);
            assert!(skill.is_strict());
            assert_eq!(skill.name, "release-notes");
            let body = std::str::from_utf8(&files[0].bytes[skill.body]).unwrap();
            assert!(body.starts_with("# Release notes\n"), "{body}");
        }
    }

    #[test]
    fn what_a_template_promises_is_there() {
        let skill = |id: &str| {
            let files = find(id).unwrap().files("tea");
            (skills::read("tea", &files[0].bytes), files)
        };
        let (references, files) = skill("references");
        let named: Vec<_> = references.personal.unwrap().references.into_values().map(|one| one.path).collect();
        assert_eq!(named.len(), 2);
        assert!(named.iter().all(|path| files.iter().any(|file| file.path == *path)));

        let (_, files) = skill("script");
        assert!(files[1].executable && files[1].bytes.starts_with(b"#!/usr/bin/env python3\n"));

        let (server, _) = skill("server");
        assert!(server.servers[0].parameters[0].sensitive);
    }
}
