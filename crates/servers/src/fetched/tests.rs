//! Commands as people write them, and the package that each fetches.

use super::*;

fn argv(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_package_is_told_from_the_options_around_it() {
    for (line, package) in [
        ("npx tea", "tea"),
        ("npx -y -p tea brew --port 1", "tea"),
        ("npx --yes --package=tea brew", "tea"),
        ("npx --package tea -c brew", "tea"),
        ("npx -p=tea brew", "tea"),
        ("npx --registry https://r.example -y tea", "tea"),
        ("npx --node-options=--no-warnings tea", "tea"),
        ("npx -y -- tea", "tea"),
        ("npm exec -y @a/tea@1 -- --port 1", "@a/tea@1"),
        ("npm --prefix /srv exec --package=tea -- brew", "tea"),
        ("npm x tea", "tea"),
        ("pnpm dlx --package tea brew", "tea"),
        ("pnpm -C /srv dlx tea", "tea"),
        ("pnpx tea", "tea"),
        ("yarn dlx -p tea brew", "tea"),
        ("bunx --bun tea", "tea"),
        ("bunx -p tea brew", "tea"),
        ("bun x tea", "tea"),
        ("uvx tea", "tea"),
        ("uvx --python 3.12 tea", "tea"),
        ("uvx -p 3.12 --with hot tea serve", "tea"),
        ("uvx -p3.12 tea", "tea"),
        ("uvx --from tea[hot]>=1 brew", "tea[hot]>=1"),
        ("uvx --from=tea brew", "tea"),
        ("uvx --index-url https://i.example/simple -q tea@latest", "tea@latest"),
        ("uv tool run --from tea brew", "tea"),
        ("uv --directory /srv tool run --python 3.12 tea", "tea"),
        ("pipx run --spec tea brew", "tea"),
        ("pipx run --python 3.12 tea", "tea"),
        ("pipx run --pip-args --pre tea", "tea"),
        ("deno run -A npm:tea", "tea"),
        ("deno run --allow-net --config deno.json npm:@a/tea@1", "@a/tea@1"),
        ("deno -A npm:tea", "tea"),
        ("docker run -e A a/tea", "a/tea"),
        ("docker run -i --rm -e A=1 --env B --mount type=bind,source=/a,target=/b a/tea:1 --port 1", "a/tea:1"),
        ("docker run -it --network host -v /a:/b a/tea", "a/tea"),
        ("docker run -ie A a/tea", "a/tea"),
        ("docker run -eA=1 a/tea", "a/tea"),
        ("docker --context home container run --init a/tea", "a/tea"),
        ("podman run --pull=always --userns keep-id a/tea", "a/tea"),
        ("C:\\Programs\\nodejs\\npx.cmd -y tea", "tea"),
        ("cmd /c npx -y tea", "tea"),
    ] {
        let fetched = Fetched::of(&argv(line)).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(fetched.package, package, "{line}");
        assert!(argv(line)[fetched.at].ends_with(package), "{line}");
    }
}

#[test]
fn what_runs_what_is_there_fetches_nothing() {
    for line in [
        "node tea.js",
        "npx",
        "npx -y",
        "npx --package",
        "npm start",
        "npm exec",
        "uv run tea",
        "uv tool install tea",
        "pipx install tea",
        "deno run tea.ts",
        "deno run jsr:@a/tea",
        "docker ps",
        "docker run -e A",
        "docker compose run tea",
        "cmd /c tea",
    ] {
        assert_eq!(Fetched::of(&argv(line)), None, "{line}");
    }
}

#[test]
fn an_image_is_pinned_by_a_version_or_by_its_content() {
    for (image, is_pinned) in [
        ("a/tea:1.2", true),
        ("a/tea:v1.2", true),
        ("a/tea@sha256:00", true),
        ("x.example:5000/tea:1", true),
        ("a/tea", false),
        ("a/tea:latest", false),
        ("x.example:5000/tea", false),
    ] {
        assert_eq!(Fetched::of(&argv(&format!("docker run {image}"))).unwrap().is_pinned(), is_pinned, "{image}");
    }
}

#[test]
fn an_archived_package_says_so_whatever_runs_it() {
    let said = |line: &str| Fetched::of(&argv(line)).and_then(|fetched| fetched.archived());
    for line in [
        "npx -y @modelcontextprotocol/server-slack",
        "/usr/bin/npx @modelcontextprotocol/server-github@2025.4.8",
        "uvx mcp-server-sqlite==2025.4.25 --db-path x",
        "uvx mcp-server-sqlite@latest",
    ] {
        assert!(said(line).is_some_and(|said| said.contains("have archived it")), "{line}");
    }
    assert!(said("npx -y @modelcontextprotocol/server-slack").unwrap().contains("https://mcp.slack.com/mcp"));
    for line in ["npx -y @modelcontextprotocol/server-filesystem /tea", "uvx mcp-server-time", "node server.js"] {
        assert_eq!(said(line), None, "{line}");
    }
}

#[test]
fn what_is_there_or_pinned_already_is_told_apart() {
    assert_eq!(Fetched::of(&argv("node tea.js")), None);
    for line in ["npx -y tea@1.2.3", "npx @a/tea@0.1.0-rc.1", "uvx tea==1.0", "uvx tea@1.0"] {
        assert!(Fetched::of(&argv(line)).unwrap().is_pinned(), "{line}");
    }
    assert!(!Fetched::of(&argv("npx tea@1.x")).unwrap().is_pinned());
    for line in
        ["npx ./tea", "npx github:a/tea", "uvx git+https://x.example/tea", "npx a/tea", "npx https://x.example/a"]
    {
        assert!(!Fetched::of(&argv(line)).unwrap().has_versions(), "{line}");
    }
}
