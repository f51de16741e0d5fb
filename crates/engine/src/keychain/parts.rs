//! Secrets that are longer than what the smallest keychain takes: several items, and a head that names them.
//!
//! The head is written last and holds the digest of the whole, so what was only half written is never read. Items of a
//! newer value have other names than those of the one before, which is there until the head leads to the new one.

use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::{KeychainTrouble, store};
use crate::random;

/// What the Windows Credential Manager takes: 2,560 bytes.
const LONGEST: usize = 2_560;
/// How a head begins. A secret that begins so is kept in parts, however short it is.
const HEAD: &[u8] = b"skilltender parts: ";

/// What a head says.
struct Head {
    /// The names of the items, in order.
    parts: Vec<String>,
    /// SHA-256 of the whole.
    digest: String,
}

/// Keeps a value in place of the one before.
pub(super) fn put(account: &str, label: &str, value: &[u8]) -> Result<(), KeychainTrouble> {
    let old = head(account)?;
    if value.len() <= LONGEST && !value.starts_with(HEAD) {
        store::write(account, label, value)?;
    } else {
        let batch = random::hex(&random::bytes::<4>());
        let named = |number: usize| format!("{account}.{batch}.{number}");
        let count = value.len().div_ceil(LONGEST);
        let written = value
            .chunks(LONGEST)
            .enumerate()
            .try_for_each(|(number, part)| {
                store::write(&named(number), &format!("{label}, part {} of {count}", number + 1), part)
            })
            .and_then(|()| store::write(account, label, &Head::text(&batch, count, value)));
        if let Err(error) = written {
            // What is left of it is named by nothing and read by nobody.
            (0..count).for_each(|number| drop(store::erase(&named(number))));
            return Err(error.into());
        }
    }
    // An item that stays is named by nothing any more.
    old.into_iter().flat_map(|old| old.parts).for_each(|part| drop(store::erase(&part)));
    Ok(())
}

/// The whole value.
pub(super) fn get(account: &str) -> Result<Option<Zeroizing<Vec<u8>>>, KeychainTrouble> {
    let Some(value) = store::read(account)? else { return Ok(None) };
    let Some(head) = Head::of(account, &value) else { return Ok(Some(value)) };
    let mut whole = Zeroizing::new(Vec::with_capacity(head.parts.len() * LONGEST));
    for part in &head.parts {
        let part = store::read(part)?.ok_or_else(incomplete)?;
        whole.extend_from_slice(&part);
    }
    if random::hex(&Sha256::digest(&*whole)) == head.digest { Ok(Some(whole)) } else { Err(incomplete()) }
}

/// Takes it out, its parts first: what is interrupted can be done again.
pub(super) fn delete(account: &str) -> Result<(), KeychainTrouble> {
    for part in head(account)?.into_iter().flat_map(|head| head.parts) {
        store::erase(&part)?;
    }
    Ok(store::erase(account)?)
}

fn head(account: &str) -> Result<Option<Head>, KeychainTrouble> {
    Ok(store::read(account)?.and_then(|value| Head::of(account, &value)))
}

fn incomplete() -> KeychainTrouble {
    KeychainTrouble::Refused("a part of this secret is missing; enter the secret again".to_owned())
}

impl Head {
    fn text(batch: &str, count: usize, value: &[u8]) -> Vec<u8> {
        let digest = random::hex(&Sha256::digest(value));
        [HEAD, format!("{batch} {count} {digest}").as_bytes()].concat()
    }

    fn of(account: &str, value: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(value.strip_prefix(HEAD)?).ok()?;
        let [batch, count, digest] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let count: usize = count.parse().ok()?;
        let parts = (0..count).map(|number| format!("{account}.{batch}.{number}")).collect();
        Some(Self { parts, digest: digest.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account() -> String {
        random::hex(&random::bytes::<8>())
    }

    fn read(account: &str) -> Option<Vec<u8>> {
        get(account).unwrap().map(|value| value.to_vec())
    }

    #[test]
    fn a_value_of_any_length_is_read_as_it_was_put_and_leaves_nothing_behind() {
        let account = account();
        for length in [1, LONGEST, LONGEST + 1, 3 * LONGEST, 32_767, 10] {
            let value: Vec<u8> = (0..length).map(|at| b'a' + u8::try_from(at % 23).unwrap()).collect();
            put(&account, "label", &value).unwrap();
            assert_eq!(read(&account), Some(value), "{length}");
            let items = if length <= LONGEST { 1 } else { 1 + length.div_ceil(LONGEST) };
            assert_eq!(store::accounts(&account).len(), items, "{length}");
        }
        put(&account, "label", &[b'z'; LONGEST + 1]).unwrap();
        delete(&account).unwrap();
        assert_eq!(store::accounts(&account), [""; 0]);
        assert_eq!(read(&account), None);
    }

    #[test]
    fn a_value_that_looks_like_a_head_is_a_value() {
        let account = account();
        let value = Head::text("00", 1, b"x");
        put(&account, "label", &value).unwrap();
        assert_eq!(read(&account), Some(value));
    }

    #[test]
    fn an_interrupted_change_leaves_the_value_that_was_there() {
        let account = account();
        for old in [vec![b'a'; 10], vec![b'b'; 2 * LONGEST]] {
            put(&account, "label", &old).unwrap();
            let items = store::accounts(&account);
            for writes in 0..4 {
                store::lock_after(Some(writes));
                let done = put(&account, "label", &[b'c'; 3 * LONGEST]);
                store::lock_after(None);
                assert!(done.is_err());
                assert_eq!(read(&account).as_ref(), Some(&old), "{writes}");
                assert_eq!(store::accounts(&account), items, "{writes}");
            }
        }
    }

    #[test]
    fn a_value_of_which_a_part_is_missing_or_another_is_refused() {
        let account = account();
        let value = vec![b'a'; 2 * LONGEST];
        put(&account, "label", &value).unwrap();
        let part = store::accounts(&account).pop().unwrap();
        store::write(&part, "label", b"other").unwrap();
        assert!(get(&account).unwrap_err().to_string().contains("a part of this secret is missing"));
        store::erase(&part).unwrap();
        assert!(get(&account).is_err());
        put(&account, "label", &value).unwrap();
        assert_eq!(read(&account), Some(value));
    }
}
