//! Clients' files on a real disk, changed through the actions that the window calls.

mod custom;
mod drift;
mod every_client;
mod home;
mod http;
mod one_client;
mod others;
mod projects;
mod rescue;
mod undo;
