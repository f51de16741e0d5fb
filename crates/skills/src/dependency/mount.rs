//! Mounts of containers as a declaration writes them: `${WORKSPACE}:/work:ro` (decision 59).
//!
//! A mount's source is a folder that a person gives, or one below it. An author cannot name other places of the
//! computer, such as the container engine's socket.

use super::template::{HOME, Piece, pieces};

/// The parts of a mount.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts<'t> {
    /// The folder on this computer, with its placeholder.
    pub(super) source: &'t str,
    /// The parameter that gives the folder.
    pub(super) folder: &'t str,
    /// The path inside the container.
    pub(super) target: &'t str,
    /// Whether it is read-only.
    pub(super) read_only: bool,
}

/// Parses a mount.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub(super) fn parts(text: &str) -> Result<Parts<'_>, &'static str> {
    let (rest, read_only) = match text.strip_suffix(":ro") {
        Some(rest) => (rest, true),
        None => (text.strip_suffix(":rw").unwrap_or(text), false),
    };
    let (source, target) = rest.split_once(':').ok_or(
        "must be a folder, a place inside the container, and `:ro` if it is only read: `${WORKSPACE}:/work:ro`",
    )?;
    let outside = "must begin with a folder that a person gives, such as `${WORKSPACE}`, or be beneath `${HOME}`";
    let pieces = pieces(source).map_err(|_| outside)?;
    let below = match pieces[..] {
        [Piece::Placeholder(name)] if name != HOME => "",
        [Piece::Placeholder(_), Piece::Text(below)] => below,
        _ => return Err(outside),
    };
    let Some(Piece::Placeholder(folder)) = pieces.first() else { return Err(outside) };
    let goes_down = below.is_empty() || below.starts_with('/') && is_plain(below);
    if !goes_down {
        return Err("must name a folder beneath the one that a person gives, without `..`");
    }
    if target.len() < 2 || !target.starts_with('/') || !is_plain(target) {
        return Err("must say where in the container the folder is, as a whole path such as `/work`");
    }
    Ok(Parts { source, folder, target, read_only })
}

/// Whether a path only descends and has no characters with a special meaning.
fn is_plain(path: &str) -> bool {
    path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b))
        && path.split('/').skip(1).all(|part| !part.is_empty() && !matches!(part, "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_a_folder_that_a_person_gives_and_a_place_inside() {
        let read = parts("${WORKSPACE}:/work:ro").unwrap();
        assert_eq!(
            (read.source, read.folder, read.target, read.read_only),
            ("${WORKSPACE}", "WORKSPACE", "/work", true)
        );
        assert!(!parts("${WORKSPACE}/src:/work").unwrap().read_only);
        assert!(!parts("${HOME}/.config/tea:/tea/config:rw").unwrap().read_only);
    }

    #[test]
    fn a_mount_names_no_place_of_somebody_elses_computer() {
        for text in [
            "/var/run/docker.sock:/var/run/docker.sock",
            "/:/host",
            "~/tea:/tea",
            "${HOME}:/home",
            "${HOME}/../..:/host",
            "${WORKSPACE}/..:/host",
            "${WORKSPACE}${X}:/work",
            "x${WORKSPACE}:/work",
            "${WORKSPACE}:work",
            "${WORKSPACE}:/",
            "${WORKSPACE}:/work,readonly",
            "${WORKSPACE}:/../etc",
            "${WORKSPACE}:/work:z",
            "${WORKSPACE}:${TARGET}",
            "${WORKSPACE}",
            "volume:/work",
            "",
        ] {
            assert!(parts(text).is_err(), "{text}");
        }
    }
}
