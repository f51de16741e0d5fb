//! The package that a command line fetches before it runs it, found by a table of the programs that fetch and
//! of their options that take a value.
//!
//! Pure. Pinning and registry queries are left to `pins`.

#[cfg(test)]
mod tests;

/// A package in a command line that fetches what it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The index of its word in the command line.
    pub at: usize,
    /// The text before it in that word: `--package=`, `npm:`.
    before: String,
    /// The package as written there.
    pub package: String,
    /// Its registry.
    pub from: Registry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registry {
    Npm,
    Python,
    /// Container images.
    Images,
}

/// A program that fetches what it runs.
struct Runner {
    program: &'static str,
    /// The words that follow the program's own options, such as `tool run`: any of these, or an empty list when
    /// it runs a package directly.
    orders: &'static [&'static [&'static str]],
    from: Registry,
    /// The prefix of a package; a word without it names no package of the registry.
    prefix: &'static str,
    /// The options whose value is the package itself, in place of the first word.
    names: &'static [&'static str],
    /// The options that take the next word as their value.
    values: &'static [&'static str],
}

const NPM: &[&str] = &[
    "-c",
    "--call",
    "-w",
    "--workspace",
    "-C",
    "--prefix",
    "--cache",
    "--registry",
    "--userconfig",
    "--globalconfig",
    "--loglevel",
    "--node-options",
    "--script-shell",
    "--shell",
    "--tag",
    "--before",
    "--cwd",
    "--dir",
    "--allow-build",
    "--config",
    "--env-file",
];

const UV: &[&str] = &[
    "-p",
    "--python",
    "-w",
    "--with",
    "--with-editable",
    "--with-requirements",
    "-i",
    "--index-url",
    "--index",
    "--default-index",
    "--extra-index-url",
    "-f",
    "--find-links",
    "-c",
    "--constraints",
    "--overrides",
    "-b",
    "--build-constraints",
    "--env-file",
    "--refresh-package",
    "-P",
    "--upgrade-package",
    "--no-build-package",
    "--no-binary-package",
    "--index-strategy",
    "--keyring-provider",
    "--resolution",
    "--prerelease",
    "--fork-strategy",
    "-C",
    "--config-setting",
    "--config-settings-package",
    "--no-build-isolation-package",
    "--exclude-newer",
    "--exclude-newer-package",
    "--reinstall-package",
    "--link-mode",
    "--cache-dir",
    "--directory",
    "--project",
    "--config-file",
    "--color",
    "--allow-insecure-host",
    "--python-platform",
    "--torch-backend",
];

const PIPX: &[&str] =
    &["--python", "--pip-args", "-i", "--index-url", "--with", "--backend", "--suffix", "--fetch-python"];

const DENO: &[&str] = &[
    "-c",
    "--config",
    "--import-map",
    "--lock",
    "--cert",
    "--location",
    "-L",
    "--log-level",
    "--seed",
    "--ext",
    "--preload",
    "--conditions",
    "--minimum-dependency-age",
    "-P",
    "--permission-set",
];

const CONTAINERS: &[&str] = &[
    // Of the program itself.
    "--config",
    "-c",
    "--context",
    "-H",
    "--host",
    "-l",
    "--log-level",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
    "--connection",
    "--url",
    "--root",
    "--runroot",
    "--storage-driver",
    "--storage-opt",
    "--namespace",
    "--address",
    // Of `run`.
    "-a",
    "--attach",
    "--add-host",
    "--annotation",
    "--arch",
    "--authfile",
    "--blkio-weight",
    "--blkio-weight-device",
    "--cap-add",
    "--cap-drop",
    "--cgroup-conf",
    "--cgroup-parent",
    "--cgroupns",
    "--cgroups",
    "--cidfile",
    "--cpu-count",
    "--cpu-percent",
    "--cpu-period",
    "--cpu-quota",
    "--cpu-rt-period",
    "--cpu-rt-runtime",
    "--cpu-shares",
    "--cpus",
    "--cpuset-cpus",
    "--cpuset-mems",
    "--creds",
    "--detach-keys",
    "--device",
    "--device-cgroup-rule",
    "--device-read-bps",
    "--device-read-iops",
    "--device-write-bps",
    "--device-write-iops",
    "--dns",
    "--dns-opt",
    "--dns-option",
    "--dns-search",
    "--domainname",
    "-e",
    "--env",
    "--env-file",
    "--entrypoint",
    "--expose",
    "--gidmap",
    "--gpus",
    "--group-add",
    "--health-cmd",
    "--health-interval",
    "--health-retries",
    "--health-start-interval",
    "--health-start-period",
    "--health-timeout",
    "-h",
    "--hostname",
    "--image-volume",
    "--io-maxbandwidth",
    "--io-maxiops",
    "--ip",
    "--ip6",
    "--ipc",
    "--isolation",
    "--kernel-memory",
    "--label",
    "--label-file",
    "--link",
    "--link-local-ip",
    "--log-driver",
    "--log-opt",
    "--mac-address",
    "-m",
    "--memory",
    "--memory-reservation",
    "--memory-swap",
    "--memory-swappiness",
    "--mount",
    "--name",
    "--net",
    "--network",
    "--net-alias",
    "--network-alias",
    "--oom-score-adj",
    "--os",
    "--pid",
    "--pidfile",
    "--pids-limit",
    "--platform",
    "--pod",
    "-p",
    "--publish",
    "--pull",
    "--requires",
    "--restart",
    "--runtime",
    "--sdnotify",
    "--secret",
    "--security-opt",
    "--shm-size",
    "--stop-signal",
    "--stop-timeout",
    "--subgidname",
    "--subuidname",
    "--sysctl",
    "--timeout",
    "--tmpfs",
    "--tz",
    "--uidmap",
    "--ulimit",
    "--umask",
    "-u",
    "--user",
    "--userns",
    "--uts",
    "--variant",
    "-v",
    "--volume",
    "--volume-driver",
    "--volumes-from",
    "-w",
    "--workdir",
];

const IMAGES: &[&[&str]] = &[&["run"], &["container", "run"]];
const PACKAGE: &[&str] = &["-p", "--package"];

const fn runner(
    program: &'static str,
    orders: &'static [&'static [&'static str]],
    from: Registry,
    names: &'static [&'static str],
    values: &'static [&'static str],
) -> Runner {
    Runner { program, orders, from, prefix: "", names, values }
}

const RUNNERS: &[Runner] = &[
    runner("npx", &[], Registry::Npm, PACKAGE, NPM),
    runner("npm", &[&["exec"], &["x"]], Registry::Npm, &["--package"], NPM),
    runner("pnpx", &[], Registry::Npm, &["--package"], NPM),
    runner("pnpm", &[&["dlx"]], Registry::Npm, &["--package"], NPM),
    runner("yarn", &[&["dlx"]], Registry::Npm, PACKAGE, NPM),
    runner("bunx", &[], Registry::Npm, PACKAGE, NPM),
    runner("bun", &[&["x"]], Registry::Npm, PACKAGE, NPM),
    Runner { prefix: "npm:", ..runner("deno", &[&["run"], &["serve"], &["x"], &[]], Registry::Npm, &[], DENO) },
    runner("uvx", &[], Registry::Python, &["--from"], UV),
    runner("uv", &[&["tool", "run"]], Registry::Python, &["--from"], UV),
    runner("pipx", &[&["run"]], Registry::Python, &["--spec"], PIPX),
    runner("docker", IMAGES, Registry::Images, &[], CONTAINERS),
    runner("podman", IMAGES, Registry::Images, &[], CONTAINERS),
    runner("nerdctl", IMAGES, Registry::Images, &[], CONTAINERS),
];

impl Fetched {
    /// The package that a command line fetches; `None` when it runs an installed program.
    pub fn of(argv: &[String]) -> Option<Self> {
        let program = argv.first()?.rsplit(['/', '\\']).next().unwrap_or_default();
        let program = program.split_once('.').map_or(program, |(name, _)| name).to_ascii_lowercase();
        // Windows runs scripts such as npx through its shell.
        if program == "cmd" && argv.get(1).is_some_and(|word| word.eq_ignore_ascii_case("/c")) {
            let fetched = Self::of(argv.get(2..)?)?;
            return Some(Self { at: fetched.at + 2, ..fetched });
        }
        RUNNERS.iter().find(|runner| runner.program == program)?.fetched(argv)
    }

    /// Whether each start runs the same version.
    pub fn is_pinned(&self) -> bool {
        let starts = |version: &str| version.starts_with(|c: char| c.is_ascii_digit());
        match self.from {
            Registry::Npm => {
                let version = self.package.get(1..).and_then(|rest| rest.split_once('@')).map(|(_, version)| version);
                version.is_some_and(|version| starts(version) && !version.ends_with(".x"))
            }
            Registry::Python => {
                self.package.contains("==") || self.package.split_once('@').is_some_and(|(_, version)| starts(version))
            }
            Registry::Images => {
                let version = self.package.get(self.name().len() + 1..).unwrap_or_default();
                version.starts_with("sha256:") || starts(version.trim_start_matches('v'))
            }
        }
    }

    /// A sentence about the package when its authors have archived it.
    pub fn archived(&self) -> Option<String> {
        let archived = match self.from {
            Registry::Npm => skills::archived(&self.package),
            Registry::Python => skills::archived(&format!("pypi:{}", self.package)),
            Registry::Images => None,
        };
        let instead = |instead: &str| format!(" In its place there is {instead}.");
        archived.map(|archived| {
            let instead = archived.instead.map(instead).unwrap_or_default();
            format!("The authors of {} have archived it: nobody mends it any more.{instead}", self.name())
        })
    }

    /// Whether it has versions: not a folder, a file or a repository.
    pub fn has_versions(&self) -> bool {
        if self.from == Registry::Images {
            return true;
        }
        let own = self.package.starts_with(['.', '/', '~']) || self.package.contains([':', '\\', '$', ' ']);
        !own && (self.from == Registry::Python || self.package.matches('/').count() < 2)
            && (!self.package.contains('/') || self.package.starts_with('@'))
    }

    /// Its name without the version.
    fn name(&self) -> &str {
        let end = match self.from {
            Registry::Npm => self.package.get(1..).and_then(|rest| rest.find('@')).map(|at| at + 1),
            Registry::Python => self.package.find(['@', '=', '<', '>', '~', '!']),
            // A colon before the last slash belongs to a port.
            Registry::Images => {
                let last = self.package.rfind('/').map_or(0, |at| at + 1);
                self.package[last..].find([':', '@']).map(|at| last + at)
            }
        };
        &self.package[..end.unwrap_or(self.package.len())]
    }

    /// The word of the command line with the package at this version.
    pub fn word(&self, version: &str) -> String {
        let sign = match self.from {
            Registry::Npm => "@",
            Registry::Python => "==",
            Registry::Images => ":",
        };
        format!("{}{}{sign}{version}", self.before, self.name())
    }
}

impl Runner {
    fn fetched(&self, argv: &[String]) -> Option<Fetched> {
        let mut words = AdvertisedChange { runner: self, argv, at: 1, named: None };
        let first = words.first();
        if self.orders.is_empty() {
            return self.package(argv, words.named.or(first.map(|at| (at, 0)))?);
        }
        let mut order = Vec::new();
        let mut next = first;
        while let Some(at) = next {
            order.push(argv[at].as_str());
            if self.orders.contains(&order.as_slice()) {
                let first = words.first();
                return self.package(argv, words.named.or(first.map(|at| (at, 0)))?);
            }
            if !self.orders.iter().any(|one| one.starts_with(&order)) {
                // A file or package that is named without an order.
                return self.package(argv, (at, 0)).filter(|_| self.orders.contains(&[].as_slice()));
            }
            next = words.first();
        }
        None
    }

    /// The package at this position: which word, and the offset in it.
    fn package(&self, argv: &[String], (at, from): (usize, usize)) -> Option<Fetched> {
        let package = argv.get(at)?.get(from..)?.strip_prefix(self.prefix)?;
        let before = argv[at][..argv[at].len() - package.len()].to_owned();
        (!package.is_empty()).then(|| Fetched { at, before, package: package.to_owned(), from: self.from })
    }
}

/// The words of a command line, one after the other.
struct AdvertisedChange<'a> {
    runner: &'a Runner,
    argv: &'a [String],
    at: usize,
    /// Where an option first named the package.
    named: Option<(usize, usize)>,
}

impl AdvertisedChange<'_> {
    /// The next word that is neither an option nor an option's value.
    fn first(&mut self) -> Option<usize> {
        while let Some(word) = self.argv.get(self.at) {
            let at = self.at;
            self.at += 1;
            if word == "--" {
                let next = self.at;
                self.at += 1;
                return (next < self.argv.len()).then_some(next);
            }
            match word.strip_prefix("--") {
                Some(_) => self.long(at, word),
                None if word.len() > 1 && word.starts_with('-') => self.short(at, word),
                None => return Some(at),
            }
        }
        None
    }

    /// `--name`, `--name value` or `--name=value`.
    fn long(&mut self, at: usize, word: &str) {
        match word.split_once('=') {
            Some((name, _)) => self.takes(name, at, name.len() + 1),
            None if self.has_value(word) => {
                self.takes(word, self.at, 0);
                self.at += 1;
            }
            None => {}
        }
    }

    /// `-x`, `-xy`, `-x value`, `-xvalue` or `-x=value`: the first letter that takes a value takes the rest.
    fn short(&mut self, at: usize, word: &str) {
        for (index, letter) in word.char_indices().skip(1) {
            let name = format!("-{letter}");
            if !self.has_value(&name) {
                continue;
            }
            let rest = index + letter.len_utf8();
            match word[rest..].strip_prefix('=') {
                Some(_) => self.takes(&name, at, rest + 1),
                None if rest < word.len() => self.takes(&name, at, rest),
                None => {
                    self.takes(&name, self.at, 0);
                    self.at += 1;
                }
            }
            return;
        }
    }

    fn has_value(&self, name: &str) -> bool {
        self.runner.names.contains(&name) || self.runner.values.contains(&name)
    }

    fn takes(&mut self, name: &str, at: usize, from: usize) {
        if self.runner.names.contains(&name) && at < self.argv.len() {
            self.named.get_or_insert((at, from));
        }
    }
}
