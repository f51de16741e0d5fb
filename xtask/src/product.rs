//! What packages say of the product: its name, version and texts, each read from the one file that holds it.
//!
//! `src-tauri/tauri.conf.json` and `bundle.conf.json` hold the texts, the workspace's `Cargo.toml` the version. The
//! notes of a release are in `changelog`.

use std::fs;

use serde_json::Value;

use crate::{
    paths,
    step::{Done, Failed},
};

/// The product as its packages describe it.
pub(crate) struct Product {
    pub(crate) name: String,
    pub(crate) identifier: String,
    pub(crate) version: &'static str,
    pub(crate) summary: String,
    /// A paragraph, on one line.
    pub(crate) description: String,
    /// The same in lines of a readable length.
    pub(crate) lines: String,
    pub(crate) homepage: String,
    pub(crate) license: String,
    /// Who packages name as their maintainer, with an address.
    pub(crate) maintainer: String,
}

impl Product {
    pub(crate) fn read() -> Done<Self> {
        let (app, bundle) = (json("src-tauri/tauri.conf.json")?, json("src-tauri/bundle.conf.json")?);
        let of_app = |field: &str| text(&app, field);
        let of_bundle = |field: &str| text(&bundle["bundle"], field);
        Ok(Self {
            name: of_app("productName")?,
            identifier: of_app("identifier")?,
            version: env!("CARGO_PKG_VERSION"),
            summary: of_bundle("shortDescription")?,
            description: of_bundle("longDescription")?.replace('\n', " "),
            lines: of_bundle("longDescription")?,
            homepage: of_bundle("homepage")?,
            license: of_bundle("license")?,
            maintainer: maintainer()?,
        })
    }

    /// A template of `packaging`, with the product's words for `{{name}}` and its like, and `more` beside them.
    ///
    /// # Errors
    ///
    /// The template names a word that nobody gives.
    pub(crate) fn fill(&self, template: &str, more: &[(&str, &str)]) -> Done<String> {
        let mut filled = fs::read_to_string(paths::root().join("packaging").join(template))
            .map_err(|why| Failed(format!("packaging/{template}: {why}.")))?;
        let own = [
            ("name", self.name.as_str()),
            ("id", &self.identifier),
            ("version", self.version),
            ("summary", &self.summary),
            ("description", &self.description),
            ("homepage", &self.homepage),
            ("license", &self.license),
            ("maintainer", &self.maintainer),
        ];
        for (word, value) in own.iter().chain(more) {
            filled = filled.replace(&format!("{{{{{word}}}}}"), value);
        }
        match filled.split_once("{{") {
            Some((_, rest)) => {
                let word = rest.split("}}").next().unwrap_or_default();
                Err(Failed(format!("packaging/{template} names {{{{{word}}}}}, which nobody gives.")))
            }
            None => Ok(filled),
        }
    }
}

fn json(file: &str) -> Done<Value> {
    let bytes = fs::read(paths::root().join(file)).map_err(Failed::because)?;
    serde_json::from_slice(&bytes).map_err(|why| Failed(format!("{file}: {why}.")))
}

fn text(of: &Value, field: &str) -> Done<String> {
    let text = of[field].as_str().map(str::to_owned);
    text.ok_or_else(|| Failed(format!("The configuration of the app says no {field}.")))
}

/// The author that the app's manifest names, whom Tauri takes for the maintainer too.
fn maintainer() -> Done<String> {
    let manifest = fs::read_to_string(paths::root().join("src-tauri/Cargo.toml")).map_err(Failed::because)?;
    let author = manifest.lines().find_map(|line| line.strip_prefix("authors = [\"")?.strip_suffix("\"]"));
    author.map(str::to_owned).ok_or_else(|| Failed("src-tauri/Cargo.toml names no author.".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_has_every_word_that_packages_need() {
        let product = Product::read().unwrap();
        assert!(product.lines.lines().all(|line| line.len() < 80), "lists of packages break no lines");
        assert_eq!((product.name.as_str(), product.identifier.as_str()), ("Skilltender", "dev.skilltender.desktop"));
        assert!(product.maintainer.ends_with("@skilltender.dev>"), "{}", product.maintainer);
        assert!(product.summary.len() < 60, "a line of a list holds it");
    }

    #[test]
    fn a_template_with_a_word_that_nobody_gives_is_refused() {
        let Failed(why) = Product::read().unwrap().fill("linux/copyright", &[]).unwrap_err();
        assert_eq!(why, "packaging/linux/copyright names {{mit}}, which nobody gives.");
    }
}
