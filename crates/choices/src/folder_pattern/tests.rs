use proptest::prelude::*;

use super::*;

const UNIX: Writing = Writing { windows: false, ignores_case: false };
const MAC: Writing = Writing { windows: false, ignores_case: true };
const WINDOWS: Writing = Writing { windows: true, ignores_case: true };

fn home(writing: Writing) -> &'static Path {
    Path::new(if writing.windows { r"C:\Users\Me" } else { "/home/me" })
}

fn read(text: &str, writing: Writing) -> FolderPattern {
    FolderPattern::read(text, home(writing), writing).unwrap_or_else(|error| panic!("{error}"))
}

/// The pattern that counts for a folder.
fn best<'p>(patterns: &[&'p str], folder: &str, writing: Writing) -> Option<&'p str> {
    let bindings = Bindings::new(patterns.iter().map(|text| (read(text, writing), *text)));
    bindings.of([Path::new(folder)], writing).copied()
}

#[test]
fn a_pattern_means_the_folders_that_its_words_say() {
    for (pattern, folder, is_meant) in [
        ("~/work/acme", "/home/me/work/acme", true),
        ("~/work/acme", "/home/me/work/acme/", true),
        ("~/work//acme/./", "/home/me/work/acme", true),
        ("~/work/acme", "/home/me/work/acme/src", false),
        ("~/work/acme", "/home/me/work/Acme", false),
        ("~/projects/*", "/home/me/projects/tea", true),
        ("~/projects/*", "/home/me/projects", false),
        ("~/projects/*", "/home/me/projects/tea/src", false),
        ("~/work/acme/**", "/home/me/work/acme", true),
        ("~/work/acme/**", "/home/me/work/acme/a/b/c", true),
        ("~/work/acme/**", "/home/me/work/acme-2", false),
        ("/srv/*/web", "/srv/tea/web", true),
        ("/srv/acme-*", "/srv/acme-web", true),
        ("/srv/acme-*", "/srv/acme-", true),
        ("/srv/a*b", "/srv/ab", true),
        ("/srv/a*a", "/srv/a", false),
        ("/srv/[a]?", "/srv/[a]?", true),
        ("/srv/[a]?", "/srv/ab", false),
        ("~", "/home/me", true),
        ("/**", "/", true),
        ("/", "/", true),
    ] {
        assert_eq!(best(&[pattern], folder, UNIX).is_some(), is_meant, "{pattern} {folder}");
    }
}

#[test]
fn case_and_separators_count_as_on_the_system() {
    assert!(best(&["~/Work/*"], "/HOME/me/work/Tea", MAC).is_some());
    for (pattern, folder, is_meant) in [
        (r"~\work\*", r"c:\users\me\WORK\tea\", true),
        ("~/work/*", r"\\?\C:\Users\Me\work\tea", true),
        (r"C:/work/**", r"C:\work\a\b", true),
        (r"C:\work", r"D:\work", false),
        (r"\\host\share\*", r"\\HOST\Share\tea", true),
        (r"\\host\share\*", r"\\?\UNC\host\share\tea", true),
        (r"\\host\share\*", r"\\host\other\tea", false),
        (r"C:\work", r"C:work", false),
        (r"C:\work", r"\work", false),
    ] {
        assert_eq!(best(&[pattern], folder, WINDOWS).is_some(), is_meant, "{pattern} {folder}");
    }
    assert!(best(&[r"/a\b"], r"/a\b", UNIX).is_some(), "elsewhere it is a character of a name");
}

#[test]
fn the_most_specific_pattern_counts() {
    let rows: &[(&[&str], &str, &str)] = &[
        (&["~/work/**", "~/work/acme/**"], "/home/me/work/acme/x", "~/work/acme/**"),
        (&["~/work/acme/**", "~/work/acme"], "/home/me/work/acme", "~/work/acme"),
        (&["~/work/*", "~/work/**"], "/home/me/work/acme", "~/work/*"),
        (&["~/work/*", "~/work/acme"], "/home/me/work/acme", "~/work/acme"),
        (&["~/work/a*", "~/work/acme-*"], "/home/me/work/acme-web", "~/work/acme-*"),
        (&["/a/*/c", "/a/b/**"], "/a/b/c", "/a/b/**"),
        (&["/**", "/a/*/c/d", "/*/b/c/d"], "/a/b/c/d", "/a/*/c/d"),
    ];
    for (patterns, folder, counts) in rows {
        assert_eq!(best(patterns, folder, UNIX), Some(*counts), "{patterns:?}");
        let turned: Vec<_> = patterns.iter().rev().copied().collect();
        assert_eq!(best(&turned, folder, UNIX), Some(*counts), "{turned:?}");
    }
}

#[test]
fn a_folder_that_leads_upwards_or_is_not_absolute_is_in_no_pattern() {
    for folder in ["/home/me/work/../../you", "/home/me/work/..", "home/me/work", "", "~/work/acme", "."] {
        assert_eq!(best(&["/**", "~/work/**", "~/work/acme"], folder, UNIX), None, "{folder}");
    }
}

#[test]
fn a_pattern_that_cannot_be_is_refused_with_what_to_write() {
    for (text, part) in [
        ("", "one line"),
        ("a\nb", "one line"),
        ("work/acme", "begin it with"),
        ("~you/work", "begin it with"),
        ("~/work/../..", "leads upwards"),
        ("~/**/web", "only be the whole last name"),
        ("~/work/a**", "only be the whole last name"),
        ("~/a*b*c", "more than one"),
    ] {
        let said = FolderPattern::read(text, home(UNIX), UNIX).unwrap_err();
        assert!(said.contains(part) && said.ends_with('.'), "{text}: {said}");
    }
    assert!(FolderPattern::read("work", home(WINDOWS), WINDOWS).is_err());
    assert!(FolderPattern::read("/work", home(WINDOWS), WINDOWS).is_err(), "which drive?");
}

#[test]
fn what_nothing_tells_apart_is_found_when_it_is_bound() {
    for (one, other, ties) in [
        ("~/work", "/home/me/work/", true),
        ("~/work/*", "/home/me/work/*", true),
        ("~/work/*", "~/work/**", false),
        ("~/work/a*", "~/work/*a", true),
        ("~/work/a*", "~/work/b*", false),
        ("~/work/ab*", "~/work/a*c", true),
        ("/*/b", "/a/*", false),
        ("/a", "/b", false),
    ] {
        assert_eq!(read(one, UNIX).ties(&read(other, UNIX)), ties, "{one} {other}");
        assert_eq!(read(other, UNIX).ties(&read(one, UNIX)), ties, "{other} {one}");
    }
    assert!(read("~/Work", WINDOWS).ties(&read(r"c:\users\ME\work", WINDOWS)));
}

#[test]
fn a_pattern_counts_where_its_links_lead() {
    let pattern = read("~/projects/*/web", UNIX);
    let led = pattern.leading_to(Path::new("/mnt/data/projects"), UNIX).unwrap();
    assert_eq!(led, read("/mnt/data/projects/*/web", UNIX));
    assert_eq!(pattern.leading_to(Path::new("/home/me/projects"), UNIX), None);
    let deep = read("~/projects/**", UNIX);
    assert_eq!(deep.leading_to(Path::new("/p"), UNIX), Some(read("/p/**", UNIX)));
}

#[test]
fn what_is_looked_at_for_links_is_the_part_without_stars_and_never_a_share() {
    for (text, fixed) in [
        ("~/projects/*", Some("/home/me/projects/")),
        ("~/projects/a*/web", Some("/home/me/projects/")),
        ("~/work/acme", Some("/home/me/work/acme")),
        ("~/work/acme/**", Some("/home/me/work/acme/")),
        ("/*", Some("/")),
        ("~you", None),
    ] {
        assert_eq!(fixed_part(text, home(UNIX), UNIX).as_deref(), fixed, "{text}");
    }
    assert_eq!(fixed_part(r"~\work\*", home(WINDOWS), WINDOWS).as_deref(), Some(r"C:\Users\Me\work\"));
    for share in [r"\\host\share\a", "//host/share/a", r"\\?\UNC\host\share", r"/\host\share", r"\\.\pipe\a"] {
        assert_eq!(fixed_part(share, home(WINDOWS), WINDOWS), None, "{share}");
    }
    assert!(!is_share(r"\\?\C:\work", WINDOWS) && !is_share("//home/me", UNIX));
}

#[test]
fn a_thousand_patterns_are_one_list() {
    let all: Vec<_> = (0..1_000).map(|number| format!("~/projects/p{number}/**")).collect();
    let bindings = Bindings::new(all.iter().enumerate().map(|(at, text)| (read(text, UNIX), at)));
    for number in [0, 500, 999] {
        let folder = format!("/home/me/projects/p{number}/src");
        assert_eq!(bindings.of([Path::new(&folder)], UNIX), Some(&number));
    }
}

/// A pattern or folder of few names, so that many match.
fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["a", "b", "ab", "*", "a*", "*b", "a*b"][..])
}

fn pattern() -> impl Strategy<Value = String> {
    (prop::collection::vec(name(), 0..4), any::<bool>())
        .prop_map(|(names, deep)| format!("/{}{}", names.join("/"), if deep { "/**" } else { "" }))
}

fn folder() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&["a", "b", "ab", "aab"][..]), 0..4)
        .prop_map(|names| format!("/{}", names.join("/")))
}

proptest! {
    #[test]
    fn the_order_of_bindings_decides_nothing(
        patterns in prop::collection::vec(pattern(), 1..8),
        folder in folder(),
        shuffle in any::<prop::sample::Index>(),
    ) {
        let bound: Vec<_> = patterns.iter().enumerate().map(|(set, text)| (read(text, UNIX), set)).collect();
        let of = |bound: &[(FolderPattern, usize)]| Bindings::new(bound.to_vec()).of([Path::new(&folder)], UNIX).copied();
        let mut turned = bound.clone();
        turned.rotate_left(shuffle.index(bound.len()));
        prop_assert_eq!(of(&bound), of(&turned));
        turned.reverse();
        prop_assert_eq!(of(&bound), of(&turned));
    }

    #[test]
    fn what_does_not_tie_has_one_winner_in_every_folder(one in pattern(), other in pattern(), folder in folder()) {
        let (one, other) = (read(&one, UNIX), read(&other, UNIX));
        let names = names(&folder, UNIX).unwrap();
        if one.matches(&names) && other.matches(&names) {
            prop_assert_eq!(one.ties(&other), one.specificity() == other.specificity());
        }
    }

    #[test]
    fn nothing_that_is_written_stops_us(text in ".{0,40}", folder in ".{0,40}") {
        for writing in [UNIX, MAC, WINDOWS] {
            drop(fixed_part(&text, home(writing), writing));
            if let Ok(pattern) = FolderPattern::read(&text, home(writing), writing) {
                Bindings::new([(pattern, 0)]).of([Path::new(&folder)], writing);
            }
        }
    }
}
