//! Splits long lists into pages. A cursor names its list and the key of the last item before the page, not a number of
//! items: a page begins at the right place although skills were added or removed in between, and every page costs the
//! same.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use rmcp::{ErrorData, model::PaginatedRequestParams};

/// The number of items on one page.
const PAGE: usize = 200;

/// The key of the last item before the requested page; `None` for the first page.
///
/// # Errors
/// If this list did not issue the cursor: it must not start again (SEP-2640).
pub(crate) fn last_key(list: &str, request: Option<PaginatedRequestParams>) -> Result<Option<String>, ErrorData> {
    let Some(cursor) = request.and_then(|request| request.cursor) else { return Ok(None) };
    let text = BASE64_URL_SAFE_NO_PAD.decode(&cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let key = text.as_deref().and_then(|text| text.strip_prefix(list)?.strip_prefix('\n')).map(str::to_owned);
    key.map(Some).ok_or_else(unknown_cursor)
}

/// The error for a cursor of another list.
pub(crate) fn unknown_cursor() -> ErrorData {
    ErrorData::invalid_params("This cursor was not given out by this list.", None)
}

/// One page of the rest of a list, and the cursor of the next page, if any.
pub(crate) fn take<T>(
    list: &str,
    mut rest: impl Iterator<Item = T>,
    key: impl Fn(&T) -> String,
) -> (Vec<T>, Option<String>) {
    let page: Vec<_> = rest.by_ref().take(PAGE).collect();
    let last = page.last().filter(|_| rest.next().is_some());
    let cursor = last.map(|last| BASE64_URL_SAFE_NO_PAD.encode(format!("{list}\n{}", key(last))));
    (page, cursor)
}

/// For a list that always fits on one page: it issues no cursor, so it accepts none.
pub(crate) fn only_page(list: &str, request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match last_key(list, request)? {
        None => Ok(()),
        Some(_) => Err(unknown_cursor()),
    }
}
