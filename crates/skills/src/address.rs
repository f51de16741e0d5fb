//! The URIs by which a catalog's skills and their files are reached: `skill://` (the MCP Skills
//! extension, SEP-2640) and `resource://` (seed 004).
