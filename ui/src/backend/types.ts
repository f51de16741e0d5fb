// Generated from the crate api. Do not edit: cargo xtask golden

/**
 * Something that a skill can do.
 */
export type Ability = { 
/**
 * Of which kind.
 */
kind: AbilityKind, 
/**
 * What: a file, a host, a server with its command, a tool, the name of a secret.
 */
what: string, };

/**
 * The kinds of what a skill can do.
 */
export type AbilityKind = "script" | "program" | "archive" | "host" | "server" | "tool" | "command" | "secret";

/**
 * Why an action was not done.
 */
export type ActionError = { 
/**
 * What the window branches on.
 */
kind: ErrorKind, 
/**
 * Full sentences: what happened, where.
 */
message: string, 
/**
 * What to do next.
 */
hints: Array<string>, };

/**
 * Something that the app does unasked. Each is on until the person switches it off.
 */
export type AppSwitch = "keep-running" | "notify-servers" | "notify-entries" | "notify-skills";

/**
 * One call of a client.
 */
export type Call = { 
/**
 * When it ended, in milliseconds since 1970.
 */
at: number, 
/**
 * The client's id.
 */
client: string, 
/**
 * `tools/call`, `resources/read` ...
 */
method: string, 
/**
 * The tool, prompt or URI; empty for a list. Of a call for a skill, its id follows.
 */
target: string, 
/**
 * Whether the client got what it asked for.
 */
ok: boolean, 
/**
 * Why it did not, as far as that is known: switched off, nothing of that name, not to be read, or the other server.
 */
why: 'off' | 'not-there' | 'unreadable' | 'server' | null, 
/**
 * How long it took, in milliseconds.
 */
ms: number, 
/**
 * How large the answer was, in bytes.
 */
size: number, };

/**
 * Why a version came.
 */
export type CameBy = "added" | "updated" | "went-back" | "synced";

/**
 * What a skill carries, plainly.
 */
export type Carried = { 
/**
 * Its scripts, by language.
 */
scripts: Array<Scripts>, 
/**
 * Files that hold a program and cannot be read as text.
 */
programs: Array<string>, 
/**
 * Archives: nobody sees what is in them before they are unpacked.
 */
archives: Array<string>, 
/**
 * The servers that its texts link to.
 */
hosts: Array<string>, 
/**
 * The MCP servers that it needs.
 */
servers: Array<string>, 
/**
 * The tools that it asks to use without asking each time.
 */
tools: Array<string>, 
/**
 * Commands that run by themselves: hooks, and those that run when the skill is loaded.
 */
commands: Array<string>, 
/**
 * How many files it has.
 */
files: number, 
/**
 * How many bytes they hold together.
 */
size: number, };

/**
 * A skill that changed since the last commit.
 */
export type ChangedSkill = { 
/**
 * Its folder's path in the library folder.
 */
path: string, 
/**
 * What happened to it.
 */
how: SkillChange, };

/**
 * What one check found.
 */
export type Check = { 
/**
 * Names the check: `client-file`, `port`, `keychain` ...
 */
id: string, 
/**
 * Its state.
 */
state: CheckState, 
/**
 * What was found, as a sentence.
 */
what: string, 
/**
 * The file or folder that it is about, for people.
 */
place: string | null, 
/**
 * What to do, as a sentence.
 */
todo: string | null, 
/**
 * The same for who works at the command line: commands in backquotes.
 */
command: string | null, 
/**
 * What to do, for a button.
 */
remedy: Remedy | null, 
/**
 * The id of the client that it is about.
 */
client: string | null, 
/**
 * What the remedy is about: the id of a folder, the name of a server, the key of a skill.
 */
about: string | null, };

/**
 * The state of something.
 */
export type CheckState = "fine" | "unknown" | "attention" | "problem";

/**
 * What one look at everything found.
 */
export type Checkup = { 
/**
 * The version that looked.
 */
version: string, 
/**
 * The system that it runs on: `linux x86_64`.
 */
system: string, 
/**
 * When, in milliseconds since 1970.
 */
time: number, 
/**
 * What was found, one or more of each check, in the order of the checks.
 */
checks: Array<Check>, };

/**
 * A client, and how far its connection is proven.
 */
export type Client = { 
/**
 * Names the client in every command.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it seems to be on this computer.
 */
found: boolean, 
/**
 * Its config file for people: of several, the one that its state is about.
 */
place: string, 
/**
 * The same file's path, to be opened; empty where the client has none.
 */
path: string, 
/**
 * Its other files for people, which are written along: nobody knows which of them it reads.
 */
also: Array<string>, 
/**
 * The content of that file.
 */
standing: Standing, 
/**
 * When we wrote our entry, in milliseconds since 1970.
 */
written: number | null, 
/**
 * How our entry reaches us, while there is one.
 */
transport: Transport | null, 
/**
 * How it can reach us, the usual way first.
 */
transports: Array<Transport>, 
/**
 * Why it cannot start programs, as a sentence: it runs in a sandbox.
 */
sandbox: string | null, 
/**
 * How what we know of it is known.
 */
mark: Mark, 
/**
 * What to do so that it reads a changed file, as a sentence.
 */
reload: string, 
/**
 * What else a person should know, as sentences.
 */
notes: Array<string>, 
/**
 * The names of other clients that read the same file.
 */
shared: Array<string>, 
/**
 * Whether it can be connected for one project alone.
 */
takesProjects: boolean, 
/**
 * Where its own settings can hide single skills of the folders that it reads by itself.
 */
hides: HidesSkills | null, 
/**
 * The projects that it is connected for.
 */
projects: Array<ClientProject>, 
/**
 * The servers that have entries of their own in its files and are started through us.
 */
direct: Array<string>, 
/**
 * How many servers in its files we did not add.
 */
others: number, 
/**
 * How many secrets in plain text in its own files could be moved to the keychain.
 */
plain: number, 
/**
 * The last change of its files that can be undone.
 */
undo: LastChange | null, 
/**
 * The last change that was undone and can be redone.
 */
redo: LastChange | null, 
/**
 * Whether a person described it: it is none of those that we know.
 */
custom: boolean, 
/**
 * Whether it is one that a described client can be like: each way to write a file has one.
 */
model: boolean, 
/**
 * How far the connection is proven.
 */
proof: Proof, 
/**
 * When it last connected, in this run or an earlier one.
 */
connected: number | null, 
/**
 * Whether it has a token of its own for HTTP.
 */
token: boolean, 
/**
 * The set that it was given; it sees all skills without one.
 */
set: string | null, 
/**
 * How many skills it sees.
 */
skills: number, 
/**
 * How many tools of servers it may use.
 */
tools: number, 
/**
 * About how many tokens of a model's window those in its list take.
 */
toolTokens: number, 
/**
 * Whether it is connected now.
 */
live: boolean, 
/**
 * What it said of itself when it last connected.
 */
peer: Peer | null, 
/**
 * How often it called, ever since we know it.
 */
calls: number, 
/**
 * Its last call.
 */
called: LastCall | null, };

/**
 * What came of calling Skilltender as a client's entry does.
 */
export type ClientCall = { "state": "not-connected" } | { "state": "answered", 
/**
 * How many tools the client sees.
 */
tools: number, } | { "state": "silent", 
/**
 * Why, as a sentence.
 */
why: string, };

/**
 * What a person wants to be done to a client's files.
 */
export type ClientChange = { "change": "connect", 
/**
 * How the client reaches us; without it, in its usual way.
 */
transport: Transport | null, 
/**
 * The folder of the one project it is for; without it, for the user.
 */
project: string | null, 
/**
 * Whether our entry is added again should the client drop it while it runs.
 */
again: boolean, } | { "change": "disconnect", 
/**
 * As for connecting.
 */
project: string | null, } | { "change": "update", 
/**
 * Another way to reach us; without it, the present one.
 */
transport: Transport | null, 
/**
 * As for connecting.
 */
project: string | null, } | { "change": "rescue", 
/**
 * The client's file; without it, the user's own.
 */
file: string | null, } | { "change": "direct", 
/**
 * Their names; without them, every server that may run and can be started so.
 */
servers: Array<string> | null, 
/**
 * As for connecting.
 */
project: string | null, } | { "change": "skills", 
/**
 * The set's id or name.
 */
set: string, 
/**
 * The folder that it works in, if its settings are for one; `None` where they count everywhere.
 */
project: string | null, } | { "change": "undo" } | { "change": "redo" };

/**
 * A client folder: one that clients read by themselves.
 */
export type ClientFolder = { 
/**
 * Its path, which names it in every command.
 */
path: string, 
/**
 * The same for people.
 */
place: string, 
/**
 * The clients that read it.
 */
readers: Array<ClientFolderReader>, 
/**
 * Whether it is there.
 */
exists: boolean, 
/**
 * The id of the library folder that this also is; its skills are in it already.
 */
library: string | null, 
/**
 * How enabled skills are put there; `null` when they are not.
 */
way: PlaceWay | null, 
/**
 * What we put there or would, by the names of the skills' folders.
 */
skills: Array<PlacedSkill>, };

/**
 * What happens with a skill in a client folder.
 */
export type ClientFolderAct = "link" | "copy" | "renew" | "remove" | "leave";

/**
 * The planned steps in a client folder, shown before they are done.
 */
export type ClientFolderPlan = { 
/**
 * Names exactly this plan; doing it requires the id.
 */
id: string, 
/**
 * The folder's path.
 */
path: string, 
/**
 * The same for people.
 */
place: string, 
/**
 * The names of the clients that read it.
 */
readers: Array<string>, 
/**
 * Whether the folder is created.
 */
creates: boolean, 
/**
 * One step for each affected skill.
 */
steps: Array<ClientFolderStep>, };

/**
 * A client that reads a client folder.
 */
export type ClientFolderReader = { 
/**
 * The client's id.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it seems to be on this computer.
 */
found: boolean, };

/**
 * The step for one skill.
 */
export type ClientFolderStep = { 
/**
 * The name of its folder.
 */
skill: string, 
/**
 * What happens.
 */
does: ClientFolderAct, 
/**
 * Why nothing happens, as a sentence; empty otherwise.
 */
why: string, };

/**
 * A link that opens a client and has it add our entry.
 */
export type ClientLink = { 
/**
 * The program that it opens.
 */
name: string, 
/**
 * The link.
 */
address: string, };

/**
 * A project that a client is connected for.
 */
export type ClientProject = { 
/**
 * The project's folder: names it in every command.
 */
project: string, 
/**
 * The client's file in it, for people.
 */
place: string, 
/**
 * The content of that file.
 */
standing: Standing, 
/**
 * When we wrote our entry, in milliseconds since 1970.
 */
written: number | null, };

/**
 * What one client sees.
 */
export type ClientSees = { 
/**
 * The client's id.
 */
client: string, 
/**
 * Its name.
 */
name: string, 
/**
 * What it gets by our endpoint.
 */
endpoint: EndpointList, 
/**
 * What it would make of the same skills in a folder that it reads itself; `null` where it is not
 * known how it loads skills, or where it reads none.
 */
native: NativeList | null, 
/**
 * What is to be said of that, as a sentence.
 */
remark: string | null, };

/**
 * What a commit would hold, and what a push would bring along.
 */
export type CommitPlan = { 
/**
 * Names exactly this; committing asks for it.
 */
id: string, 
/**
 * The folder's id.
 */
folder: string, 
/**
 * The branch.
 */
branch: string, 
/**
 * The branch that it follows: `origin/main`.
 */
upstream: string, 
/**
 * Where the push goes, without a password.
 */
address: string, 
/**
 * What changed in the skills of the folder, which is what is committed.
 */
skills: Array<UpdatePlan>, 
/**
 * The switches and sets that changed here, which go along in the file of this machine. Empty where they are not shared.
 */
switches: Array<SwitchChange>, 
/**
 * A message that says it: `Skills: change tea, add coffee`.
 */
message: string, 
/**
 * The first lines of the commits that are here already and go along, the newest first.
 */
ahead: Array<string>, 
/**
 * How many commits the upstream had at the last fetch that are not here.
 */
behind: number, 
/**
 * What looks like a secret, as sentences; with one, nothing is committed.
 */
secrets: Array<string>, };

/**
 * A server in a client's file that we did not add. It changes only when a person moves its secrets to the keychain.
 */
export type ConfiguredServer = { 
/**
 * The client's id.
 */
client: string, 
/**
 * What the client calls the server.
 */
name: string, 
/**
 * The file for people.
 */
place: string, 
/**
 * The file's path.
 */
path: string, 
/**
 * Its line, counted from 1.
 */
line: number, 
/**
 * And the column.
 */
column: number, 
/**
 * How it runs.
 */
runs: ServerRuns, 
/**
 * Whether its file says that it is switched off.
 */
off: boolean, 
/**
 * What looks like a secret in plain text there, by the name of its variable, header or argument.
 */
secrets: Array<string>, };

/**
 * Something that both sides changed differently.
 */
export type Conflict = { 
/**
 * What both began with; nothing where there was no such file.
 */
base: string | null, 
/**
 * What the person has; nothing where they removed the file.
 */
mine: string | null, 
/**
 * What the update brings; nothing where it removes the file.
 */
theirs: string | null, };

/**
 * The change of a client's file, to be shown before it is written.
 */
export type ConnectPlan = { 
/**
 * The client.
 */
client: string, 
/**
 * Names exactly these bytes; writing asks for it.
 */
id: string, 
/**
 * The file for people; with several, all of them.
 */
place: string, 
/**
 * Whether the file does not exist yet, or goes.
 */
file: PlanFile, 
/**
 * The lines around the change.
 */
lines: Array<DiffLine>, 
/**
 * Lines added.
 */
added: number, 
/**
 * Lines removed.
 */
removed: number, 
/**
 * What to know before it is written, as sentences.
 */
notes: Array<string>, 
/**
 * What to do so that the client reads it, as a sentence.
 */
reload: string, 
/**
 * Whether the client runs now and may write over our entry: quit it first, or have the entry
 * added again.
 */
rewrites: boolean, 
/**
 * The secrets that are moved to the keychain.
 */
moves: Array<MovedSecret>, 
/**
 * Secrets in plain text that stay where they are.
 */
stays: Array<StayingSecret>, };

/**
 * What a person is asked to agree to, whole.
 */
export type Consent = { 
/**
 * The server.
 */
server: string, 
/**
 * Names what is shown; the answer carries it.
 */
digest: string, 
/**
 * What would run.
 */
now: ConsentForm, 
/**
 * What was agreed to before under this name.
 */
before: ConsentForm | null, 
/**
 * Files that are others than they were then.
 */
changed: Array<FileChange>, 
/**
 * The page that the command is from, where the skill gives a well-known name only.
 */
source: string | null, 
/**
 * How far it reaches.
 */
reach: ConsentReach, 
/**
 * What is fetched from the network before it runs.
 */
fetches: ConsentFetch | null, 
/**
 * Packages of the command line without a fixed version.
 */
unpinned: Array<string>, 
/**
 * That the package of the command line is mended by nobody any more, as a sentence.
 */
archived: string | null, 
/**
 * Variables that lead programs elsewhere or load code into them: each is agreed to by its name.
 */
redirects: Array<string>, 
/**
 * The variables of this computer that it gets besides, by their names.
 */
inherited: Array<string>, };

/**
 * Code that is fetched when a server starts.
 */
export type ConsentFetch = { 
/**
 * The program that fetches it: `npx`.
 */
by: string, 
/**
 * The package or image, as the command line names it.
 */
what: string, };

/**
 * A skill's folder that is part of what is agreed to, because something that is started leads into it.
 */
export type ConsentFolder = { 
/**
 * The folder.
 */
place: string, 
/**
 * How many files beside those that the command line names are agreed to with their content; Markdown is not.
 */
files: number, 
/**
 * How many are known by size and time only, because they are too many or too large.
 */
unread: number, };

/**
 * What a server is started with. Never the value of a secret.
 */
export type ConsentForm = { 
/**
 * The program as it was written, and its arguments: each as it is, invisible characters as their code.
 */
command: Array<string>, 
/**
 * Where the program is.
 */
program: string | null, 
/**
 * The file that this leads to, where it is a link.
 */
real: string | null, 
/**
 * The folder that it runs in.
 */
folder: string | null, 
/**
 * The address of a server that runs elsewhere.
 */
url: string | null, 
/**
 * Variables or headers, and what each holds.
 */
values: Array<ConsentValue>, 
/**
 * Files of the skill that the command line names: they are part of what is agreed to.
 */
files: Array<string>, 
/**
 * The skill's folder, where all of it is part of what is agreed to.
 */
held: ConsentFolder | null, 
/**
 * The skills that want it.
 */
skills: Array<string>, };

/**
 * With whose rights a server runs.
 */
export type ConsentReach = "person" | "container" | "elsewhere";

/**
 * A variable or header that a server gets.
 */
export type ConsentValue = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value, unless it is a secret.
 */
value: string | null, 
/**
 * The secret that it holds, by its name.
 */
secret: string | null, };

/**
 * What the desktop knows of the app by an entry of ours.
 */
export type DesktopEntry = { 
/**
 * Whether the desktop has our entry, and follows it.
 */
on: boolean, 
/**
 * Why it cannot be switched on, as a sentence.
 */
trouble: string | null, };

/**
 * One line of a diff.
 */
export type DiffLine = { 
/**
 * What happens to it.
 */
sign: DiffSign, 
/**
 * Its number: in the new file, for a removed line in the old one.
 */
number: number, 
/**
 * Its text without the line end.
 */
text: string, };

/**
 * What happens to a line.
 */
export type DiffSign = "same" | "added" | "removed";

/**
 * Our entry as three sides have it, after somebody changed it or took it out.
 */
export type Drift = { 
/**
 * Identifies exactly what is there; settling asks for it.
 */
id: string, 
/**
 * The file for people.
 */
place: string, 
/**
 * What we wrote.
 */
ours: string, 
/**
 * In the file now; nothing when it was taken out.
 */
theirs: string | null, 
/**
 * In the file before us; mostly nothing.
 */
base: string | null, };

/**
 * How a person settles a drift without a file being written. To put ours back is an
 * [update](ClientChange::Update).
 */
export type DriftChoice = "keep" | "forget";

/**
 * How a SKILL.md was changed.
 */
export type Edit = "saved" | "fixed" | "tagged" | "back";

/**
 * One change in the editor's units (UTF-16, every line end is one unit).
 */
export type EditorSplice = { 
/**
 * First unit that goes.
 */
from: number, 
/**
 * First unit that stays again.
 */
to: number, 
/**
 * The text there afterwards.
 */
insert: string, };

/**
 * The local MCP endpoint.
 */
export type Endpoint = { 
/**
 * Whether skills are served.
 */
state: EndpointState, 
/**
 * `http://127.0.0.1:8363/mcp`.
 */
address: string, 
/**
 * How many clients are connected now.
 */
connected: number, 
/**
 * How many skills are served.
 */
served: number, };

/**
 * What a client gets by our endpoint.
 */
export type EndpointList = { 
/**
 * The name of its set; `null` when it sees every skill that is on.
 */
set: string | null, 
/**
 * What decides that in the folder that was asked about, as a sentence; `null` where none was.
 */
folder: string | null, 
/**
 * How many skills `list_skills` names.
 */
skills: number, 
/**
 * About how many tokens a model reads when it calls that.
 */
tokens: number, 
/**
 * What is switched off for it, as sentences.
 */
off: Array<string>, 
/**
 * Skills that are on and that it does not see everywhere.
 */
partly: Array<PartlySeen>, };

/**
 * What the endpoint does.
 */
export type EndpointState = { "state": "serving" } | { "state": "paused" } | { "state": "stdio-only", 
/**
 * Why HTTP is off, as a sentence.
 */
message: string, };

/**
 * Our entry as text, for a person who puts it into the file by hand.
 */
export type EntryText = { 
/**
 * The file for people.
 */
place: string, 
/**
 * The text, as in an otherwise empty file.
 */
text: string, 
/**
 * The command line that it runs, quoted for this system's shell.
 */
command: string | null, 
/**
 * Links by which the client itself adds it; they hold no token.
 */
links: Array<ClientLink>, };

/**
 * The kinds of failure that the window treats differently.
 */
export type ErrorKind = "not-found" | "unknown" | "already" | "changed" | "refused" | "keychain" | "input" | "system";

/**
 * A file that is another than when it was agreed to.
 */
export type FileChange = { 
/**
 * Where it is; the skill's folder for those that are too many to be read.
 */
place: string, 
/**
 * What became of it.
 */
fate: FileFate, };

/**
 * What became of a file.
 */
export type FileFate = "added" | "changed" | "removed";

/**
 * Something that looks as if it meant harm.
 */
export type Finding = { 
/**
 * The sign's id.
 */
rule: string, 
/**
 * How much harm it would do if it is meant.
 */
severity: 'high' | 'medium' | 'low', 
/**
 * A full sentence.
 */
message: string, 
/**
 * The file it is in.
 */
path: string, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * Column, from 1.
 */
column: number, };

/**
 * A change that puts a problem right.
 */
export type Fix = { 
/**
 * The words of the button.
 */
label: string, 
/**
 * The change, in the editor's units.
 */
splices: Array<EditorSplice>, };

/**
 * A library folder: one whose skills Skilltender tends.
 */
export type Folder = { 
/**
 * Names the folder in every command.
 */
id: string, 
/**
 * Its path for people: `~/.claude/skills`.
 */
place: string, 
/**
 * Its absolute path.
 */
path: string, 
/**
 * How many skills it holds.
 */
skills: number, 
/**
 * Whether skills that appear later are switched on.
 */
enableNew: boolean, 
/**
 * The top of the git work tree that it lies in, for people. Its status is asked for.
 */
workTree: string | null, 
/**
 * Whether its switches and sets go along with the work tree to the person's other machines.
 */
sharesSwitches: boolean, 
/**
 * Why it cannot be read now, as a sentence.
 */
trouble: string | null, 
/**
 * What was left out, as sentences.
 */
remarks: Array<string>, };

/**
 * A folder with skills that is not in the library yet.
 */
export type FoundFolder = { 
/**
 * Its absolute path.
 */
path: string, 
/**
 * Its path for people.
 */
place: string, 
/**
 * How many skills it holds.
 */
skills: number, 
/**
 * Whether its new skills would be switched on unless the person chooses otherwise.
 */
enableNew: boolean, };

/**
 * A field of a skill; the earlier ones count more.
 */
export type FoundIn = "name" | "description" | "tag" | "body";

/**
 * Where a client's own settings hide single skills.
 */
export type HidesSkills = "in-folder" | "everywhere";

/**
 * A skill that contains everything that was typed.
 */
export type Hit = { 
/**
 * The skill.
 */
key: string, 
/**
 * The place of the word that is hardest to see.
 */
foundIn: FoundIn, 
/**
 * The words around a find in the body, for the best finds.
 */
snippet: Snippet | null, };

/**
 * What would come from a folder or a zip file.
 */
export type ImportPlan = { 
/**
 * Names exactly these skills and bytes; importing asks for it.
 */
id: string, 
/**
 * The folder or zip file, for people.
 */
place: string, 
/**
 * Whether it is a zip file.
 */
archive: boolean, 
/**
 * The skills in it.
 */
skills: Array<ImportSkill>, 
/**
 * The skills in it that cannot come.
 */
refused: Array<ImportRefusal>, 
/**
 * What else stays out, as sentences.
 */
leftOut: Array<string>, };

/**
 * One skill that cannot come.
 */
export type ImportRefusal = { 
/**
 * Its place in the folder or zip file; empty for the top.
 */
path: string, 
/**
 * Why, as a sentence.
 */
why: string, };

/**
 * One skill that would come. It is off until the person switches it on.
 */
export type ImportSkill = { 
/**
 * Its place in the folder or zip file; empty for the top.
 */
path: string, 
/**
 * The name of the folder that it gets.
 */
id: string, 
/**
 * Its name as authored.
 */
name: string, 
/**
 * Its description as authored.
 */
description: string, 
/**
 * Every file of it.
 */
files: Array<SkillFile>, 
/**
 * How many bytes they hold together.
 */
size: number, 
/**
 * How many problems of each severity.
 */
problems: ProblemCounts, 
/**
 * Where the library has a skill of the same id already, for people. Of two that are on,
 * one is served.
 */
sameId: string | null, 
/**
 * What it carries, and what in it looks as if it meant harm.
 */
trust: Trust, };

/**
 * A text that a person did not save and that was put aside for them.
 */
export type Kept = { 
/**
 * When it was put aside, in milliseconds since 1970. It names the text, too.
 */
moment: number, };

/**
 * Whether secrets can be kept.
 */
export type Keychain = { "state": "unknown" } | { "state": "ready" } | { "state": "absent", 
/**
 * What happened and what to do, as sentences.
 */
message: string, };

/**
 * A language that the texts are written in, by its BCP 47 tag.
 */
export type Language = "en" | "zh-CN";

/**
 * The language that the person chose, and the one that is shown.
 */
export type Languages = { 
/**
 * The chosen one; `null` follows the desktop.
 */
chosen: Language | null, 
/**
 * The one of the window and the tray.
 */
shown: Language, };

/**
 * What a client called last, and how that ended.
 */
export type LastCall = { 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * `tools/call`, `resources/read` ...
 */
method: string, 
/**
 * The tool, prompt or URI; empty for a list.
 */
target: string, 
/**
 * Whether the client got what it asked for.
 */
ok: boolean, };

/**
 * A change of a client's files that can be undone.
 */
export type LastChange = { 
/**
 * When it was made, in milliseconds since 1970.
 */
time: number, 
/**
 * Whether it put our entry there; otherwise it took it out.
 */
added: boolean, 
/**
 * How many secrets it moved to the keychain; then it did nothing else.
 */
moved: number, 
/**
 * How many skills it switched in the client's settings; then it did nothing else.
 */
switched: number, };

/**
 * What a list of skills may cost.
 */
export type ListBudget = { 
/**
 * About how many tokens, in a model's window of usual size.
 */
tokens: number, 
/**
 * Where that comes from and what happens beyond it, as sentences.
 */
rule: string, 
/**
 * Whether the list costs more.
 */
over: boolean, };

/**
 * A line that a server wrote.
 */
export type LogLine = { 
/**
 * When, in milliseconds since 1970.
 */
time: number, 
/**
 * The line.
 */
text: string, };

/**
 * What a person sees of a skill of somebody else's before they switch it on.
 */
export type Look = { 
/**
 * The skill's key.
 */
key: string, 
/**
 * Names exactly the files that were looked at; switching the skill on asks for it.
 */
digest: string, 
/**
 * Whether nobody has looked at the skill before: it is off, and was never switched by hand.
 */
asks: boolean, 
/**
 * Whether it holds something that looks harmful and that the person has not accepted yet.
 */
unseen: boolean, 
/**
 * What was seen.
 */
trust: Trust, };

/**
 * A skill that another program installed.
 */
export type ManagedSkill = { 
/**
 * The skill's key.
 */
key: string, 
/**
 * Its name as authored.
 */
name: string, 
/**
 * The program, as people call it: `npx skills`.
 */
by: string, 
/**
 * Where it came from, as the program recorded it.
 */
source: string, 
/**
 * The version, as exact as the program recorded it.
 */
version: string | null, 
/**
 * Whether the source can be followed: it is a git repository.
 */
adoptable: boolean, };

/**
 * How the facts about a client are known, the surest first.
 */
export type Mark = "ran" | "read" | "table" | "unverified";

/**
 * A secret that is moved out of a client's file. Never its value.
 */
export type MovedSecret = { 
/**
 * What the file calls the server.
 */
server: string, 
/**
 * The name of the variable.
 */
name: string, 
/**
 * The line of the value, counted from 1.
 */
line: number, 
/**
 * And the column.
 */
column: number, 
/**
 * What Skilltender calls the server that it is kept for.
 */
keeps: string, };

/**
 * What a client makes of skills in a folder that it reads itself.
 */
export type NativeList = { 
/**
 * How many it loads as they are written.
 */
loads: number, 
/**
 * How many it loads under another name or description.
 */
changed: number, 
/**
 * How many it refuses.
 */
refused: number, 
/**
 * How many it shows only the beginning of.
 */
cut: number, 
/**
 * About how many tokens the list costs in every conversation.
 */
tokens: number, 
/**
 * How many it may cost, where that is known.
 */
budget: ListBudget | null, 
/**
 * One row for each skill, those that it refuses or changes first.
 */
skills: Array<SeenSkill>, };

/**
 * A server that a skill needs, and what is missing for it.
 */
export type Need = { 
/**
 * The server's name.
 */
server: string, 
/**
 * What the skill wants it for.
 */
description: string | null, 
/**
 * How it would be started, one argument each, placeholders unfilled; empty when unknown.
 */
command: Array<string>, 
/**
 * Its address, for a server that runs elsewhere.
 */
url: string | null, 
/**
 * The ways of starting it that the skill names, in its order.
 */
ways: ('http' | 'stdio' | 'docker')[], 
/**
 * The one that is taken: the first, unless the person picked another.
 */
way: 'http' | 'stdio' | 'docker' | null, 
/**
 * The skill whose server of this name it uses, with that one's values and secrets, because the person said so.
 */
sharesWith: SkillName | null, 
/**
 * The values that a person gives.
 */
values: Array<NeedValue>, };

/**
 * One value that a server needs.
 */
export type NeedValue = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is for.
 */
description: string | null, 
/**
 * Whether the server cannot do without it.
 */
required: boolean, 
/**
 * An example to show in the empty field.
 */
example: string | null, 
/**
 * What is there. A secret never shows its value.
 */
state: ValueState, };

/**
 * Something to say once.
 */
export type Notice = { 
/**
 * Names the notice, so that it can be put away.
 */
id: string, 
/**
 * A full sentence.
 */
message: string, };

/**
 * Something that Skilltender wrote at a person's wish, besides the files of clients.
 */
export type OwnWrite = { 
/**
 * Names it for undoing.
 */
id: number, 
/**
 * When, in milliseconds since 1970.
 */
time: number, 
/**
 * What was done.
 */
what: Wrote, 
/**
 * Whether it can be undone now.
 */
undo: boolean, 
/**
 * Whether it was undone.
 */
undone: boolean, };

/**
 * A skill that was packed.
 */
export type Packed = { 
/**
 * The absolute path of the zip file.
 */
path: string, 
/**
 * The same for people.
 */
place: string, 
/**
 * How many files it holds.
 */
files: number, 
/**
 * How many bytes it has.
 */
size: number, 
/**
 * The frontmatter's keys that stayed at home, because an upload does not take them.
 */
dropped: Array<string>, 
/**
 * The keys that travel as JSON under `metadata`.
 */
moved: Array<string>, 
/**
 * What is missing for who has only the zip file, as sentences: what links lead to.
 */
leftBehind: Array<string>, };

/**
 * A skill that a client does not see everywhere.
 */
export type PartlySeen = { 
/**
 * The skill's key.
 */
key: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is missing and why, as sentences.
 */
why: Array<string>, };

/**
 * A client as it introduced itself last.
 */
export type Peer = { 
/**
 * Its name.
 */
name: string | null, 
/**
 * Its version.
 */
version: string | null, 
/**
 * The protocol revision: `2025-11-25`.
 */
protocol: string, 
/**
 * What it can do for a server, in a word each: `roots`, `sampling`, `elicitation`, `skills` ...
 */
capabilities: Array<string>, 
/**
 * How it came.
 */
transport: 'stdio' | 'http', };

/**
 * The version that a server's package is now.
 */
export type PinOffer = { 
/**
 * The server.
 */
server: string, 
/**
 * The package, as the command line names it.
 */
package: string, 
/**
 * Its version.
 */
version: string, };

/**
 * How a skill is put into a client folder.
 */
export type PlaceWay = "link" | "copy";

/**
 * One skill in a client folder.
 */
export type PlacedSkill = { 
/**
 * The name of its folder.
 */
id: string, 
/**
 * Its state.
 */
state: PlacedState, 
/**
 * Why, as a sentence; empty where there is nothing to say.
 */
why: string, };

/**
 * The state of a skill in a client folder.
 */
export type PlacedState = "linked" | "copied" | "due" | "here" | "taken" | "edited" | "gone";

/**
 * What happens to the file as a whole.
 */
export type PlanFile = "created" | "changed" | "deleted";

/**
 * What is wrong, in the editor's units.
 */
export type Problem = { 
/**
 * The rule's id.
 */
rule: string, 
/**
 * How much it matters.
 */
severity: 'error' | 'warning' | 'advice', 
/**
 * A full sentence.
 */
message: string, 
/**
 * The frontmatter field that it is about: `x-personal-mcp.version`.
 */
field: string | null, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * Column, from 1.
 */
column: number, 
/**
 * First UTF-16 unit in the editor's text.
 */
from: number, 
/**
 * First unit after it.
 */
to: number, 
/**
 * The fix, in the editor's units.
 */
fix: Fix | null, 
/**
 * What the rule demands, as a sentence.
 */
demands: string, 
/**
 * Why, as a sentence or two.
 */
why: string, 
/**
 * The clients that mind, by name; empty where the rule is for people and every model alike.
 */
clients: Array<string>, };

/**
 * Problems by severity.
 */
export type ProblemCounts = { 
/**
 * The skill or a block of it cannot be used.
 */
error: number, 
/**
 * Some client minds.
 */
warning: number, 
/**
 * Good to know.
 */
advice: number, };

/**
 * How far a client's connection is proven. What it did before our entry was last written does not count.
 */
export type Proof = "not-added" | "waiting" | "connected" | "called";

/**
 * What a pull would bring.
 */
export type PullPlan = { 
/**
 * Names exactly this; pulling asks for it.
 */
id: string, 
/**
 * The folder's id.
 */
folder: string, 
/**
 * The branch that is followed: `origin/main`.
 */
upstream: string, 
/**
 * How many commits come. With none, and no switch or set, nothing does.
 */
commits: number, 
/**
 * Whether there are commits here that the upstream does not have, so that both are merged. Nothing conflicts.
 */
merges: boolean, 
/**
 * What changes in the skills of the folder.
 */
skills: Array<UpdatePlan>, 
/**
 * The switches and sets that would change here, as other machines say. Empty where they are not shared.
 */
switches: Array<SwitchChange>, 
/**
 * How many skills are on on another machine and not here at all: their switches wait for them.
 */
absent: number, 
/**
 * The other files of the work tree that change.
 */
others: Array<string>, 
/**
 * What to know before, as sentences.
 */
notes: Array<string>, };

/**
 * What became of a commit.
 */
export type Pushed = { 
/**
 * The commit.
 */
commit: string, 
/**
 * Whether a new one was made.
 */
committed: boolean, 
/**
 * Why the upstream did not take it, as sentences. The commit stays here.
 */
refused: string | null, };

/**
 * The readiness light: computed, never guessed.
 */
export type Readiness = { "state": "ready" } | { "state": "disabled" } | { "state": "needs-values", 
/**
 * The server that wants the first of them.
 */
server: string, 
/**
 * Their names.
 */
names: Array<string>, 
/**
 * Whether the first is a secret.
 */
secret: boolean, 
/**
 * The program that runs that server, if it is not on this computer either.
 */
runtime: string | null, } | { "state": "needs-consent", 
/**
 * The server.
 */
server: string, 
/**
 * Whether something else was agreed to before.
 */
changed: boolean, } | { "state": "needs-sign-in", 
/**
 * The server.
 */
server: string, } | { "state": "tools-changed", 
/**
 * The server.
 */
server: string, } | { "state": "no-program", 
/**
 * The server.
 */
server: string, 
/**
 * The program.
 */
program: string, } | { "state": "containers-down", 
/**
 * The server.
 */
server: string, 
/**
 * That engine, as people call it: `Docker`, `Podman`.
 */
program: string, } | { "state": "server-down", 
/**
 * The server.
 */
server: string, 
/**
 * Why, as a sentence.
 */
message: string, } | { "state": "problem", 
/**
 * What and where.
 */
message: string, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * Column, from 1.
 */
column: number, } | { "state": "looks-harmful", 
/**
 * What was found, as a sentence.
 */
message: string, } | { "state": "shadowed", 
/**
 * The place of that skill.
 */
by: string, };

/**
 * What a person does about something that was found.
 */
export type Remedy = "restart" | "port" | "file" | "drift" | "connect" | "disconnect" | "reload" | "folder" | "install" | "server" | "link" | "keychain" | "tray" | "watches" | "private" | "set-aside" | "room";

/**
 * A server of a skill that has another name here, because another server has the one that the skill uses. Both work.
 */
export type RenamedServer = { 
/**
 * What the skill calls it.
 */
server: string, 
/**
 * Its name here, with which the names of its tools begin.
 */
name: string, 
/**
 * The first skill of the server that has the name.
 */
beside: SkillName | null, };

/**
 * How saving went.
 */
export type Saved = { "outcome": "saved", 
/**
 * The page as it is now.
 */
page: SkillPage, } | { "outcome": "changed", 
/**
 * The page as it is on disk.
 */
page: SkillPage, };

/**
 * The scripts of one language.
 */
export type Scripts = { 
/**
 * The language, as a person names it.
 */
language: string, 
/**
 * The files.
 */
paths: Array<string>, };

/**
 * What a client makes of one skill.
 */
export type SeenSkill = { 
/**
 * The skill's key.
 */
key: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Loads it as written, under another name or description, or refuses it.
 */
verdict: 'loads' | 'changed' | 'refused', 
/**
 * How many characters of its description are shown, where that is not all of it.
 */
cut: number | null, 
/**
 * About how many tokens its line costs.
 */
tokens: number, 
/**
 * Why, as sentences; empty when it loads and the client minds nothing.
 */
why: Array<string>, };

/**
 * What a server said of itself.
 */
export type ServerAbout = { 
/**
 * Its name.
 */
name: string | null, 
/**
 * Its version.
 */
version: string | null, 
/**
 * The revision of MCP that it speaks.
 */
protocol: string, };

/**
 * One server opened.
 */
export type ServerPage = { 
/**
 * The server.
 */
name: string, 
/**
 * Its tools as they were last seen, or as they are now where that is the same.
 */
tools: Array<ServerTool>, 
/**
 * Its prompts, as its tools.
 */
prompts: Array<ServerPrompt>, 
/**
 * What of it nobody is offered, and why: a sentence for each.
 */
heldBack: Array<string>, 
/**
 * How many resources it listed when it last ran; nothing before it ran.
 */
resources: number | null, 
/**
 * What changed in its tools and prompts since; `None` where nothing did.
 */
changed: ToolsChange | null, 
/**
 * What it wrote to standard error in its last run, with the time of each line. Secrets are blacked out.
 */
log: Array<LogLine>, 
/**
 * What was agreed to.
 */
approved: ConsentForm | null, };

/**
 * A prompt as clients get it.
 */
export type ServerPrompt = { 
/**
 * What the server calls it.
 */
name: string, 
/**
 * What clients call it.
 */
offered: string, 
/**
 * What the server says that it is.
 */
description: string, };

/**
 * One server in the list.
 */
export type ServerRow = { 
/**
 * Its name, which names it in every command.
 */
name: string, 
/**
 * What its skills call it, where that is the name of another server.
 */
declared: string | null, 
/**
 * The first skill of that other server.
 */
beside: SkillName | null, 
/**
 * What the first skill wants it for.
 */
description: string | null, 
/**
 * Its state.
 */
state: ServerState, 
/**
 * The skills that use it.
 */
skills: Array<SkillName>, 
/**
 * The id of the client whose own entry starts it; no skill uses it then.
 */
client: string | null, 
/**
 * How many tools it had when they were last looked at; `None` before it ever ran.
 */
tools: number | null, 
/**
 * The command line as it was written, or nothing for a server that runs elsewhere.
 */
command: Array<string>, 
/**
 * Its address, for a server that runs elsewhere.
 */
url: string | null, 
/**
 * Since when it is approved, in milliseconds since 1970.
 */
approved: number | null, 
/**
 * Whether the person is signed in at its address.
 */
signedIn: boolean, 
/**
 * How many calls it answered in this run.
 */
calls: number, 
/**
 * Goes up with every line of its log.
 */
lines: number, 
/**
 * What it said of itself: its name, version and revision.
 */
about: ServerAbout | null, };

/**
 * How a configured server runs.
 */
export type ServerRuns = { "by": "command", 
/**
 * The program and its arguments; what looks like a secret is left out of them.
 */
words: Array<string>, } | { "by": "address", 
/**
 * Without what could be a secret in it.
 */
address: string, } | { "by": "unclear" };

/**
 * The state of a server: what keeps it from running, or what it does.
 */
export type ServerState = { "kind": "needs-values", 
/**
 * Their names, secrets first.
 */
names: Array<string>, 
/**
 * The program that runs it, if it is not on this computer either.
 */
runtime: string | null, } | { "kind": "refused", 
/**
 * Why, as a sentence.
 */
message: string, } | { "kind": "no-program", 
/**
 * Its name.
 */
program: string, } | { "kind": "no-containers" } | { "kind": "containers-down", 
/**
 * That engine, as people call it: `Docker`, `Podman`.
 */
program: string, } | { "kind": "needs-consent", 
/**
 * Whether something else was agreed to under this name before.
 */
changed: boolean, } | { "kind": "needs-sign-in", 
/**
 * The sign-in that was begun and waits for the person.
 */
asked: SignInAsked | null, 
/**
 * Why the last one failed, as a sentence.
 */
trouble: string | null, } | { "kind": "tools-changed" } | { "kind": "resting" } | { "kind": "starting", 
/**
 * Since when, in milliseconds since 1970.
 */
since: number, } | { "kind": "running", 
/**
 * Since when, in milliseconds since 1970.
 */
since: number, 
/**
 * The process, where it is one of this computer.
 */
process: number | null, } | { "kind": "down", 
/**
 * Why, as a sentence.
 */
message: string, } | { "kind": "stopped", 
/**
 * Why, as a sentence.
 */
message: string, };

/**
 * A tool as clients get it.
 */
export type ServerTool = { 
/**
 * What the server calls it.
 */
name: string, 
/**
 * What clients call it.
 */
offered: string, 
/**
 * What the server says that it does.
 */
description: string, 
/**
 * All that a client reads of it, byte for byte.
 */
json: string, 
/**
 * Whether clients get it.
 */
on: boolean, };

/**
 * What was used of one server.
 */
export type ServerUsage = { 
/**
 * Its name; empty for all that were too many to be counted one by one.
 */
name: string, 
/**
 * How many calls.
 */
calls: number, 
/**
 * How many of them failed.
 */
failed: number, 
/**
 * How long they took together, in milliseconds.
 */
ms: number, 
/**
 * By day and client.
 */
used: Array<Used>, };

/**
 * The switches of the settings page.
 */
export type Settings = { 
/**
 * Which parts of the server are on, for every client that has no switch of its own.
 */
surfaces: Record<'tools' | 'prompts' | 'resources' | 'skills', boolean>, 
/**
 * The switches of single clients, by their ids. A part that is not named follows `surfaces`.
 */
clients: Record<string, Partial<Record<'tools' | 'prompts' | 'resources' | 'skills', boolean>>>, 
/**
 * Whether packed skills are offered beside their files.
 */
archives: boolean, 
/**
 * The port of this computer at which HTTP is served, or would be if nobody else held it; `null` before the first start.
 */
port: number | null, 
/**
 * Whether a skill that is not ready is kept from clients.
 */
withhold: boolean, 
/**
 * How clients get the tools of servers, by their ids; the others always have all.
 */
toolModes: Record<string, ToolMode>, 
/**
 * Tools and servers that are off, for every client or for one.
 */
toolsOff: Array<ToolSwitch>, 
/**
 * Whether the app starts when its user logs in.
 */
login: DesktopEntry, 
/**
 * Whether the app is in the desktop's menu of programs; none where its package sees to that.
 */
menu: DesktopEntry | null, 
/**
 * New versions of Skilltender.
 */
updates: Updates, 
/**
 * Whether sources of skills are asked for other versions once a day.
 */
askSources: boolean, 
/**
 * What the app does unasked.
 */
app: Record<AppSwitch, boolean>, 
/**
 * Our data folder, for people.
 */
data: string, 
/**
 * The language of the window and the tray.
 */
language: Languages, };

/**
 * A sign-in that waits for its person.
 */
export type SignInAsked = { 
/**
 * What the browser is to open: `https`, or `http` of this computer.
 */
address: string, 
/**
 * Who asks for a password there.
 */
host: string, };

/**
 * What happened to a skill.
 */
export type SkillChange = "added" | "changed" | "removed";

/**
 * One file of a skill.
 */
export type SkillFile = { 
/**
 * Its path inside the skill.
 */
path: string, 
/**
 * Bytes.
 */
size: number, };

/**
 * A skill, by its key and its name.
 */
export type SkillName = { 
/**
 * Its key.
 */
key: string, 
/**
 * Its name.
 */
name: string, };

/**
 * Where a skill came from.
 */
export type SkillOrigin = { 
/**
 * The source, for people: `acme/skills`.
 */
source: string, 
/**
 * The skill's folder there; empty for all of it.
 */
inside: string, 
/**
 * The branch or tag that is followed; nothing for what the repository shows first.
 */
follows: string | null, 
/**
 * The commit that it is of; of a source without commits, `sha256:` and the digest of its files.
 */
commit: string, 
/**
 * When that came, in milliseconds since 1970.
 */
since: number, 
/**
 * The commit, or the digest, of another version of it that the source had when it was asked last.
 */
newer: string | null, 
/**
 * How many versions before this one are kept.
 */
versions: number, };

/**
 * One skill opened: its text, files, problems and needs.
 */
export type SkillPage = { 
/**
 * The skill.
 */
key: string, 
/**
 * SHA-256 of the bytes that `text` was made from; saving names it.
 */
digest: string, 
/**
 * SKILL.md as an editor shows it; `null` when it is not UTF-8 or too large.
 */
text: string | null, 
/**
 * Why it cannot be edited here, as a sentence.
 */
readOnly: string | null, 
/**
 * Where the body starts in `text`, in UTF-16 units.
 */
body: number, 
/**
 * `LF`, `CRLF`, `CR` or `mixed`.
 */
lineEnds: string, 
/**
 * Every file of the skill.
 */
files: Array<SkillFile>, 
/**
 * What is wrong.
 */
problems: Array<Problem>, 
/**
 * What in its files looks as if it meant harm, the most dangerous first, whoever has seen it.
 */
findings: Array<Finding>, 
/**
 * What was not looked at for that, as sentences.
 */
leftOut: Array<string>, 
/**
 * The servers it needs.
 */
needs: Array<Need>, 
/**
 * What it seems to need, in the words of other programs: nothing here is started or asked for.
 */
suggested: Array<Suggested>, 
/**
 * What each known client would make of it; empty when it cannot be read.
 */
verdicts: Array<Verdict>, };

/**
 * One skill in the list.
 */
export type SkillRow = { 
/**
 * Names the skill in every command.
 */
key: string, 
/**
 * Its folder's name.
 */
id: string, 
/**
 * Its name as authored.
 */
name: string, 
/**
 * Its description as authored.
 */
description: string, 
/**
 * Its version, where it says one.
 */
version: string | null, 
/**
 * Labels.
 */
tags: Array<string>, 
/**
 * The id of its library folder.
 */
folder: string, 
/**
 * The first folder on the way from there to the skill's own, where there is one.
 */
category: string | null, 
/**
 * Its SKILL.md for people: `~/.claude/skills/tea/SKILL.md`.
 */
place: string, 
/**
 * Whether it is switched on.
 */
enabled: boolean, 
/**
 * Whether the person is shown what it carries before it is switched on: somebody else's skill that
 * was never switched by hand.
 */
asks: boolean, 
/**
 * The one readiness light.
 */
readiness: Readiness, 
/**
 * What it lacks besides, of all its servers, in the order in which it is done.
 */
also: Array<Readiness>, 
/**
 * How many problems of each severity.
 */
problems: ProblemCounts, 
/**
 * How many files it has, and servers it needs.
 */
files: number, 
/**
 * See `files`.
 */
needs: number, 
/**
 * Its servers that have another name here than it calls them by.
 */
renamed: Array<RenamedServer>, 
/**
 * When one of its files was last changed, in milliseconds since 1970.
 */
modified: number, 
/**
 * Changes whenever its SKILL.md does.
 */
digest: string, 
/**
 * Where it came from, if Skilltender fetched it.
 */
origin: SkillOrigin | null, };

/**
 * Some skills of the library under a name.
 */
export type SkillSet = { 
/**
 * Names the set in every command.
 */
id: string, 
/**
 * What people call it.
 */
name: string, 
/**
 * The keys of its skills, also of those that are off.
 */
skills: Array<string>, 
/**
 * How many of them are served.
 */
served: number, 
/**
 * The clients that see this set and nothing else, by their ids; `by-hand` may be among them.
 */
clients: Array<string>, 
/**
 * The folders that it is bound to, as patterns: a client that works in one of them sees it instead of its own.
 */
folders: Array<string>, };

/**
 * What was used of one skill.
 */
export type SkillUsage = { 
/**
 * Its id; empty for all that were too many to be counted one by one.
 */
id: string, 
/**
 * The key of the skill of this id that is in the library, the served one first; `null` if there is none.
 */
key: string | null, 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it is on and served.
 */
enabled: boolean, 
/**
 * How many calls asked for it.
 */
calls: number, 
/**
 * How many of them failed.
 */
failed: number, 
/**
 * About how many tokens of it were loaded.
 */
loaded: number, 
/**
 * How many lists named it.
 */
lists: number, 
/**
 * About how many tokens those lines took.
 */
listed: number, 
/**
 * About how many tokens its line takes now; 0 while no model is told of it.
 */
line: number, 
/**
 * The last day of these on which it was called.
 */
last: string | null, 
/**
 * By day and client.
 */
used: Array<Used>, 
/**
 * What follows, the weightiest first.
 */
verdicts: Array<UsageVerdict>, };

/**
 * A version of a skill.
 */
export type SkillVersion = { 
/**
 * Names it for going back: 0 is the present one, 1 the one before.
 */
number: number, 
/**
 * When it came, in milliseconds since 1970.
 */
at: number, 
/**
 * Why it came.
 */
by: CameBy, 
/**
 * The commit that it is of; of a source without commits, `sha256:` and the digest of its files.
 */
commit: string, 
/**
 * How many files it has.
 */
files: number, 
/**
 * Whether a person had changed it.
 */
edited: boolean, };

/**
 * Everything the window and the tray show, as it was at one moment.
 */
export type Snapshot = { 
/**
 * Counts up with every snapshot of one run.
 */
revision: number, 
/**
 * The app's version.
 */
version: string, 
/**
 * Whether the first-run steps wait for an answer.
 */
firstRun: boolean, 
/**
 * While the library is read at the start: how many skills were read so far. There are no skills until it is done.
 */
reading: number | null, 
/**
 * Every skill, the ones that need attention not first: sorted by name.
 */
skills: Array<SkillRow>, 
/**
 * The servers that skills need, by name.
 */
servers: Array<ServerRow>, 
/**
 * The library folders, in order.
 */
folders: Array<Folder>, 
/**
 * Folders with skills on this computer that are not in the library.
 */
found: Array<FoundFolder>, 
/**
 * The sources that skills came from, by their names.
 */
sources: Array<SourceRow>, 
/**
 * Sets of skills, in the order in which they were made.
 */
sets: Array<SkillSet>, 
/**
 * Skills in the trash, the last one thrown away first.
 */
trash: Array<Trashed>, 
/**
 * The clients we know, found or not.
 */
clients: Array<Client>, 
/**
 * What the endpoint does.
 */
endpoint: Endpoint, 
/**
 * What clients may use.
 */
settings: Settings, 
/**
 * Whether secrets can be kept.
 */
keychain: Keychain, 
/**
 * Things to say once, such as a state file that could not be read.
 */
notices: Array<Notice>, };

/**
 * A find, and the words around it.
 */
export type Snippet = { 
/**
 * The text before it.
 */
before: string, 
/**
 * The word.
 */
found: string, 
/**
 * The text after it.
 */
after: string, };

/**
 * Something that a marketplace lists in another repository.
 */
export type SourceElsewhere = { 
/**
 * Its name, as the list has it.
 */
name: string, 
/**
 * What it is for, as the list says.
 */
description: string, 
/**
 * Its source as a person would write it, with the commit behind `#`; nothing where it is none that is fetched.
 */
source: string | null, 
/**
 * Why it is none, as a sentence.
 */
trouble: string | null, };

/**
 * What would come from a source.
 */
export type SourcePlan = { 
/**
 * The source as it was read, for people: `acme/skills`.
 */
source: string, 
/**
 * The branch or tag that would be followed; nothing for what the repository shows first.
 */
follows: string | null, 
/**
 * The commit that was looked at; of a source without commits, `sha256:` and what names its files. Adding asks for it.
 */
commit: string, 
/**
 * The skills in it. Those that are in the library from this source already are among the refused.
 */
plan: ImportPlan, 
/**
 * What it lists besides, in other repositories, of which nothing was fetched.
 */
elsewhere: Array<SourceElsewhere>, 
/**
 * Whether a team's file is at its top, or in the folder that was asked for.
 */
team: boolean, };

/**
 * One source of skills of the library.
 */
export type SourceRow = { 
/**
 * Names it: its address, with the branch or tag that is followed.
 */
id: string, 
/**
 * For people: `acme/skills`.
 */
source: string, 
/**
 * The branch or tag that is followed; nothing for what the repository shows first.
 */
follows: string | null, 
/**
 * The keys of the skills from it.
 */
skills: Array<string>, 
/**
 * Those of them that have another version there.
 */
outdated: Array<string>, 
/**
 * When it was asked last, in milliseconds since 1970.
 */
asked: number | null, 
/**
 * Why it could not be asked last, as a sentence.
 */
trouble: string | null, };

/**
 * What a client's file says about us.
 */
export type Standing = { "state": "absent" } | { "state": "added" } | { "state": "outdated", 
/**
 * What is out of date, as a sentence.
 */
message: string, } | { "state": "edited" } | { "state": "dropped", 
/**
 * Whether it is put back once the client has quit, as the person agreed to.
 */
waiting: boolean, } | { "state": "shared", 
/**
 * That client's name.
 */
with: string, } | { "state": "different" } | { "state": "refused", 
/**
 * Why, as a sentence.
 */
message: string, };

/**
 * The secrets of a server that stay in a client's file.
 */
export type StayingSecret = { 
/**
 * What the file calls the server.
 */
server: string, 
/**
 * What they are called.
 */
names: Array<string>, 
/**
 * The line of the server, counted from 1.
 */
line: number, 
/**
 * And the column.
 */
column: number, 
/**
 * Why, as a sentence.
 */
why: string, };

/**
 * A server or variable that a skill names in the words of another program.
 */
export type Suggested = { 
/**
 * The server.
 */
server: string | null, 
/**
 * The environment variable.
 */
variable: string | null, 
/**
 * The address at which the server is said to run.
 */
url: string | null, 
/**
 * The key that says so.
 */
from: string, };

/**
 * A switch or a set that changes: here by a pull, on the other machines by a push.
 */
export type SwitchChange = { 
/**
 * What happens.
 */
how: SwitchHow, 
/**
 * The skill's path in the library folder.
 */
skill: string | null, 
/**
 * The set's name.
 */
set: string | null, 
/**
 * The random name of the machine that says so; nothing where it is this one.
 */
machine: string | null, 
/**
 * Why it does not come here, as a sentence.
 */
stays: string | null, };

/**
 * What happens to a switch or a set.
 */
export type SwitchHow = "on" | "off" | "set-comes" | "set-renamed" | "set-goes" | "joins" | "leaves";

/**
 * How the tags of one skill change.
 */
export type TagChange = { 
/**
 * The skill.
 */
key: string, 
/**
 * Its name as authored.
 */
name: string, 
/**
 * The digest of the SKILL.md that was read; changing the tags asks for it.
 */
digest: string, 
/**
 * Its tags now.
 */
before: Array<string>, 
/**
 * Its tags then.
 */
after: Array<string>, };

/**
 * How tags would change, before anything is written.
 */
export type TagPlan = { 
/**
 * The skills whose tags change.
 */
changes: Array<TagChange>, 
/**
 * The skills whose tags cannot be changed.
 */
refused: Array<TagRefusal>, };

/**
 * A skill whose tags cannot be changed.
 */
export type TagRefusal = { 
/**
 * The skill.
 */
key: string, 
/**
 * Its name as authored.
 */
name: string, 
/**
 * Why, as a sentence.
 */
why: string, };

/**
 * What came of changing tags.
 */
export type Tagged = { 
/**
 * The keys of the skills whose tags changed.
 */
changed: Array<string>, 
/**
 * The skills whose tags could not be changed after all.
 */
refused: Array<TagRefusal>, };

/**
 * The side of a conflict that is taken.
 */
export type Take = "mine" | "theirs";

/**
 * What a person can do about a server that a yes to the page does not cover.
 */
export type TeamAct = "approve" | "sign-in";

/**
 * A value or secret of a server.
 */
export type TeamAsk = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it is a secret.
 */
secret: boolean, 
/**
 * Whether the server cannot do without it.
 */
required: boolean, 
/**
 * What holds where the person gives nothing.
 */
default: string | null, 
/**
 * The plain value that is set here already.
 */
given: string | null, 
/**
 * What it is for or how to get it, in words.
 */
how: string | null, 
/**
 * Where to get it.
 */
address: string | null, };

/**
 * An advised client.
 */
export type TeamClientRow = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name; nothing where it is not known here.
 */
name: string | null, 
/**
 * Whether it is on this computer.
 */
installed: boolean, 
/**
 * Whether it is connected.
 */
connected: boolean, };

/**
 * What is left of a team's file once everything was done that needs no answer.
 */
export type TeamLeft = { 
/**
 * Skills that are not as the file says, and why: a sentence for each.
 */
skills: Array<TeamWhy>, 
/**
 * Sets that are not as the file says.
 */
sets: Array<TeamWhy>, 
/**
 * Secrets that are missing.
 */
secrets: Array<TeamMissing>, 
/**
 * Plain values that are missing.
 */
values: Array<TeamMissing>, 
/**
 * Servers that may not run yet, by the names that they have here.
 */
servers: Array<TeamWhy>, 
/**
 * The servers that may run, by the names that they have here.
 */
ready: Array<string>, };

/**
 * A value that a person has to give.
 */
export type TeamMissing = { 
/**
 * The keys of the skills that it is for.
 */
skills: Array<string>, 
/**
 * The server's name in them.
 */
server: string, 
/**
 * Its name.
 */
name: string, 
/**
 * How to get it, in words.
 */
how: string | null, 
/**
 * Where to get it.
 */
address: string | null, };

/**
 * Everything that would come and run.
 */
export type TeamPage = { 
/**
 * Names exactly this content: every file of every skill and every launch; joining asks for it.
 */
id: string, 
/**
 * Where the file is, for people: its path, or the source.
 */
from: string, 
/**
 * The commit of the source that it was read at.
 */
commit: string | null, 
/**
 * The team's name.
 */
name: string | null, 
/**
 * What the team wants everybody to know.
 */
advice: string | null, 
/**
 * What the team refuses, as sentences.
 */
refuses: Array<string>, 
/**
 * The skills.
 */
skills: Array<TeamSkillRow>, 
/**
 * The servers.
 */
servers: Array<TeamServerRow>, 
/**
 * The sets.
 */
sets: Array<TeamSetRow>, 
/**
 * The advised clients.
 */
clients: Array<TeamClientRow>, };

/**
 * What the window that asks shows of a team.
 */
export type TeamQuestion = { 
/**
 * Everything that would come and run.
 */
page: TeamPage, 
/**
 * What is left of it, once somebody said yes.
 */
left: TeamLeft | null, 
/**
 * Where secrets go.
 */
keychain: Keychain, };

/**
 * A server of a team, in its exact form.
 */
export type TeamServerRow = { 
/**
 * Its name in the skills.
 */
name: string, 
/**
 * The ids of the skills that need it.
 */
skills: Array<string>, 
/**
 * What is run, one argument each; empty for an address. `${NAME}` stands for a value.
 */
command: Array<string>, 
/**
 * Where the program is on this computer; nothing where it is in the skill's folder or is not found.
 */
program: string | null, 
/**
 * The address of one that runs already.
 */
url: string | null, 
/**
 * The folder that it runs in, and those that a container gets.
 */
folders: Array<string>, 
/**
 * The port of a container.
 */
port: number | null, 
/**
 * Its variables or headers, as written.
 */
values: Array<[string, string]>, 
/**
 * The version that its package is pinned to.
 */
version: string | null, 
/**
 * What it fetches without a fixed version.
 */
unpinned: string | null, 
/**
 * Variables that lead programs elsewhere: each is agreed to by itself.
 */
redirects: Array<string>, 
/**
 * The values and secrets that stand for `${NAME}`.
 */
asks: Array<TeamAsk>, };

/**
 * A set of a team.
 */
export type TeamSetRow = { 
/**
 * Its name.
 */
name: string, 
/**
 * The ids of its skills.
 */
skills: Array<string>, 
/**
 * Whether there is a set of this name here, which gets those of these skills that it lacks.
 */
here: boolean, };

/**
 * A skill of a team.
 */
export type TeamSkillRow = { 
/**
 * Its id.
 */
name: string, 
/**
 * Its source, with the branch or tag behind `#`.
 */
source: string, 
/**
 * The commit that it is pinned to.
 */
commit: string, 
/**
 * The digest of its files.
 */
digest: string, 
/**
 * What comes of it.
 */
state: TeamSkillState, };

/**
 * What comes of a skill of a team.
 */
export type TeamSkillState = { "state": "same", 
/**
 * Whether it is on.
 */
on: boolean, } | { "state": "comes", 
/**
 * What it carries, and what in it looks as if it meant harm.
 */
skill: ImportSkill, } | { "state": "changes", 
/**
 * What changes.
 */
update: UpdatePlan, } | { "state": "stays", 
/**
 * Why, as a sentence.
 */
why: string, };

/**
 * What is not as a team's file says.
 */
export type TeamWhy = { 
/**
 * Its name.
 */
name: string, 
/**
 * Why, as a sentence.
 */
why: string, 
/**
 * What a person can do about it by itself; nothing where the sentence says all.
 */
act: TeamAct | null, };

/**
 * What a new skill may begin as.
 */
export type Template = { 
/**
 * Names it.
 */
id: string, 
/**
 * What it is, as a sentence.
 */
about: string, 
/**
 * The paths of its files.
 */
files: Array<string>, };

/**
 * How one tool or prompt differs.
 */
export type ToolChange = { 
/**
 * What the server calls it; that of a prompt follows `prompt`.
 */
name: string, 
/**
 * All that it said of it, one field a line; nothing for a new one.
 */
before: string | null, 
/**
 * What it says now; nothing for one that is gone.
 */
after: string | null, };

/**
 * How a client gets the tools of servers.
 */
export type ToolMode = "always" | "on-demand" | "search";

/**
 * A tool, or all tools of a server, that is off.
 */
export type ToolSwitch = { 
/**
 * The client's id; for all of them without one.
 */
client?: string, 
/**
 * The server's name.
 */
server: string, 
/**
 * The tool; all of them without one.
 */
tool?: string, };

/**
 * How a server's tools and prompts differ from those that were seen.
 */
export type ToolsChange = { 
/**
 * Names what is shown; the answer carries it.
 */
digest: string, 
/**
 * What is different, one by one: the tools, then the prompts.
 */
tools: Array<ToolChange>, };

/**
 * How a client reaches us.
 */
export type Transport = "stdio" | "http";

/**
 * A skill in the trash.
 */
export type Trashed = { 
/**
 * Names it in every command.
 */
id: string, 
/**
 * The skill's name as authored.
 */
name: string, 
/**
 * Where it was, for people: `~/.claude/skills/tea`.
 */
place: string, 
/**
 * When it was thrown away, in milliseconds since 1970. It is kept for 30 days.
 */
time: number, 
/**
 * Whether it was a link to a folder elsewhere: only the link went.
 */
link: boolean, 
/**
 * The number of skills inside it that went with it.
 */
inside: number, };

/**
 * What a skill carries, and what in it looks as if it meant harm. It is advice: an empty list of findings means that no
 * known pattern was found, and never that the skill is safe.
 */
export type Trust = { 
/**
 * What it carries besides its instructions.
 */
carried: Carried, 
/**
 * What looks as if it meant harm, the most dangerous first.
 */
findings: Array<Finding>, 
/**
 * What was not looked at, as sentences.
 */
leftOut: Array<string>, };

/**
 * What happens to a file.
 */
export type UpdateChange = "added" | "changed" | "removed" | "merged" | "conflict";

/**
 * One file of an update.
 */
export type UpdateFile = { 
/**
 * Its path in the skill.
 */
path: string, 
/**
 * What happens to it.
 */
how: UpdateChange, 
/**
 * The lines around the changes: from the file as it is here to the file as it would be. None for what is no text.
 */
lines: Array<DiffLine>, 
/**
 * What both sides changed differently, in order.
 */
conflicts: Array<Conflict>, };

/**
 * What an update, or going back, would change in one skill.
 */
export type UpdatePlan = { 
/**
 * Names exactly these changes; making them asks for it.
 */
id: string, 
/**
 * The skill's key.
 */
key: string, 
/**
 * Its name as authored.
 */
name: string, 
/**
 * The source, for people.
 */
source: string, 
/**
 * The commit that goes; of a source without commits, `sha256:` and the digest of its files.
 */
from: string, 
/**
 * The one that comes.
 */
to: string, 
/**
 * What to know before it is made, as sentences: a tag that moved, a history that was rewritten.
 */
notes: Array<string>, 
/**
 * The files that change, and those that both sides changed.
 */
files: Array<UpdateFile>, 
/**
 * What it can do after that and could not before.
 */
gains: Array<Ability>, 
/**
 * What it could do and cannot after that.
 */
losses: Array<Ability>, 
/**
 * What looks as if it meant harm and was not there before.
 */
findings: Array<Finding>, 
/**
 * Whether only texts change, and nothing that it can do.
 */
textOnly: boolean, 
/**
 * Whether the person changed files since they came.
 */
edited: boolean, 
/**
 * How many questions are to be answered.
 */
conflicts: number, };

/**
 * What the app knows of new versions.
 */
export type UpdateState = { "kind": "unknown" } | { "kind": "never", 
/**
 * Why, as a sentence.
 */
why: string, } | { "kind": "looking" } | { "kind": "newest" } | { "kind": "found", 
/**
 * The new version.
 */
version: string, 
/**
 * What is new in it, as the page of releases says it. Nobody has signed this text.
 */
notes: string | null, 
/**
 * Whether the app replaces itself; if not, it fetches a package that the person installs.
 */
itself: boolean, } | { "kind": "loading", 
/**
 * The new version.
 */
version: string, 
/**
 * How much of it is here, in percent, if that is known.
 */
percent: number | null, } | { "kind": "installed", 
/**
 * The new version.
 */
version: string, } | { "kind": "saved", 
/**
 * The new version.
 */
version: string, 
/**
 * The command that installs it, or the path of the package.
 */
command: string, } | { "kind": "failed", 
/**
 * Why, as a sentence.
 */
why: string, };

/**
 * Whether new versions are looked for, and what is known of them.
 */
export type Updates = { 
/**
 * Whether the person switched on looking for them once a day (decision 65).
 */
on: boolean, 
/**
 * What the app knows in this run.
 */
state: UpdateState, };

/**
 * What was used in some days up to today. Days are those of UTC.
 */
export type UsageReport = { 
/**
 * How many days.
 */
days: number, 
/**
 * The first of them: `2026-10-26`.
 */
from: string, 
/**
 * The last of them, today.
 */
to: string, 
/**
 * The first day of which anything is counted at all; `null` if nothing ever was.
 */
since: string | null, 
/**
 * Every skill that is on or was used, the most used first.
 */
skills: Array<SkillUsage>, 
/**
 * Every server that was used, the most used first.
 */
servers: Array<ServerUsage>, };

/**
 * What follows from the use of a skill.
 */
export type UsageVerdict = { "verdict": "loaded-twice", 
/**
 * The client's id.
 */
client: string, 
/**
 * Its name.
 */
name: string, 
/**
 * The folder's path.
 */
path: string, 
/**
 * The same for people.
 */
place: string, 
/**
 * Whether we put it there.
 */
ours: boolean, } | { "verdict": "often-fails" } | { "verdict": "never-used" } | { "verdict": "costs-more" };

/**
 * What one client used on one day.
 */
export type Used = { 
/**
 * The day.
 */
day: string, 
/**
 * The client's id.
 */
client: string, 
/**
 * How many calls.
 */
calls: number, 
/**
 * How many of them failed.
 */
failed: number, 
/**
 * About how many tokens they loaded, of a skill; how many milliseconds they took, of a server.
 */
cost: number, };

/**
 * What is there for a value.
 */
export type ValueState = { "kind": "secret-missing" } | { "kind": "secret-stored", 
/**
 * Since when, in milliseconds since 1970.
 */
since: number, 
/**
 * Whether it is kept only until the app quits, because no keychain answers.
 */
onlyThisRun: boolean, } | { "kind": "plain", 
/**
 * What the user gave.
 */
value: string | null, 
/**
 * What holds when the user gives nothing.
 */
default: string | null, };

/**
 * What one client would make of a skill.
 */
export type Verdict = { 
/**
 * Names the client: `codex`, `gemini-cli`, `claude-code` ...
 */
client: string, 
/**
 * The client's name for people.
 */
name: string, 
/**
 * Loads it as written, under another name or description, or refuses it.
 */
verdict: 'loads' | 'changed' | 'refused', 
/**
 * The name that it would show; `null` when it refuses the skill.
 */
nameShown: string | null, 
/**
 * The description that it would show; `null` when it has none or refuses the skill.
 */
descriptionShown: string | null, 
/**
 * Why, in full sentences; empty when it loads and the client minds nothing.
 */
why: Array<string>, };

/**
 * The status of the work tree that a library folder lies in, as of its last fetch.
 */
export type WorkTreeStatus = { 
/**
 * The folder's id.
 */
folder: string, 
/**
 * The top of the work tree, for people.
 */
place: string, 
/**
 * The branch; nothing where a commit is checked out by itself.
 */
branch: string | null, 
/**
 * The branch that it follows: `origin/main`.
 */
upstream: string | null, 
/**
 * How many commits are here and not in the upstream.
 */
ahead: number, 
/**
 * How many commits are in the upstream and not here.
 */
behind: number, 
/**
 * The skills of the folder that changed since the last commit.
 */
skills: Array<ChangedSkill>, 
/**
 * How many files of the folder changed that belong to no skill.
 */
others: number, 
/**
 * How many switches and sets a push would tell the other machines of; none where they are not shared.
 */
switches: number, 
/**
 * What keeps it from being pulled and pushed, as a sentence.
 */
trouble: string | null, };

/**
 * What Skilltender did. Skills are named as authored, places for people.
 */
export type Wrote = { "did": "switched", 
/**
 * Their names.
 */
skills: Array<string>, 
/**
 * On or off.
 */
on: boolean, } | { "did": "added", 
/**
 * Their names.
 */
skills: Array<string>, 
/**
 * The folder that they came into.
 */
place: string, 
/**
 * Whether they came from outside.
 */
imported: boolean, } | { "did": "moved", 
/**
 * Its name.
 */
skill: string, 
/**
 * Where it was.
 */
from: string, 
/**
 * Where it is.
 */
to: string, } | { "did": "trashed", 
/**
 * Its name.
 */
skill: string, 
/**
 * Where it was.
 */
place: string, } | { "did": "restored", 
/**
 * Its name.
 */
skill: string, 
/**
 * Where it is.
 */
place: string, } | { "did": "edited", 
/**
 * The skill's name.
 */
skill: string, 
/**
 * How.
 */
how: Edit, } | { "did": "updated", 
/**
 * Its name.
 */
skill: string, 
/**
 * Where it came from, for people.
 */
source: string, 
/**
 * The commit before.
 */
from: string, 
/**
 * The commit now.
 */
to: string, 
/**
 * Whether a person went back to it.
 */
back: boolean, } | { "did": "asked", 
/**
 * The sources, for people.
 */
sources: Array<string>, 
/**
 * How many of them did not answer.
 */
silent: number, } | { "did": "pulled", 
/**
 * The library folder.
 */
place: string, 
/**
 * The branch that is followed.
 */
upstream: string, 
/**
 * The commit now.
 */
to: string, } | { "did": "committed", 
/**
 * The library folder.
 */
place: string, 
/**
 * The branch that is followed.
 */
upstream: string, 
/**
 * The commit.
 */
commit: string, 
/**
 * Whether the upstream took it.
 */
pushed: boolean, } | { "did": "placed", 
/**
 * The folder.
 */
place: string, 
/**
 * Whether they are there now.
 */
there: boolean, };
