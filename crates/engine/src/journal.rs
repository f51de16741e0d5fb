//! What was changed in clients' files, so that it can be undone.
