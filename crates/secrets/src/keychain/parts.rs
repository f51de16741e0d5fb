//! Secrets that are too long for the smallest keychain: several items, and a head that names them.
//!
//! The head is written last and contains the digest of the whole, so an incomplete write is never read. Items of a
//! newer value have other names than those of the earlier one, which exists until the head names the new one.

use machine::random;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::{Keychain, KeychainTrouble};

/// The limit of the Windows Credential Manager: 2,560 bytes.
const LONGEST: usize = 2_560;
/// The prefix of a head. A secret with this prefix is stored in parts, however short it is.
const HEAD: &[u8] = b"skilltender parts: ";

/// The contents of a head.
struct Head {
    /// The names of the items, in order.
    parts: Vec<String>,
    /// SHA-256 of the whole.
    digest: String,
}

/// Stores a value in place of the earlier one.
pub(super) fn put(keychain: Keychain, account: &str, label: &str, value: &[u8]) -> Result<(), KeychainTrouble> {
    let old = head(keychain, account)?;
    if value.len() <= LONGEST && !value.starts_with(HEAD) {
        keychain.write(account, label, value)?;
    } else {
        let batch = random::hex(&random::bytes::<4>());
        let named = |number: usize| format!("{account}.{batch}.{number}");
        let count = value.len().div_ceil(LONGEST);
        let written = value
            .chunks(LONGEST)
            .enumerate()
            .try_for_each(|(number, part)| {
                keychain.write(&named(number), &format!("{label}, part {} of {count}", number + 1), part)
            })
            .and_then(|()| keychain.write(account, label, &Head::text(&batch, count, value)));
        if let Err(error) = written {
            // Nothing refers to what may be left of it.
            (0..count).for_each(|number| drop(keychain.erase(&named(number))));
            return Err(error.into());
        }
    }
    // Nothing refers to an item that could not be deleted.
    old.into_iter().flat_map(|old| old.parts).for_each(|part| drop(keychain.erase(&part)));
    Ok(())
}

/// The whole value.
pub(super) fn get(keychain: Keychain, account: &str) -> Result<Option<Zeroizing<Vec<u8>>>, KeychainTrouble> {
    let Some(value) = keychain.read(account)? else { return Ok(None) };
    let Some(head) = Head::of(account, &value) else { return Ok(Some(value)) };
    let mut whole = Zeroizing::new(Vec::with_capacity(head.parts.len() * LONGEST));
    for part in &head.parts {
        let part = keychain.read(part)?.ok_or_else(incomplete)?;
        whole.extend_from_slice(&part);
    }
    if random::hex(&Sha256::digest(&*whole)) == head.digest { Ok(Some(whole)) } else { Err(incomplete()) }
}

/// Deletes it, its parts first, so that an interrupted deletion can be repeated.
pub(super) fn delete(keychain: Keychain, account: &str) -> Result<(), KeychainTrouble> {
    for part in head(keychain, account)?.into_iter().flat_map(|head| head.parts) {
        keychain.erase(&part)?;
    }
    Ok(keychain.erase(account)?)
}

fn head(keychain: Keychain, account: &str) -> Result<Option<Head>, KeychainTrouble> {
    Ok(keychain.read(account)?.and_then(|value| Head::of(account, &value)))
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
    use machine::KeychainKind;

    use super::{super::stand_in, *};

    const KEYCHAIN: Keychain = Keychain(KeychainKind::StandIn);

    fn account() -> String {
        random::hex(&random::bytes::<8>())
    }

    fn read(account: &str) -> Option<Vec<u8>> {
        get(KEYCHAIN, account).unwrap().map(|value| value.to_vec())
    }

    #[test]
    fn a_value_of_any_length_is_read_as_it_was_put_and_leaves_nothing_behind() {
        let account = account();
        for length in [1, LONGEST, LONGEST + 1, 3 * LONGEST, 32_767, 10] {
            let value: Vec<u8> = (0..length).map(|at| b'a' + u8::try_from(at % 23).unwrap()).collect();
            put(KEYCHAIN, &account, "label", &value).unwrap();
            assert_eq!(read(&account), Some(value), "{length}");
            let items = if length <= LONGEST { 1 } else { 1 + length.div_ceil(LONGEST) };
            assert_eq!(stand_in::accounts(&account).len(), items, "{length}");
        }
        put(KEYCHAIN, &account, "label", &[b'z'; LONGEST + 1]).unwrap();
        delete(KEYCHAIN, &account).unwrap();
        assert_eq!(stand_in::accounts(&account), [""; 0]);
        assert_eq!(read(&account), None);
    }

    #[test]
    fn a_value_that_looks_like_a_head_is_a_value() {
        let account = account();
        let value = Head::text("00", 1, b"x");
        put(KEYCHAIN, &account, "label", &value).unwrap();
        assert_eq!(read(&account), Some(value));
    }

    #[test]
    fn an_interrupted_change_leaves_the_value_that_was_there() {
        let account = account();
        for old in [vec![b'a'; 10], vec![b'b'; 2 * LONGEST]] {
            put(KEYCHAIN, &account, "label", &old).unwrap();
            let items = stand_in::accounts(&account);
            for writes in 0..4 {
                stand_in::lock_after(Some(writes));
                let done = put(KEYCHAIN, &account, "label", &[b'c'; 3 * LONGEST]);
                stand_in::lock_after(None);
                assert!(done.is_err());
                assert_eq!(read(&account).as_ref(), Some(&old), "{writes}");
                assert_eq!(stand_in::accounts(&account), items, "{writes}");
            }
        }
    }

    #[test]
    fn a_value_of_which_a_part_is_missing_or_another_is_refused() {
        let account = account();
        let value = vec![b'a'; 2 * LONGEST];
        put(KEYCHAIN, &account, "label", &value).unwrap();
        let part = stand_in::accounts(&account).pop().unwrap();
        KEYCHAIN.write(&part, "label", b"other").unwrap();
        assert!(get(KEYCHAIN, &account).unwrap_err().to_string().contains("a part of this secret is missing"));
        KEYCHAIN.erase(&part).unwrap();
        assert!(get(KEYCHAIN, &account).is_err());
        put(KEYCHAIN, &account, "label", &value).unwrap();
        assert_eq!(read(&account), Some(value));
    }
}
