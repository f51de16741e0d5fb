//! What a person does with secrets and values.
