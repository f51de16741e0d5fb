//! Which secrets there are, and where they lie: in the keychain, or in memory until we quit while
//! no keychain answers. Never in a file.
//!
//! `secrets.json` remembers which parameter of which skill has which account in the keychain; it
//! holds no value. Everything here blocks, see [`crate::keychain`].

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills::Launch;

use crate::{
    Engine, Machine, Mode,
    actions::{self, blocking, failed},
    clock,
    guest::GuestError,
    keychain::{self, KeychainTrouble},
    random,
    secret::Secret,
    state::{Parameter, SecretFact},
    store,
    view::{ActionError, ErrorKind, Notice},
};

/// The secrets of one data folder.
pub(crate) struct Secrets {
    path: PathBuf,
    /// Off for tests, which must not reach a person's keychain.
    use_keychain: bool,
    kept: Mutex<Kept>,
}

/// What is kept where. A secret in memory goes before one of the same parameter in the keychain.
#[derive(Default)]
struct Kept {
    index: Index,
    in_memory: BTreeMap<Parameter, (Secret, u64)>,
}

/// Where the index is, in our data folder.
pub(crate) const FILE: &str = "secrets.json";

/// What `secrets.json` holds.
#[derive(Default, Serialize, Deserialize)]
struct Index {
    #[serde(default)]
    secrets: Vec<Stored>,
    /// What a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A secret in the keychain.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// Which one. A skill has its own slot for every parameter: the same name in another skill, or
    /// of another server, is another secret (security.md R19).
    #[serde(flatten)]
    parameter: Parameter,
    /// What the keychain knows it by: made by us, never text of a skill (security.md R18).
    account: String,
    /// Since when, in milliseconds since 1970.
    since: u64,
    /// What a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Why something was not done with a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretsError {
    /// The keychain did not do it.
    #[error(transparent)]
    Keychain(#[from] KeychainTrouble),
    /// The index could not be written.
    #[error(transparent)]
    Index(#[from] GuestError),
}

/// Whether the keychain was asked for what was done; then it answered.
#[derive(Debug)]
pub(crate) struct KeychainAsked(pub(crate) bool);

impl Secrets {
    /// The secrets that `secrets.json` remembers, with a notice when it had to be set aside.
    pub(crate) fn open(machine: &Machine, mode: &Mode) -> (Self, Option<Notice>) {
        let path = machine.data.join(FILE);
        let (index, notice) = store::open::<Index>(&path, mode);
        let kept = Mutex::new(Kept { index, in_memory: BTreeMap::new() });
        (Self { path, use_keychain: machine.keychain, kept }, notice)
    }

    /// What there is, without any value.
    pub(crate) fn facts(&self) -> BTreeMap<Parameter, SecretFact> {
        self.kept().facts()
    }

    /// Asks whether a keychain answers, and moves what is in memory there.
    pub(crate) fn settle(&self) -> Result<KeychainAsked, SecretsError> {
        self.keychain_is_used()?;
        keychain::ask()?;
        let mut kept = self.kept();
        while let Some((parameter, (secret, since))) = kept.in_memory.pop_first() {
            if let Err(error) = self.put(&mut kept, &parameter, &secret, since) {
                kept.in_memory.insert(parameter, (secret, since));
                return Err(error);
            }
        }
        Ok(KeychainAsked(true))
    }

    /// Keeps a secret, in place of an older one. The error says why it is in memory only.
    pub(crate) fn set(&self, parameter: Parameter, secret: Secret) -> Result<KeychainAsked, SecretsError> {
        let mut kept = self.kept();
        let now = clock::now();
        match self.put(&mut kept, &parameter, &secret, now) {
            Ok(()) => {
                drop(kept.in_memory.remove(&parameter));
                Ok(KeychainAsked(true))
            }
            Err(error) => {
                drop(kept.in_memory.insert(parameter, (secret, now)));
                Err(error)
            }
        }
    }

    /// Puts a secret into the keychain and reads it back: what is about to be taken out of where it stood must not be lost.
    ///
    /// # Errors
    /// When no keychain has it then. Nothing is left of it here.
    pub(crate) fn keep(&self, parameter: &Parameter, secret: &Secret) -> Result<(), SecretsError> {
        let mut kept = self.kept();
        self.put(&mut kept, parameter, secret, clock::now())?;
        let account = kept.index.find(parameter).map(|stored| stored.account.clone()).unwrap_or_default();
        match keychain::get(&account) {
            Ok(Some(there)) if there.expose() == secret.expose() => Ok(()),
            Ok(_) => Err(KeychainTrouble::Refused("what it keeps is not what it was given".to_owned()).into()),
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// Forgets a secret, here and in the keychain.
    pub(crate) fn delete(&self, parameter: &Parameter) -> Result<KeychainAsked, SecretsError> {
        let mut kept = self.kept();
        let known = kept.index.find(parameter);
        let asked = KeychainAsked(known.is_some());
        if let Some(known) = known {
            self.keychain_is_used()?;
            keychain::delete(&known.account)?;
            kept.index.secrets.retain(|stored| stored.parameter != *parameter);
            store::save(&self.path, &kept.index)?;
        }
        drop(kept.in_memory.remove(parameter));
        Ok(asked)
    }

    /// Lets the secrets of a skill be found under another key. The keychain is not asked: there they
    /// have names of ours.
    pub(crate) fn hand_over(&self, from: &str, to: &str) -> Result<(), GuestError> {
        let mut kept = self.kept();
        let mut before = Vec::new();
        for (at, stored) in kept.index.secrets.iter_mut().enumerate() {
            if let Some(parameter) = stored.parameter.moved(from, to) {
                before.push((at, std::mem::replace(&mut stored.parameter, parameter)));
            }
        }
        if !before.is_empty()
            && let Err(error) = store::save(&self.path, &kept.index)
        {
            for (at, parameter) in before {
                kept.index.secrets[at].parameter = parameter;
            }
            return Err(error);
        }
        let in_memory = std::mem::take(&mut kept.in_memory).into_iter();
        kept.in_memory = in_memory.map(|(one, kept)| (one.moved(from, to).unwrap_or(one), kept)).collect();
        Ok(())
    }

    /// The value, for one child's environment. `None`: there is none.
    pub(crate) fn read(&self, parameter: &Parameter) -> Result<Option<Secret>, SecretsError> {
        let mut kept = self.kept();
        if let Some((secret, _)) = kept.in_memory.get(parameter) {
            return Ok(Secret::new(secret.expose().to_owned()).ok());
        }
        let Some(known) = kept.index.find(parameter) else { return Ok(None) };
        self.keychain_is_used()?;
        Ok(keychain::get(&known.account)?)
    }

    fn keychain_is_used(&self) -> Result<(), KeychainTrouble> {
        if self.use_keychain { Ok(()) } else { Err(KeychainTrouble::Absent) }
    }

    /// Puts a secret into the keychain and remembers it. What cannot be remembered is taken out
    /// again, so that the keychain holds nothing that we could not delete.
    fn put(&self, kept: &mut Kept, parameter: &Parameter, secret: &Secret, since: u64) -> Result<(), SecretsError> {
        self.keychain_is_used()?;
        if let Some(known) = kept.index.find(parameter) {
            keychain::put(&known.account, &label(parameter), secret)?;
            known.since = since;
            return Ok(store::save(&self.path, &kept.index)?);
        }
        let account = random::hex(&random::bytes::<16>());
        keychain::put(&account, &label(parameter), secret)?;
        kept.index.secrets.push(Stored {
            parameter: parameter.clone(),
            account: account.clone(),
            since,
            rest: Map::new(),
        });
        let saved = store::save(&self.path, &kept.index);
        if saved.is_err() {
            kept.index.secrets.pop();
            keychain::delete(&account)?;
        }
        Ok(saved?)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A thread that panicked while it held the lock left every map whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Asks in the background whether a keychain answers, so that the snapshot can say it.
    pub(crate) fn ask_keychain(&self) {
        if self.machine().keychain {
            let engine = self.clone();
            tokio::spawn(async move { actions::retry_keychain(&engine).await });
        }
    }

    /// The secrets that a filled declaration names, by parameter name: for the environment of the one
    /// child that it starts, see [`crate::environment`].
    ///
    /// # Errors
    /// When the keychain does not hand them out. One that nobody stored is left out.
    pub async fn secrets_for(
        &self,
        key: &str,
        server: &str,
        launch: &Launch,
    ) -> Result<BTreeMap<String, Secret>, ActionError> {
        let secrets = self.secrets();
        let slot = |name: &String| Parameter { key: key.to_owned(), server: server.to_owned(), name: name.clone() };
        let wanted: Vec<_> = launch.secrets.values().map(slot).collect();
        blocking(move || {
            let mut found = BTreeMap::new();
            for parameter in wanted {
                let refused = |error: SecretsError| failed(ErrorKind::Keychain, error.to_string());
                if let Some(secret) = secrets.read(&parameter).map_err(refused)? {
                    drop(found.insert(parameter.name, secret));
                }
            }
            Ok(found)
        })
        .await
    }
}

impl Kept {
    fn facts(&self) -> BTreeMap<Parameter, SecretFact> {
        let stored = self.index.secrets.iter().map(|stored| (&stored.parameter, stored.since, false));
        let in_memory = self.in_memory.iter().map(|(parameter, (_, since))| (parameter, *since, true));
        stored
            .chain(in_memory)
            .map(|(parameter, since, only_this_run)| (parameter.clone(), SecretFact { since, only_this_run }))
            .collect()
    }
}

impl Index {
    fn find(&mut self, parameter: &Parameter) -> Option<&mut Stored> {
        self.secrets.iter_mut().find(|stored| stored.parameter == *parameter)
    }
}

/// What a person reads in the keychain's own window.
fn label(Parameter { key, server, name }: &Parameter) -> String {
    if key.is_empty() {
        return format!("Skilltender: sign-in for {server} at {name}");
    }
    format!("Skilltender: {name} for {server} ({key})")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Without a keychain.
    fn open(home: &Path) -> (Secrets, Option<Notice>) {
        Secrets::open(&Machine::at(home).unwrap(), &Mode::Writing)
    }

    fn parameter(key: &str) -> Parameter {
        Parameter { key: key.to_owned(), server: "github".to_owned(), name: "TOKEN".to_owned() }
    }

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned()).unwrap_or_else(|refused| panic!("{refused}"))
    }

    fn read(secrets: &Secrets, key: &str) -> Option<String> {
        secrets.read(&parameter(key)).unwrap().map(|secret| secret.expose().to_owned())
    }

    #[test]
    fn without_a_keychain_a_secret_lives_until_we_quit_and_is_in_no_file() {
        let data = tempfile::tempdir().unwrap();
        let (secrets, _) = open(data.path());
        let why = secrets.set(parameter("a/tea"), secret("canary")).unwrap_err();
        assert!(why.to_string().starts_with("No keychain answers on this computer."));
        assert_eq!(read(&secrets, "a/tea").as_deref(), Some("canary"));
        assert!(secrets.facts()[&parameter("a/tea")].only_this_run);
        assert_eq!(std::fs::read_dir(secrets.path.parent().unwrap()).unwrap().count(), 0);

        let (next_run, _) = open(data.path());
        assert_eq!(read(&next_run, "a/tea"), None);
    }

    #[test]
    fn another_skill_that_asks_for_the_same_name_gets_nothing() {
        let data = tempfile::tempdir().unwrap();
        let (secrets, _) = open(data.path());
        drop(secrets.set(parameter("a/tea"), secret("canary")));
        assert_eq!(read(&secrets, "b/tea"), None);
        secrets.delete(&parameter("b/tea")).unwrap();
        assert_eq!(read(&secrets, "a/tea").as_deref(), Some("canary"));
        secrets.delete(&parameter("a/tea")).unwrap();
        assert_eq!(read(&secrets, "a/tea"), None);
    }

    #[test]
    fn the_index_tells_what_the_keychain_holds_and_keeps_what_it_does_not_know() {
        let data = tempfile::tempdir().unwrap();
        let text = r#"{"version": 1, "later": true, "secrets": [
            {"key": "a/tea", "server": "github", "name": "TOKEN", "account": "0f", "since": 7, "linked": "b"}]}"#;
        std::fs::write(Machine::at(data.path()).unwrap().data.join("secrets.json"), text).unwrap();
        let (secrets, notice) = open(data.path());
        assert_eq!(notice, None);
        assert_eq!(secrets.facts()[&parameter("a/tea")], SecretFact { since: 7, only_this_run: false });
        let error = secrets.delete(&parameter("a/tea")).unwrap_err();
        assert!(matches!(error, SecretsError::Keychain(KeychainTrouble::Absent)));
    }
}
