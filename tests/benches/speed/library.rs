//! Libraries for the measurements, the same on every machine: each skill has a SKILL.md of 5.3 kB on average and
//! three references. 10,000 of them are 20,000 folders and 40,000 files.

use std::{fmt::Write as _, fs, path::Path};

/// A library of `count` skills.
pub(crate) fn make(count: usize) -> tempfile::TempDir {
    make_from(0, count)
}

/// A part of a larger library.
pub(crate) fn make_from(first: usize, count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(7);
    let words: Vec<_> = (0..6_000).map(|_| word(&mut dice)).collect();
    for number in first..first + count {
        write_skill(folder.path(), number, &words, &mut dice);
    }
    folder
}

/// The id of a skill.
pub(crate) fn id(number: usize) -> String {
    format!("skill-{number:05}")
}

/// A SKILL.md with this description.
pub(crate) fn skill_md(id: &str, description: &str, body: &str) -> String {
    format!(
        "---\nname: {id}\ndescription: {description}\nlicense: MIT\nmetadata:\n  author: somebody\n---\n\n# {id}\n\n{body}"
    )
}

fn write_skill(root: &Path, number: usize, words: &[String], dice: &mut Dice) {
    let id = id(number);
    let folder = root.join(&id);
    fs::create_dir_all(folder.join("references")).unwrap();
    let description = sentence(words, dice, 24);
    // Sizes are distributed like real ones: many small, a few large.
    let size = 400 + 4_900 * [1, 1, 2, 2, 3, 4, 5, 6, 9, 17][dice.below(10)] / 5;
    let body = text(words, dice, size);
    fs::write(folder.join("SKILL.md"), skill_md(&id, &description, &body)).unwrap();
    for reference in 0..3 {
        fs::write(folder.join(format!("references/{reference}.md")), text(words, dice, 3_600)).unwrap();
    }
}

fn text(words: &[String], dice: &mut Dice, size: usize) -> String {
    let mut text = String::new();
    while text.len() < size {
        let length = 6 + dice.below(9);
        writeln!(text, "{}.", sentence(words, dice, length)).unwrap();
    }
    text
}

fn sentence(words: &[String], dice: &mut Dice, length: usize) -> String {
    (0..length).map(|_| words[dice.below(words.len())].as_str()).collect::<Vec<_>>().join(" ")
}

fn word(dice: &mut Dice) -> String {
    let syllables = 1 + dice.below(4);
    let letter = |of: &[u8], dice: &mut Dice| of[dice.below(of.len())] as char;
    (0..syllables).flat_map(|_| [letter(b"bcdfghklmnprstvw", dice), letter(b"aeiou", dice)]).collect()
}

/// A random generator with a fixed sequence.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}
