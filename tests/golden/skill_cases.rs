//! `tests/skills/<case>/`: a SKILL.md and what is to be read and said about it.
