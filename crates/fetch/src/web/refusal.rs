//! Why a file of the web does not come, from what the client and the server say.

use std::{error::Error, time::Duration};

use reqwest::{StatusCode, Url};

use crate::FetchError;

/// The error for a name that leads where it may not.
pub(super) const ELSEWHERE: &str = "it leads into a network that is not asked";

/// What an error of the client means.
pub(super) fn refused(address: &str, patience: Duration, error: &reqwest::Error) -> FetchError {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let why =
        cause.to_string().trim_end_matches('.').chars().take(300).flat_map(char::escape_debug).collect::<String>();
    let address = address.to_owned();
    match () {
        () if error.is_timeout() => FetchError::Silent(address, patience.as_secs()),
        () if why.contains("certificate") => FetchError::Untrusted(address, why),
        () if error.is_connect() || error.is_request() => FetchError::Offline(address, why),
        () => FetchError::Incomplete(address, why),
    }
}

/// Refuses a status that is no success.
pub(super) fn status(address: &str, status: StatusCode) -> Result<(), FetchError> {
    let address = address.to_owned();
    match status.as_u16() {
        200 => Ok(()),
        401 | 403 | 407 => Err(FetchError::NotShown(address, status.as_u16())),
        404 | 410 => Err(FetchError::NotThere(address)),
        429 | 500..=599 => Err(FetchError::Unwell(address, status.as_u16())),
        other => Err(FetchError::Odd(address, other)),
    }
}

/// Somebody sends on to where nobody is asked.
pub(super) fn sent_on(address: &str, to: &Url, why: &str) -> FetchError {
    // What stands behind `?` may be private.
    let mut shown = to.clone();
    shown.set_query(None);
    shown.set_fragment(None);
    let _ = (shown.set_username(""), shown.set_password(None));
    let shown: String = shown.as_str().chars().take(200).collect();
    FetchError::SentOn(address.to_owned(), shown, why.to_owned())
}
