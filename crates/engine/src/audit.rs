//! The record of what clients did: one line of JSON per call, never arguments or contents.
