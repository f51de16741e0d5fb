//! Why a repository or a file cannot be fetched.

use std::{io, path::PathBuf};

use thiserror::Error;

/// Why a repository or a file cannot be fetched, as a sentence that says what to do.
#[derive(Debug, Error)]
pub enum FetchError {
    /// There is no git.
    #[error("That needs git, which is not on this computer. Install it, or import a folder or a zip file.")]
    NoGit,
    /// There is no git, and without one the repository cannot be had, for this reason.
    #[error(
        "{0} can only be fetched with git, which is not on this computer: {1}. Install git, or import a folder or a zip file."
    )]
    OnlyGit(String, &'static str),
    /// There is no git, and the host shows the repository only to whom it knows, or does not have it.
    #[error(
        "{0} is not there, or it is not shown to everybody. Look whether the address is right. For a repository of yours install git, whose sign-in applies."
    )]
    NotPublic(String),
    /// The host is not reached.
    #[error("{0} cannot be reached: {1}. Look whether this computer is online, and whether the address is right.")]
    Offline(String, String),
    /// The host asks who the person is, or refuses them. Hosts say the same of what is not there.
    #[error(
        "{0} is not shown to you: it is not there, or it needs a sign-in that your git does not have. Clone it once with git in a terminal, which keeps the sign-in, and try again."
    )]
    NoRights(String),
    /// Nothing at this address is a repository.
    #[error("There is no git repository at {0}.")]
    NoRepository(String),
    /// The host's certificate is not one that this computer trusts.
    #[error("The certificate of {0} is not trusted by your git: {1}.")]
    Certificate(String, String),
    /// ssh does not know the host.
    #[error("ssh does not know the host of {0} yet. Connect to it once in a terminal, compare its key, and try again.")]
    UnknownHost(String),
    /// No branch, tag or commit has this name.
    #[error("{address} has no branch, tag or commit {name}.{known}")]
    NoReference {
        /// The repository.
        address: String,
        /// What was asked for.
        name: String,
        /// What there is, as a sentence that begins with a space, or nothing.
        known: String,
    },
    /// The repository has no commit yet.
    #[error("{0} is empty.")]
    Empty(String),
    /// More bytes came than a repository of skills holds.
    #[error("{0} is larger than {1} MiB, so it was not fetched. Clone it with git, and import a folder of it.")]
    TooLarge(String, u64),
    /// It holds too many files.
    #[error("{0} has more than {1} files, so it was not read. Clone it with git, and import a folder of it.")]
    TooMany(String, usize),
    /// Nothing came for a while.
    #[error("{0} sent nothing for {1} seconds, so it was given up. Try again later.")]
    Silent(String, u64),
    /// It took too long altogether.
    #[error("{0} was not fetched within {1} minutes, so it was given up.")]
    TooSlow(String, u64),
    /// A person cancelled it.
    #[error("It was cancelled, so nothing was fetched.")]
    Cancelled,
    /// Nothing is at this address.
    #[error("There is nothing at {0}. Look whether the address is right.")]
    NotThere(String),
    /// The host wants to know who asks, or refuses them.
    #[error(
        "{0} is not shown to everybody: it answers {1}. No sign-in is sent there. Download it, and import the file."
    )]
    NotShown(String, u16),
    /// The host cannot answer now.
    #[error("{0} cannot be had now: it answers {1}. Try again later.")]
    Unwell(String, u16),
    /// An answer that is no file.
    #[error("{0} answers {1}, which is no file.")]
    Odd(String, u16),
    /// The host's certificate is not one that this computer trusts.
    #[error("The certificate of {0} is not trusted by this computer: {1}.")]
    Untrusted(String, String),
    /// The file is larger than it may be, in bytes.
    #[error("{0} is larger than {size}, so it was not fetched.", size = size(*.1))]
    LargeFile(String, u64),
    /// The answer ended before its end.
    #[error("{0} did not come whole: {1}. Try again.")]
    Incomplete(String, String),
    /// The host sends on to where nobody is asked.
    #[error("{0} sends on to {1}, which is not asked: {2}.")]
    SentOn(String, String, String),
    /// What a host gives as the archive of a commit is none.
    #[error("What the host gives as the archive of {0} cannot be read: {1}.")]
    Archive(String, String),
    /// git failed for another reason.
    #[error("git could not fetch {0}: {1}.")]
    Other(String, String),
    /// The disk refused.
    #[error("{path} cannot be used: {source}.", path = .0.display(), source = .1)]
    Disk(PathBuf, #[source] io::Error),
}

impl FetchError {
    /// What git's messages on standard error mean. They are those of the language C.
    pub(crate) fn told(address: &str, stderr: &str) -> Self {
        let address = address.to_owned();
        let has = |words: &[&str]| words.iter().any(|word| stderr.contains(word));
        let line = || said(stderr);
        if has(&["Host key verification failed", "REMOTE HOST IDENTIFICATION HAS CHANGED"]) {
            return Self::UnknownHost(address);
        }
        if has(&["certificate", "SSL_ERROR", "gnutls_handshake"]) {
            return Self::Certificate(address, line());
        }
        if has(&[
            "Authentication failed",
            "could not read Username",
            "could not read Password",
            "unable to get password",
            "terminal prompts disabled",
            "Permission denied",
            "Invalid credentials",
            "error: 403",
            "HTTP 403",
            "error: 401",
        ]) {
            return Self::NoRights(address);
        }
        if has(&[
            "Could not resolve",
            "Failed to connect",
            "Couldn't connect",
            "Connection refused",
            "Connection timed out",
            "Connection reset",
            "No route to host",
            "Network is unreachable",
            "Temporary failure in name resolution",
            "Name or service not known",
            "unable to look up",
        ]) {
            return Self::Offline(address, line());
        }
        if has(&[
            "not found",
            "does not appear to be a git repository",
            "not a git repository",
            "error: 404",
            "does not exist",
        ]) {
            return Self::NoRepository(address);
        }
        if has(&["Operation too slow", "Operation timed out"]) {
            return Self::Silent(address, crate::running::SILENCE.as_secs());
        }
        Self::Other(address, line())
    }
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

/// The last line that says why, without git's prefix and with every character visible.
pub(crate) fn said(stderr: &str) -> String {
    let lines = || stderr.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let is_reason = |line: &&str| line.starts_with("fatal:") || line.starts_with("error:");
    let line = lines().find(is_reason).or_else(|| lines().next_back()).unwrap_or("it did not say why");
    let line = ["fatal: ", "error: "].iter().find_map(|prefix| line.strip_prefix(prefix)).unwrap_or(line);
    line.trim_end_matches('.').chars().take(300).flat_map(char::escape_debug).collect::<String>().replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::FetchError;

    #[test]
    fn what_git_says_becomes_a_sentence_of_what_to_do() {
        let told = |stderr| FetchError::told("https://host.example/a.git", stderr).to_string();
        let unreachable =
            "fatal: unable to access 'https://host.example/a.git/': Could not resolve host: host.example\n";
        assert!(told(unreachable).starts_with("https://host.example/a.git cannot be reached: unable to access"));
        let secret = "fatal: could not read Username for 'https://host.example': terminal prompts disabled\n";
        assert!(told(secret).contains("needs a sign-in"));
        assert!(told("fatal: unable to get password from user").contains("needs a sign-in"));
        assert!(told("fatal: repository 'https://host.example/a.git/' not found\n").starts_with("There is no git"));
        assert!(told("fatal: server certificate verification failed. CAfile: none").contains("is not trusted"));
        assert!(
            told("Host key verification failed.\nfatal: Could not read from remote repository.").contains("ssh does")
        );
        assert_eq!(
            told("warning: a\nfatal: the \u{1b}[31mpack\u{7} is odd.\n"),
            "git could not fetch https://host.example/a.git: the \\u{1b}[31mpack\\u{7} is odd."
        );
        assert!(told("").contains("it did not say why"));
    }
}
