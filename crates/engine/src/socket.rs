//! The local socket (a pipe on Windows) between a bridge and the one writing engine.
