//! The scanner against skills that mean harm. They are generated (see `shapes`); three of ten are held out: the rules were
//! not written with a look at how they fare.

mod carriers;
mod disguises;
mod shapes;

use shapes::Malice;
use skills::{Danger, SkillPath, scan};

/// How many shapes there are, of those that the rules were written against and of those held out, and how many of each
/// are found to be highly dangerous.
const SHAPES: [usize; 2] = [114, 49];
const FOUND: [usize; 2] = [114, 46];

#[test]
#[expect(clippy::print_stdout, reason = "the figures are for whoever reads the test run")]
fn malicious_shapes_are_found() {
    let (mut shapes, mut found) = ([0; 2], [0; 2]);
    for malice in shapes::all() {
        let kind = usize::from(malice.held_out);
        shapes[kind] += 1;
        if worst(&malice) == Some(Danger::High) {
            found[kind] += 1;
        } else if !malice.held_out {
            println!("scanner: not found: {}", malice.name);
        }
    }
    println!(
        "scanner: {} of {} malicious shapes found, {} of {} that were held out",
        found[0], shapes[0], found[1], shapes[1]
    );
    assert_eq!((shapes, found), (SHAPES, FOUND), "a change of these figures is made on purpose");
    assert!((found[0] + found[1]) * 100 >= (shapes[0] + shapes[1]) * 95);
}

#[test]
fn the_skill_around_a_payload_is_harmless() {
    let harmless = carriers::skill(&carriers::of("prose")[0], "The table is shown as it is.");
    assert_eq!(worst(&Malice { name: String::new(), held_out: false, files: harmless }), None);
}

fn worst(malice: &Malice) -> Option<Danger> {
    let files: Vec<_> =
        malice.files.iter().map(|(path, text)| (SkillPath::new(path).expect("it stays inside"), text)).collect();
    let findings = scan(files.iter().map(|(path, text)| (path, text.as_bytes())));
    findings.into_iter().map(|finding| finding.severity).max()
}
