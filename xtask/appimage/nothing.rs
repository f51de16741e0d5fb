//! Nothing is compiled: see Cargo.toml.
