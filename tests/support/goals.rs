//! A figure beside the machine's limit and its goal. `cargo xtask bench` names a file for the rows, and prints them all at
//! its end; by hand each row is printed as it is measured.

use std::{env, fmt, fs::OpenOptions, io::Write as _};

/// What a figure is compared with.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// At most so many times the limit.
    Times(f64),
    /// At most this, or so many times the limit, whichever is more.
    AtMostOrTimes(f64, f64),
    /// At least so many times the limit.
    Share(f64),
}

/// A measured figure.
#[derive(Debug)]
pub struct Figure<'f> {
    what: String,
    unit: &'static str,
    measured: f64,
    /// What the machine can do, and in a few words what that is.
    limit: Option<(&'f str, f64)>,
    goal: Goal,
}

impl Figure<'_> {
    /// A figure that is compared with a fixed goal.
    pub fn of(what: impl Into<String>, measured: f64, unit: &'static str, goal: Goal) -> Self {
        Self { what: what.into(), unit, measured, limit: None, goal }
    }

    /// The same beside a limit of the machine, measured in turns with it.
    pub fn beside<'l>(self, what: &'l str, limit: f64) -> Figure<'l> {
        Figure {
            what: self.what,
            unit: self.unit,
            measured: self.measured,
            limit: Some((what, limit)),
            goal: self.goal,
        }
    }

    /// Adds its row.
    ///
    /// # Panics
    /// When the file for the rows cannot be written.
    #[expect(clippy::print_stdout, reason = "it prints figures")]
    pub fn tell(&self) {
        let limit = match self.limit {
            Some((what, limit)) => format!("{} ({what})", number(limit)),
            None => "-".to_owned(),
        };
        let met = if self.is_met() { "met" } else { "**not met**" };
        let row =
            format!("| {} | {limit} | {} {} | {} | {met} |", self.what, number(self.measured), self.unit, self.goal);
        match env::var_os("SKILLTENDER_GOALS") {
            Some(file) => {
                let mut file = OpenOptions::new().append(true).create(true).open(file).expect("a file for the rows");
                writeln!(file, "{row}").expect("a row is written");
            }
            None => println!("\ngoal: {row}"),
        }
    }

    fn is_met(&self) -> bool {
        let limit = self.limit.map_or(f64::NAN, |(_, limit)| limit);
        match self.goal {
            Goal::AtMost(most) => self.measured <= most,
            Goal::AtLeast(least) => self.measured >= least,
            Goal::Times(times) => self.measured <= times * limit,
            Goal::AtMostOrTimes(most, times) => self.measured <= most.max(times * limit),
            Goal::Share(share) => self.measured >= share * limit,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "at most {}", number(*most)),
            Self::AtLeast(least) => write!(f, "at least {}", number(*least)),
            Self::Times(times) => write!(f, "at most {times} times the limit"),
            Self::AtMostOrTimes(most, times) => write!(f, "at most {}, or {times} times the limit", number(*most)),
            Self::Share(share) => write!(f, "at least {share} times the limit"),
        }
    }
}

/// Three digits that say something.
fn number(figure: f64) -> String {
    match figure.abs() {
        large if large >= 100.0 => format!("{figure:.0}"),
        middle if middle >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}
