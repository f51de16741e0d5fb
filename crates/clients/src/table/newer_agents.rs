//! Agents that appeared in 2026.

use super::parts::{ADDRESS, BEARER, HTTP_ADDRESS, PROGRAM};
use crate::{
    Part,
    client::{Client, ClientFolders, Files, Format, Key, Mark, ROW, Reload, Signs, Takes, Variable},
};

pub(super) const OPENCLAW: Client = Client {
    id: "openclaw",
    name: "OpenClaw",
    format: Format::Jsonc,
    key: Key::map(&["mcp", "servers"]),
    takes: Takes { trailing_commas: true, ..ROW.takes },
    files: Files {
        variable: Some(Variable::file("OPENCLAW_CONFIG_PATH")),
        ..Files::everywhere(&["{home}/.openclaw/openclaw.json"])
    },
    stdio: Some(PROGRAM),
    http: Some(&[("url", Part::Url), ("transport", Part::Text("streamable-http")), ("headers", BEARER)]),
    signs: Signs { paths: &["{home}/.openclaw"], programs: &["openclaw"] },
    processes: &["openclaw"],
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.openclaw/skills", "{home}/.agents/skills"], project: &["skills"] },
    pitfalls: &[
        "Its file may be written in JSON5. One with names without quotes or with single quotes is left alone.",
        "Its gateway checks the whole file before it starts.",
    ],
    mark: Mark::Read,
    source: "Its documentation; the variable that moves its file, and its skill folders, are not confirmed.",
    ..ROW
};

pub(super) const HERMES_AGENT: Client = Client {
    id: "hermes-agent",
    name: "Hermes Agent",
    format: Format::Yaml,
    key: Key::map(&["mcp_servers"]),
    files: Files {
        variable: Some(Variable::folder("HERMES_HOME", "{home}/.hermes", "config.yaml")),
        ..Files::everywhere(&["{home}/.hermes/config.yaml"])
    },
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{home}/.hermes"], programs: &["hermes"] },
    processes: &["hermes"],
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.hermes/skills"], project: &[] },
    pitfalls: &["It starts no server where Python's package mcp is missing, and says nothing about it."],
    mark: Mark::Read,
    source: "Its documentation; its skill folder and the variable that moves its file are not confirmed.",
    ..ROW
};

pub(super) const OH_MY_PI: Client = Client {
    id: "oh-my-pi",
    name: "Oh My Pi",
    files: Files::everywhere(&["{home}/.omp/agent/mcp.json"]),
    project: &[".omp/mcp.json"],
    stdio: Some(PROGRAM),
    http: Some(HTTP_ADDRESS),
    signs: Signs { paths: &["{home}/.omp/agent"], programs: &["omp"] },
    processes: &["omp"],
    reload: Reload::Session,
    skills: ClientFolders { user: &["{home}/.omp/agent/skills"], project: &[".omp/skills"] },
    pitfalls: &["A server listed under disabledServers in this file stays off."],
    mark: Mark::Table,
    source: "The tables of other tools; how it spells an address, and its skill folders, are not confirmed.",
    ..ROW
};
