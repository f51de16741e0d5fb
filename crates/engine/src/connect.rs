//! Where each client stands, and the change that connects it.
