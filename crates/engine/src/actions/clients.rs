//! What a person does with clients.
