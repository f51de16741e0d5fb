//! What `skilltender mcp` runs: a client's stdio carried to the one engine, or answered here.
