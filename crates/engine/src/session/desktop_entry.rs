//! The text of a desktop entry: how it spells a path, and what a key of it says (Desktop Entry Specification 1.5). What an
//! entry is for, and where it is kept, is left to [`login_start`](super::login_start) and [`app_menu`](super::app_menu).

/// The value of a key in the group `[Desktop Entry]`.
pub(super) fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != "[Desktop Entry]").skip(1);
    let mut pairs = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    pairs.find(|(name, _)| name.trim_end() == key).map(|(_, value)| value.trim_start())
}

/// A path as a value of the type string.
pub(super) fn in_string(path: &str) -> String {
    path.replace('\\', "\\\\")
}

/// A path in `Exec`: quoted, and escaped twice, as an argument and as a string (Desktop Entry Specification 1.5, "The
/// Exec key").
pub(super) fn in_exec(path: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in path.chars() {
        match letter {
            '"' | '`' | '$' => quoted.extend(["\\\\", letter.encode_utf8(&mut [0; 4])]),
            '\\' => quoted.push_str("\\\\\\\\"),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// The reverse of [`in_exec`], for the first argument.
pub(super) fn out_of_exec(exec: &str) -> Option<String> {
    let Some(quoted) = exec.strip_prefix('"') else { return exec.split(' ').next().map(str::to_owned) };
    let string = quoted.replace("\\\\", "\\");
    let (mut path, mut letters) = (String::new(), string.chars());
    loop {
        match letters.next()? {
            '"' => return Some(path),
            '\\' => path.push(letters.next()?),
            other => path.push(other),
        }
    }
}
