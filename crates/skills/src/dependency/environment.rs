//! Which environment variables a skill may set (security.md, R7).
//!
//! Some make the system load code or find other programs, and are refused. Others lead a program
//! elsewhere: there are honest reasons for a proxy or another address, so they are shown and
//! agreed to by themselves.

/// Whether no skill may set the variable: it decides which code is loaded and which programs are
/// found.
pub(super) fn is_refused(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let starts = ["LD_", "DYLD_", "BASH_FUNC_"];
    let exact = ["PATH", "HOME", "BASH_ENV", "ENV", "IFS", "SHELLOPTS"];
    starts.iter().any(|start| name.starts_with(start)) || exact.contains(&name.as_str())
}

/// Whether no container may be given the variable. Its value passes through the environment of
/// the program that runs containers, and these would lead that program to another engine.
pub(super) fn is_refused_in_containers(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let starts = ["DOCKER_", "PODMAN_", "CONTAINER_", "CONTAINERS_", "BUILDAH_", "XDG_"];
    is_refused(&name) || starts.iter().any(|start| name.starts_with(start))
}

/// Whether a variable changes where a program connects or what it loads, so that it needs a
/// consent of its own (security.md, R7).
pub fn redirects(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let starts = ["GIT_", "NPM_CONFIG_"];
    let exact = [
        "NODE_OPTIONS",
        "NODE_PATH",
        "NODE_EXTRA_CA_CERTS",
        "NODE_TLS_REJECT_UNAUTHORIZED",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "RUBYOPT",
        "RUBYLIB",
        "PERL5OPT",
        "PERL5LIB",
        "JAVA_TOOL_OPTIONS",
        "SSL_CERT_FILE",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
    ];
    starts.iter().any(|start| name.starts_with(start)) || exact.contains(&name.as_str()) || name.ends_with("_BASE_URL")
}

/// Whether a program can be given a variable of this name, and a command line can name it
/// without saying anything else.
pub(super) fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_load_code_are_refused_and_those_that_redirect_are_not() {
        for name in ["PATH", "path", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "BASH_FUNC_x", "IFS", "HOME"] {
            assert!(is_refused(name) && !redirects(name), "{name}");
        }
        for name in
            ["HTTPS_PROXY", "https_proxy", "NODE_OPTIONS", "ANTHROPIC_BASE_URL", "npm_config_registry", "GIT_SSH"]
        {
            assert!(redirects(name) && !is_refused(name), "{name}");
        }
        for name in ["GITHUB_TOKEN", "LEAF", "DATABASE_URL"] {
            assert!(!redirects(name) && !is_refused(name) && !is_refused_in_containers(name), "{name}");
        }
        assert!(is_refused_in_containers("DOCKER_HOST") && !is_refused("DOCKER_HOST"));
    }

    #[test]
    fn a_variable_has_a_plain_name() {
        assert!(is_variable("LEAF_1") && is_variable("spring.leaf"));
        for name in ["", "1A", "-e", "A=B", "A B", "A\0", "*"] {
            assert!(!is_variable(name), "{name:?}");
        }
    }
}
