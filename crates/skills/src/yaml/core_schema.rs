//! The value of a scalar: the core schema of YAML 1.2.2, section 10.3.2.
//!
//! Dates, `yes`, `1_000` and `<<` are text there; `012` is twelve. A number that JSON cannot express (`.inf`, `.nan`)
//! stays text too.

use granit_parser::Tag;
use serde_json::{Number, Value};

/// The tags of scalars.
pub(super) const SCALARS: &[&str] = &["str", "int", "float", "bool", "null"];

/// The value of a scalar. Only a plain one without a tag can be anything but text.
pub(super) fn resolve(text: &str, plain: bool, tag: Option<&Tag>) -> Value {
    let means = match tag.and_then(Tag::core_suffix) {
        Some("str") => false,
        Some(_) => true,
        None => plain && tag.is_none(),
    };
    if means { meaning(text) } else { Value::String(text.to_owned()) }
}

fn meaning(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| i128::from_str_radix(digits, radix).ok().and_then(integer);
    if let Some(octal) = text.strip_prefix("0o") {
        return octal.bytes().all(|b| b.is_ascii_digit()).then(|| radix(octal, 8))?;
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return hexadecimal.bytes().all(|b| b.is_ascii_hexdigit()).then(|| radix(hexadecimal, 16))?;
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().and_then(integer).or_else(|| Number::from_f64(text.parse().ok()?));
    }
    is_float(digits).then(|| Number::from_f64(text.parse().ok()?))?
}

/// An integer in JSON: exact up to 64 bits, a floating-point number beyond.
fn integer(value: i128) -> Option<Number> {
    Number::from_i128(value).or_else(|| Number::from_f64(value as f64))
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_float(text: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    is_digits(whole)
        && is_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && is_digits(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_scalars_mean_what_the_core_schema_says() {
        let cases = [
            ("", json!(null)),
            ("~", json!(null)),
            ("null", json!(null)),
            ("nUll", json!("nUll")),
            ("true", json!(true)),
            ("yes", json!("yes")),
            ("No", json!("No")),
            ("on", json!("on")),
            ("2026-04-16", json!("2026-04-16")),
            ("2026-04-16T00:00:00Z", json!("2026-04-16T00:00:00Z")),
            ("012", json!(12)),
            ("-7", json!(-7)),
            ("+7", json!(7)),
            ("0o14", json!(12)),
            ("0xFf", json!(255)),
            ("0b1", json!("0b1")),
            ("1_000", json!("1_000")),
            ("1.10", json!(1.1)),
            ("1.", json!(1.0)),
            (".5", json!(0.5)),
            ("1e3", json!(1000.0)),
            ("1e", json!("1e")),
            ("1.2.3", json!("1.2.3")),
            (".", json!(".")),
            (".inf", json!(".inf")),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
            ("123456789012345678901234567890", json!(123_456_789_012_345_678_901_234_567_890_f64)),
            ("190:20:30", json!("190:20:30")),
            ("<<", json!("<<")),
        ];
        for (text, value) in cases {
            assert_eq!(resolve(text, true, None), value, "{text}");
            assert_eq!(resolve(text, false, None), json!(text), "{text} in quotes");
        }
    }
}
