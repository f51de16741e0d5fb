//! `latest.json`, which the app reads to learn of a new version: for each kind of package its address and signature.
//!
//! A kind is named in full (`linux-x86_64-deb`), never by its system alone: an app would take a package of another
//! kind for its own. A file without a signature (`FILE.sig`, as Tauri's signer writes it) is not in it.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use minisign_verify::{PublicKey, Signature};
use serde_json::{Map, Value, json};

use super::files::File;
use crate::step::{Done, Failed};

/// The text of `latest.json`, and the names of files that could be in it and have no signature.
pub(super) fn write(files: &[File], version: &str, notes: &str, day: &str, place: &str) -> Done<(String, Vec<String>)> {
    let (mut platforms, mut unsigned) = (Map::new(), Vec::new());
    for file in files {
        for platform in file.kind.into_iter().flat_map(|kind| kind.platforms) {
            match signature(file) {
                Some(signature) => {
                    let entry = json!({ "url": format!("{place}/{}", file.name), "signature": signature });
                    platforms.insert((*platform).to_owned(), entry);
                }
                None => unsigned.push(file.name.clone()),
            }
        }
    }
    unsigned.dedup();
    let latest = json!({
        "version": version,
        "notes": notes,
        "pub_date": format!("{day}T00:00:00Z"),
        "platforms": platforms,
    });
    Ok((serde_json::to_string_pretty(&latest).map_err(Failed::because)? + "\n", unsigned))
}

/// Proves each entry as an app does that takes it: its file is one of these, and its signature is by the holder of this
/// key (the text of a public key's file in base64, as the updater has it) and for this version.
///
/// # Errors
///
/// The first entry that does not hold.
pub(super) fn prove(latest: &str, files: &[File], place: &str, key: &str) -> Done {
    let key = PublicKey::decode(&text(key)?).map_err(|why| Failed(format!("The public key cannot be read: {why}.")))?;
    let latest: Value = serde_json::from_str(latest).map_err(Failed::because)?;
    let version = latest["version"].as_str().unwrap_or_default();
    for (platform, entry) in latest["platforms"].as_object().into_iter().flatten() {
        let wrong = |what: &str| Failed(format!("latest.json, {platform}: {what}."));
        let said = |field: &str| entry[field].as_str().ok_or_else(|| wrong(&format!("no {field}")));
        let name = said("url")?.strip_prefix(place).and_then(|name| name.strip_prefix('/'));
        let file = files.iter().find(|file| name == Some(file.name.as_str()));
        let file = file.ok_or_else(|| wrong("its file is not in this release"))?;
        let signature = Signature::decode(&text(said("signature")?)?).map_err(|_| wrong("no minisign signature"))?;
        let bytes = fs::read(&file.path).map_err(Failed::because)?;
        key.verify(&bytes, &signature, false).map_err(|_| wrong(&format!("{} is not what was signed", file.name)))?;
        match signed_version(signature.trusted_comment()) {
            Some(signed) if signed == version => {}
            Some(signed) => return Err(wrong(&format!("{} was signed for the version {signed}", file.name))),
            None => return Err(wrong(&format!("{} was signed for no version: sign with --app-version", file.name))),
        }
    }
    Ok(())
}

/// The version in a signature's trusted comment, which is signed too, as Tauri's signer writes it and the updater reads it.
fn signed_version(comment: &str) -> Option<&str> {
    comment.split('\t').find_map(|field| field.strip_prefix("version:"))
}

fn signature(file: &File) -> Option<String> {
    fs::read_to_string(file.path.with_file_name(format!("{}.sig", file.name))).ok().map(|text| text.trim().to_owned())
}

/// Minisign's own text, from base64.
fn text(base64: &str) -> Done<String> {
    let bytes = STANDARD.decode(base64.trim()).map_err(|why| Failed(format!("Not base64: {why}.")))?;
    String::from_utf8(bytes).map_err(Failed::because)
}

#[cfg(test)]
mod tests {
    use std::{io::Cursor, path::Path};

    use minisign::KeyPair;

    use super::*;
    use crate::release::files;

    const PLACE: &str = "https://example.org/v1.2.3";

    /// A file, and its signature as Tauri's signer writes it with `--app-version 1.2.3`.
    fn signed(folder: &Path, name: &str, bytes: &[u8], key: &KeyPair) {
        signed_with(folder, name, bytes, key, &format!("timestamp:1\tfile:{name}\tversion:1.2.3"));
    }

    fn signed_with(folder: &Path, name: &str, bytes: &[u8], key: &KeyPair, comment: &str) {
        fs::write(folder.join(name), bytes).unwrap();
        let signature = minisign::sign(Some(&key.pk), &key.sk, Cursor::new(bytes), Some(comment), None).unwrap();
        fs::write(folder.join(format!("{name}.sig")), STANDARD.encode(signature.to_string())).unwrap();
    }

    fn public(key: &KeyPair) -> String {
        STANDARD.encode(key.pk.to_box().unwrap().to_string())
    }

    #[test]
    fn each_entry_names_a_file_of_the_release_and_its_signature_is_by_our_key() {
        let folder = tempfile::tempdir().unwrap();
        let key = KeyPair::generate_unencrypted_keypair().unwrap();
        signed(folder.path(), "Skilltender_1.2.3_x86_64.AppImage", b"one", &key);
        signed(folder.path(), "Skilltender.app.tar.gz", b"two", &key);
        fs::write(folder.path().join("Skilltender_1.2.3_amd64.deb"), "three").unwrap();
        let files = files::read(folder.path()).unwrap();

        let (latest, unsigned) = write(&files, "1.2.3", "- New.", "2026-12-01", PLACE).unwrap();
        assert_eq!(unsigned, ["Skilltender_1.2.3_amd64.deb"]);
        prove(&latest, &files, PLACE, &public(&key)).unwrap();
        let read: Value = serde_json::from_str(&latest).unwrap();
        let platforms: Vec<_> = read["platforms"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(platforms, ["darwin-aarch64-app", "darwin-x86_64-app", "linux-x86_64-appimage"]);
        assert_eq!((&read["version"], &read["pub_date"]), (&json!("1.2.3"), &json!("2026-12-01T00:00:00Z")));
    }

    #[test]
    fn a_file_that_changed_or_is_gone_and_another_key_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let (key, other) =
            (KeyPair::generate_unencrypted_keypair().unwrap(), KeyPair::generate_unencrypted_keypair().unwrap());
        let name = "Skilltender_1.2.3_x86_64.AppImage";
        signed(folder.path(), name, b"one", &key);
        let files = files::read(folder.path()).unwrap();
        let (latest, _) = write(&files, "1.2.3", "", "2026-12-01", PLACE).unwrap();
        let why = |proven: Done| proven.map_err(|Failed(why)| why).unwrap_err();

        assert!(why(prove(&latest, &files, PLACE, &public(&other))).contains("is not what was signed"));
        assert!(why(prove(&latest, &[], PLACE, &public(&key))).contains("its file is not in this release"));
        fs::write(folder.path().join(name), "two").unwrap();
        assert!(why(prove(&latest, &files, PLACE, &public(&key))).contains("is not what was signed"));
    }
    #[test]
    fn a_signature_without_its_version_or_for_another_one_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let key = KeyPair::generate_unencrypted_keypair().unwrap();
        let name = "Skilltender_1.2.3_x86_64.AppImage";
        let proven = |comment: &str| {
            signed_with(folder.path(), name, b"one", &key, comment);
            let files = files::read(folder.path()).unwrap();
            let (latest, _) = write(&files, "1.2.3", "", "2026-12-01", PLACE).unwrap();
            prove(&latest, &files, PLACE, &public(&key)).map_err(|Failed(why)| why)
        };
        assert!(proven("timestamp:1\tfile:a\tversion:1.2.3").is_ok());
        let without = proven("timestamp:1\tfile:version:1.2.3").unwrap_err();
        assert!(without.ends_with(".AppImage was signed for no version: sign with --app-version."), "{without}");
        let other = proven("timestamp:1\tfile:a\tversion:1.2.2").unwrap_err();
        assert!(other.ends_with(".AppImage was signed for the version 1.2.2."), "{other}");
    }
}
