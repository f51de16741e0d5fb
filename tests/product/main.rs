//! What drives the built programs: real transports, real clients, a real keychain.
