//! Tests of the wire, in both eras and on both transports.

#![expect(clippy::unwrap_used, reason = "what fails here fails its test")]

mod bridge;
mod changes;
mod client;
mod connections;
mod direct;
mod family;
mod gateway;
mod guard;
mod http;
mod large;
mod memory;
mod packed;
mod prebuilt;
mod prompts;
mod questions;
mod resources;
mod roots;
mod sessions;
mod skills_extension;
mod stream;
mod surfaces;
mod theirs;
mod web;
