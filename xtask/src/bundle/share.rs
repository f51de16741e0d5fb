//! What packages for Linux install below `share`: manual pages, completions, the software centre's description, the
//! licence and the list of changes, written into `src-tauri/binaries/share`, from where `bundle.conf.json` takes them.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use flate2::{Compression, GzBuilder};

use super::wrap::wrapped;
use crate::{
    changelog::{self, Section},
    paths,
    product::Product,
    release,
    step::{Done, Failed, output_of, run},
};

/// The shells with completions in a package, and each one's file name.
const COMPLETIONS: &[(&str, &str)] =
    &[("bash", "skilltender.bash"), ("zsh", "_skilltender"), ("fish", "skilltender.fish")];

/// The pictures that a software centre shows, each with its words: files of the repository.
const SHOTS: &[(&str, &str)] = &[
    ("skills-light.png", "The skills of this computer, and the page of one"),
    ("verdicts-light.png", "What each client would make of a skill, and why"),
    ("clients-light.png", "Which clients are there, and which really connected"),
];
const SCREENS: &str = "docs/screens";
/// Their width and height.
const SIZE: (u32, u32) = (1280, 800);

/// How wide a line of Debian's list of changes is, without its indent.
const WIDTH: usize = 74;
/// How many changes the software centre shows of a version.
const SHOWN: usize = 10;

/// Writes all of it; the program says its own pages and completions.
pub(super) fn write(program: &Path, share: &Path) -> Done {
    let product = Product::read()?;
    let sections = changelog::read()?;
    let present = changelog::of(product.version, changelog::read()?)?;
    let today = changelog::day_of_the_source()?;

    pages(program, &share.join("man"))?;
    for (shell, file) in COMPLETIONS {
        put(&share.join(file), said(program, &["completions", shell])?.as_bytes())?;
    }
    let releases = releases(&product, &sections, &present, &today);
    let screenshots = screenshots(release::repository().as_deref(), product.version);
    let words = [("releases", releases.as_str()), ("screenshots", &screenshots)];
    put(&share.join("metainfo.xml"), product.fill("linux/metainfo.xml", &words)?.as_bytes())?;
    let licence = fs::read_to_string(paths::root().join("LICENSE-MIT")).map_err(Failed::because)?;
    let copyright = product.fill("linux/copyright", &[("mit", &indented(&licence))])?;
    put(&share.join("copyright"), copyright.as_bytes())?;
    put(&share.join("changelog.gz"), &packed(debian(&product, &present, &today)?.as_bytes())?)
}

/// The program's manual pages and the app's one, packed as distributions want them.
fn pages(program: &Path, man: &Path) -> Done {
    if man.exists() {
        fs::remove_dir_all(man).map_err(Failed::because)?;
    }
    run(Command::new(program).args(["man", "--into"]).arg(man))?;
    let app = "skilltender-app.1";
    fs::copy(paths::root().join("packaging/linux").join(app), man.join(app)).map_err(Failed::because)?;
    let all: Vec<PathBuf> =
        fs::read_dir(man).map_err(Failed::because)?.filter_map(Result::ok).map(|page| page.path()).collect();
    for page in all {
        let text = fs::read(&page).map_err(Failed::because)?;
        put(&page.with_extension("1.gz"), &packed(&text)?)?;
        fs::remove_file(&page).map_err(Failed::because)?;
    }
    Ok(())
}

/// The pictures as AppStream's XML has them, from this version's own files in the repository; none where nobody says
/// whose that is, because an address that nobody serves is worse than no picture.
fn screenshots(repository: Option<&str>, version: &str) -> String {
    let Some(repository) = repository else { return String::new() };
    let one = |(at, (name, caption)): (usize, &(&str, &str))| {
        let kind = if at == 0 { " type=\"default\"" } else { "" };
        format!(
            "    <screenshot{kind}>\n      <caption>{caption}</caption>\n      \
             <image type=\"source\" width=\"{}\" height=\"{}\">https://raw.githubusercontent.com/{repository}/v{version}/{SCREENS}/{name}</image>\n    \
             </screenshot>\n",
            SIZE.0, SIZE.1
        )
    };
    let all: String = SHOTS.iter().enumerate().map(one).collect();
    format!("  <screenshots>\n{all}  </screenshots>\n")
}

/// The versions as AppStream's XML has them. One that is not released yet counts as being developed.
fn releases(product: &Product, sections: &[Section], present: &Section, today: &str) -> String {
    let mut releases = Vec::new();
    if present.day.is_none() {
        releases.push(release(product.version, "development", today, present));
    }
    let released = sections.iter().filter_map(|section| Some((section, section.day.as_deref()?)));
    releases.extend(released.map(|(section, day)| release(&section.title, "stable", day, section)));
    releases.join("\n")
}

fn release(version: &str, kind: &str, day: &str, section: &Section) -> String {
    let items = section.items();
    let lines = items.iter().take(SHOWN).map(|item| format!("          <li>{}</li>\n", escaped(item)));
    let lines: String = lines.collect();
    format!(
        "    <release version=\"{version}\" type=\"{kind}\" date=\"{day}\">\n      <description>\n        <ul>\n{lines}        </ul>\n      </description>\n    </release>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The version's changes in the form of Debian's own lists.
fn debian(product: &Product, present: &Section, today: &str) -> Done<String> {
    let day = present.day.as_deref().unwrap_or(today);
    let date = output_of(Command::new("date").args(["--utc", "--rfc-email", "--date", day]));
    let date = date.ok_or_else(|| Failed(format!("`date` does not read the day {day}.")))?;
    let items: String =
        present.items().iter().map(|item| format!("  * {}\n", wrapped(item, WIDTH).replace('\n', "\n    "))).collect();
    let (version, maintainer) = (product.version, &product.maintainer);
    Ok(format!("skilltender ({version}) unstable; urgency=medium\n\n{items}\n -- {maintainer}  {date}\n"))
}

/// A text as a field of Debian's files continues it: an empty line is a dot.
fn indented(text: &str) -> String {
    let lines =
        text.trim().lines().map(|line| if line.trim().is_empty() { " .".to_owned() } else { format!(" {line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Packed without a name and a time, so that the same text gives the same bytes.
fn packed(text: &[u8]) -> Done<Vec<u8>> {
    let mut packing = GzBuilder::new().write(Vec::new(), Compression::best());
    packing.write_all(text).and_then(|()| packing.finish()).map_err(Failed::because)
}

fn said(program: &Path, words: &[&str]) -> Done<String> {
    let said = output_of(Command::new(program).args(words));
    said.ok_or_else(|| Failed(format!("{} does not say its {}.", program.display(), words.join(" "))))
}

fn put(path: &Path, bytes: &[u8]) -> Done {
    fs::write(path, bytes).map_err(|why| Failed(format!("{}: {why}.", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_of_a_licence_is_a_dot() {
        assert_eq!(indented("one\n\ntwo\n"), " one\n .\n two");
    }

    #[test]
    fn software_centres_show_the_pictures_of_this_version_in_the_repository_and_none_of_nobodys() {
        let shown = screenshots(Some("ada/skilltender"), "1.2.3");
        for (at, (name, caption)) in SHOTS.iter().enumerate() {
            let place = format!("https://raw.githubusercontent.com/ada/skilltender/v1.2.3/docs/screens/{name}");
            assert!(shown.contains(&format!("height=\"800\">{place}</image>")), "{shown}");
            assert!(shown.contains(&format!("<caption>{caption}</caption>")), "{shown}");
            assert_eq!(shown.matches("type=\"default\"").count(), 1, "{at}: one is shown first");
            // A PNG says its size right after its name and the head of its first part.
            let picture = fs::read(paths::root().join(SCREENS).join(name)).unwrap();
            let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
            assert_eq!((number(16), number(20)), SIZE, "{name}");
        }
        assert_eq!(screenshots(None, "1.2.3"), "");
    }

    #[test]
    fn a_version_that_is_being_made_comes_before_those_that_are_released() {
        let section = |title: &str, day: Option<&str>| Section {
            title: title.to_owned(),
            day: day.map(str::to_owned),
            text: "- Reads <tags> & more.".to_owned(),
        };
        let all = [section("Unreleased", None), section("0.0.9", Some("2026-01-01"))];
        let releases = releases(&Product::read().unwrap(), &all, &all[0], "2026-02-02");
        let titles: Vec<_> = releases.lines().filter(|line| line.contains("<release ")).map(str::trim).collect();
        let present =
            format!(r#"<release version="{}" type="development" date="2026-02-02">"#, env!("CARGO_PKG_VERSION"));
        assert_eq!(titles, [present.as_str(), r#"<release version="0.0.9" type="stable" date="2026-01-01">"#]);
        assert!(releases.contains("<li>Reads &lt;tags&gt; &amp; more.</li>"));
    }
}
