//! Reads what somebody else lists: the files of a commit that was fetched. Their names may be anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::{Incoming, Member, Refused, folders_with_a_skill, is_of_tools, judge::leads_out, sort};

/// One listed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its path, with `/`.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it may be run.
    pub executable: bool,
    /// Whether it is a link; its target is never read.
    pub link: bool,
    /// Why it cannot be read, as a sentence.
    pub trouble: Option<String>,
}

/// The folders with a SKILL.md among these paths; the top is empty.
pub fn skill_folders<'p>(paths: impl IntoIterator<Item = &'p str>) -> BTreeSet<&'p str> {
    let member =
        |path: &str| Member { path: path.to_owned(), size: 0, executable: false, link: false, index: 0, trouble: None };
    let members: Vec<_> =
        paths.into_iter().filter(|path| !is_of_tools(path)).map(|path| (path, member(path))).collect();
    folders_with_a_skill(&members.iter().map(|(path, member)| (*path, member)).collect::<BTreeMap<_, _>>())
}

/// Reads the skills among these files: all, or those at the paths in `only`. `name` is what the source is called; a skill
/// at its top gets that name if it says none. `read` gives the bytes of the file at an index, or says why not.
///
/// # Errors
/// When a name leads out of the source, there is no skill, or none that may be imported.
pub fn read_listed(
    name: &str,
    listed: &[Listed],
    only: Option<&[String]>,
    read: &mut dyn FnMut(usize) -> Result<Vec<u8>, String>,
) -> Result<Incoming, Refused> {
    if let Some(file) = listed.iter().find(|file| leads_out(&file.path)) {
        let path = file.path.escape_debug();
        return Err(Refused(format!("`{path}` leads out of where it is unpacked, so nothing was read.")));
    }
    let member = |(index, file): (usize, &Listed)| Member {
        path: file.path.clone(),
        size: file.size,
        executable: file.executable,
        link: file.link,
        index,
        trouble: file.trouble.clone(),
    };
    let members: Vec<_> = listed.iter().enumerate().map(member).collect();
    let source = Path::new(name);
    let incoming = sort(source, &members, only, &mut |member| {
        read(member.index).map_err(|why| Refused(format!("`{}` cannot be read: {why}.", member.path)))
    })?;
    if incoming.skills.is_empty() { Err(super::nothing_comes(source, &incoming.refused)) } else { Ok(incoming) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKILL: &str = "---\nname: tea\ndescription: Makes tea.\n---\n";

    /// The paths of the skills that come from these files, and of those that do not.
    fn sorted(files: &[(&str, &str)], only: Option<&[String]>) -> (Vec<String>, Vec<String>) {
        let listed = |(path, text): &(&str, &str)| Listed {
            path: (*path).to_owned(),
            size: text.len() as u64,
            executable: false,
            link: false,
            trouble: None,
        };
        let listed: Vec<_> = files.iter().map(listed).collect();
        let incoming = read_listed("acme", &listed, only, &mut |index| Ok(files[index].1.as_bytes().to_vec())).unwrap();
        let skills = incoming.skills.into_iter().map(|skill| skill.path).collect();
        (skills, incoming.refused.into_iter().map(|refused| refused.path).collect())
    }

    #[test]
    fn a_skill_md_without_frontmatter_above_skills_is_a_page_about_them() {
        let page = "# Our skills\n";
        let inner = [("skills/tea/SKILL.md", SKILL), ("skills/SKILL.md", page), ("SKILL.md", page)];
        assert_eq!(sorted(&inner, None), (vec!["skills/tea".to_owned()], vec![String::new(), "skills".to_owned()]));
        let named = [("skills/tea/SKILL.md", SKILL), ("skills/SKILL.md", SKILL)];
        assert_eq!(sorted(&named, None), (vec!["skills".to_owned()], vec![]), "the inner one is part of it");
        let alone = [("tea/SKILL.md", page), ("tea/more.md", page)];
        assert_eq!(sorted(&alone, None), (vec!["tea".to_owned()], vec![]), "it can be mended");
        let only = ["skills".to_owned()];
        assert_eq!(sorted(&inner, Some(&only)), (vec!["skills".to_owned()], vec![]), "it was asked for");
    }
}
