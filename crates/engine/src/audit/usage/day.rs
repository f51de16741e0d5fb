//! Days since 1970 (UTC) as dates, for files and for people.

use chrono::{DateTime, NaiveDate};
use machine::clock;

const SECONDS: i64 = 86_400;

/// Today.
pub(crate) fn today() -> u32 {
    u32::try_from(clock::now() / 86_400_000).unwrap_or(u32::MAX)
}

/// A day as a date: `2026-11-24`.
pub(crate) fn date(day: u32) -> String {
    let date = DateTime::from_timestamp(i64::from(day) * SECONDS, 0).unwrap_or_default();
    date.date_naive().to_string()
}

/// The day of a date.
pub(crate) fn of(date: &str) -> Option<u32> {
    let date: NaiveDate = date.parse().ok()?;
    u32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).ok()
}

/// The month of a day: `2026-11`.
pub(crate) fn month(day: u32) -> String {
    let mut date = date(day);
    date.truncate(date.len().saturating_sub(3));
    date
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_the_date_that_people_write() {
        for (day, is) in [(0, "1970-01-01"), (20_781, "2026-11-24"), (20_788, "2026-12-01"), (18_321, "2020-02-29")] {
            assert_eq!((date(day).as_str(), of(is)), (is, Some(day)));
        }
        assert_eq!(month(20_781), "2026-11");
        for odd in ["", "2026-13-01", "1969-12-31", "today", "+999999-01-01"] {
            assert_eq!(of(odd).filter(|day| *day < 1_000_000), None, "{odd}");
        }
    }
}
