//! Kept bytes without the secrets that were moved out of a client's file: the secrets are in the keychain, and the
//! bytes are restored only if they match exactly.

use std::{fs, path::Path};

use files::{
    digest,
    replace_file::{self, ReplaceError},
    store,
};
use secrets::Secret;
use serde::{Deserialize, Serialize};
use skills::Slot;

use super::{Record, read, records};

/// A position in kept bytes from which a secret was cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// The byte offset in the remaining bytes.
    pub at: usize,
    /// The parameter that the secret belongs to.
    #[serde(flatten)]
    pub parameter: Slot,
}

/// The bytes without any occurrence of these secrets, and the positions of the cuts. `cuts` are the earlier ones.
pub fn cut(bytes: &[u8], mut cuts: Vec<Cut>, values: &[(Slot, Secret)]) -> (Vec<u8>, Vec<Cut>) {
    let mut left = bytes.to_vec();
    let mut values: Vec<_> = values.iter().collect();
    // One may contain another, so the longest comes first.
    values.sort_by_key(|(_, secret)| std::cmp::Reverse(secret.expose().len()));
    for (parameter, secret) in values {
        let value = secret.expose().as_bytes();
        let mut from = left.len();
        while let Some(start) = rfind(&left[..from], value) {
            let end = start + value.len();
            from = start;
            if cuts.iter().any(|cut| start < cut.at && cut.at < end) {
                continue;
            }
            left.drain(start..end);
            // An earlier cut at the same position stays before it.
            let behind = cuts.iter().position(|cut| cut.at >= end).unwrap_or(cuts.len());
            cuts[behind..].iter_mut().for_each(|cut| cut.at -= value.len());
            cuts.insert(behind, Cut { at: start, parameter: parameter.clone() });
        }
    }
    (left, cuts)
}

/// The complete bytes again; `None` if a secret no longer exists.
pub fn whole(left: &[u8], cuts: &[Cut], secret: impl Fn(&Slot) -> Option<Secret>) -> Option<Vec<u8>> {
    let mut bytes = left.to_vec();
    for cut in cuts.iter().rev() {
        let value = secret(&cut.parameter)?;
        let at = (cut.at <= bytes.len()).then_some(cut.at)?;
        drop(bytes.splice(at..at, value.expose().bytes()));
    }
    Some(bytes)
}

/// Cuts these secrets out of everything that was ever kept of a client's file.
///
/// # Errors
/// When a copy cannot be read or written.
pub fn clean(data: &Path, path: &Path, values: &[(Slot, Secret)]) -> Result<(), ReplaceError> {
    each(data, path, |record, left| {
        let (left, cuts) = cut(left, record.cut.clone(), values);
        (cuts != record.cut).then_some((left, cuts))
    })
}

/// Puts cut secrets back where all of them still exist and the bytes match exactly.
///
/// # Errors
/// When a copy cannot be read or written.
pub fn mend(data: &Path, path: &Path, secret: impl Fn(&Slot) -> Option<Secret>) -> Result<(), ReplaceError> {
    each(data, path, |record, left| {
        let mended = whole(left, &record.cut, &secret).filter(|bytes| Some(digest(bytes)) == record.before)?;
        (!record.cut.is_empty()).then_some((mended, Vec::new()))
    })
}

/// Changes the kept bytes of a file, in the records of every client that reads it. Records of a rescue itself are not
/// changed.
fn each(
    data: &Path,
    path: &Path,
    change: impl Fn(&Record, &[u8]) -> Option<(Vec<u8>, Vec<Cut>)>,
) -> Result<(), ReplaceError> {
    let clients = fs::read_dir(data.join("journal")).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in clients.flat_map(|client| records(&client)) {
        let Some(record) = read(&file).filter(|record| record.path == path && record.rescued.is_empty()) else {
            continue;
        };
        let kept = file.with_extension("before");
        let Some(left) = replace_file::read(&kept, clients::LARGEST as u64)? else { continue };
        if let Some((left, cut)) = change(&record, &left) {
            store::write(&kept, &left)?;
            store::save(&file, &Record { cut, ..record })?;
        }
    }
    Ok(())
}

fn rfind(bytes: &[u8], part: &[u8]) -> Option<usize> {
    (0..=bytes.len().checked_sub(part.len())?).rev().find(|&at| bytes[at..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str) -> Slot {
        Slot { key: "client/c".to_owned(), server: "s".to_owned(), name: name.to_owned() }
    }

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned()).unwrap_or_else(|refused| panic!("{refused}"))
    }

    #[test]
    fn what_is_cut_out_in_any_order_comes_back_to_the_byte() {
        let text = b"a=one-secret b=two c=one-secrettwo one-secret";
        let (one, two) = ("one-secret", "two");
        let values = |names: &[(&str, &str)]| {
            names.iter().map(|(name, value)| (parameter(name), secret(value))).collect::<Vec<_>>()
        };
        for order in [vec![("ONE", one), ("TWO", two)], vec![("TWO", two), ("ONE", one)]] {
            let (left, cuts) = cut(text, Vec::new(), &values(&order[..1]));
            let (left, cuts) = cut(&left, cuts, &values(&order[1..]));
            assert_eq!(String::from_utf8_lossy(&left), "a= b= c= ");
            let read = |parameter: &Slot| Some(secret(if parameter.name == "ONE" { one } else { two }));
            assert_eq!(whole(&left, &cuts, read).as_deref(), Some(&text[..]));
            assert_eq!(whole(&left, &cuts, |_| None), None);
        }
        let (left, cuts) = cut(text, Vec::new(), &values(&[("ONE", one), ("TWO", two)]));
        assert_eq!((String::from_utf8_lossy(&left).as_ref(), cuts.len()), ("a= b= c= ", 5));
    }
}
