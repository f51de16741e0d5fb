//! `tests/clients/<client>/<case>/{before,after,removed}`: every file byte for byte.
