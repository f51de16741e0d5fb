//! The paths of clients' files on every platform, computed on each.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clients::{
    Client, Places, Platform, TABLE, client, client_folders, locate, locate_project, locate_sandboxed, moved_folders,
    signs, variables,
};

fn places(platform: Platform) -> Places {
    let home = PathBuf::from(match platform {
        Platform::MacOs => "/Users/ada",
        Platform::Windows => r"C:\Users\ada",
        Platform::Linux => "/home/ada",
    });
    Places {
        platform,
        config: home.join(".config"),
        appdata: home.join("AppData").join("Roaming"),
        localappdata: home.join("AppData").join("Local"),
        home,
        variables: BTreeMap::new(),
    }
}

/// The paths with forward slashes on every system.
fn shown(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string().replace('\\', "/")).collect()
}

fn row(id: &str) -> &'static Client {
    client(id).expect("its row")
}

fn files(id: &str, platform: Platform) -> Vec<String> {
    shown(&locate(row(id), &places(platform)))
}

#[test]
fn every_platform_has_its_own_places() {
    use Platform::{Linux, MacOs, Windows};

    let claude = |platform| files("claude-desktop", platform);
    assert_eq!(claude(MacOs), ["/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"]);
    assert_eq!(claude(Linux), ["/home/ada/.config/Claude/claude_desktop_config.json"]);
    assert_eq!(
        claude(Windows),
        [
            "C:/Users/ada/AppData/Roaming/Claude/claude_desktop_config.json",
            "C:/Users/ada/AppData/Local/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
            "C:/Users/ada/AppData/Local/Claude-Data/claude_*/claude_desktop_config.json",
        ]
    );
    assert_eq!(files("vscode", MacOs), ["/Users/ada/Library/Application Support/Code/User/mcp.json"]);
    assert_eq!(files("vscode", Windows), ["C:/Users/ada/AppData/Roaming/Code/User/mcp.json"]);
    assert_eq!(files("vscode-insiders", Linux), ["/home/ada/.config/Code - Insiders/User/mcp.json"]);
    assert_eq!(files("zed", MacOs), ["/Users/ada/.config/zed/settings.json"]);
    assert_eq!(files("zed", Windows), ["C:/Users/ada/AppData/Roaming/Zed/settings.json"]);
    assert_eq!(files("goose", Windows), ["C:/Users/ada/AppData/Roaming/Block/goose/config/config.yaml"]);
    assert_eq!(files("crush", Windows), ["C:/Users/ada/AppData/Local/crush/crush.json"]);
    assert_eq!(files("codex", Windows), ["C:/Users/ada/.codex/config.toml"]);
    assert_eq!(files("opencode", Windows)[0], "C:/Users/ada/.config/opencode/opencode.json");
    assert_eq!(files("visual-studio", Windows), ["C:/Users/ada/.mcp.json"]);
    assert!(files("visual-studio", Linux).is_empty() && files("visual-studio", MacOs).is_empty());
}

#[test]
fn every_client_has_a_file_where_it_runs_but_three_that_keep_none_for_a_whole_computer() {
    for platform in [Platform::MacOs, Platform::Windows, Platform::Linux] {
        for client in TABLE {
            let located = locate(client, &places(platform));
            let nowhere = match client.id {
                "jetbrains-ai" | "jetbrains-air" | "librechat" => true,
                "visual-studio" => platform != Platform::Windows,
                "boltai" => platform != Platform::MacOs,
                _ => false,
            };
            assert_eq!(located.is_empty(), nowhere, "{} on {platform:?}", client.id);
            assert!(located.iter().all(|path| path.starts_with(&places(platform).home)), "{}", client.id);
        }
    }
}

#[test]
fn a_variable_of_the_environment_moves_the_file_and_leaves_the_others() {
    let mut places = places(Platform::Linux);
    places.config = PathBuf::from("/data/config");
    assert_eq!(
        shown(&locate(row("amp"), &places)),
        ["/data/config/amp/settings.json", "/data/config/amp/settings.jsonc"]
    );
    places.variables.insert("CLAUDE_CONFIG_DIR", PathBuf::from("/work/claude"));
    places.variables.insert("CLINE_MCP_SETTINGS_PATH", PathBuf::from("/work/cline.json"));
    assert_eq!(shown(&locate(row("claude-code"), &places)), ["/work/claude/.claude.json"]);
    assert_eq!(shown(&locate(row("cline"), &places)), ["/work/cline.json"]);
    assert_eq!(shown(&locate(row("codex"), &places)), ["/home/ada/.codex/config.toml"]);
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CLINE_MCP_SETTINGS_PATH"] {
        assert!(variables().contains(name), "{name}");
    }
}

#[test]
fn a_project_has_files_of_its_own() {
    let of = |id| shown(&locate_project(row(id), Path::new("/src/engine")));
    assert_eq!(of("claude-code"), ["/src/engine/.mcp.json"]);
    assert_eq!(of("vscode"), ["/src/engine/.vscode/mcp.json"]);
    assert!(of("claude-desktop").is_empty());
}

#[test]
fn a_client_in_a_sandbox_has_another_file() {
    let of = |id, platform| shown(&locate_sandboxed(row(id), &places(platform)));
    assert_eq!(of("zed", Platform::Linux), ["/home/ada/.var/app/dev.zed.Zed/config/zed/settings.json"]);
    assert!(of("zed", Platform::MacOs).is_empty() && of("codex", Platform::Linux).is_empty());
    for client in TABLE.iter().filter(|client| !client.files.sandboxed.is_empty()) {
        assert!(client.http.is_some(), "{}: in a sandbox it can only dial an address", client.id);
    }
}

#[test]
fn signs_are_those_of_the_platform() {
    let of = |platform| shown(&signs(row("cursor"), &places(platform)));
    assert_eq!(of(Platform::MacOs), ["/Users/ada/.cursor", "/Applications/Cursor.app", "/Users/ada/.config/Cursor"]);
    assert_eq!(of(Platform::Linux), ["/home/ada/.cursor", "/home/ada/.config/Cursor"]);
    assert!(of(Platform::Windows).contains(&"C:/Users/ada/AppData/Roaming/Cursor".to_owned()));
}

#[test]
fn skill_folders_are_the_users_then_the_projects() {
    let client = row("claude-code");
    let places = places(Platform::Linux);
    assert_eq!(shown(&client_folders(client, &places, None)), ["/home/ada/.claude/skills"]);
    let both = client_folders(client, &places, Some(Path::new("/src")));
    assert_eq!(shown(&both), ["/home/ada/.claude/skills", "/src/.claude/skills"]);
}

/// By their sources: Gemini CLI uses the folder as the home folder, Qwen Code and others as their own folder in it.
#[test]
fn a_variable_that_moves_a_clients_folder_moves_the_skills_in_it_and_no_others() {
    let mut places = places(Platform::Linux);
    for (name, folder) in [
        ("GEMINI_CLI_HOME", "/work/gemini"),
        ("QWEN_HOME", "/work/qwen"),
        ("CLAUDE_CONFIG_DIR", "/work/claude"),
        ("OPENCODE_CONFIG", "/work/opencode.json"),
        ("COPILOT_HOME", "/work/copilot"),
    ] {
        places.variables.insert(name, PathBuf::from(folder));
    }
    let of = |id| shown(&client_folders(row(id), &places, None));
    assert_eq!(of("gemini-cli"), ["/work/gemini/.agents/skills", "/work/gemini/.gemini/skills"]);
    assert_eq!(of("qwen-code"), ["/work/qwen/skills"]);
    assert_eq!(of("claude-code"), ["/work/claude/skills"]);
    assert_eq!(of("copilot-cli"), ["/work/copilot/skills", "/home/ada/.agents/skills"]);
    // The variable names a file; another client's folder stays where that client has none of its own.
    assert_eq!(
        of("opencode"),
        ["/home/ada/.config/opencode/skills", "/home/ada/.claude/skills", "/home/ada/.agents/skills"]
    );
    assert_eq!(of("codex"), ["/home/ada/.agents/skills", "/home/ada/.codex/skills"]);
    let moved = shown(&moved_folders(&places));
    assert!(moved.contains(&"/work/qwen".to_owned()) && !moved.contains(&"/work/opencode.json".to_owned()));
    let project = client_folders(row("qwen-code"), &places, Some(Path::new("/src")));
    assert_eq!(shown(&project)[1..], ["/src/.qwen/skills"]);
}

#[test]
fn a_file_that_a_variable_moves_is_where_the_client_has_it_in_the_folder_that_it_names() {
    for client in TABLE {
        let Some(variable) = client.files.variable.filter(|variable| !variable.instead_of.is_empty()) else { continue };
        // Only Claude Code keeps its file next to its folder, and inside it once the folder is moved.
        let beside = client.id == "claude-code";
        let usual = format!("{}/{}", variable.instead_of, variable.file);
        assert_eq!(client.files.linux.contains(&usual.as_str()), !beside, "{}: {usual}", client.id);
    }
}
