//! The scanner against skills that mean harm. They are generated (see `shapes`); three of ten are held out: the rules were
//! not written with a look at how they fare.

mod carriers;
mod disguises;
mod shapes;

use shapes::Malice;
use skills::{Danger, Finding, SkillPath, scan};

fn findings(malice: &Malice) -> Vec<Finding> {
    let files: Vec<_> =
        malice.files.iter().map(|(path, text)| (SkillPath::new(path).expect("a path inside"), text)).collect();
    scan(files.iter().map(|(path, text)| (path, text.as_bytes())))
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are for whoever reads the test run")]
fn malicious_shapes_are_found() {
    let all = shapes::all();
    for held_out in [false, true] {
        let shapes: Vec<_> = all.iter().filter(|malice| malice.held_out == held_out).collect();
        let worst = |malice: &Malice| findings(malice).into_iter().map(|finding| finding.severity).max();
        let high = shapes.iter().filter(|malice| worst(malice) == Some(Danger::High)).count();
        println!("held out: {held_out}: {high} of {} high", shapes.len());
        if !held_out {
            for malice in shapes.iter().filter(|malice| worst(malice) != Some(Danger::High)) {
                println!("  {:?} {}", worst(malice), malice.name);
                if std::env::var_os("SHOW").is_some() {
                    println!("{}", malice.files.last().unwrap().1);
                }
            }
        }
    }
}
