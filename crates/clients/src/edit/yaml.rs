//! YAML: not written yet; every file is refused.

use std::convert::Infallible;

use text::Splice;

use crate::{
    Client, Refusal,
    node::{Found, Node},
};

/// What matters of a file: where the servers stand and where our entry does.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    never: Infallible,
    _text: &'a str,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(_bytes: &'a [u8], _client: &Client) -> Result<Self, Refusal> {
        Err(Refusal::Unproven)
    }

    pub(crate) fn is_blank(&self) -> bool {
        match self.never {}
    }

    pub(crate) fn ours(&self) -> Option<Found> {
        match self.never {}
    }

    pub(crate) fn servers(&self) -> Vec<Found> {
        match self.never {}
    }

    pub(crate) fn insertion(&self, _ours: &Node) -> Splice {
        match self.never {}
    }

    pub(crate) fn replacement(&self, _ours: &Node) -> Option<Splice> {
        match self.never {}
    }

    pub(crate) fn removal(&self) -> Option<Splice> {
        match self.never {}
    }

    pub(crate) fn same_but_ours(&self, _other: &Self) -> bool {
        match self.never {}
    }

    pub(crate) fn is_read_by_another(&self) -> bool {
        match self.never {}
    }
}
