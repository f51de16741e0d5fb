//! Containers: the command line that runs one (decision 39), and the syntax of image names.
//!
//! Every container has the same limits, and a declaration can loosen them only by its mounts: it names an image,
//! arguments, variables and a port. The caller chooses the container engine, the container's name and its port on
//! this computer.

use std::collections::BTreeMap;

/// A container to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// The image.
    pub image: String,
    /// The arguments after the image.
    pub args: Vec<String>,
    /// The environment, without secrets.
    pub env: BTreeMap<String, String>,
    /// Environment variables whose whole value is a secret: variable name to parameter name.
    pub secrets: BTreeMap<String, String>,
    /// The folders of this computer that are mounted.
    pub mounts: Vec<Mount>,
    /// The port inside the container for HTTP; without one it uses stdin and stdout.
    pub port: Option<u16>,
}

/// A mounted folder of this computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The folder on this computer.
    pub source: String,
    /// Its path inside the container.
    pub target: String,
    /// Whether it is read-only.
    pub read_only: bool,
}

impl Mount {
    /// The value of `--mount`: comma-separated fields, each quoted when it holds a comma.
    fn option(&self) -> String {
        let field = |name: &str, text: &str| match text.contains([',', '"']) {
            true => format!("\"{name}={}\"", text.replace('"', "\"\"")),
            false => format!("{name}={text}"),
        };
        let read_only = if self.read_only { ",readonly" } else { "" };
        format!("type=bind,{},{}{read_only}", field("source", &self.source), field("target", &self.target))
    }
}

impl Container {
    /// The command line by which `engine` (`docker`, `podman`) runs it as `name`, its port reachable at `publish` on
    /// this computer only. It names variables only: their values belong into the environment of `engine`, because
    /// every program on the computer can read a command line (security rule 16).
    pub fn argv(&self, engine: &str, name: &str, publish: Option<u16>) -> Vec<String> {
        let mut argv: Vec<String> = [engine, "run", "--rm"].map(str::to_owned).into();
        // Over HTTP its stdin is not used.
        argv.extend(self.port.is_none().then(|| "-i".to_owned()));
        argv.extend(["--init", "--name", name].map(str::to_owned));
        argv.extend(HELD_IN.iter().map(|&option| option.to_owned()));
        for variable in self.env.keys().chain(self.secrets.keys()) {
            argv.extend(["-e".to_owned(), variable.clone()]);
        }
        // Unlike `-v`, this does not create a missing folder.
        argv.extend(self.mounts.iter().flat_map(|mount| ["--mount".to_owned(), mount.option()]));
        if let (Some(publish), Some(port)) = (publish, self.port) {
            argv.extend(["-p".to_owned(), format!("127.0.0.1:{publish}:{port}")]);
        }
        argv.push(self.image.clone());
        argv.extend(self.args.iter().cloned());
        argv
    }
}

/// Options of every container (decision 39). Only declared folders of this computer are mounted.
const HELD_IN: &[&str] = &["--cap-drop=ALL", "--security-opt=no-new-privileges", "--memory=1g", "--pids-limit=256"];

/// Whether a text is an image name: `registry:port/path/name:tag@sha256:digest`, as the distribution specification
/// defines it. Other text could be an option to the engine.
pub(super) fn is_image(text: &str) -> bool {
    let (named, digest) = text.split_once('@').map_or((text, None), |(named, digest)| (named, Some(digest)));
    let is_digest = |digest: &str| {
        let hex = digest.strip_prefix("sha256:");
        hex.is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
    };
    // The last `:` starts a tag, unless a `/` follows: then it starts the registry's port.
    let (path, tag) = match named.rsplit_once(':') {
        Some((path, tag)) if !tag.contains('/') => (path, Some(tag)),
        _ => (named, None),
    };
    let mut parts = path.split('/').peekable();
    let first = parts.peek().copied().unwrap_or_default();
    if path.contains('/') && is_registry(first) {
        parts.next();
    }
    text.len() <= 512 && parts.all(is_component) && tag.is_none_or(is_tag) && digest.is_none_or(is_digest)
}

/// Whether the first part is a host, with or without a port; otherwise it belongs to the path.
fn is_registry(text: &str) -> bool {
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    let is_label = |label: &str| {
        !label.is_empty() && edged(label) && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    host.split('.').all(is_label) && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

fn is_component(text: &str) -> bool {
    edged(text) && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'))
}

fn is_tag(text: &str) -> bool {
    text.len() <= 128
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// Whether it starts and ends with a letter or digit.
fn edged(text: &str) -> bool {
    let is_edge = |c: char| c.is_ascii_alphanumeric();
    text.starts_with(is_edge) && text.ends_with(is_edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_a_registry_a_path_a_tag_and_a_digest() {
        let digest = "a".repeat(64);
        for image in [
            "mcp-filesystem:latest",
            "mcp/time",
            "ghcr.io/github/github-mcp-server",
            "localhost:5000/team/tea:1.2_x",
            "Registry.example/tea",
            &format!("tea:1@sha256:{digest}"),
            &format!("tea@sha256:{digest}"),
        ] {
            assert!(is_image(image), "{image}");
        }
        for text in [
            "",
            "-v",
            "--privileged",
            "a b",
            "tea:",
            "tea:-x",
            "/tea",
            "tea/",
            "a//b",
            "Tea",
            "tea@sha256:abc",
            "tea@md5:abc",
            "localhost:0/tea",
            "localhost:99999/tea",
            "tea;rm",
            "${IMAGE}",
            "tea\n",
        ] {
            assert!(!is_image(text), "{text:?}");
        }
    }

    #[test]
    fn a_command_line_holds_the_container_in_and_names_variables_only() {
        let text = |text: &str| text.to_owned();
        let mut container = Container {
            image: text("mcp/tea:1"),
            args: vec![text("--folder"), text("/tea")],
            env: [(text("CITY"), text("Uji"))].into(),
            secrets: [(text("TOKEN"), text("SHOP_TOKEN"))].into(),
            mounts: Vec::new(),
            port: None,
        };
        assert_eq!(
            container.argv("docker", "skilltender-1", Some(4000)).join(" "),
            "docker run --rm -i --init --name skilltender-1 --cap-drop=ALL --security-opt=no-new-privileges \
             --memory=1g --pids-limit=256 -e CITY -e TOKEN mcp/tea:1 --folder /tea"
        );
        container.port = Some(3001);
        assert_eq!(
            container.argv("podman", "tea", Some(4000)).join(" "),
            "podman run --rm --init --name tea --cap-drop=ALL --security-opt=no-new-privileges --memory=1g \
             --pids-limit=256 -e CITY -e TOKEN -p 127.0.0.1:4000:3001 mcp/tea:1 --folder /tea"
        );
    }

    #[test]
    fn a_mounted_folder_stays_one_field_whatever_is_in_its_name() {
        let mount =
            |source: &str, read_only| Mount { source: source.to_owned(), target: "/work".to_owned(), read_only };
        assert_eq!(mount("/tea", true).option(), "type=bind,source=/tea,target=/work,readonly");
        assert_eq!(mount("/a,readonly=0", false).option(), "type=bind,\"source=/a,readonly=0\",target=/work");
        assert_eq!(mount("/a\"b", false).option(), "type=bind,\"source=/a\"\"b\",target=/work");
    }
}
