//! The bearer tokens of local clients: one each, and one "by hand".
