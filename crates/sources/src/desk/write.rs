//! Writes a machine's file: sorted, one value on a line, without times. What was said before and what is said now differ
//! in the lines that changed.

use std::fmt;

use super::{Desk, Path, Said, SetKey, VERSION, Value, Word, Written, WrittenSet};
use crate::yaml::quoted;

/// The first lines of the file.
const HEAD: &str = "\
# Which skills are on and which sets there are on one machine, for the other machines of the same person. Skilltender
# writes it; the numbers say how often each changed. Remove the file when the machine is gone.
";

/// The text of the file.
impl fmt::Display for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Written { skills, sets, .. } = Written::from(self.clone());
        writeln!(f, "{HEAD}version: {VERSION}")?;
        if !skills.is_empty() {
            writeln!(f, "skills:")?;
        }
        for (Path(path), Word(said)) in &skills {
            writeln!(f, "  {}: {}", quoted(path), word(said))?;
        }
        if !sets.is_empty() {
            writeln!(f, "sets:")?;
        }
        for (SetKey(key), WrittenSet { name, count, skills }) in &sets {
            writeln!(f, "  {}:", quoted(key))?;
            if let Some(name) = name {
                writeln!(f, "    name: {}", quoted(&name.0))?;
            }
            if let Some(count) = count {
                writeln!(f, "    count: {}", count.0)?;
            }
            if !skills.is_empty() {
                writeln!(f, "    skills:")?;
            }
            for (Path(path), Word(said)) in skills {
                writeln!(f, "      {}: {}", quoted(path), word(said))?;
            }
        }
        Ok(())
    }
}

/// `on 3`
pub(super) fn word(said: &Said) -> String {
    let value = if said.value == Value::Off { "off" } else { "on" };
    format!("{value} {}", said.count)
}
