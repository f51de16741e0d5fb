//! The content of the tray menu, as data from a snapshot. It does not use Tauri: `tray` draws it.

use std::collections::HashMap;

mod sets;

use api::{EndpointState, Readiness, SkillRow, Snapshot, Standing, UpdateState};

use crate::words::Words;

/// The client that the tray offers to add.
pub(crate) const OFFERED: &str = "claude-desktop";

/// The most skills in the menu.
const MOST: usize = 6;

/// The most characters shown of a skill's name.
const WIDEST: usize = 40;

/// One line of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Text that cannot be chosen.
    Words(String),
    /// An action.
    Do(Choice, String),
    /// A skill with its switch.
    Switch(Choice, String, bool),
    /// A menu of its own.
    Menu(String, Vec<Entry>),
    /// A separator.
    Gap,
}

/// What a person can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Show what needs the person.
    Needs,
    /// Switch a skill, named by its key.
    Skill(String),
    /// Restrict a client to a set, or to none.
    Set {
        /// The client's id.
        client: String,
        /// The set's id.
        set: Option<String>,
    },
    /// Take the new version.
    Update,
    /// Show the change that adds Skilltender to a client.
    Connect(String),
    /// Stop serving, keep running.
    Pause,
    /// Serve again.
    Resume,
    /// Show the window.
    Open,
    /// End the program.
    Quit,
}

impl Choice {
    /// The choice as the id of a menu item.
    pub(crate) fn id(&self) -> String {
        match self {
            Self::Needs => "needs".to_owned(),
            Self::Skill(key) => format!("skill:{key}"),
            Self::Connect(client) => format!("connect:{client}"),
            // A set's id has no colon, so the last one divides.
            Self::Set { client, set } => format!("set:{client}:{}", set.as_deref().unwrap_or_default()),
            Self::Update => "update".to_owned(),
            Self::Pause => "pause".to_owned(),
            Self::Resume => "resume".to_owned(),
            Self::Open => "open".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }

    /// The choice of an id.
    pub(crate) fn from_id(id: &str) -> Option<Self> {
        Some(match id.split_once(':') {
            Some(("skill", key)) => Self::Skill(key.to_owned()),
            Some(("connect", client)) => Self::Connect(client.to_owned()),
            Some(("set", rest)) => {
                let (client, set) = rest.rsplit_once(':')?;
                Self::Set { client: client.to_owned(), set: (!set.is_empty()).then(|| set.to_owned()) }
            }
            _ => [Self::Needs, Self::Update, Self::Pause, Self::Resume, Self::Open, Self::Quit]
                .into_iter()
                .find(|choice| choice.id() == id)?,
        })
    }
}

/// The menu of a snapshot; `recent` are the keys of the skills to offer, the first one topmost.
pub(crate) fn entries(snapshot: &Snapshot, recent: &[String]) -> Vec<Entry> {
    let words = Words::of(snapshot.settings.language.shown);
    let mut entries = Vec::new();
    let needs = needs(snapshot);
    if needs > 0 {
        entries.push(Entry::Do(Choice::Needs, words.count("tray.needs", needs)));
    }
    if let UpdateState::Found { version, itself: true, .. } = &snapshot.settings.updates.state {
        entries.push(Entry::Do(Choice::Update, words.with("tray.update", "version", version)));
    }
    entries.push(Entry::Words(state(snapshot, words)));
    let skills: Vec<_> =
        recent.iter().filter_map(|key| snapshot.skills.iter().find(|skill| skill.key == *key)).collect();
    // Before anything was switched or edited, the menu offers the first skills that are on, and does not call them recent.
    let (head, skills) = match skills.is_empty() {
        true => ("tray.skills", snapshot.skills.iter().filter(|skill| skill.enabled).take(MOST).collect()),
        false => ("tray.recent", skills),
    };
    if !skills.is_empty() {
        entries.extend([Entry::Gap, Entry::Words(words.say(head).to_owned())]);
    }
    for skill in skills {
        entries.push(Entry::Switch(Choice::Skill(skill.key.clone()), label(&skill.name), skill.enabled));
    }
    entries.push(Entry::Gap);
    entries.extend(sets::menu(snapshot, words));
    if let Some(client) =
        snapshot.clients.iter().find(|client| client.id == OFFERED && client.standing == Standing::Absent)
    {
        entries.push(Entry::Do(Choice::Connect(client.id.clone()), words.with("tray.connect", "client", &client.name)));
    }
    entries.push(if snapshot.endpoint.state == EndpointState::Paused {
        Entry::Do(Choice::Resume, words.say("tray.resume").to_owned())
    } else {
        Entry::Do(Choice::Pause, words.say("tray.pause").to_owned())
    });
    entries.push(Entry::Do(Choice::Open, words.say("tray.open").to_owned()));
    entries.extend([Entry::Gap, Entry::Do(Choice::Quit, words.say("tray.quit").to_owned())]);
    entries
}

/// The skills to offer for the snapshot `new`. A skill that was switched or edited since `old` goes to the top unless
/// it is already offered, so that the menu does not move under the pointer.
pub(crate) fn recent(offered: &[String], old: Option<&Snapshot>, new: &Snapshot) -> Vec<String> {
    let before: HashMap<&str, &SkillRow> =
        old.iter().flat_map(|old| &old.skills).map(|skill| (skill.key.as_str(), skill)).collect();
    let touched = new.skills.iter().filter(|skill| {
        before
            .get(skill.key.as_str())
            .is_some_and(|before| before.enabled != skill.enabled || before.digest != skill.digest)
    });
    let mut keys: Vec<String> =
        touched.map(|skill| skill.key.clone()).filter(|key| !offered.contains(key)).take(MOST).collect();
    // A key that no snapshot had yet is of a folder that is still being read.
    let is_gone = |key: &str| before.contains_key(key) && !new.skills.iter().any(|skill| skill.key == key);
    keys.extend(offered.iter().filter(|key| !is_gone(key)).cloned());
    keys.truncate(MOST);
    keys
}

/// The number of skills that need the user: the window's list “Needs you”.
pub(crate) fn needs(snapshot: &Snapshot) -> usize {
    let waits = |readiness: &Readiness| !matches!(readiness, Readiness::Ready | Readiness::Disabled);
    snapshot.skills.iter().filter(|skill| waits(&skill.readiness)).count()
}

fn label(name: &str) -> String {
    cut(name, WIDEST)
}

/// A name on one line of limited width: names are other people's text.
pub(crate) fn cut(name: &str, widest: usize) -> String {
    let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= widest {
        return line;
    }
    line.chars().take(widest - 1).chain(['…']).collect()
}

fn state(snapshot: &Snapshot, words: &Words) -> String {
    let endpoint = &snapshot.endpoint;
    if endpoint.state == EndpointState::Paused {
        return words.say("tray.paused").to_owned();
    }
    if snapshot.reading.is_some() {
        return words.say("reading.title").to_owned();
    }
    let serving = words.count("tray.serving", endpoint.served as usize);
    if endpoint.connected == 0 {
        return serving;
    }
    format!("{serving} · {}", words.count("tray.clients", endpoint.connected as usize))
}

#[cfg(test)]
pub(crate) mod tests {
    use api::{Client, Endpoint, Keychain, Language, Mark, ProblemCounts, Proof, Settings, Transport};

    use super::*;

    #[test]
    fn the_menu_says_what_waits_what_is_served_and_what_can_be_done() {
        let mut snapshot = library(&["tea", "notes"]);
        snapshot.skills[1].readiness = Readiness::Shadowed { by: "~/skills/notes".to_owned() };
        snapshot.skills[1].enabled = false;
        snapshot.endpoint.connected = 3;
        assert_eq!(
            drawn(&snapshot, &["tea".to_owned()]),
            [
                "1 thing needs you",
                "(On: 2 skills · 3 clients)",
                "---",
                "(Recent skills)",
                "[x] tea",
                "---",
                "Add to Claude Desktop",
                "Pause",
                "Open Skilltender",
                "---",
                "Quit",
            ]
        );
    }

    #[test]
    fn paused_and_connected_it_offers_to_resume_and_no_client() {
        let mut snapshot = library(&[]);
        snapshot.endpoint.state = EndpointState::Paused;
        snapshot.clients[0].standing = Standing::Added;
        let lines = drawn(&snapshot, &[]);
        assert_eq!(lines, ["(Paused: clients get no skills)", "---", "Resume", "Open Skilltender", "---", "Quit"]);
    }

    #[test]
    fn the_menu_is_in_the_language_of_the_snapshot() {
        let mut snapshot = library(&["a"]);
        let english = drawn(&snapshot, &[]);
        snapshot.settings.language.shown = Language::Chinese;
        let chinese = drawn(&snapshot, &[]);
        assert_eq!(english.len(), chinese.len());
        let own = |line: &String| line != "---" && line != "[x] a";
        for (english, chinese) in english.iter().zip(&chinese).filter(|(line, _)| own(line)) {
            assert_ne!(english, chinese);
        }
    }

    #[test]
    fn six_skills_at_most_and_a_switched_one_comes_to_the_top() {
        let old = library(&["a", "b", "c", "d", "e", "f", "g"]);
        let first = ["a", "b", "c", "d", "e", "f"].map(str::to_owned);
        let mut new = old.clone();
        new.skills[6].enabled = false;
        assert_eq!(recent(&first, Some(&old), &new), ["g", "a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_skill_that_is_offered_already_stays_where_it_is() {
        let old = library(&["a", "b", "c"]);
        let first = ["a", "b", "c"].map(str::to_owned);
        let mut new = old.clone();
        new.skills[2].enabled = false;
        assert_eq!(recent(&first, Some(&old), &new), ["a", "b", "c"]);
    }

    #[test]
    fn a_skill_that_is_gone_is_not_offered() {
        let old = library(&["a", "b"]);
        let new = library(&["b"]);
        assert_eq!(recent(&["a".to_owned(), "b".to_owned()], Some(&old), &new), ["b"]);
    }

    #[test]
    fn a_skill_of_the_last_run_is_offered_again_once_its_folder_is_read() {
        let (empty, read) = (library(&[]), library(&["a", "b"]));
        let kept = recent(&["b".to_owned()], None, &empty);
        let kept = recent(&kept, Some(&empty), &read);
        assert_eq!(drawn(&read, &kept)[2..4], ["(Recent skills)", "[x] b"]);
    }

    #[test]
    fn skills_that_nobody_touched_are_not_called_recent() {
        let mut snapshot = library(&["a", "b"]);
        snapshot.skills[0].enabled = false;
        let untouched = recent(&[], None, &snapshot);
        assert_eq!(drawn(&snapshot, &untouched)[2..4], ["(Skills)", "[x] b"]);
    }

    #[test]
    fn a_long_name_is_cut_and_stays_on_one_line() {
        let snapshot = library(&["a name\n over lines that is wider than any menu should ever be"]);
        let lines = drawn(&snapshot, &[]);
        assert_eq!(lines[3], "[x] a name over lines that is wider than an…");
    }

    #[test]
    fn an_id_leads_back_to_its_choice() {
        let set = |set: Option<&str>| Choice::Set { client: "a:b".to_owned(), set: set.map(str::to_owned) };
        let named =
            [Choice::Skill("home/a:b".to_owned()), Choice::Connect(OFFERED.to_owned()), set(Some("s1")), set(None)];
        let plain = [Choice::Needs, Choice::Update, Choice::Pause, Choice::Resume, Choice::Open, Choice::Quit];
        for choice in named.into_iter().chain(plain) {
            assert_eq!(Choice::from_id(&choice.id()), Some(choice));
        }
    }

    fn drawn(snapshot: &Snapshot, recent: &[String]) -> Vec<String> {
        let entries = entries(snapshot, recent).into_iter();
        let line = |entry| match entry {
            Entry::Words(text) => format!("({text})"),
            Entry::Do(_, text) => text,
            Entry::Switch(_, text, on) => format!("[{}] {text}", if on { "x" } else { " " }),
            Entry::Menu(text, _) => format!("{text} >"),
            Entry::Gap => "---".to_owned(),
        };
        entries.map(line).collect()
    }

    pub(crate) fn library(names: &[&str]) -> Snapshot {
        let client = Client {
            id: OFFERED.to_owned(),
            name: "Claude Desktop".to_owned(),
            found: true,
            place: String::new(),
            path: String::new(),
            also: Vec::new(),
            standing: Standing::Absent,
            written: None,
            transport: None,
            transports: vec![Transport::Stdio],
            sandbox: None,
            mark: Mark::Read,
            reload: String::new(),
            notes: Vec::new(),
            shared: Vec::new(),
            takes_projects: false,
            hides: None,
            projects: Vec::new(),
            direct: Vec::new(),
            others: 0,
            plain: 0,
            undo: None,
            redo: None,
            custom: false,
            model: true,
            proof: Proof::NotAdded,
            connected: None,
            live: false,
            token: false,
            peer: None,
            calls: 0,
            called: None,
            set: None,
            skills: 0,
            tools: 0,
            tool_tokens: 0,
        };
        let endpoint = Endpoint {
            state: EndpointState::Serving,
            address: String::new(),
            connected: 0,
            served: u32::try_from(names.len()).unwrap(),
        };
        Snapshot {
            revision: 1,
            version: "0.1.0".to_owned(),
            first_run: false,
            reading: None,
            skills: names.iter().map(|name| skill(name)).collect(),
            servers: Vec::new(),
            folders: Vec::new(),
            found: Vec::new(),
            sources: Vec::new(),
            sets: Vec::new(),
            trash: Vec::new(),
            clients: vec![client],
            endpoint,
            settings: Settings::default(),
            keychain: Keychain::Unknown,
            notices: Vec::new(),
        }
    }

    fn skill(name: &str) -> SkillRow {
        SkillRow {
            key: name.to_owned(),
            id: name.to_owned(),
            name: name.to_owned(),
            description: String::new(),
            version: None,
            tags: Vec::new(),
            folder: String::new(),
            category: None,
            place: String::new(),
            enabled: true,
            asks: false,
            readiness: Readiness::Ready,
            also: Vec::new(),
            problems: ProblemCounts::default(),
            files: 1,
            needs: 0,
            renamed: Vec::new(),
            modified: 0,
            digest: "1".to_owned(),
            origin: None,
        }
    }
}
