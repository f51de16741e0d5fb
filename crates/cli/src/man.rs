//! `skilltender man`: the manual pages, made from the table that parses the words. Each command has one; a page names
//! the command's subcommands and its parent.

use std::{fs, io, path::PathBuf};

use clap::Command;
use clap_mangen::Man;

use crate::{Failure, Text, print};

const AFTER: &str = "\
Without a command, this prints the page of skilltender itself, which names the others. Packages install all pages.

  skilltender man servers approve | man -l -
  skilltender man --into ~/.local/share/man/man1";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The command, such as `servers approve`
    #[arg(value_name = "COMMAND", conflicts_with = "into")]
    command: Vec<String>,
    /// Write every page into this folder, one file each; existing pages are replaced
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(crate) fn run(command: &Arguments, words: Command) -> Result<(), Failure> {
    let whole = whole(words);
    if let Some(folder) = &command.into {
        let unwritten = |error: io::Error| {
            Failure::refused(format!("The pages could not be written into {}: {error}.", folder.display()))
        };
        fs::create_dir_all(folder).map_err(unwritten)?;
        let mut pages = pages(&whole, None)?.into_iter();
        return pages.try_for_each(|(name, page)| fs::write(folder.join(name + ".1"), page)).map_err(unwritten);
    }
    let (mut found, mut above) = (&whole, None);
    for name in &command.command {
        let below = found.find_subcommand(name).filter(|below| !below.is_hide_set());
        let unknown = || {
            let all = found.get_bin_name().unwrap_or("skilltender");
            Failure::usage(format!("There is no command {name}. `{all} --help` names them all."))
        };
        (above, found) = (Some(found), below.ok_or_else(unknown)?);
    }
    print(Text::page(&String::from_utf8_lossy(&page(found, above)?)))
}

/// Every command that has a page: `help` only repeats the pages.
fn whole(words: Command) -> Command {
    let mut whole = words.disable_help_subcommand(true);
    whole.build();
    whole
}

/// The pages of a command and of all its subcommands, with their names.
fn pages(command: &Command, above: Option<&Command>) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = vec![(name(command).to_owned(), page(command, above)?)];
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        all.extend(pages(below, Some(command))?);
    }
    Ok(all)
}

fn page(command: &Command, above: Option<&Command>) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    if let Some(above) = above {
        page.extend(format!(".SH \"SEE ALSO\"\n{}(1)\n", name(above).replace('-', "\\-")).bytes());
    }
    Ok(page)
}

/// The name of a page: `skilltender-servers-approve`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_page_that_a_page_names_is_there() {
        let (mut there, mut named) = (BTreeSet::new(), BTreeSet::new());
        for (name, page) in pages(&whole(crate::args::command()), None).unwrap() {
            there.insert(name);
            let text = String::from_utf8(page).unwrap().replace('\\', "");
            let references = text.split(char::is_whitespace).filter_map(|word| word.strip_suffix("(1)"));
            named.extend(references.map(str::to_owned));
        }
        assert_eq!(there, named, "each page is named, and each that is named is there");
        for page in ["skilltender", "skilltender-servers", "skilltender-servers-approve", "skilltender-kept-read"] {
            assert!(there.contains(page), "{page}");
        }
        assert!(!there.contains("skilltender-complete"), "shells alone call it");
    }
}
