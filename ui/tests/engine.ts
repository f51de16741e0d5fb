// What the engine can say in the window, read from its sources: every sentence and phrase that is not left out below, each
// for its reason.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { literals, type Literal } from './rust';

const root = join(import.meta.dirname, '../..');

/** A text as its form is in the files of languages; `raw` with the blanks at its ends. */
export interface Said extends Literal {
  file: string;
  raw: string;
}

/** Files that say nothing in the window. */
const silent: [pattern: RegExp, why: string][] = [
  [/^crates\/cli\//, 'the command line'],
  [/^crates\/sources\/src\/((export|lock)(\.rs$|\/)|team\/write\.rs$|records\/)|actions\/((export|sources\/locks|team\/export)\.rs$)/, 'only the command line uses it yet'],
  [/^crates\/sources\/src\/desk\/write\.rs$/, 'a file for other machines'],
  [/\/tests?(\/|\.rs$)|engine\/src\/engine\/(hanging|staleness)\.rs$/, 'tests'],
  [/skills\/src\/scan\/(parts|context|ordinary)\.rs$/, 'what the scanner looks for'],
  [/skills\/src\/schema(\.rs$|\/)/, 'the JSON Schema, which editors read'],
  [/skills\/src\/invocation\.rs$|state\/src\/remark\.rs$/, 'what a model reads'],
  [/mcp\/src\/(bridge|endpoint|fast_path|host|json|memory_budget|offered|forwarded|pagination|peer|prompts|resources|server|skills_extension|surface|tools|completion|instructions)(\.rs$|\/)/, 'what MCP clients and models read'],
  [/mcp\/src\/upstream\/wire\.rs$/, 'JSON'],
  [/mcp\/src\/sign_in\/redirect\.rs$/, 'a page in the browser'],
  [/engine\/src\/(orders\/(?!take_over)|serve\/listen\.rs$|actions\/(find|go_back|uninstall)\.rs$)|machine\/src\/socket\/proxied\.rs$/, 'only the command line asks for it'],
  [/engine\/src\/doctor\/report\.rs$/, 'the report for whoever helps'],
  [/engine\/src\/session\/login_start\/entry\.rs$|servers\/src\/paths\.rs$|clients\/src\/link\.rs$|engine\/src\/audit\/usage\/report\.rs$|engine\/src\/logs\.rs$|machine\/src\/socket\/windows\.rs$/, 'what other programs read'],
  [/machine\/src\/machine\.rs$|src-tauri\/src\/lifecycle\.rs$/, 'said in the terminal, before there is a window'],
  [/servers\/src\/observed\.rs$|text\/src\/splice\.rs$/, 'the log'],
  [/api\/src\/typescript\.rs$/, 'generates code'],
];

/** Calls around a text that nobody reads in the window. */
const unread: [pattern: RegExp, why: string][] = [
  [/(^|[: ])(trace|debug|info|warn|error|event|span|debug_span|info_span)!$/, 'the log'],
  [/(^|[: ])(debug_)?assert(_eq|_ne)?!$|(^|[: ])(panic|unreachable|todo|unimplemented)!$|(^|\b)expect$/, 'a fault of ours'],
  [/(^|[: ])(e?println|eprint)!$/, 'a terminal'],
  [/^key$/, 'the JSON Schema, which editors read'],
  [/^run$/, 'commands of the checkup, for the command line'],
];

/** Fields that the window does not show. */
const unshown: Record<string, string> = { source: 'how a row of the clients is known, for docs/clients.md' };

/** Texts in files that otherwise speak. */
const others: [texts: RegExp, why: string][] = [
  [/^(duplicate key|cannot extend value|invalid (type: integer|basic string|literal string|multi-line|unquoted key|comment character)|missing (escaped value|opening quote|comma|assignment|value)|unexpected (leading zero|key or value)|unquoted keys cannot be empty|unclosed (array|inline table)|extra comma|key with no value|string values must be quoted|carriage return must be followed by newline|cannot recurse further|recursion limit)$/, 'what the reader of TOML says, to be looked up'],
  [/^(dns error|Temporary failure in name resolution|Network is unreachable|no such host|Cannot connect to (the Docker daemon|Podman)|failed to connect to the docker API|git clone|look up|Host key verification failed|Authentication failed|could not read (Username|Password)|unable to get password|terminal prompts disabled|Permission denied|Invalid credentials|Could not resolve|Failed to connect|Couldn't connect|Connection (refused|timed out|reset)|No route to host|Name or service not known|unable to look up|not found|does not appear to be a git repository|not a git repository|does not exist|Operation (too slow|timed out)|dumb http)$/, 'what is looked for in what others write'],
  [/^(dubious ownership|must be run in a work tree|\.lock': File exists|would be overwritten by merge|auto-detection is disabled|tell me who you are|empty ident|gpg failed to sign|failed to write commit object|\(fetch first\)|\[remote rejected\]|couldn't find remote ref|unrelated histories|eol=crlf|# service=git-upload-pack)$/, 'what git says'],
  [/^(Merge \{\}|Switches and sets|Skills: \{\}; switches and sets|\{verb\} \{\} and \{more\} more|the folder's own)$/, 'the message of a commit'],
  [/^(client's end|look around)$/, 'names of threads'],
  [/^(--batch-check=|GIT_ALLOW_PROTOCOL=|\{option\}=serve|(core|credential|fetch|submodule|transfer|maintenance|advice|safe|push|merge|user)\.\w+=)|^\{address\}\/info\/refs\?service=git-upload-pack$/, 'what git and hosts are told'],
  [/^(GitHub Copilot for JetBrains|The skills CLI|Windows batch|npx skills|gh skill)$/, 'names'],
  [/^(Bearer|Basic) \{|^\{\{"jsonrpc"|^type=bind|^(sensitive|required): true$|^# New skill$|^(sudo|rpm-ostree|msiexec) /, 'what programs read'],
  [/^(skilltender parts:|\{label\}, part \{\} of \{count\}|Skilltender: .* for \{server\}.*)$/, 'what the keychain shows'],
  [/^Tends your agent skills$/, 'what the desktop shows in its menu'],
  [/^(cannot be read|leads to \{\}|is no file)$/, 'what a digest is made of'],
];

/** Every text of the sources, also single words. */
export function everything(): Said[] {
  const files = ['crates/*/src/**/*.rs', 'src-tauri/src/**/*.rs'].flatMap((pattern) => globSync(join(root, pattern)).sort());
  return files
    .map((path) => ({ path, file: relative(root, path).replaceAll('\\', '/') }))
    .filter(({ file }) => !silent.some(([pattern]) => pattern.test(file)))
    .flatMap(({ path, file }) => literals(readFileSync(path, 'utf8')).map((literal) => ({ ...literal, file, raw: literal.text, text: literal.text.trim() })));
}

/** Whether a text is words: two or more beside values and code, of which one begins with a small letter; or an order such
 *  as `Restart {name}.` */
export function isWords(text: string): boolean {
  const plain = text.replace(/\{\{|\}\}/g, '').replace(/\{[^{}]*\}/g, '').replace(/`[^`]*`/g, '');
  const words = plain.match(/(?<![\p{L}\d_/.:-])\p{L}[\p{L}'’]*(?![\p{L}\d_/]|:\S)/gu) ?? [];
  return /^\p{Lu}\p{Ll}+ \{/u.test(text) || words.some((word) => /^\p{Ll}/u.test(word)) && words.length > 1;
}

export const isRead = ({ within, field, text }: Said): boolean => !others.some(([texts]) => texts.test(text)) && !(field !== undefined && field in unshown) && !within.slice(-3).some((name) => unread.some(([pattern]) => pattern.test(name)));

/** What of it is left out, and why; each of these must still be there. */
export const leftOut = { silent, unread, others, unshown };
