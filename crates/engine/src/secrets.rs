//! Secrets: how a value is held while it passes through us, and what we remember of it afterwards.
