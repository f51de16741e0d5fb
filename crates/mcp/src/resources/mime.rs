//! The media type of a file, by its name (decision 16).

use skills::SkillPath;

/// Extensions that the common table maps to another type than skills use: `.ts` is a video there.
const OURS: &[(&str, &str)] = &[
    ("md", "text/markdown"),
    ("ts", "text/typescript"),
    ("mts", "text/typescript"),
    ("cts", "text/typescript"),
    ("tsx", "text/typescript"),
];

/// The media type of the name; `None` if only the contents tell.
pub(super) fn of(path: &SkillPath) -> Option<&'static str> {
    let extension = path.file_name().rsplit_once('.')?.1;
    let ours = OURS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    ours.map(|(_, mime)| *mime).or_else(|| mime_guess::from_ext(extension).first_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_type_and_nothing_else_does() {
        for (path, expected) in [
            ("SKILL.md", Some("text/markdown")),
            ("references/API.MD", Some("text/markdown")),
            ("a.markdown", Some("text/markdown")),
            ("data.json", Some("application/json")),
            ("table.csv", Some("text/csv")),
            ("page.html", Some("text/html")),
            ("style.css", Some("text/css")),
            ("notes.txt", Some("text/plain")),
            ("schema.xsd", Some("text/xml")),
            ("feed.xml", Some("text/xml")),
            ("config.yaml", Some("text/x-yaml")),
            ("config.yml", Some("text/x-yaml")),
            ("Cargo.toml", Some("text/x-toml")),
            ("scripts/run.py", Some("text/plain")),
            ("scripts/run.sh", Some("application/x-sh")),
            ("scripts/run.js", Some("text/javascript")),
            ("scripts/run.ts", Some("text/typescript")),
            ("scripts/view.tsx", Some("text/typescript")),
            ("scripts/main.rs", Some("text/x-rust")),
            ("logo.png", Some("image/png")),
            ("photo.jpg", Some("image/jpeg")),
            ("icon.svg", Some("image/svg+xml")),
            ("form.pdf", Some("application/pdf")),
            ("font.ttf", Some("font/ttf")),
            ("letter.docx", Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document")),
            ("bundle.tar.gz", Some("application/gzip")),
            ("LICENSE", None),
            ("scripts/brew", None),
            ("a.b/noextension", None),
            ("data.unheardof", None),
            (".gitignore", None),
        ] {
            assert_eq!(of(&SkillPath::new(path).unwrap()), expected, "{path}");
        }
    }
}
