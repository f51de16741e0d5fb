//! The corpus of 320 real skills and 65 probes, each with what real clients make of it.
