use super::*;

const DAY: u32 = 20_781; // 2026-11-24

fn counting() -> Tally {
    let tally = Tally::default();
    tally.start(|| ());
    tally
}

/// A tally in which these counts wait.
fn with(counts: Counts) -> Tally {
    let tally = counting();
    tally.give_back(counts);
    tally
}

fn calls(skill: &str, day: u32, calls: u64) -> Counts {
    let mut counts = Counts::default();
    let loads = Loads { calls, failed: 1, tokens: 100 * calls };
    counts.skills.insert((day, skill.to_owned(), "codex".to_owned()), loads);
    counts.lists.insert((day, skill.to_owned()), Lists { times: calls, tokens: 20 * calls });
    let asked = Calls { calls, failed: 0, ms: 7 * calls };
    counts.servers.insert((day, "stock".to_owned(), "codex".to_owned()), asked);
    counts
}

fn size(folder: &Path) -> u64 {
    files(folder).iter().map(|path| fs::metadata(path).unwrap().len()).sum()
}

#[test]
fn what_is_saved_twice_is_added_and_read_back_by_day() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("usage");
    for day in [DAY - 30, DAY, DAY] {
        save(&folder, &with(calls("tea", day, 2))).unwrap();
    }
    assert_eq!(files(&folder).len(), 2, "a file for each month");
    let mut expected = calls("tea", DAY, 2);
    assert_eq!(read(&folder, DAY - 31).skills.len(), 2);
    expected.add(calls("tea", DAY, 2));
    assert_eq!(read(&folder, DAY), expected);
    assert_eq!(read(&folder, DAY + 1), Counts::default());
    assert_eq!(first(&folder), Some(DAY - 30));
    let text = fs::read_to_string(folder.join("2026-11.json")).unwrap();
    assert_eq!(
        text,
        "{\"version\":1,\"skills\":[\"tea\"],\"clients\":[\"codex\"],\"servers\":[\"stock\"],\"days\":{\"2026-11-24\":{\"skills\":[[0,0,4,2,400]],\"lists\":[[0,4,80]],\"servers\":[[0,0,4,0,28]]}}}\n"
    );
}

#[test]
fn two_years_of_many_skills_in_many_clients_are_below_five_megabytes_and_no_call_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let days = 730;
    for day in (DAY - days..DAY).step_by(30) {
        let mut counts = Counts::default();
        for day in day..(day + 30).min(DAY) {
            for number in 0..120_u64 {
                let skill = format!("a-skill-with-quite-a-long-name-{number:04}");
                for client in 0..4_u64 {
                    let loads = Loads { calls: 1 + number * client % 50, failed: 1, tokens: 5_000 + 97 * number };
                    counts.skills.insert((day, skill.clone(), format!("client-{client}")), loads);
                }
                counts.lists.insert((day, skill), Lists { times: 200, tokens: 30_000 + 13 * number });
            }
            counts.servers.insert((day, "stock".to_owned(), "codex".to_owned()), Calls { calls: 1, failed: 0, ms: 9 });
        }
        save(home.path(), &with(counts)).unwrap();
    }
    let bytes = size(home.path());
    assert!(bytes < 5_000_000, "{bytes}");
    let each_day: u64 = (0..120).flat_map(|number| (0..4).map(move |client| 1 + number * client % 50)).sum();
    let all = read(home.path(), 0);
    assert_eq!(all.skills.values().map(|loads| loads.calls).sum::<u64>(), u64::from(days) * each_day);
    assert_eq!(all.lists.values().map(|lists| lists.times).sum::<u64>(), u64::from(days) * 120 * 200);
    assert_eq!(all.servers.values().map(|calls| calls.calls).sum::<u64>(), u64::from(days));
    assert!(
        all.skills.keys().filter(|(_, skill, _)| !skill.is_empty()).count() > 10_000,
        "the most used keep their names"
    );
}

#[test]
fn the_months_of_two_years_are_kept_and_older_ones_go() {
    let home = tempfile::tempdir().unwrap();
    for month in 0..30 {
        save(home.path(), &with(calls("tea", DAY - 30 * (29 - month), 1))).unwrap();
    }
    assert_eq!(files(home.path()).len(), MONTHS);
    assert!(!read(home.path(), DAY).is_empty());
}

#[test]
fn several_engines_that_save_at_once_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20).for_each(|_| save(home.path(), &with(calls("tea", DAY, 1))).unwrap()));
        }
    });
    assert_eq!(read(home.path(), DAY), {
        let mut all = Counts::default();
        (0..80).for_each(|_| all.add(calls("tea", DAY, 1)));
        all
    });
}

#[test]
fn a_file_of_a_later_program_stays_and_the_counts_wait() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("2026-11.json");
    fs::write(&path, "{\"version\": 99, \"skills\": 3}").unwrap();
    let tally = with(calls("tea", DAY, 1));
    let why = save(home.path(), &tally).unwrap_err();
    assert!(why.contains("newer Skilltender"), "{why}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"version\": 99, \"skills\": 3}");
    assert_eq!(tally.peek(), calls("tea", DAY, 1));
    fs::remove_file(path).unwrap();
    save(home.path(), &tally).unwrap();
    assert_eq!(read(home.path(), 0), calls("tea", DAY, 1));
}

#[test]
fn fields_that_a_later_program_added_stay_and_a_file_that_cannot_be_read_is_set_aside() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("2026-11.json");
    fs::write(&path, "{\"version\": 1, \"hue\": \"green\", \"days\": {\"2026-11-24\": {\"skills\": [[5,5,1,1,1]]}}}")
        .unwrap();
    save(home.path(), &with(calls("tea", DAY, 1))).unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("\"hue\":\"green\""));
    assert_eq!(read(home.path(), 0), calls("tea", DAY, 1), "a row that names nothing counts nothing");
    fs::write(&path, "tea").unwrap();
    save(home.path(), &with(calls("milk", DAY, 1))).unwrap();
    assert_eq!(read(home.path(), 0), calls("milk", DAY, 1));
    let names: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().any(|name| name.to_string_lossy().contains(".unreadable-")), "{names:?}");
}

#[test]
fn wiping_forgets_what_is_saved_and_what_waits() {
    let home = tempfile::tempdir().unwrap();
    save(home.path(), &with(calls("tea", DAY, 1))).unwrap();
    let tally = with(calls("tea", DAY, 1));
    wipe(home.path(), &tally).unwrap();
    assert!(tally.take().is_empty() && read(home.path(), 0).is_empty());
    assert_eq!(first(home.path()), None);
    wipe(&home.path().join("nowhere"), &tally).unwrap();
    assert!(!home.path().join("nowhere").exists());
}
