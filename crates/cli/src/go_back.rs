//! `skilltender go-back`: for who went back to this Skilltender after a newer one brought our files to its version.

use std::path::Path;

use engine::{Machine, actions};
use serde_json::json;

use crate::{
    Failure, Text, ask,
    output::{print_done, print_json_done},
    print,
};

const AFTER: &str = "\
A newer Skilltender keeps a copy of your choices before it brings them to its own version. This command is for the \
Skilltender before it: it puts that copy back, and sets aside what the newer one left, in a folder `newer-...`. What was \
approved, switched on or let in at the time of the copy is so again, also where you took it back since. Skills, clients' \
files and the keychain are not touched.

  skilltender go-back          say what happens, ask, and do it
  skilltender go-back --yes    do it without asking";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    actions::can_go_back(&machine)?;
    if !command.yes {
        if !ask::somebody_is_there() {
            return Err(Failure::usage("There is nobody to ask: `--yes` takes the files back."));
        }
        let mut shown = Text::new();
        shown.line(format!(
            "The files in {} go back to how they were before a newer Skilltender brought them to its version.",
            machine.place(&machine.data)
        ));
        shown.line("What was approved, switched on or let in then is so again, also where you took it back since.");
        shown.line("What the newer one left is set aside. Skills, clients' files and the keychain are not touched.");
        if !ask::agreed(&shown, "Go back?")? {
            return print("Nothing was done.");
        }
    }
    let back = actions::go_back(&machine)?;
    if command.json {
        return print_json_done(&json!({"version": back.version, "aside": back.aside}));
    }
    let mut text = Text::new();
    let aside = machine.place(&back.aside);
    text.line(format!(
        "Done. The files are of version {} again; what the newer Skilltender left is in {aside}.",
        back.version
    ));
    print_done(text)
}
