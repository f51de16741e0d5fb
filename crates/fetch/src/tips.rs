//! What a repository shows of itself: its branches and tags, each with its commit. Asking costs one request.

use std::collections::BTreeMap;

/// The branches and tags of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tips {
    /// The commit that the repository shows first.
    head: Option<String>,
    /// Commits by the full names of references; a tag's is the commit that it names.
    references: BTreeMap<String, String>,
}

/// One branch, tag or commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// What is fetched: the full name of a reference, or a commit.
    pub reference: String,
    /// The commit, 40 or 64 hexadecimal digits.
    pub commit: String,
    /// Whether it is a tag, which should not move.
    pub is_tag: bool,
}

impl Tips {
    /// Reads what `git ls-remote` prints.
    pub(crate) fn read(printed: &str) -> Self {
        let mut tips = Self::default();
        for (commit, name) in printed.lines().filter_map(|line| line.split_once('\t')) {
            if !is_commit(commit) {
                continue;
            }
            match name.strip_suffix("^{}") {
                // What an annotated tag names follows the tag itself.
                Some(tag) => drop(tips.references.insert(tag.to_owned(), commit.to_owned())),
                None if name == "HEAD" => tips.head = Some(commit.to_owned()),
                None => drop(tips.references.insert(name.to_owned(), commit.to_owned())),
            }
        }
        tips
    }

    /// The tip of this name: a branch, else a tag, else a commit by its full number. `None` asks for what the repository
    /// shows first.
    pub fn find(&self, follows: Option<&str>) -> Option<Tip> {
        let Some(name) = follows else {
            let commit = self.head.clone().or_else(|| self.references.values().next().cloned())?;
            return Some(Tip { reference: "HEAD".to_owned(), commit, is_tag: false });
        };
        let of = |folder: &str| {
            let reference = format!("refs/{folder}/{name}");
            let commit = self.references.get(&reference)?.clone();
            Some(Tip { reference, commit, is_tag: folder == "tags" })
        };
        of("heads").or_else(|| of("tags")).or_else(|| {
            is_commit(name).then(|| Tip { reference: name.to_owned(), commit: name.to_owned(), is_tag: false })
        })
    }

    /// Whether there is no commit at all.
    pub fn is_empty(&self) -> bool {
        self.head.is_none() && self.references.is_empty()
    }

    /// The short names of the branches and tags.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.references.keys().map(String::as_str);
        names.filter_map(|full| full.strip_prefix("refs/heads/").or_else(|| full.strip_prefix("refs/tags/")))
    }
}

/// What a host lists for git over http: lines that begin with their length in four hexadecimal digits, of which the first
/// names the service and `0000` ends a part. `None`: it is something else.
pub(crate) fn advertised(bytes: &[u8]) -> Option<Tips> {
    let (mut rest, mut listed, mut is_service) = (bytes, String::new(), false);
    while !rest.is_empty() {
        let length = usize::from_str_radix(str::from_utf8(rest.get(..4)?).ok()?, 16).ok()?;
        let line = if length == 0 { &[][..] } else { rest.get(4..length)? };
        rest = rest.get(length.max(4)..)?;
        let line = String::from_utf8_lossy(line);
        // Behind the first reference stands what the host can do.
        let line = line.split('\0').next().unwrap_or_default().trim_end();
        if line == "# service=git-upload-pack" {
            is_service = true;
            continue;
        }
        let Some((commit, name)) = line.split_once(' ') else { continue };
        if name == "HEAD" || name.starts_with("refs/heads/") || name.starts_with("refs/tags/") {
            listed.extend([commit, "\t", name, "\n"]);
        }
    }
    is_service.then(|| Tips::read(&listed))
}

/// Whether a text is the full number of a commit.
pub(crate) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_host_lists_is_read_by_the_lengths_of_its_lines() {
        let [one, two] = ["1", "2"].map(|digit| digit.repeat(40));
        let packet = |line: &str| format!("{:04x}{line}", line.len() + 4);
        let lines = [
            packet("# service=git-upload-pack\n"),
            "0000".to_owned(),
            packet(&format!("{one} HEAD\0multi_ack side-band-64k agent=git/2\n")),
            packet(&format!("{one} refs/heads/main\n")),
            packet(&format!("{two} refs/pull/1/head\n")),
            packet(&format!("{one} refs/tags/v1\n")),
            packet(&format!("{two} refs/tags/v1^{{}}\n")),
            "0000".to_owned(),
        ];
        let all = lines.concat();
        let tips = advertised(all.as_bytes()).unwrap();
        assert_eq!(tips.find(None).unwrap().commit, one);
        assert_eq!(tips.find(Some("v1")).unwrap().commit, two);
        assert_eq!(tips.names().collect::<Vec<_>>(), ["main", "v1"]);
        let empty = [packet("# service=git-upload-pack\n"), "0000".to_owned()].concat();
        assert!(advertised(empty.as_bytes()).unwrap().is_empty());
        for cut in 1..all.len() - 4 {
            // However short it is cut, it is nothing or a part.
            drop(advertised(&all.as_bytes()[..cut]));
        }
        for odd in [&b"<!doctype html>"[..], b"", b"0003", b"ffff", b"000\xff", b"0004"] {
            assert_eq!(advertised(odd), None);
        }
    }

    #[test]
    fn a_branch_goes_before_a_tag_and_an_annotated_tag_is_the_commit_that_it_names() {
        let [one, two, three, four] = ["1", "2", "3", "4"].map(|digit| digit.repeat(40));
        let printed = format!(
            "{one}\tHEAD\n{one}\trefs/heads/main\n{two}\trefs/heads/v1\n{three}\trefs/tags/v1\n{three}\trefs/tags/v2\n{four}\trefs/tags/v2^{{}}\nno\trefs/heads/odd\n"
        );
        let tips = Tips::read(&printed);
        let commit = |name| tips.find(name).map(|tip| tip.commit);
        assert_eq!(commit(None), Some(one.clone()));
        assert_eq!(commit(Some("v1")), Some(two));
        assert_eq!(commit(Some("v2")), Some(four));
        assert_eq!(commit(Some("odd")), None);
        assert_eq!(commit(Some(&three)), Some(three.clone()));
        assert_eq!(tips.names().collect::<Vec<_>>(), ["main", "v1", "v1", "v2"]);
        assert!(Tips::read("").is_empty());
    }
}
