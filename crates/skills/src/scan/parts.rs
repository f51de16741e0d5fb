//! The parts of signs: words and patterns to search for, each with literals of which a match must contain one.
//!
//! Patterns match lower-case text (see `plain`). A blank in a pattern matches any gap between words, including the
//! marks that start a line of a quotation or a comment. Gaps are bounded, so that the work stays linear.

use std::{
    cell::OnceCell,
    ops::Range,
    sync::{LazyLock, OnceLock},
};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::Regex;

use super::ordinary;

/// A gap between two words.
const GAP: &str = r"[\s>#*/]{1,12}";

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident: $hints:expr, $pattern:expr;)*) => {
        /// A word or a pattern.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Part {
            $($(#[$doc])* $name,)*
        }

        const PARTS: &[(&[&str], &str)] = &[$(($hints, $pattern),)*];
    };
}

/// The places of every part in a text. A part is searched for on first use.
pub(super) struct Found<'t> {
    pub(super) text: &'t str,
    /// Whether a part may occur at all.
    hinted: Vec<bool>,
    places: Vec<OnceCell<Vec<Range<usize>>>>,
    /// Where the lines end.
    lines: OnceCell<Vec<usize>>,
}

/// All literals, and the part that each belongs to.
struct Hints {
    all: AhoCorasick,
    owners: Vec<usize>,
}

static HINTS: LazyLock<Hints> = LazyLock::new(|| {
    let hints = PARTS.iter().enumerate().flat_map(|(part, (hints, _))| hints.iter().map(move |hint| (part, *hint)));
    let (owners, hints): (Vec<_>, Vec<_>) = hints.unzip();
    let all = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(hints);
    Hints { all: all.expect("a test makes this"), owners }
});

static PATTERNS: [OnceLock<Regex>; PARTS.len()] = [const { OnceLock::new() }; PARTS.len()];

/// The pattern of a part, in bytes and ASCII only: a Unicode word boundary would make the search slow in text beyond
/// ASCII.
fn pattern(part: usize) -> &'static Regex {
    let compile =
        || Regex::new(&format!("(?s-u){}", PARTS[part].1.replace(' ', GAP))).expect("a test compiles every pattern");
    PATTERNS[part].get_or_init(compile)
}

impl<'t> Found<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut hinted = vec![false; PARTS.len()];
        for hint in HINTS.all.find_overlapping_iter(text) {
            hinted[HINTS.owners[hint.pattern().as_usize()]] = true;
        }
        Self { text, hinted, places: vec![OnceCell::new(); PARTS.len()], lines: OnceCell::new() }
    }

    pub(super) fn of(&self, part: Part) -> &[Range<usize>] {
        if !self.hinted[part as usize] {
            return &[];
        }
        let find = || {
            let found = pattern(part as usize).find_iter(self.text.as_bytes()).map(|found| found.range());
            found.filter(|place| !ordinary::is_ordinary(part, self.text, place)).collect()
        };
        self.places[part as usize].get_or_init(find)
    }

    /// The places of `one` with `other` at most `lines` lines away.
    pub(super) fn near(&self, one: Part, other: Part, lines: usize) -> impl Iterator<Item = &Range<usize>> {
        let other = if self.of(one).is_empty() { &[] } else { self.of(other) };
        let others: Vec<_> = other.iter().map(|place| self.line(place.start)).collect();
        self.of(one).iter().filter(move |place| {
            let line = self.line(place.start);
            let next = others.partition_point(|&other| other + lines < line);
            others.get(next).is_some_and(|&other| other <= line + lines)
        })
    }

    fn line(&self, offset: usize) -> usize {
        let ends = || self.text.match_indices('\n').map(|(at, _)| at).collect();
        self.lines.get_or_init(ends).partition_point(|&end| end < offset)
    }
}

parts! {
    /// A download whose output is run at once.
    PipedDownload: &["curl", "wget", "fetch", "aria2c", "irm", "iwr", "invoke-"],
        r"\b(?:curl|wget|fetch|aria2c|irm|iwr|invoke-webrequest|invoke-restmethod)\b[^\n;]{0,300}\|\s*(?:sudo\b[^|\n]{0,40}?)?(?:env\s+)?(?:/[\w/]{1,20}/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php|osascript|pwsh|powershell|iex|invoke-expression|source)\b(?:\s{1,8}(?:-\S{0,40}|/dev/stdin)){0,6}\s{0,8}(?:[\d;&|)'\x22`\n]|$|\\|--)|\b(?:curl|wget)\b[^\n;]{0,300}\|\s*xargs\b[^\n]{0,40}\b(?:ba|z)?sh\s+-c";
    /// A command that runs what a download inside it printed.
    RunsDownload: &["$(", "<(", "`curl", "`wget", "`fetch", "iex", "invoke-expression"],
        r"\b(?:eval|source|bash|sh|zsh|dash|python[\d.]*|node|perl|ruby)\b[^\n]{0,60}?(?:\$\(|<\()\s*(?:curl|wget|fetch|aria2c)\b|(?:^|[\n`;@&])\s*\.\s+(?:\$\(|<\()\s*(?:curl|wget|fetch)\b|\b(?:eval|sh\s+-c)\s+['\x22]?`\s*(?:curl|wget|fetch)\b|\b(?:iex|invoke-expression)\b[^\n]{0,80}(?:downloadstring|\birm\b|\biwr\b|invoke-webrequest|invoke-restmethod|webclient)";
    /// A download into a file.
    Download: &["curl", "wget", "aria2c", "clone", "invoke-webrequest", "iwr", "bitstransfer", "downloadfile", "urlretrieve"],
        r"\b(?:curl|wget|aria2c|invoke-webrequest|iwr|start-bitstransfer|downloadfile|urlretrieve|git clone)\b[^\n]{0,200}?(?:https?|ftp)://\S{0,80}";
    /// A local file that is made into a program or run as one.
    Runs: &["chmod", "sh", "./", "start", "popen", "subprocess", "exec", "nohup", "make", "insert_libraries", ".exe", "install", "/tmp"],
        r"\bchmod\s+(?:-\w+\s+)?(?:[augo]*\+\w*x|0?7[0-7]{2})|os\.chmod\(|start-process|\bnohup\b|(?:^|[\n;&|])\s*(?:sudo\s+)?(?:ba|z)?sh\s+[\w./~$-]{1,80}|(?:^|[\n;&|])\s*\./[\w./-]{2,80}|&&\s*start\s|&&\s*%\w+%\\|subprocess\.(?:popen|run|call)\(\[\x22/|dyld_insert_libraries|ld_preload=|&&\s*make\b[^\n]{0,40}install|&\s*\$env:\w+\\";
    /// A Windows program that attackers use for downloads because it is always installed.
    WindowsTool: &["wmic", "hidden", "certutil", "bitsadmin", "mshta", "regsvr32", "rundll32", "executionpolicy", "installutil", "msiexec"],
        r"certutil[^\n]{0,80}-urlcache|bitsadmin[^\n]{0,80}(?:/transfer|/addfile)|\bmshta(?:\.exe)?\s+\S{0,10}(?:https?|vbscript|javascript)|regsvr32[^\n]{0,60}/i:\s*https?|rundll32[^\n]{0,40}(?:javascript|https?)|msiexec[^\n]{0,40}/i\s+https?|executionpolicy bypass[^\n]{0,120}(?:hidden|\\\\)|wmic[^\n]{0,40}process call create|powershell[^\n]{0,60}\s-w(?:indowstyle)?\s+hidden";
    /// A program that runs text as code.
    RunsText: &["execsync", "exec", "eval", "function", "marshal", "iex"],
        r"(?:^|[^.\w])(?:exec|eval)\s*\(|\bnew function\(|marshal\.loads|\beval\s+(?:get|uri)\b|vm\.run|\biex\b|__import__\(\s*['\x22](?:os|subprocess)|exec\(compile\(|child_process['\x22)]*\.exec\(\s*\w+\.|\bexecsync\(";
    /// Code that asks the network for something.
    Asks: &["urlopen", "requests.", "httpx.", "fetch(", ".get(", "lwp::", "uri.open", "file_get_contents", "downloadstring", "websocket", "urllib"],
        r"urlopen\(|requests\.get\(|httpx\.get\(|\bfetch\(|https?['\x22]?\)\.get\(|lwp::simple|uri\.open|file_get_contents\(\s*['\x22]?https?|downloadstring|new websocket\(|axios\.get\(|aiohttp";
    /// Text that is decoded.
    Decodes: &["gunzip", "inflate", "base64", "b64decode", "fromhex", "xxd", "atob", "openssl", "zlib", "codecs", "fromcharcode", "chr", "rev", "tr ", "-enc", "-e ", "frombase64", "bytes(", "rot13"],
        r"base64['\x22]?\s+(?:-d\b|--decode|-di\b)|b64decode|bytes\.fromhex|unhexlify|xxd\s+-r|\batob\(|openssl\s+(?:enc|base64|aes)[^\n]{0,40}\s-d\b|zlib\.decompress|codecs\.decode|buffer\.from\([^\n]{0,3000}?['\x22](?:base64|hex)['\x22]|fromcharcode\(|map\(chr,|chr\(\w+\s*\^|\brev\b[^\n]{0,40}\||tr\s+'?a-za-z'?\s+'?n-za-m|frombase64string|bytes\(\s*\w+\s*\^|gunzip|rot_?13|inflatesync\(";
    /// Decoded text that goes to a shell.
    PipedDecode: &["base64", "xxd", "openssl", "gunzip", "rev", "tr "],
        r"(?:base64\s+(?:-d\b|--decode|-di)|xxd\s+-r|openssl\s+(?:enc|base64|aes)[^\n|]{0,60}\s-d\b[^\n|]{0,80}|gunzip|\brev\b|tr\s+'?a-za-z)[^\n]{0,120}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:ba|z)?sh\b[^\n]{0,30}(?:<<<|<\(|\$\()[^\n]{0,200}base64\s+(?:-d|--decode)|\beval\s+\x22?\$\([^\n]{0,200}(?:base64\s+-|xxd\s+-r|openssl\s)";
    /// A command of PowerShell in base64.
    EncodedCommand: &["powershell", "pwsh"], r"(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,80}\s?-e(?:n|nc|c|ncodedcommand)?\s+[a-z0-9+/=]{16,}";
    /// Where keys, passwords and wallets are kept.
    Credentials: &["op read", "pass show", "kv get", "get password", "print-access-token", "configure get", ".ssh", "id_rsa", "id_ed25519", ".aws", ".env", ".kube", ".npmrc", ".pypirc", ".netrc", ".docker", "gcloud", ".gnupg", "auth", "get_frozen_credentials", "secret_key", ".git-credentials", "/etc/shadow", "/etc/passwd", ".azure", "credential"],
        r"\.ssh\b|id_(?:rsa|ed25519|ecdsa)\b|\.aws[/\\'\x22]|~/\.aws\b|(?:^|[\s/'\x22=(@])\.env\b(?:\.\w+)?|\.kube/config|\.npmrc\b|\.pypirc\b|\.netrc\b|\.docker/config|\.config/gcloud|\.gnupg|\bgh auth token|get_frozen_credentials|\.git-credentials|/etc/(?:shadow|passwd)|~/\.azure|\bop read\b|\bpass show\b|vault kv get|\bbw get password|auth print-access-token|aws configure get";
    /// Browser profiles, keychains, wallets.
    Vaults: &["get_password", "document.cookie", "keychain", "generic-password", "login", "cookies", "wallet", "phrase", "moz_", "exodus", "electrum", "metamask", "storage", "hidden", "user data"],
        r"dump-keychain|find-(?:generic|internet)-password|login\.keychain|chrome safe storage|login data|(?:chrome|firefox|edge|brave|user data)[^\n]{0,60}cookies|cookies\.sqlite|moz_cookies|electrum/wallets|application support/(?:exodus|electrum)|wallet\.dat|(?:seed|recovery) phrase|metamask[^\n]{0,40}(?:vault|extension)|with hidden answer|user data\\default|keyring\.get_password|document\.cookie";
    /// The whole environment, or a token in it.
    Environment: &["env |", "printenv", "environ", "process.env", "_token", "_key", "secret", "whoami"],
        r"(?:^|[\s;(`'\x22])env \|(?:\s)|\bprintenv\b|dict\(os\.environ\)|json\.dumps\([^\n]{0,20}os\.environ|(?:env\s*:|stringify\(|\()\s*process\.env\s*[,)}]|(?:\$|process\.env\.|os\.environ\S{0,3})\{?\w*(?:_token|_key|secret)\w*|\$\(whoami\)[^\n]{0,80}\$";
    /// Something is sent elsewhere.
    Sends: &["put(", "curl", "wget", "post", "nc ", "scp", "rsync", "sendall", "sendbeacon", "ftp", "send", "dig", "connect", "invoke-restmethod"],
        r"\bcurl\b[^\n]{0,120}(?:\s-(?:d|f|t|sd)\b|--data|--upload-file|--form|-x\s*(?:post|put)|\?\w+=\S{0,10}[${])|--post-(?:file|data)|\.post\(|method['\x22]?:\s*['\x22]post|-method post|\|\s*(?:nc|ncat|netcat)\s|\bscp\s[^\n]{0,120}@|rsync\s[^\n]{0,120}(?:rsync://|@)|\.sendall\(|\.send\(open|sendbeacon\(|urllib\.request\.request\([^\n]{0,200}data=|xargs[^\n]{0,40}curl|curl\b[^\n]{0,40}https?://\S{0,80}[?&]\w{1,12}=(?:\{\}|\$)|curl -t|(?:requests|httpx|session|client)\.put\(|fetch\(\s*[\x22'`]https?://[^\n]{0,80}\+";
    /// Prose that asks to send something to an address.
    AsksToSend: &["send", "post", "upload", "include", "forward", "write", "report", "put"],
        r"\b(?:send|post|upload|forward|transmit|submit|include|report|exfiltrate)\b.{0,200}https?://";
    /// A service that accepts anonymous data.
    DropSite: &["serveo", "localhost.run", "webhook.site", "discord", "telegram", "sprunge", "oast", "burpcollaborator", "transfer.sh", "requestbin", "pipedream", "interact.sh", "ngrok", "0x0.st", "termbin", "file.io", "hookbin", "beeceptor", "requestcatcher", "canarytokens", "ix.io"],
        r"webhook\.site|discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot|\bsprunge\.us|\boast\.\w+|burpcollaborator\.net|\btransfer\.sh|requestbin|pipedream\.net|interact\.sh|\b0x0\.st|termbin\.com|\bfile\.io\b|hookbin|beeceptor|requestcatcher|\bix\.io\b|serveo\.net|localhost\.run";
    /// Local data or a secret nearby.
    LocalData: &["$(", "process.env", "open(", "-f ", "--upload-file", "tar ", "cat ", "@", "<-"],
        r"\$\(\s*cat|process\.env|open\(|--upload-file|\btar\s+c|file=@|=<-|@-|\bcat\s";
    /// A DNS query whose name carries data.
    DnsLeak: &["dig", "nslookup", "dns"],
        r"\b(?:dig|nslookup|host)\b[^\n]{0,40}[$`][^\n]{0,20}\.[a-z]{2,}|dns['\x22]?\)?\.resolve\w*\([^\n]{0,80}(?:process\.env|tostring\()|for \w+ in \$\([^\n]{0,60}base64[^\n]{0,60}\b(?:dig|nslookup|ping)\b";
    /// A request to a person for a secret.
    AsksForSecret: &["token", "password", "key", "secret", "credential"],
        r"\b(?:ask|prompt|request)\b.{0,60}\b(?:token|password|api key|secret|credentials?)\b";
    /// A value that goes into an address.
    IntoAddress: &["query", "parameter", "url"], r"\b(?:query (?:parameter|string)|url parameter|in the url|to the url)\b";
    /// The project's whole source, sent to another place.
    SourceSent: &["set-url"], r"git remote set-url[^\n]{0,160}git push";
    /// A line to paste into a terminal, from a stranger.
    PasteThis: &["console", "paste", "copy", "terminal", "win+r", "glot.io", "rentry", "pastebin", "prompt", "xattr"],
        r"(?:paste|copy)\b.{0,120}(?:terminal|command prompt|powershell|win ?\+ ?r|shell\b)|(?:terminal|command prompt|shell|win ?\+ ?r)\b.{0,60}\bpaste\b|xattr\s+-(?:cr|rc|dr|r?d).{0,60}\.app|console\b.{0,40}\bpaste\b|paste\b.{0,60}\bconsole\b";
    /// The command is in another place.
    FromElsewhere: &["glot.io", "rentry", "pastebin", "http", "gist", "mshta", "curl"],
        r"glot\.io|rentry\.\w+|pastebin|hastebin|dpaste|https?://|mshta|curl\b";
    /// Snippets that are to be executed.
    RemoteSnippet: &["glot.io", "rentry", "pastebin", "hastebin", "dpaste", "ghostbin"],
        r"(?:glot\.io|rentry\.(?:co|org)|pastebin\.\w+|hastebin|dpaste|ghostbin).{0,160}(?:execute|run|paste|terminal|shell)|(?:paste|execute|run)\b.{0,120}(?:glot\.io|rentry\.(?:co|org)|pastebin\.\w+|hastebin|dpaste)";
    /// Instructions on another server.
    RemoteInstructions: &["follow", "obey", "instructions"],
        r"(?:fetch|load|download|read|visit|open|get)\b.{0,20}https?://.{0,160}(?:follow|obey|execute|carry out).{0,80}(?:instruction|it\b|exactly|command)";
    /// An archive that a scanner cannot look into.
    LockedArchive: &["unzip", "7z", "password", "passphrase", "pwd=", "unrar", "pw:", "pass:", "pwd:"],
        r"\b(?:download|get|grab|fetch|open|unpack|extract|unzip|install)\b.{0,120}(?:\bzip|\.zip|\brar|\.rar|7z|archive)\b.{0,60}\b(?:password|passphrase|pass|pwd|pw)\b\s{0,4}(?::|=|is\s+['\x22`])\s{0,4}['\x22`]?\w|(?:\.rar|\.zip|\.7z)\b.{0,40}\bwith the (?:password|passphrase)\b|unzip\s[^\n]{0,40}-p\s*\S+|7z(?:a|r|\.exe)?['\x22]?\s+[xe]\s[^\n]{0,40}-p\S+|unrar\s+[xe]\s+-p\S+|extractall\([^\n]{0,80}pwd=|(?:unpack|extract|unzip|decompress|archive|zip)\b.{0,160}\b(?:password|passphrase)\b[:\s]*(?:is\s)?['\x22`(]\s?\w";
    /// A command that changes such a file.
    ChangesMemory: &["claude.md", "agents.md", "gemini.md", "soul.md", "memory.md", "cursorrules", "copilot-instructions", "write_text"],
        r"(?:>>?|tee\s+(?:-a\s+)?|sed\s+-i[^\n]{0,160})\s*\S{0,40}(?:claude|agents|gemini|soul|memory)\.md|(?:>>|tee\s+-a)\s*\S{0,40}(?:\.cursorrules|copilot-instructions)|(?:append|add|write|insert)\b[^\n]{0,80}(?:global|user's|home)[^\n]{0,40}(?:claude|agents|gemini)\.md|(?:append|add|write|insert)\b[^\n]{0,80}(?:claude|agents|gemini|soul|memory)\.md[^\n]{0,120}(?:without asking|silently|survives|never|always|before every)|memory\.write_text";
    /// `always`, `silently`: the tone of a planted rule.
    Planted: &["always", "never", "must", "ignore", "silently", "before", "when", "trust"],
        r"\b(?:always|never|must|ignore|silently|trust)\b|before (?:every|each)|when asked";
    /// An address by number, not by name.
    RawAddress: &["://0", "://1", "://2", "://3", "://4", "://5", "://6", "://7", "://8", "://9", "connect(("],
        r"(?:https?|wss?|ftp)://(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{6,8}|\d{8,10})\b(?::\d+)?|connect\(\(\s*['\x22]\d{1,3}(?:\.\d{1,3}){3}";
    /// An image or link that sends data away.
    Beacon: &["<meta", "![", "<img", "<link", "<script", "<iframe", "=base64", "=encoded", "=data", "=content", "image"],
        r"!\[[^\]\n]{0,80}\]\(\s*https?://[^)\n]{0,200}[?&/=](?:[^)\n]{0,80})?(?:\{\{|\$\{|<[a-z]|%7b%7b|\{[a-z_]+\}|\[[a-z_ ]+\])|<(?:img|link|script|iframe)\b[^>]{0,200}(?:src|href)=['\x22]?https?://[^>\s]{0,200}[?&]\w{1,20}=(?:\$\{|\{)|\]\(https?://[^)\n]{0,120}\?\w{1,12}=(?:base64|encoded|data|content)[\w-]{0,40}|(?:url|query|address)\b[^\n]{0,60}\bmarkdown image|markdown image[^\n]{0,120}(?:summary|conversation|content|loads by itself)|<meta\b[^>]{0,120}url=https?://[^>\s]{0,200}[?&]\w{1,20}=(?:\$\{|\{)";
    /// Something that starts automatically from then on.
    Persists: &["hookspath", "bash_aliases", "crontab", "bashrc", "zshrc", "profile", "launchagents", "launchdaemons", "launchctl", "systemctl", "schtasks", "currentversion", "authorized_keys", ".git/hooks", "autostart", "rc.local", "startup", "cron.d"],
        r"\|\s*crontab\s+-|>>?\s*/etc/cron|>>?\s*['\x22]?(?:~|\$home)/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|config/fish/config\.fish)|launchagents/|launchctl\s+(?:load|bootstrap)|launchdaemons/|systemctl\s+(?:--user\s+)?enable|\.config/systemd/user|schtasks\s+/create|reg\s+add\s+\S*\\currentversion\\run|add-content[^\n]{0,40}\$profile|>>\s*\S{0,40}authorized_keys|>\s*\.git/hooks/|\.config/autostart|open\([^\n]{0,60}\.(?:bashrc|zshrc|profile)['\x22)]+,\s*['\x22]a|\.(?:bashrc|zshrc)[^\n]{0,40}\.(?:open|write)|start menu\\programs\\startup|git config[^\n]{0,20}core\.hookspath|>>?\s*\S{0,12}\.bash_(?:aliases|login|logout)";
    /// A command that switches a protection off.
    Disarms: &["mppreference", "spctl", "csrutil", "ufw", "setenforce", "nopasswd", "advfirewall", "vssadmin", "chmod", "tls_reject", "sslverify", "histfile", "history", "shred", "antivirus", "xattr", "gatekeeper", "defender"],
        r"(?:set|add)-mppreference|spctl\s+--(?:master|global)-disable|csrutil\s+disable|\bufw\s+disable|setenforce\s+0|nopasswd:\s*all|advfirewall[^\n]{0,40}\boff|vssadmin\s+delete|chmod\s+-r\s+777\s+/|xattr\s+-(?:cr|rc|dr|r?d)\b[^\n]{0,80}(?:\.app\b|quarantine)|histfile\b[^\n]{0,20}(?:;|=/dev/null)|history\s+-c\b|shred\s[^\n]{0,40}/var/log|(?:turn off|disable|switch off|deactivate|stop)\b[^\n]{0,40}(?:antivirus|anti-virus|gatekeeper|windows defender|real-time protection|firewall)|stop-service\s+\S*windefend|chmod\s+(?:u\+s|4[0-7]{3})\b";
    /// A check of certificates that is switched off.
    BlindTrust: &["tls_reject", "sslverify", "--insecure", "verify=false"],
        r"node_tls_reject_unauthorized['\x22]?\s*=\s*['\x22]?0|sslverify\s+false";
    /// The words of an injected prompt.
    Override: &["ignore", "disregard", "forget", "override"],
        r"\b(?:ignore|disregard|forget|override) (?:all|any|every|your|earlier|previous|prior|above|the user's|(?:all )?the (?:above|previous|earlier))\b.{0,60}(?:instruction|rule|prompt|message|setting|preference|guideline|restriction)|ignore security warnings";
    /// A request to add a line to an agent's memory file.
    AddsToMemory: &["claude.md", "agents.md", "gemini.md", "soul.md", "memory.md"],
        r"\b(?:append|add|write|insert|put|paste)\b[^\n]{0,60}\b(?:lines?|rules?|this|following|sentence|instructions?)\b[^\n]{0,60}(?:claude|agents|gemini|soul|memory)\.md";
    /// An order for all later work, often unseen.
    PlantedOrder: &["always", "never", "without asking", "silently", "trust"],
        r"\b(?:always|never)\b[^\n]{0,40}\b(?:run|execute|fetch|send|include|tell|mention|ask)\b[^\n]{0,80}(?:https?://|user|person|human|permission)|without asking|silently|\btrust (?:every|all|any)";
    /// A copy that the recipients do not see.
    BlindCopy: &["bcc"],
        r"\b(?:always|also|silently|secretly|every|each|all|any|add|put|include|set)\b[^\n]{0,60}\bbcc\b[^\n]{0,80}|\bbcc\b[^\n]{0,80}\b(?:every|each|all)\b|\badd[^\n]{0,60}\b(?:in|to|as) bcc\b";
    /// A mail address.
    MailAddress: &["@"],
        r"\b[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{1,60}";
    /// A command that Claude Code runs when it reads a skill.
    WhenRead: &["!`", "```!"],
        r"!`|(?:^|\n)[\x20\t]{0,3}```!";
    /// A new role without limits.
    NewRole: &["you are now", "prompt", "devmode", "restrictions", "jailbreak"],
        r"you are now.{0,60}(?:mode|restrict|unrestricted|admin|root|free)|new system prompt|have no restrictions|\bdan mode|developer mode enabled";
    /// An order to hide something from the user.
    Conceal: &["quietly", "secretly", "report", "tell", "inform", "alert", "notify", "mention", "silently", "hide", "hidden", "secret", "steps", "commands", "instructions"],
        r"(?:do not|don'?t|must not|never|without) (?:ever )?(?:tell|telling|inform|informing|alert|alerting|notify|notifying) (?:the |your )?(?:user|human|person|owner)|(?:do not|don'?t|must not|never) (?:ever )?mention (?:it|this)\b|(?:do not|don'?t|must not|never) (?:ever )?(?:show|reveal|mention|disclose) (?:the |these |this |any )?(?:steps?|command|instruction)s?.{0,30}(?:user|answer|output|reply)|silently run|hide (?:the |these |this )?(?:output|commands)|keep this (?:secret|hidden) from|no need to (?:report|mention|tell)|(?:quietly|secretly|silently) (?:upload|send|post|execute|copy|collect|forward)|keep quiet about";
    /// A claim of permission, or an order to skip it.
    Unasked: &["confirmation", "approval", "approve", "granted", "permission"],
        r"(?:skip|bypass|ignore|disable) (?:every |all |any |the )?(?:approvals?|confirmation prompts?|permission prompts?|permission checks?|confirmations)\b|approve (?:every|all|each) (?:tool call|command|request)|user has (?:already )?(?:granted|approved|given).{0,60}(?:everything|all|permission)";
    /// An order not to ask for permission.
    Unquestioned: &["permission", "confirmation", "approval"],
        r"never ask(?: the user)? for (?:permission|confirmation|approval)|without asking (?:for )?(?:permission|confirmation) (?:from|of)";
    /// Secrets of the conversation.
    Reveal: &["prompt", "hidden", "conversation", "history"],
        r"(?:reveal|print|output|repeat|leak|send|write)\b.{0,40}(?:system prompt|hidden instructions|full conversation|chat history)";
    /// Text that a rendered page does not show.
    HiddenMarkup: &["display:none", "visibility:hidden", "hidden", "font-size:0", "<!--", "[//]:", "opacity:0", "hidden"],
        r"display:\s*none|visibility:\s*hidden|<\w+ hidden\b|font-size:\s*0|<!--|\[//\]:|opacity:\s*0\b";
    /// Text addressed to an assistant.
    ToAssistant: &["if you are", "assistant", "agents", "system", "instruction", "model"],
        r"\b(?:assistant|ai agents?|system)\s?(?::|only|must|should|,)|instruction for ai|note to (?:the )?(?:ai|model|assistant)|if you are an? (?:ai|assistant|llm|language model)";
    /// A shell that another person controls.
    ReverseShell: &["tcpclient", "http.server", "/dev/tcp", "mkfifo", "pty.spawn", "dup2", "socat", "nc ", ".stdin", "ssh -", "child_process"],
        r"/dev/(?:tcp|udp)/|mkfifo[^\n]{0,120}\b(?:nc|ncat|telnet|openssl)\b|pty\.spawn|os\.dup2|socat\b[^\n]{0,80}exec:|\b(?:nc|ncat)\b[^\n]{0,40}\s-(?:e|c)\s|\.pipe\(\s*\w+\.stdin|ssh\s+-\w*[fn]\w*\s+-r\s+\d|tcpclient\([^\n]{0,200}getstream|onmessage[^\n]{0,80}\.exec\(|\bssh\s+(?:-\w+\s+)?-r\s+\d{2,5}:|http\.server[^\n]{0,60}--directory\s+(?:~|/)(?:[\s;&]|$)";
    /// An agent without its protections.
    Unguarded: &["docker", "bypasspermissions", "dangerously-skip", "danger-full-access", "ask-for-approval", "bash(*)", "--yolo", "mcpservers", "base_url", "pretooluse", "sessionstart", "posttooluse"],
        r"bypasspermissions|dangerously-(?:skip-permissions|bypass-approvals)|danger-full-access|ask-for-approval\s+never|\x22bash\(\*\)\x22|(?:>>?|\bmv\s+\S{1,60}|\btee(?:\s+-a)?)\s*\S{0,40}(?:\.cursor/mcp|\.claude/settings|\.codex/config|\.mcp)\.\w+|\.mcpservers\.\w+\s*=|docker run[^\n]{0,120}-v\s+/:";
    /// A change of the address of an agent's own requests.
    Redirected: &["base_url"],
        r"(?:anthropic|openai|gemini|google)_(?:api_)?base_url\s*=\s*['\x22]?https?://";
    /// A command that an agent runs automatically.
    Hook: &["hooks", "postinstall", "preinstall", "pretooluse", "posttooluse", "sessionstart", "!`", "```!"],
        r"\x22(?:post|pre)?install\x22\s*:|pretooluse|posttooluse|sessionstart|userpromptsubmit|!`|```!";
    /// A command that talks to the network.
    Network: &["curl", "wget", "http://", "nc ", "irm"],
        r"\b(?:curl|wget|nc|ncat|irm|iwr)\s+\S";
    /// Files that are destroyed.
    Destroys: &["rm -", "rmtree", "-delete", "del /", "format ", "mkfs", "remove-item"],
        r"rm\s+-(?:rf|fr|r\s+-f)\s+(?:--no-preserve-root\s+)?(?:~/?|/|\$home/?|/\*)(?:[\s;&'\x22`]|$)|no-preserve-root|rmtree\([^\n]{0,40}(?:path\.home\(\)|expanduser\(['\x22]~['\x22]\))|find\s+~[^\n]{0,160}(?:enc|-delete)|mkfs\.\w+\s+/dev|del\s+/[sfq][^\n]{0,20}c:\\";
    /// A miner of coins.
    Miner: &["xmrig", "stratum+", "minerd", "cryptonight"], r"xmrig|stratum\+(?:tcp|ssl)|\bminerd\b|cryptonight";
    /// A package from an address.
    PackageAddress: &["install", "npx", "uvx", "npm i", "npm config", "index-url"],
        r"\b(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|config set registry)\b[^\n]{0,60}\shttps?://\S+|\bpip3?\s+install\b[^\n]{0,80}\shttps?://\S+|(?:--index-url|--extra-index-url|-i)\s+https?://\S+|\b(?:npx|bunx|pnpx)\s(?:-\S{1,40}\s{1,8}){0,6}https?://\S+|uvx?\s[^\n]{0,60}--from\s+https?://\S+|--trusted-host";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_never_fits_nothing() {
        assert_eq!(HINTS.owners.last(), Some(&(PARTS.len() - 1)));
        for part in 0..PARTS.len() {
            assert!(!pattern(part).is_match(b""), "{}", pattern(part));
        }
    }
}
