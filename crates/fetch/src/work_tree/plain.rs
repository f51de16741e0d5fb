//! The settings that may stand in a repository: with them git starts nothing, and reaches its upstream as it does by the
//! person's own settings.

/// The settings that start nothing, by section: those of the section itself. `*` is all of them.
const PLAIN: &[(&str, &[&str])] = &[
    ("advice", &["*"]),
    ("am", &["*"]),
    ("apply", &["*"]),
    ("author", &["*"]),
    ("blame", &["*"]),
    ("checkout", &["*"]),
    ("color", &["*"]),
    ("column", &["*"]),
    ("commit", &["*"]),
    ("committer", &["*"]),
    (
        "core",
        &[
            "abbrev",
            "attributesfile",
            "autocrlf",
            "bare",
            "bigfilethreshold",
            "checkroundtripencoding",
            "checkstat",
            "commentchar",
            "commentstring",
            "commitgraph",
            "compression",
            "createobject",
            "editor",
            "eol",
            "excludesfile",
            "filemode",
            // Both are set for every git that is started here.
            "fsmonitor",
            "hookspath",
            "fscache",
            "hidedotfiles",
            "ignorecase",
            "logallrefupdates",
            "longpaths",
            "loosecompression",
            "multipackindex",
            // Nothing is shown on a terminal, and nothing is edited.
            "pager",
            "precomposeunicode",
            "preloadindex",
            "protecthfs",
            "protectntfs",
            "quotepath",
            "repositoryformatversion",
            "safecrlf",
            "sharedrepository",
            "sparsecheckout",
            "sparsecheckoutcone",
            "splitindex",
            "symlinks",
            "trustctime",
            "untrackedcache",
            "warnambiguousrefs",
            "whitespace",
            // It is looked whether it leads elsewhere.
            "worktree",
        ],
    ),
    (
        "diff",
        &[
            "algorithm",
            "colormoved",
            "context",
            "guitool",
            "indentheuristic",
            "mnemonicprefix",
            "noprefix",
            "renamelimit",
            "renames",
            "submodule",
            "tool",
        ],
    ),
    (
        "extensions",
        &[
            "compatobjectformat",
            "noop",
            "objectformat",
            "partialclone",
            "preciousobjects",
            "refstorage",
            "relativeworktrees",
            "worktreeconfig",
        ],
    ),
    ("feature", &["*"]),
    ("fetch", &["all", "fsckobjects", "output", "parallel", "prune", "prunetags", "showforcedupdates"]),
    ("format", &["*"]),
    (
        "gc",
        &[
            "aggressivedepth",
            "aggressivewindow",
            "auto",
            "autodetach",
            "autopacklimit",
            "packrefs",
            "pruneexpire",
            "reflogexpire",
        ],
    ),
    ("gpg", &["format"]),
    ("gui", &["*"]),
    // What a repository lets a web server do with it, and how much is sent at once. Whom git talks to, through whom, whom it
    // trusts and what it says of the person is for the person's own settings.
    ("http", &["getanyfile", "lowspeedlimit", "lowspeedtime", "postbuffer", "receivepack", "uploadpack", "version"]),
    ("i18n", &["*"]),
    ("include", &["path"]),
    ("index", &["*"]),
    ("init", &["defaultbranch"]),
    ("lfs", &["repositoryformatversion"]),
    ("log", &["abbrevcommit", "date", "decorate", "follow"]),
    ("maintenance", &["auto", "strategy"]),
    (
        "merge",
        &[
            "autostash",
            "branchdesc",
            "conflictstyle",
            "directoryrenames",
            "ff",
            "log",
            "renamelimit",
            "renames",
            "stat",
        ],
    ),
    ("pack", &["*"]),
    ("pull", &["*"]),
    // What else is said to the upstream (`pushOption`) may have its host do something in the person's name.
    (
        "push",
        &[
            "autosetupremote",
            "default",
            "followtags",
            "gpgsign",
            "negotiate",
            "recursesubmodules",
            "usebitmaps",
            "useforceifincludes",
        ],
    ),
    ("rebase", &["*"]),
    (
        "receive",
        &[
            "advertiseatomic",
            "advertisepushoptions",
            "autogc",
            "denycurrentbranch",
            "denydeletecurrent",
            "denydeletes",
            "denynonfastforwards",
            "fsckobjects",
            "hiderefs",
            "keepalive",
            "maxinputsize",
            "shallowupdate",
            "unpacklimit",
            "updateserverinfo",
        ],
    ),
    ("remote", &["pushdefault"]),
    ("rerere", &["*"]),
    ("status", &["*"]),
    ("submodule", &["active", "recurse"]),
    ("tag", &["*"]),
    ("transfer", &["fsckobjects", "hiderefs"]),
    (
        "uploadpack",
        &[
            "allowanysha1inwant",
            "allowfilter",
            "allowreachablesha1inwant",
            "allowrefinwant",
            "allowtipsha1inwant",
            "hiderefs",
            "keepalive",
        ],
    ),
    ("user", &["*"]),
];

/// The same for what stands under a name: `branch.main.remote`.
const NAMED: &[(&str, &[&str])] = &[
    (
        "branch",
        &[
            "*remote",
            "merge",
            "rebase",
            "pushremote",
            "description",
            "vscode-merge-base",
            "github-pr-owner-number",
            "gh-merge-base",
        ],
    ),
    ("difftool", &["*"]),
    ("includeif", &["path"]),
    ("mergetool", &["*"]),
    (
        "remote",
        &[
            "fetch",
            "followremotehead",
            "gh-resolved",
            "partialclonefilter",
            "promisor",
            "prune",
            "prunetags",
            "push",
            "pushurl",
            "skipdefaultupdate",
            "tagopt",
            "url",
        ],
    ),
    ("submodule", &["active", "branch", "fetchrecursesubmodules", "ignore", "shallow", "url"]),
];

/// Whether a setting by its full name, `section.name` or `section.of.name`, starts nothing and leads nowhere.
pub(super) fn is_plain(name: &str) -> bool {
    let Some((section, is_named, key)) = parts(name) else { return false };
    // git's own commands are no aliases.
    if section == "alias" {
        return true;
    }
    let table = if is_named { NAMED } else { PLAIN };
    let known = table.iter().find(|(known, _)| *known == section).map_or(&[][..], |(_, keys)| keys);
    known.iter().any(|known| *known == "*" || known.trim_start_matches('*') == key)
}

/// Whether a setting starts nothing, and says how git reaches an upstream or what it tells it: through whom, whom it trusts,
/// as whom.
pub(super) fn is_of_connection(name: &str) -> bool {
    let Some((section, _, key)) = parts(name) else { return false };
    match section.as_str() {
        "http" | "url" => true,
        "credential" => key != "helper",
        "push" => key == "pushoption",
        "remote" => ["proxy", "proxyauthmethod", "serveroption"].contains(&key.as_str()),
        _ => false,
    }
}

/// The section of a setting, whether it stands under a name there, and its own name.
fn parts(name: &str) -> Option<(String, bool, String)> {
    let (section, rest) = name.split_once('.')?;
    let (is_named, key) = rest.rsplit_once('.').map_or((false, rest), |(_, key)| (true, key));
    Some((section.to_ascii_lowercase(), is_named, key.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_writes_itself_is_plain_and_what_starts_programs_is_not() {
        for plain in [
            "core.repositoryformatversion",
            "core.FileMode",
            "remote.origin.url",
            "remote.a.b.fetch",
            "branch.main.remote",
            "branch.feature.x.merge",
            "user.email",
            "pull.rebase",
            "http.postBuffer",
            "receive.denyNonFastForwards",
            "uploadpack.allowFilter",
            "submodule.sub.url",
            "core.hookspath",
            "lfs.repositoryformatversion",
        ] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in [
            "filter.lfs.clean",
            "filter.x.process",
            "core.sshCommand",
            "core.gitProxy",
            "core.alternateRefsCommand",
            "core.askPass",
            "credential.helper",
            "credential.https://host.example.helper",
            "diff.external",
            "diff.x.textconv",
            "merge.x.driver",
            "gpg.program",
            "gpg.ssh.defaultKeyCommand",
            "remote.origin.uploadpack",
            "remote.origin.receivepack",
            "remote.origin.vcs",
            "remote.origin.mirror",
            "branch.main.mergeOptions",
            "submodule.sub.update",
            "remote.origin.serverOption",
            "fetch.bundleURI",
            "receive.procReceiveRefs",
            "uploadpack.packObjectsHook",
            "hook.x.command",
            "trailer.x.cmd",
            "protocol.ext.allow",
            "unheard.of",
            "nothing",
        ] {
            assert!(!is_plain(odd), "{odd}");
        }
    }

    #[test]
    fn what_leads_a_connection_elsewhere_weakens_it_or_listens_to_it_is_not_plain() {
        let of_http = [
            "proxy",
            "proxyAuthMethod",
            "proxySSLCert",
            "proxySSLKey",
            "proxySSLCAInfo",
            "sslVerify",
            "sslCAInfo",
            "sslCAPath",
            "sslBackend",
            "sslCert",
            "sslKey",
            "sslVersion",
            "sslCipherList",
            "pinnedPubkey",
            "schannelCheckRevoke",
            "emptyAuth",
            "proactiveAuth",
            "delegation",
            "extraHeader",
            "cookieFile",
            "saveCookies",
            "curloptResolve",
            "followRedirects",
            "userAgent",
        ];
        let of_http =
            of_http.iter().flat_map(|key| [format!("http.{key}"), format!("http.https://host.example.{key}")]);
        let others = [
            "remote.origin.proxy",
            "remote.origin.proxyAuthMethod",
            "url.https://elsewhere.example/.insteadOf",
            "url.ssh://elsewhere.example/.pushInsteadOf",
            "credential.username",
            "credential.useHttpPath",
            "credential.https://host.example.provider",
            "credential.https://host.example.username",
            "push.pushOption",
        ];
        for odd in of_http.chain(others.map(str::to_owned)) {
            assert!(!is_plain(&odd) && is_of_connection(&odd), "{odd}");
        }
        for program in
            ["credential.helper", "credential.https://host.example.helper", "core.sshCommand", "core.gitProxy"]
        {
            assert!(!is_plain(program) && !is_of_connection(program), "{program}");
        }
    }
}
