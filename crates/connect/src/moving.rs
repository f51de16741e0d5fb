//! Secrets in plain text that can be moved out of a client's file.

use api::MovedSecret;
use clients::{Entry, PlainSecret, SecretKind};
use secrets::Secret;
use servers::{Adopted, LaunchSpec};
use skills::Slot;

use super::context::KnownClient;
use crate::journal::Rescued;

/// A server whose secrets are moved.
#[derive(Debug)]
pub struct Moving {
    /// How the server is started.
    pub adopted: Adopted,
    /// The same with the resolved program: the user approves it by moving the secrets.
    pub spec: LaunchSpec,
    /// The client's entry afterwards.
    pub(super) entry: Entry,
    /// The secrets, with their byte ranges in the file.
    pub(super) values: Vec<clients::PlainValue>,
}

impl Moving {
    pub(super) fn record(&self) -> Rescued {
        let Adopted { name, entry, secrets, .. } = &self.adopted;
        let (server, name, entry) = (name.clone(), entry.clone(), self.entry.clone());
        Rescued { server, name, entry, secrets: secrets.len() }
    }

    /// The secrets, read from the bytes of the file.
    pub(super) fn secrets<'m>(&'m self, file: &'m [u8]) -> impl Iterator<Item = (Slot, Secret)> + 'm {
        self.values.iter().filter_map(|value| {
            let text = String::from_utf8(file.get(value.at.clone())?.to_vec()).ok()?;
            Some((self.adopted.parameter(&value.name), Secret::new(text).ok()?))
        })
    }

    /// The moved secrets, for display.
    pub(super) fn shown(&self) -> impl Iterator<Item = MovedSecret> {
        self.values.iter().map(|value| MovedSecret {
            server: self.adopted.entry.clone(),
            name: value.name.clone(),
            line: value.place.line,
            column: value.place.column,
            keeps: self.adopted.name.clone(),
        })
    }
}

/// How many secrets in a file could be moved.
pub(super) fn movable(known: &KnownClient, file: &[u8]) -> usize {
    let found = clients::rescuable(known.row, file).unwrap_or_default();
    found.into_iter().filter_map(|found| found.moves.ok()).map(|moves| moves.secrets.len()).sum()
}

/// The display name of a secret.
pub(super) fn named(secret: PlainSecret) -> String {
    match secret.kind {
        _ if !secret.name.is_empty() => secret.name,
        SecretKind::Variable => "a variable".to_owned(),
        SecretKind::Header => "a header".to_owned(),
        SecretKind::Argument => "an argument".to_owned(),
        SecretKind::Address => "the address".to_owned(),
    }
}
