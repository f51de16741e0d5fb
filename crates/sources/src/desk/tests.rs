//! The files of machines merge to the same in any order, and what is hostile is left out with its place.

use std::{collections::BTreeSet, fmt::Write as _};

use proptest::prelude::*;

use super::*;

fn said(count: u64, value: Value) -> Said {
    Said { count, value }
}

fn skill(path: &str) -> Key {
    Key::Skill(path.to_owned())
}

fn desk() -> Desk {
    Desk(BTreeMap::from([
        (skill("brew"), said(3, Value::On)),
        (skill("deep/on"), said(1, Value::Off)),
        (Key::Set("calm evening".to_owned()), said(2, Value::Named("Calm evening".to_owned()))),
        (Key::Member("calm evening".to_owned(), "brew".to_owned()), said(1, Value::On)),
        (Key::Set("old".to_owned()), said(4, Value::Gone)),
        (Key::Member("other".to_owned(), "2024".to_owned()), said(2, Value::Off)),
    ]))
}

#[test]
fn a_file_is_sorted_says_one_thing_on_a_line_and_is_read_again() {
    let text = desk().to_string();
    let body: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        body.join("\n"),
        "version: 1\nskills:\n  brew: on 3\n  deep/on: off 1\nsets:\n  \"calm evening\":\n    name: \"Calm evening\"\n    count: 2\n    \
         skills:\n      brew: on 1\n  old:\n    count: 4\n  other:\n    skills:\n      \"2024\": off 2"
    );
    assert_eq!(Desk::read("f", text.as_bytes()).unwrap(), desk());
    assert_eq!(Desk::read("f", Desk::default().to_string().as_bytes()).unwrap(), Desk::default());
    let json = serde_json::to_string(&desk()).unwrap();
    assert_eq!(serde_json::from_str::<Desk>(&json).unwrap(), desk());
}

#[test]
fn what_is_hostile_or_newer_is_refused_with_its_place() {
    let read = |text: &str| Desk::read("lib/x.yaml", text.as_bytes()).unwrap_err().to_string();
    let starts = "lib/x.yaml is left out and stays as it is: ";
    for (text, says) in [
        ("version: 2\nwhatever: [a]\n", "it is of version 2"),
        ("version: 0\n", "its version is 0"),
        ("skills: {}\n", "`version` is missing"),
        ("version: 1\nclients: {}\n", "line 2, column 1: the key `clients` is not known"),
        ("version: 1\nskills:\n  ../tea: on 1\n", "line 3, column 3: it is not what belongs there"),
        ("version: 1\nskills:\n  /etc/tea: on 1\n", "line 3, column 3"),
        ("version: 1\nskills:\n  'C:\\tea': on 1\n", "line 3, column 3"),
        ("version: 1\nskills:\n  \"te\\u202ea\": on 1\n", "line 3, column 3"),
        ("version: 1\nskills:\n  tea: on\n", "line 3, column 8"),
        ("version: 1\nskills:\n  tea: on +1\n", "line 3, column 8"),
        ("version: 1\nskills:\n  tea: on 1000000001\n", "line 3, column 8"),
        ("version: 1\nskills:\n  tea: on 99999999999999999999999\n", "line 3, column 8"),
        ("version: 1\nskills:\n  tea: on 1\n  tea: off 2\n", "line 4, column 3: a key is there twice"),
        ("version: 1\nskills:\n  tea: &a on 1\n", "it holds too much, or an anchor or alias"),
        ("version: 1\nsets:\n  Calm:\n    count: 1\n", "line 3, column 3"),
        ("version: 1\nsets:\n  calm:\n    name: Other\n    count: 1\n", "which is another's"),
        ("version: 1\nsets:\n  calm:\n    name: Calm\n", "has no count"),
        ("version: 1\n<<<<<<< ours\n", "line 2, column 1: git left a conflict there"),
        ("version: 1\n\u{0}", "line 2, column 1"),
        ("[[[[[[[[[[[[[[[[[[[[[[", "line 1, column"),
    ] {
        let told = read(text);
        assert!(told.starts_with(starts) && told.contains(says), "{text:?}: {told}");
        assert!(!told.contains('\n'), "{told}");
    }
    assert!(Desk::read("f", &[0xff, 0xfe]).unwrap_err().to_string().contains("it is no text"));
    assert!(Desk::read("f", &vec![b'#'; MOST_BYTES + 1]).unwrap_err().to_string().contains("larger than 4 MiB"));
}

#[test]
fn many_entries_are_read_and_a_bomb_of_aliases_or_too_many_are_refused() {
    let lines = |most: usize| {
        (0..most).fold("version: 1\nskills:\n".to_owned(), |mut text, number| {
            let _ = writeln!(text, "  s{number}: on 1");
            text
        })
    };
    assert_eq!(Desk::read("f", lines(100_000).as_bytes()).unwrap().0.len(), 100_000);
    assert!(Desk::read("f", lines(200_000).as_bytes()).unwrap_err().to_string().contains("it holds too much"));
    let mut bomb = "version: 1\nskills:\n  a: &a [x, x]\n".to_owned();
    for (name, of) in ('b'..='z').zip('a'..) {
        let _ = writeln!(bomb, "  {name}: &{name} [*{of}, *{of}, *{of}, *{of}]");
    }
    assert!(Desk::read("f", bomb.as_bytes()).is_err());
}

/// One machine of the test, and its clone of the repository.
#[derive(Debug, Clone, Default)]
struct Machine {
    here: Here,
    known: Desk,
    clone: BTreeMap<usize, Desk>,
}

impl Machine {
    fn new() -> Self {
        let switch = Switch { on: false, by_hand: true };
        let skills: BTreeMap<_, _> = SKILLS.iter().map(|path| ((*path).to_owned(), switch)).collect();
        let here = Here { skills, ..Here::default() };
        let known = here.first_known();
        Self { here, known, clone: BTreeMap::new() }
    }

    fn files(&self) -> Desk {
        joined(self.clone.values())
    }

    /// Pulls, and takes all that comes.
    fn pull(&mut self, repository: &BTreeMap<usize, Desk>) {
        self.clone.clone_from(repository);
        let Agreed { known, coming, .. } = agree(&self.here, &self.known, &self.files());
        self.known = known;
        for (key, said) in coming {
            self.known.learn(&key, &said);
            self.here.make(key, said.value);
        }
    }

    fn push(&mut self, at: usize, repository: &mut BTreeMap<usize, Desk>) {
        let Agreed { known, first, .. } = agree(&self.here, &self.known, &self.files());
        self.known = known;
        self.known.0.extend(first);
        let others = joined(self.clone.iter().filter(|(of, _)| **of != at).map(|(_, file)| file));
        let file = self.clone.get(&at).cloned().unwrap_or_default();
        let own = Desk::own(&self.known, &file, &others);
        if own.beyond(&file).is_empty() {
            return;
        }
        // What git carries is the text.
        let read = Desk::read("f", own.to_string().as_bytes()).unwrap();
        assert_eq!(read, own);
        repository.insert(at, read.clone());
        self.clone.insert(at, read);
    }
}

impl Here {
    /// Makes something here as it is said.
    fn make(&mut self, key: Key, value: Value) {
        match (key, value) {
            (Key::Skill(path), value) => {
                self.skills.insert(path, Switch { on: value == Value::On, by_hand: true });
            }
            (Key::Set(set), Value::Named(name)) => self.sets.entry(set).or_default().name = name,
            (Key::Set(set), _) => drop(self.sets.remove(&set)),
            (Key::Member(set, path), value) => {
                if let Some(set) = self.sets.get_mut(&set) {
                    if value == Value::On {
                        set.skills.insert(path)
                    } else {
                        set.skills.remove(&path)
                    };
                }
            }
        }
    }
}

fn joined<'d>(files: impl Iterator<Item = &'d Desk>) -> Desk {
    files.fold(Desk::default(), |mut all, file| {
        all.merge(file);
        all
    })
}

const SKILLS: [&str; 3] = ["tea", "ale", "deep/mead"];
const SETS: [&str; 2] = ["calm", "loud"];

#[derive(Debug, Clone)]
enum Act {
    Switch(usize, usize),
    MakeSet(usize, usize, usize, bool),
    DropSet(usize, usize),
    Member(usize, usize, usize),
    Pull(usize),
    Push(usize),
    /// Somebody removes the file of a machine, which may be gone.
    Tidy(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let (machine, skill, set) = (0..3_usize, 0..SKILLS.len(), 0..SETS.len());
    prop_oneof![
        3 => (machine.clone(), skill.clone()).prop_map(|(at, one)| Act::Switch(at, one)),
        2 => (machine.clone(), set.clone(), skill.clone(), any::<bool>()).prop_map(|(at, set, one, up)| Act::MakeSet(at, set, one, up)),
        1 => (machine.clone(), set.clone()).prop_map(|(at, set)| Act::DropSet(at, set)),
        3 => (machine.clone(), set, skill).prop_map(|(at, set, one)| Act::Member(at, set, one)),
        3 => machine.clone().prop_map(Act::Pull),
        3 => machine.clone().prop_map(Act::Push),
        1 => machine.prop_map(Act::Tidy),
    ]
}

/// What each machine holds, for people.
fn shown(machine: &Machine) -> (BTreeMap<String, bool>, BTreeMap<String, HereSet>) {
    let skills = machine.here.skills.iter().map(|(path, switch)| (path.clone(), switch.on)).collect();
    // A set without a skill of the folder is about others, and stays where it was made.
    let sets = machine.here.sets.iter().filter(|(_, set)| !set.skills.is_empty());
    (skills, sets.map(|(key, set)| (key.clone(), set.clone())).collect())
}

fn any_desk() -> impl Strategy<Value = Desk> {
    let key = prop_oneof![
        (0..SKILLS.len()).prop_map(|at| skill(SKILLS[at])),
        (0..SETS.len()).prop_map(|at| Key::Set(SETS[at].to_owned())),
        (0..SETS.len(), 0..SKILLS.len()).prop_map(|(set, at)| Key::Member(SETS[set].to_owned(), SKILLS[at].to_owned())),
    ];
    let one = (key, 1..4_u64, any::<bool>()).prop_map(|(key, count, is_on)| {
        let value = match (&key, is_on) {
            (Key::Set(set), true) => Value::Named(set.clone()),
            (Key::Set(_), false) => Value::Gone,
            (_, is_on) => {
                if is_on {
                    Value::On
                } else {
                    Value::Off
                }
            }
        };
        (key, Said { count, value })
    });
    proptest::collection::vec(one, 0..12).prop_map(|all| Desk(all.into_iter().collect()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn merging_is_the_same_in_any_order_and_any_number_of_times(one in any_desk(), two in any_desk(), three in any_desk()) {
        let merged = |all: &[&Desk]| joined(all.iter().copied());
        let all = merged(&[&one, &two, &three]);
        prop_assert_eq!(&merged(&[&three, &one, &two]), &all);
        prop_assert_eq!(&merged(&[&merged(&[&one, &two]), &three]), &all);
        prop_assert_eq!(&merged(&[&one, &merged(&[&two, &three])]), &all);
        prop_assert_eq!(&merged(&[&all, &one, &all, &three]), &all);
        for (key, said) in one.0.iter().chain(&two.0).chain(&three.0) {
            prop_assert!(all.0[key] >= *said, "{:?} is lost", key);
        }
        prop_assert_eq!(Desk::read("f", all.to_string().as_bytes()).unwrap(), all);
    }

    #[test]
    fn after_any_history_all_machines_come_to_the_same_and_nothing_said_is_lost(acts in proptest::collection::vec(act(), 0..60)) {
        let mut machines = [Machine::new(), Machine::new(), Machine::new()];
        let mut repository = BTreeMap::new();
        let mut last = BTreeMap::<(usize, usize), bool>::new();
        for act in acts {
            let known = |machines: &[Machine]| joined(machines.iter().map(|one| &one.known));
            let before = known(&machines);
            match act {
                Act::Switch(at, one) => {
                    let switch = machines[at].here.skills.get_mut(SKILLS[one]).unwrap();
                    *switch = Switch { on: !switch.on, by_hand: true };
                    last.insert((at, one), switch.on);
                }
                Act::MakeSet(at, set, one, up) => {
                    let (key, name) = (SETS[set].to_owned(), SETS[set].to_owned());
                    let name = if up { name.to_uppercase() } else { name };
                    let set = machines[at].here.sets.entry(key).or_default();
                    set.name = name;
                    set.skills.insert(SKILLS[one].to_owned());
                }
                Act::DropSet(at, set) => drop(machines[at].here.sets.remove(SETS[set])),
                Act::Member(at, set, one) => {
                    let set = machines[at].here.sets.get_mut(SETS[set]);
                    let flip = |set: &mut HereSet| set.skills.remove(SKILLS[one]) || set.skills.insert(SKILLS[one].to_owned());
                    set.map(flip).unwrap_or_default();
                }
                Act::Pull(at) => machines[at].pull(&repository),
                Act::Push(at) if machines[at].clone == repository => machines[at].push(at, &mut repository),
                Act::Push(_) => {}
                Act::Tidy(at) => drop(repository.remove(&at)),
            }
            let after = known(&machines);
            for (key, said) in &before.0 {
                prop_assert!(after.0[key] >= *said, "{:?} is lost", key);
            }
        }
        for _ in 0..3 {
            for (at, machine) in machines.iter_mut().enumerate() {
                machine.pull(&repository);
                machine.push(at, &mut repository);
            }
        }
        let [one, two, three] = &machines;
        prop_assert_eq!(shown(one), shown(two));
        prop_assert_eq!(shown(one), shown(three));
        prop_assert_eq!(one.files(), two.files());
        // Each switch is as somebody left it, and as the only one left it who touched it.
        for (at, path) in SKILLS.iter().enumerate() {
            let left: BTreeSet<_> = (0..3).filter_map(|machine| last.get(&(machine, at)).copied()).collect();
            let is = one.here.skills[*path].on;
            prop_assert!(if left.is_empty() { !is } else { left.contains(&is) }, "{}: {} {:?}", path, is, left);
        }
        // At rest nothing is said again, and nothing comes.
        for (at, machine) in machines.iter().enumerate() {
            let agreed = agree(&machine.here, &machine.known, &machine.files());
            prop_assert!(agreed.coming.is_empty() && agreed.known == machine.known, "{}: {:?}", at, agreed);
        }
    }
}
