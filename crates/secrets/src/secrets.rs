//! The list of secrets and where they are stored: in the keychain, or, while no keychain answers, in memory
//! until the engine quits. Never in a file.
//!
//! `secrets.json` maps each parameter of a skill to its account in the keychain; it contains no value. The list
//! is available at any time. Keychain operations block (see `keychain`), and one thread does them in
//! order. A caller waits for [`PATIENCE`] at most: a keychain asks its person, who may be away. A later answer
//! still counts.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use files::{replace_file::ReplaceError, store};
use machine::{
    KeychainKind, clock, random,
    waiting::{Mutex, Turn},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills::Slot;

use crate::{
    Secret,
    keychain::{Keychain, KeychainTrouble, Queue},
};

/// How long an action waits for a keychain, which may be asking its person.
const PATIENCE: Duration = Duration::from_secs(20);

/// The secrets of one data folder. Clones share them.
#[derive(Clone)]
pub struct Secrets {
    shared: Arc<Shared>,
    queue: Arc<Queue>,
}

struct Shared {
    path: PathBuf,
    keychain: Keychain,
    kept: Mutex<Kept>,
    /// The turn to write the index.
    index: Turn<()>,
    /// Called when something changed after its caller had given up.
    late: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

/// Where each secret is kept. One in memory takes precedence over one of the same parameter in the keychain.
#[derive(Default)]
struct Kept {
    index: Index,
    in_memory: BTreeMap<Slot, InMemory>,
}

#[derive(Clone)]
struct InMemory {
    secret: Arc<Secret>,
    since: u64,
}

/// The file of the index, in the data folder.
pub const FILE: &str = "secrets.json";

/// The content of `secrets.json`.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Index {
    #[serde(default)]
    secrets: Vec<Stored>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A secret in the keychain.
#[derive(Clone, Serialize, Deserialize)]
struct Stored {
    /// The parameter. A skill has its own slot for every parameter: the same name in another skill, or of
    /// another server, is another secret (security rule 19).
    #[serde(flatten)]
    parameter: Slot,
    /// Its account in the keychain: generated, never text of a skill (security rule 18).
    account: String,
    /// Since when, in milliseconds since 1970.
    since: u64,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A secret is stored; never its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretFact {
    /// Since when, in milliseconds since 1970.
    pub since: u64,
    /// Whether it is kept only until the app quits.
    pub only_this_run: bool,
}

/// Why an operation on a secret failed.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
    /// The keychain refused or failed.
    #[error(transparent)]
    Keychain(#[from] KeychainTrouble),
    /// The index could not be written.
    #[error(transparent)]
    Index(#[from] ReplaceError),
}

/// Whether the operation asked the keychain, which then answered.
#[derive(Debug)]
pub struct KeychainAsked(pub bool);

impl Secrets {
    /// The secrets that `index` lists, which was read from `path`.
    pub fn new(path: PathBuf, index: Index, keychain: KeychainKind) -> Self {
        let kept = Mutex::new(Kept { index, in_memory: BTreeMap::new() });
        let (index, late) = (Turn::default(), OnceLock::new());
        let shared = Arc::new(Shared { path, keychain: Keychain(keychain), kept, index, late });
        Self { shared, queue: Arc::new(Queue::new(PATIENCE)) }
    }

    /// Sets the callback for changes whose caller had given up.
    pub fn when_late(&self, told: impl Fn() + Send + Sync + 'static) {
        // Set once, by the engine that owns the secrets.
        drop(self.shared.late.set(Box::new(told)));
    }

    /// All secrets, without any value.
    pub fn facts(&self) -> BTreeMap<Slot, SecretFact> {
        self.shared.kept.lock().facts()
    }

    /// Asks whether a keychain answers, and moves the secrets in memory there.
    ///
    /// # Errors
    /// When the keychain does not answer, or the list of secrets cannot be saved.
    pub fn move_to_keychain(&self) -> Result<KeychainAsked, SecretsError> {
        self.ask(|shared, _| {
            shared.keychain.ask()?;
            let waiting = shared.kept.lock().in_memory.clone();
            waiting.into_iter().try_for_each(|(parameter, kept)| shared.move_in(&parameter, &kept))
        })?;
        Ok(KeychainAsked(true))
    }

    /// Stores a secret, in place of an older one. The error says why it is in memory only.
    ///
    /// # Errors
    /// When the keychain does not take it, so that it is in memory only, or the list of secrets cannot be saved.
    pub fn set(&self, parameter: Slot, secret: Secret) -> Result<KeychainAsked, SecretsError> {
        let kept = InMemory { secret: Arc::new(secret), since: clock::now() };
        // It can be used while the keychain asks its person.
        drop(self.shared.kept.lock().in_memory.insert(parameter.clone(), kept.clone()));
        self.ask(move |shared, _| shared.move_in(&parameter, &kept))?;
        Ok(KeychainAsked(true))
    }

    /// Puts a secret into the keychain and reads it back, because it is about to be removed from its old place
    /// and must not be lost.
    ///
    /// # Errors
    /// When it is not in a keychain afterwards. Then nothing of it is left here.
    pub fn keep(&self, parameter: &Slot, secret: Secret) -> Result<(), SecretsError> {
        let parameter = parameter.clone();
        self.ask(move |shared, given_up| {
            shared.put(&parameter, &secret, clock::now())?;
            let account = shared.account(&parameter).unwrap_or_default();
            let there = shared.keychain.get(&account)?.is_some_and(|there| there.expose() == secret.expose());
            if given_up.load(Ordering::SeqCst) {
                // The caller gave up, so the secret is still in its old place.
                return shared.take_out(&parameter);
            }
            if there {
                Ok(())
            } else {
                Err(KeychainTrouble::Refused("what it keeps is not what it was given".to_owned()).into())
            }
        })
    }

    /// Forgets a secret, here and in the keychain.
    ///
    /// # Errors
    /// When the keychain does not forget it, or the list of secrets cannot be saved.
    pub fn delete(&self, parameter: &Slot) -> Result<KeychainAsked, SecretsError> {
        let asked = self.shared.account(parameter).is_some();
        if asked {
            let gone = parameter.clone();
            self.ask(move |shared, _| shared.take_out(&gone))?;
        }
        drop(self.shared.kept.lock().in_memory.remove(parameter));
        Ok(KeychainAsked(asked))
    }

    /// Moves the secrets of a skill to another key. The keychain is not asked: it uses generated account names.
    ///
    /// # Errors
    /// When the index cannot be saved; then nothing has changed.
    pub fn rename_key(&self, from: &str, to: &str) -> Result<(), ReplaceError> {
        if !self.shared.kept.lock().rename_key(from, to) {
            return Ok(());
        }
        self.shared.save().inspect_err(|_| {
            self.shared.kept.lock().rename_key(to, from);
        })
    }

    /// The value, for one child's environment; `None` if no secret is stored.
    ///
    /// # Errors
    /// When the keychain does not answer.
    pub fn read(&self, parameter: &Slot) -> Result<Option<Secret>, SecretsError> {
        let in_memory = self.shared.kept.lock().in_memory.get(parameter).cloned();
        if let Some(InMemory { secret, .. }) = in_memory {
            return Ok(Secret::new(secret.expose().to_owned()).ok());
        }
        let Some(account) = self.shared.account(parameter) else { return Ok(None) };
        self.ask(move |shared, _| Ok(shared.keychain.get(&account)?))
    }

    /// Runs `act` on the thread that asks the keychain. Its second argument says whether the caller has given
    /// up.
    fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Shared, &AtomicBool) -> Result<T, SecretsError> + Send + 'static,
    ) -> Result<T, SecretsError> {
        if self.shared.keychain.0 == KeychainKind::None {
            return Err(KeychainTrouble::Absent.into());
        }
        let (shared, late) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        let late = move || late.late.get().into_iter().for_each(|late| late());
        self.queue.ask(move |given_up| act(&shared, given_up), late)?
    }
}

impl Shared {
    /// The account of a secret in the keychain.
    fn account(&self, parameter: &Slot) -> Option<String> {
        let mut kept = self.kept.lock();
        kept.index.find(parameter).map(|known| known.account.clone())
    }

    /// Moves a secret from memory into the keychain. A newer one set meanwhile stays.
    fn move_in(&self, parameter: &Slot, kept: &InMemory) -> Result<(), SecretsError> {
        let is_this = |now: &InMemory| Arc::ptr_eq(&now.secret, &kept.secret);
        if !self.kept.lock().in_memory.get(parameter).is_some_and(is_this) {
            return Ok(());
        }
        self.put(parameter, &kept.secret, kept.since)?;
        let mut now = self.kept.lock();
        if now.in_memory.get(parameter).is_some_and(is_this) {
            drop(now.in_memory.remove(parameter));
            return Ok(());
        }
        let stays = now.in_memory.contains_key(parameter);
        drop(now);
        // It was forgotten, or moved to another key, while the keychain was asked.
        if stays { Ok(()) } else { self.take_out(parameter) }
    }

    /// Puts a secret into the keychain and records it. If recording fails, the secret is removed again, so that
    /// the keychain holds nothing that Skilltender could not delete.
    fn put(&self, parameter: &Slot, secret: &Secret, since: u64) -> Result<(), SecretsError> {
        let known = self.account(parameter);
        let account = known.clone().unwrap_or_else(|| random::hex(&random::bytes::<16>()));
        self.keychain.put(&account, &label(parameter), secret)?;
        {
            let mut kept = self.kept.lock();
            match kept.index.of(&account) {
                Some(stored) => stored.since = since,
                None => kept.index.secrets.push(Stored {
                    parameter: parameter.clone(),
                    account: account.clone(),
                    since,
                    rest: Map::new(),
                }),
            }
        }
        let saved = self.save();
        if saved.is_err() && known.is_none() {
            self.kept.lock().index.secrets.retain(|stored| stored.account != account);
            self.keychain.delete(&account)?;
        }
        Ok(saved?)
    }

    /// Removes a secret from the keychain and the index.
    fn take_out(&self, parameter: &Slot) -> Result<(), SecretsError> {
        let Some(account) = self.account(parameter) else { return Ok(()) };
        self.keychain.delete(&account)?;
        self.kept.lock().index.secrets.retain(|stored| stored.account != account);
        Ok(self.save()?)
    }

    /// Writes the current index to the file.
    fn save(&self) -> Result<(), ReplaceError> {
        let _turn = self.index.wait();
        let index = self.kept.lock().index.clone();
        store::save(&self.path, &index)
    }
}

impl Kept {
    fn facts(&self) -> BTreeMap<Slot, SecretFact> {
        let stored = self.index.secrets.iter().map(|stored| (&stored.parameter, stored.since, false));
        let in_memory = self.in_memory.iter().map(|(parameter, kept)| (parameter, kept.since, true));
        stored
            .chain(in_memory)
            .map(|(parameter, since, only_this_run)| (parameter.clone(), SecretFact { since, only_this_run }))
            .collect()
    }
}

impl Kept {
    /// Returns whether the index changed.
    fn rename_key(&mut self, from: &str, to: &str) -> bool {
        let mut changed = false;
        for stored in &mut self.index.secrets {
            if let Some(parameter) = stored.parameter.moved(from, to) {
                stored.parameter = parameter;
                changed = true;
            }
        }
        let in_memory = std::mem::take(&mut self.in_memory).into_iter();
        self.in_memory = in_memory.map(|(one, kept)| (one.moved(from, to).unwrap_or(one), kept)).collect();
        changed
    }
}

impl Index {
    /// The entry with this account in the keychain.
    fn of(&mut self, account: &str) -> Option<&mut Stored> {
        self.secrets.iter_mut().find(|stored| stored.account == account)
    }

    fn find(&mut self, parameter: &Slot) -> Option<&mut Stored> {
        self.secrets.iter_mut().find(|stored| stored.parameter == *parameter)
    }
}

/// The label that a person reads in the keychain's own window.
fn label(Slot { key, server, name }: &Slot) -> String {
    if key.is_empty() {
        return format!("Skilltender: sign-in for {server} at {name}");
    }
    format!("Skilltender: {name} for {server} ({key})")
}

#[cfg(test)]
mod tests {
    use std::{path::Path, sync::mpsc};

    use super::*;
    use crate::keychain::stand_in;

    /// The secrets of this folder, with this keychain.
    fn open(data: &Path, keychain: KeychainKind) -> Secrets {
        let path = data.join(FILE);
        let (index, unreadable) = store::load::<Index>(&path);
        assert!(unreadable.is_none());
        Secrets::new(path, index, keychain)
    }

    fn parameter(key: &str) -> Slot {
        Slot { key: key.to_owned(), server: "github".to_owned(), name: "TOKEN".to_owned() }
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
        let secrets = open(data.path(), KeychainKind::None);
        let why = secrets.set(parameter("a/tea"), secret("canary")).unwrap_err();
        assert!(why.to_string().starts_with("No keychain answers on this computer."));
        assert_eq!(read(&secrets, "a/tea").as_deref(), Some("canary"));
        assert!(secrets.facts()[&parameter("a/tea")].only_this_run);
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);

        let next_run = open(data.path(), KeychainKind::None);
        assert_eq!(read(&next_run, "a/tea"), None);
    }

    #[test]
    fn another_skill_that_asks_for_the_same_name_gets_nothing() {
        let data = tempfile::tempdir().unwrap();
        let secrets = open(data.path(), KeychainKind::None);
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
        std::fs::write(data.path().join(FILE), text).unwrap();
        let secrets = open(data.path(), KeychainKind::None);
        assert_eq!(secrets.facts()[&parameter("a/tea")], SecretFact { since: 7, only_this_run: false });
        let error = secrets.delete(&parameter("a/tea")).unwrap_err();
        assert!(matches!(error, SecretsError::Keychain(KeychainTrouble::Absent)));
    }

    /// The patience of a caller whose keychain does not answer.
    const SOON: Duration = Duration::from_millis(200);

    /// With the keychain of the tests, this patience, and a receiver for late changes.
    fn asking(home: &Path, patience: Duration) -> (Secrets, mpsc::Receiver<()>) {
        let mut secrets = open(home, KeychainKind::StandIn);
        secrets.queue = Arc::new(Queue::new(patience));
        let (tell, told) = mpsc::channel();
        secrets.when_late(move || {
            tell.send(()).ok();
        });
        (secrets, told)
    }

    #[test]
    fn a_prompt_that_is_answered_late_counts_and_meanwhile_the_secret_can_be_used() {
        const LABEL: &str = "Skilltender: TOKEN for github (late/tea)";
        let data = tempfile::tempdir().unwrap();
        let (secrets, late) = asking(data.path(), SOON);
        stand_in::open_prompt(LABEL);
        let why = secrets.set(parameter("late/tea"), secret("late canary")).unwrap_err();
        assert!(why.to_string().contains("has not answered"), "{why}");
        assert!(secrets.facts()[&parameter("late/tea")].only_this_run);
        assert_eq!(read(&secrets, "late/tea").as_deref(), Some("late canary"));
        // None of this asks the keychain or waits for it.
        secrets.rename_key("late/coffee", "late/cup").unwrap();
        assert!(secrets.delete(&parameter("late/coffee")).is_ok());
        stand_in::answer_prompt(LABEL);
        late.recv().unwrap();
        assert!(!secrets.facts()[&parameter("late/tea")].only_this_run);
        assert!(stand_in::values().contains(&b"late canary".to_vec()));
    }

    #[test]
    fn what_is_forgotten_while_the_keychain_asks_is_not_kept_by_it() {
        const LABEL: &str = "Skilltender: TOKEN for github (gone/tea)";
        let data = tempfile::tempdir().unwrap();
        let (secrets, late) = asking(data.path(), SOON);
        stand_in::open_prompt(LABEL);
        assert!(secrets.set(parameter("gone/tea"), secret("gone canary")).is_err());
        secrets.delete(&parameter("gone/tea")).unwrap();
        assert!(secrets.facts().is_empty());
        stand_in::answer_prompt(LABEL);
        late.recv().unwrap();
        assert!(secrets.facts().is_empty());
        assert!(!stand_in::values().contains(&b"gone canary".to_vec()));
    }

    #[test]
    fn of_two_secrets_set_at_once_for_one_parameter_the_later_one_stays() {
        let data = tempfile::tempdir().unwrap();
        let (secrets, _late) = asking(data.path(), PATIENCE);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let secrets = &secrets;
                scope.spawn(move || secrets.set(parameter("two/tea"), secret(&format!("two {number}"))).unwrap());
            }
        });
        secrets.set(parameter("two/tea"), secret("two last")).unwrap();
        assert_eq!(read(&secrets, "two/tea").as_deref(), Some("two last"));
        assert_eq!(secrets.facts().len(), 1);
    }
}
