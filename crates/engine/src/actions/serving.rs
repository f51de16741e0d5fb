//! What a person does with the endpoint.
