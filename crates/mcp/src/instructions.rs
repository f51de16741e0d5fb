//! The usage guide: one text for the prompt `init-skills` and for `skilltender instructions` (the skills server
//! specification). It informs and gives no orders, so that it can be part of a conversation from its start.

/// The guide, written for an agent that has never seen a skill.
const GUIDE: &str = include_str!("instructions.md");

/// The guide, with a line break at its end. With `xml` it is enclosed in the tags `<skills-mcp-instructions>`, which
/// delimit it inside a larger file.
pub fn instructions(xml: bool) -> String {
    if xml { format!("<skills-mcp-instructions>\n{GUIDE}</skills-mcp-instructions>\n") } else { GUIDE.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_stand_on_lines_of_their_own_around_the_same_text() {
        let plain = instructions(false);
        assert_eq!(instructions(true), format!("<skills-mcp-instructions>\n{plain}</skills-mcp-instructions>\n"));
        assert!(plain.ends_with(".\n"));
    }

    #[test]
    fn the_guide_has_the_sections_of_the_specification_in_order() {
        let plain = instructions(false);
        let headings: Vec<_> = plain.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(
            headings,
            [
                "# Skills MCP - Usage Guide",
                "## What Are Skills",
                "## Core Design Philosophy",
                "## When to Use Skills",
                "## Working with Skills",
                "## Important Notes",
            ]
        );
    }
}
