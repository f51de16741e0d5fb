//! Which environment variables a skill may set (security rule 7).
//!
//! Some make the system load code or find other programs, and are refused. Others redirect a program: a proxy or
//! another address has honest reasons, so each is shown and approved separately.

/// Whether the variable is refused in every skill: it decides which code is loaded and which programs are found.
pub(super) fn is_refused(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let starts = ["LD_", "DYLD_", "BASH_FUNC_"];
    let exact = ["PATH", "HOME", "BASH_ENV", "ENV", "IFS", "SHELLOPTS"];
    starts.iter().any(|start| name.starts_with(start)) || exact.contains(&name.as_str())
}

/// Whether the variable is refused for containers. Its value passes through the environment of the container program,
/// where it would select another engine.
pub(super) fn is_refused_in_containers(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let starts = ["DOCKER_", "PODMAN_", "CONTAINER_", "CONTAINERS_", "BUILDAH_", "XDG_"];
    is_refused(&name) || starts.iter().any(|start| name.starts_with(start))
}

/// Whether a variable changes where a program connects or what it loads, so that it needs its own consent (security
/// rule 7). This includes the variables that no skill may set, because a client's own entry may.
pub fn redirects(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    is_refused(variable)
        || REDIRECTS.contains(&name.as_str())
        || REDIRECTS_BEFORE.iter().any(|start| name.starts_with(start))
        || REDIRECTS_AFTER.iter().any(|end| name.ends_with(end))
        || name.contains("_ENDPOINT")
}

/// Prefixes of redirecting variables: settings of tools that fetch or load code; `DOTNET_` and `CORECLR_` set a
/// runtime's hooks.
const REDIRECTS_BEFORE: &[&str] =
    &["GIT_", "NPM_CONFIG_", "PIP_", "UV_", "BUN_CONFIG_", "CARGO_", "CORECLR_", "DOTNET_", "COR_"];

/// Suffixes of variables that hold addresses.
const REDIRECTS_AFTER: &[&str] =
    &["_BASE_URL", "_API_BASE", "_INDEX_URL", "_PROXY", "_REGISTRY", "_CA_BUNDLE", "_CERT_FILE", "_CERT_DIR"];

/// Single variables, by what reads them.
const REDIRECTS: &[&str] = &[
    // Node.js, Bun, Deno
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "NODE_REPL_EXTERNAL_MODULE",
    // Python
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PYTHONUSERBASE",
    "PYTHONWARNINGS",
    "PYTHONBREAKPOINT",
    "PYTHONPYCACHEPREFIX",
    "PYTHONPLATLIBDIR",
    // Ruby, Perl, Java, Go
    "RUBYOPT",
    "RUBYLIB",
    "GEM_PATH",
    "GEM_HOME",
    "BUNDLE_GEMFILE",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "PERLLIB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "CLASSPATH",
    "GOPROXY",
    "GOFLAGS",
    "GOSUMDB",
    "GONOSUMDB",
    // The C library and OpenSSL
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "RES_OPTIONS",
    "HOSTALIASES",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "OPENSSL_ENGINES",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // Targets of requests, and locations of settings
    "CURL_HOME",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "OPENAI_API_BASE",
    "DOCKER_HOST",
    "DOCKER_CONFIG",
    "CONTAINER_HOST",
    "KUBECONFIG",
    "XDG_CONFIG_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_DIRS",
    "GTK_MODULES",
    "QT_PLUGIN_PATH",
];

/// Whether the text is a variable name that is also safe as a command-line argument.
pub(super) fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_load_code_are_refused_and_those_that_only_redirect_are_not() {
        for name in ["PATH", "path", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "BASH_FUNC_x", "IFS", "HOME"] {
            assert!(is_refused(name) && redirects(name), "{name}");
        }
        for name in
            ["HTTPS_PROXY", "https_proxy", "NODE_OPTIONS", "ANTHROPIC_BASE_URL", "npm_config_registry", "GIT_SSH"]
        {
            assert!(redirects(name) && !is_refused(name), "{name}");
        }
        // Each redirects a tool that many servers are built on, or makes it load what is there.
        for name in
            "UV_INDEX_URL UV_DEFAULT_INDEX PIP_INDEX_URL PIP_CONFIG_FILE BUN_CONFIG_REGISTRY GOPROXY OPENSSL_CONF \
            OPENSSL_MODULES GCONV_PATH GLIBC_TUNABLES _JAVA_OPTIONS JDK_JAVA_OPTIONS DOTNET_STARTUP_HOOKS \
            CORECLR_PROFILER_PATH PYTHONUSERBASE PYTHONWARNINGS PERLLIB NODE_REPL_EXTERNAL_MODULE SSL_CERT_DIR \
            REQUESTS_CA_BUNDLE CURL_CA_BUNDLE AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 OPENAI_API_BASE DOCKER_HOST \
            XDG_CONFIG_HOME TEA_INDEX_URL tea_proxy TEA_BASE_URL AZURE_OPENAI_ENDPOINT"
                .split_whitespace()
        {
            assert!(redirects(name) && !is_refused(name), "{name}");
        }
        for name in ["GITHUB_TOKEN", "LEAF", "DATABASE_URL", "PROXY_HOPS", "INDEX_NAME", "PIPELINE", "UVICORN_PORT"] {
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
