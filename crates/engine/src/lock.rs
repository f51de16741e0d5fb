//! One writing engine per user, held by a file lock.
