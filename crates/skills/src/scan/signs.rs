//! The table of signs: what looks harmful, how dangerous it is, and why.
//!
//! To add a sign, add a row here and its parts in `parts`.

use std::ops::Range;

use super::{
    Danger::{self, High, Low, Medium},
    context::Excuse,
    parts::{Found, Part},
};

/// A sign of harm.
#[derive(Debug, Clone, Copy)]
pub struct Sign {
    /// Its id, in kebab-case.
    pub id: &'static str,
    /// How dangerous it is, when the text does not merely talk about it.
    pub danger: Danger,
    /// What was found and what it could do, as a sentence.
    pub says: &'static str,
    /// Why it is a sign, in a sentence.
    pub why: &'static str,
    /// Any of these shows it.
    looks: &'static [Look],
    /// What lowers its danger.
    pub(super) excused: Excuse,
}

/// Where a sign is found.
#[derive(Debug, Clone, Copy)]
enum Look {
    /// Where this part is.
    At(Part),
    /// Where this part is, except in installers of well-known tools.
    Stranger(Part),
    /// Where the installer of a well-known tool is.
    Known(Part),
    /// Where the first part has the second at most this many lines away.
    Near(Part, Part, usize),
    /// As `Near`, except for installers of well-known tools and public sources.
    StrangerNear(Part, Part, usize),
    /// As `Near`, only for those installers and sources.
    KnownNear(Part, Part, usize),
}

use self::{
    Excuse::{No, Talk, TalkOrOption},
    Look::{At, Known, KnownNear, Near, Stranger, StrangerNear},
    Part::*,
};

/// The sign that no pattern finds.
pub(super) const INVISIBLE: &str = "invisible-text";

/// Every sign.
#[rustfmt::skip]
pub const SIGNS: &[Sign] = &[
    sign("download-and-run", High, No, &[Stranger(PipedDownload), Stranger(RunsDownload), Near(RunsText, Asks, 6)],
        "This downloads a program and runs it at once, so nobody sees what it does.",
        "The address can give something else to each person, every day."),
    sign("known-installer", Low, No, &[Known(PipedDownload), Known(RunsDownload)],
        "This downloads the installer of a well-known tool and runs it at once.",
        "The address is the tool's own; what it installs is still decided there."),
    sign("source-then-run", Medium, No, &[KnownNear(Download, Runs, 4)],
        "This fetches the source of a program, or the installer of a well-known tool, and runs it.",
        "The program is not part of the skill, although its source is public."),
    sign("download-then-run", High, No, &[StrangerNear(Download, Runs, 4)],
        "This downloads a file and runs it.",
        "The program is not part of the skill, so nobody can read it beforehand."),
    sign("windows-downloader", High, No, &[At(WindowsTool)],
        "This uses a tool of Windows as attackers do, to fetch and start programs.",
        "Such tools are on every computer and trusted, so they hide what really runs."),
    sign("decode-and-run", High, No, &[At(PipedDecode), At(EncodedCommand), Near(RunsText, Decodes, 3)],
        "This decodes text and runs it, so nobody can read what it does.",
        "Honest commands have no need to be unreadable."),
    sign("credentials-sent", High, No, &[Near(Credentials, Sends, 6), Near(Credentials, AsksToSend, 2), Near(Credentials, DropSite, 6)],
        "This reads a file with keys or passwords and, close by, sends something elsewhere.",
        "Stolen keys are used within minutes."),
    sign("vault-opened", High, No, &[Near(Vaults, Sends, 6), Near(Vaults, AsksToSend, 3), Near(Vaults, DropSite, 6)],
        "This reads passwords, cookies or a wallet and, close by, sends something elsewhere.",
        "Thieves take browser profiles, keychains and wallets first."),
    sign("environment-sent", High, No, &[Near(Environment, Sends, 2), Near(Environment, DropSite, 3)],
        "This sends environment variables elsewhere, which often contain keys.",
        "Programs commonly get their keys and tokens in the environment."),
    sign("drop-site", High, No, &[Near(DropSite, LocalData, 2), At(DnsLeak)],
        "This sends data to a service that takes it from anybody, unseen.",
        "Such services need no account, so nobody can tell who reads along."),
    sign("drop-site-named", Low, No, &[At(DropSite)],
        "This names a service that is used to drop data unseen.",
        "It is common in attacks, and in honest examples too."),
    sign("credentials-named", Low, No, &[At(Credentials)],
        "This names a place where keys or passwords are kept.",
        "A skill that reads it can pass it on to everybody who sees the conversation."),
    sign("secret-asked", High, Talk, &[Near(AsksForSecret, IntoAddress, 2)],
        "This asks a person for a secret and puts it into an address.",
        "Addresses are logged on the way, and the owner of the server reads them."),
    sign("source-sent", High, No, &[At(SourceSent)],
        "This sends the project's source to another place.",
        "Source that is not public may be private."),
    sign("paste-this", High, No, &[Near(PasteThis, FromElsewhere, 2), At(RemoteSnippet)],
        "This asks a person to run a command from elsewhere in their terminal.",
        "This trick gets past every check, because the person runs it themselves."),
    sign("remote-instructions", High, No, &[At(RemoteInstructions)],
        "This asks to follow instructions from another server.",
        "They can be changed at any time, after everybody has looked."),
    sign("locked-archive", High, No, &[At(LockedArchive)],
        "This unpacks an archive with a password.",
        "A password keeps virus scanners from looking inside."),
    sign("memory-changed", High, No, &[Near(ChangesMemory, Planted, 3)],
        "This writes rules into a file that every later conversation begins with.",
        "Models follow that file long after this skill is gone."),
    sign("memory-named", Low, No, &[At(ChangesMemory)],
        "This changes a file that every later conversation begins with.",
        "Models follow that file long after this skill is gone."),
    sign("memory-asked", High, Talk, &[Near(AddsToMemory, PlantedOrder, 2)],
        "This asks to write an order into a file that every later conversation begins with.",
        "Models follow that file long after this skill is gone."),
    sign("blind-copy", High, No, &[Near(BlindCopy, MailAddress, 1)],
        "This secretly sends a copy of messages to somebody else.",
        "Mail is private, and nobody notices one more reader."),
    sign("raw-address", High, No, &[Near(RawAddress, Sends, 3), Near(RawAddress, Runs, 3), Near(RawAddress, AsksToSend, 1), Near(RawAddress, ReverseShell, 3)],
        "This talks to a server by its number, without a name.",
        "Honest services have a name; a number is hard to trace and easy to change."),
    sign("beacon", High, Talk, &[At(Beacon)],
        "This shows a picture or a link whose address carries data away.",
        "Pictures load without asking, and the owner of the server sees their addresses."),
    sign("persistence", High, No, &[At(Persists)],
        "This makes something start by itself from now on.",
        "It stays on the computer when the skill is gone."),
    sign("protection-off", High, No, &[At(Disarms)],
        "This switches off a protection of the computer, or wipes its traces.",
        "Only a program with something to hide needs that."),
    sign("certificates-unchecked", Medium, No, &[At(BlindTrust)],
        "This switches off the check of certificates.",
        "Anybody on the way can then change what is downloaded."),
    sign("prompt-override", High, Talk, &[At(Override), At(NewRole)],
        "This tells the model to set other instructions aside.",
        "A skill has no need to silence the person's own rules."),
    sign("concealed", High, Talk, &[At(Conceal)],
        "This asks the model to keep something from the person.",
        "Only things that the person would not want need to be kept from them."),
    sign("question-skipped", Medium, TalkOrOption, &[At(Unquestioned)],
        "This tells the model not to ask the person.",
        "The question is the person's last chance to say no."),
    sign("consent-skipped", High, TalkOrOption, &[At(Unasked)],
        "This tells the model to get around the person's permission.",
        "The question is the person's last chance to say no."),
    sign("hidden-text", High, Talk, &[Near(HiddenMarkup, ToAssistant, 2), Near(HiddenMarkup, Conceal, 3), Near(HiddenMarkup, Override, 3)],
        "This speaks to the model in a place that a person does not see.",
        "A person misses it; the model does not."),
    sign("prompt-leak", High, Talk, &[Near(Reveal, AsksToSend, 2)],
        "This asks the model to give away the conversation or its instructions.",
        "Both can be private."),
    sign("reverse-shell", High, No, &[At(ReverseShell)],
        "This gives somebody elsewhere a shell on this computer.",
        "From there they can do everything that the computer's owner can."),
    sign("agent-unguarded", High, No, &[At(Unguarded), At(Redirected)],
        "This removes the safeguards of an agent, or changes its settings.",
        "An agent without safeguards runs everything that it reads."),
    sign("hook", High, No, &[Near(Hook, Network, 3), Near(WhenRead, Credentials, 2), Near(WhenRead, Vaults, 2), Near(WhenRead, Environment, 1)],
        "This runs a command that talks to the network or reads secrets without being asked.",
        "Hooks, and commands that run when a skill is read, run by themselves, before anybody can say no."),
    sign("run-when-read", Low, No, &[At(WhenRead)],
        "This runs a command when the skill is read.",
        "Claude Code runs it before anybody can say no; its output becomes part of the skill."),
    sign("destruction", High, No, &[At(Destroys)],
        "This deletes or locks a person's files.",
        "They do not come back."),
    sign(INVISIBLE, High, Talk, &[],
        "This text is invisible to people.",
        "A model still reads it, so it can say anything unnoticed."),
    sign("mining", High, No, &[At(Miner)],
        "This uses the computer to earn money for somebody else.",
        "Most break-ins leave a miner behind."),
    sign("package-address", High, No, &[At(PackageAddress)],
        "This installs a package from an unusual address instead of a registry.",
        "Packages run code when they are installed, and nobody has reviewed this one."),
];

const fn sign(
    id: &'static str,
    danger: Danger,
    excused: Excuse,
    looks: &'static [Look],
    says: &'static str,
    why: &'static str,
) -> Sign {
    Sign { id, danger, says, why, looks, excused }
}

/// Addresses of well-known tools' installers.
const INSTALLERS: &[&str] = &[
    "://astral.sh/",
    "://sh.rustup.rs",
    "://get.docker.com",
    "://bun.sh/",
    "://bun.com/",
    "://deno.land/",
    "://get.pnpm.io/",
    "://install.python-poetry.org",
    "://deb.nodesource.com/",
    "://fnm.vercel.app/",
    "://starship.rs/",
    "://get.helm.sh/",
    "://ollama.com/",
    "://mise.run",
    "://claude.ai/install",
    "://cli.github.com/",
    "://fly.io/install",
    "://get.sdkman.io",
    "://aka.ms/",
    "://raw.githubusercontent.com/nvm-sh/",
    "://raw.githubusercontent.com/homebrew/",
    "://raw.githubusercontent.com/helm/",
    "://raw.githubusercontent.com/pyenv/",
];

/// Hosts of public source code.
const FORGES: &[&str] = &["://github.com/", "://gitlab.com/", "://codeberg.org/", "://bitbucket.org/"];

impl Sign {
    /// The byte offsets at which it is found.
    pub(super) fn seen(&self, found: &Found<'_>) -> Vec<usize> {
        self.looks.iter().flat_map(|look| look.seen(found)).collect()
    }
}

impl Look {
    fn seen(self, found: &Found<'_>) -> Vec<usize> {
        let known = |place: &Range<usize>| {
            let text = String::from_utf8_lossy(&found.text.as_bytes()[place.clone()]);
            let cloned = text.starts_with("git clone") && FORGES.iter().any(|forge| text.contains(forge));
            cloned || INSTALLERS.iter().any(|installer| text.contains(installer))
        };
        let starts = |place: &Range<usize>| place.start;
        match self {
            At(part) => found.of(part).iter().map(starts).collect(),
            Stranger(part) => found.of(part).iter().filter(|place| !known(place)).map(starts).collect(),
            Known(part) => found.of(part).iter().filter(|place| known(place)).map(starts).collect(),
            Near(one, other, lines) => found.near(one, other, lines).map(starts).collect(),
            StrangerNear(one, other, lines) => {
                found.near(one, other, lines).filter(|place| !known(place)).map(starts).collect()
            }
            KnownNear(one, other, lines) => {
                found.near(one, other, lines).filter(|place| known(place)).map(starts).collect()
            }
        }
    }
}
