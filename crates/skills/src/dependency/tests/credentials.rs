//! Secrets that are written out in a declaration.

use super::*;

#[test]
fn a_secret_that_is_written_out_is_found_by_its_place() {
    for (line, place) in [
        ("env: {API_TOKEN: abc123}", "7:22"),
        ("env: {PGPASSWORD: hunter2}", "7:23"),
        ("env: {URL: \"postgresql://u:pw@h/x\"}", "7:16"),
        ("args: [\"postgresql://u:pw@h/x\"]", "7:12"),
        ("args: [\"--api-key=abc123\"]", "7:12"),
        ("args: [\"--token\", abc123]", "7:23"),
        ("args: [--header, \"Authorization: Bearer x\"]", "7:22"),
        ("headers: {Authorization: \"Bearer x\"}", "7:30"),
        ("headers: {X-Api-Key: abc123}", "7:26"),
        ("parameters: {X: {default: \"redis://u:pw@h\"}}", "7:31"),
    ] {
        let block = format!("  - name: a\n    command: a\n    {line}");
        assert!(rules(&block).contains(&format!("{place} server-credential")), "{line}: {:?}", rules(&block));
    }
    let inside = "  - {name: a, docker: {image: a, env: {A_SECRET: abc123}}}";
    assert_eq!(rules(inside), ["5:50 server-credential"]);
}

#[test]
fn what_only_sounds_like_a_secret_is_none() {
    for line in [
        "env: {API_TOKEN: \"${API_TOKEN}\", TOKEN_FILE: /run/token, MAX_TOKENS: \"4000\"}",
        "env: {API_TOKEN: \"<your token>\", SECRET: \"\", A_KEY: your-key}",
        "args: [\"--token\", \"--verbose\", \"--key-file=/x\"]",
        "args: [\"Use basic auth for it\", \"image:tag@sha256:abc\"]",
        "headers: {Authorization: \"Bearer ${A_TOKEN}\"}",
        "parameters: {X: {example: \"postgresql://user:password@localhost:5432/name\"}}",
        "env: {URL: \"postgresql://u@h:5432/x\"}",
    ] {
        let block = format!("  - name: a\n    command: a\n    {line}");
        assert!(!rules(&block).iter().any(|rule| rule.ends_with("server-credential")), "{line}: {:?}", rules(&block));
    }
}
