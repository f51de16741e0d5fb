//! Finds skills by words.

use api::{ActionError, Hit};
use library::search;
use state::blocking;

use crate::Engine;

/// The skills that contain every word of `typed`, best first, at most `limit`: in their name (also slightly misspelt),
/// description, tags or body, as a word or the start of one.
///
/// Empty text finds nothing, but makes the first search fast.
///
/// # Errors
/// When the engine has stopped.
pub async fn search_skills(engine: &Engine, typed: &str, limit: usize) -> Result<Vec<Hit>, ActionError> {
    let (engine, typed) = (engine.clone(), typed.to_owned());
    let look = move || {
        let mut search = engine.search().wait();
        engine.asked();
        search.follow(&engine.state().catalog(), &engine.state().roots());
        Ok(search.find(&typed, limit))
    };
    blocking(look).await
}

/// As [`search_skills`], for a program that searches once and exits: nothing is cached for a second search, which makes
/// the first one several times as fast.
///
/// # Errors
/// When the engine has stopped.
pub async fn search_once(engine: &Engine, typed: &str, limit: usize) -> Result<Vec<Hit>, ActionError> {
    let (catalog, roots, typed) = (engine.state().catalog(), engine.state().roots(), typed.to_owned());
    blocking(move || Ok(search::once(&catalog, &roots, &typed, limit))).await
}
