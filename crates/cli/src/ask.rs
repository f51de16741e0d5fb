//! Questions to the user at the terminal. Without a terminal, nothing is asked.

#[cfg(unix)]
mod unseen;

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use zeroize::Zeroizing;

use crate::{
    Failure,
    output::{self, Text},
};

/// The maximum length of a text read from standard input, in bytes.
const LONGEST: u64 = 1 << 20;

/// Whether a user can answer.
pub(crate) fn somebody_is_there() -> bool {
    io::stdin().is_terminal()
}

/// Shows a text and asks for a yes. It goes to standard error: standard output carries the command's result.
pub(crate) fn agreed(shown: &Text, question: &str) -> Result<bool, Failure> {
    output::question(shown, &format!("{question} [y/N] "))?;
    Ok(matches!(answer()?.to_lowercase().as_str(), "y" | "yes"))
}

/// Asks for a line.
pub(crate) fn line(question: &str) -> Result<String, Failure> {
    output::question(&Text::new(), question)?;
    answer()
}

fn answer() -> Result<String, Failure> {
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim().to_owned())
}

/// Asks for a secret, which is not echoed. `rpassword` alone shows what is typed as soon as the question is there, and
/// leaves the terminal without echo after Ctrl+C.
pub(crate) fn secret(question: &str) -> Result<Zeroizing<String>, Failure> {
    #[cfg(unix)]
    let _unseen = unseen::Unseen::begin()?;
    Ok(Zeroizing::new(rpassword::prompt_password(skills::visible_line(question))?))
}

/// A secret: typed without echo, or the whole of standard input without one line end.
pub(crate) fn secret_or_input(question: &str) -> Result<Zeroizing<String>, Failure> {
    if somebody_is_there() {
        return secret(question);
    }
    let mut text = Zeroizing::new(String::with_capacity(8 << 10));
    io::stdin().lock().take(LONGEST).read_to_string(&mut text)?;
    let end = without_line_end(&text).len();
    text.truncate(end);
    Ok(text)
}

fn without_line_end(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::without_line_end;

    #[test]
    fn one_line_end_goes_and_the_rest_stays() {
        for (text, left) in [("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), (" a ", " a "), ("", "")] {
            assert_eq!(without_line_end(text), left, "{text:?}");
        }
    }
}
