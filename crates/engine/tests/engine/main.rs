//! The engine as the window and the command line use it: real folders, real files, no window.

mod choices;
mod editing;
mod home;
mod library;
mod watching;
