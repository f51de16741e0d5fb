//! Every rule, in the order of a file: the file, the frontmatter, the keys, our two blocks, the
//! content, the folder, the library.

use super::{
    content, credentials, description, file, invisible, keys, links, name, named_files, references,
    rule::{
        Rule,
        client::{CLAUDE_CODE, CODEX, COPILOT, GEMINI, MCP_HOSTS, OPENCODE, UPLOAD},
    },
    specified, unlinked, wording,
};
use crate::Severity::{Advice, Error, Warning};

/// Every rule.
pub const RULES: &[Rule] = &[
    // The file.
    Rule::new("unreadable", Error, "SKILL.md is a file that can be read, of at most 1 MiB.")
        .because("What cannot be read cannot be served. Of 89,046 skills in public repositories none is larger."),
    Rule::new("no-frontmatter", Error, "SKILL.md starts with frontmatter between two lines `---`.")
        .because("Without it no client knows the skill's name and description; nearly all of them ignore the file.")
        .minded_by(&[CODEX, COPILOT, GEMINI, OPENCODE, CLAUDE_CODE, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(file::frontmatter),
    Rule::new("path-instead-of-text", Error, "SKILL.md holds the skill itself, not the path of another file.")
        .because("Git leaves such a file in place of a symbolic link on systems where links are switched off.")
        .found_by(file::path),
    Rule::new("sloppy-fence", Warning, "Each fence is a line of exactly `---`.")
        .because("Clients differ in what else they take for a fence. With blanks or a fourth hyphen some find no frontmatter.")
        .minded_by(&[CODEX, COPILOT, GEMINI, OPENCODE, CLAUDE_CODE])
        .specified()
        .found_by(file::fences),
    Rule::new("byte-order-mark", Warning, "SKILL.md starts with `---`, not with a byte order mark.")
        .because("The invisible mark stands before the first fence, so some clients find no frontmatter.")
        .minded_by(&[CODEX, GEMINI, CLAUDE_CODE])
        .specified()
        .found_by(file::byte_order_mark),
    Rule::new("not-utf8", Warning, "SKILL.md is UTF-8.")
        .because("Other encodings show as replacement characters at best.")
        .minded_by(&[CODEX, MCP_HOSTS])
        .specified()
        .found_by(file::encoding),
    // The frontmatter.
    Rule::new("yaml-syntax", Error, "The frontmatter is YAML 1.2.")
        .because("Strict readers drop the skill; lenient ones lose the lines that they cannot read, each of them others.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, UPLOAD, MCP_HOSTS])
        .specified(),
    Rule::new("yaml-limit", Error, "The frontmatter keeps to our limits of size, depth and repetition.")
        .because("64 KiB, 16 levels and 16 aliases are far beyond any real skill; files beyond them are made to exhaust readers.")
        .specified(),
    Rule::new("yaml-tag", Warning, "The frontmatter uses no YAML tags but those of the core schema.")
        .because("A tag asks the reader to build a value of some type. Strict readers refuse, and we act on none.")
        .minded_by(&[CODEX, COPILOT])
        .specified(),
    Rule::new("unquoted-colon", Warning, "A value that holds a colon and a blank stands in quotes.")
        .because("For YAML the colon starts another key. It is the most frequent reason why real skills are dropped.")
        .minded_by(&[COPILOT, UPLOAD, MCP_HOSTS])
        .specified(),
    Rule::new("unquoted-value", Warning, "A value that YAML would read as something else stands in quotes.")
        .because("Text that starts with `@`, `*`, `[`, `{`, `|`, a backtick or a quote means something to YAML.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, UPLOAD, MCP_HOSTS])
        .specified(),
    Rule::new("duplicate-key", Warning, "A key stands in its mapping once.")
        .because("Some readers take the first, some the last, strict ones drop the skill.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, MCP_HOSTS])
        .specified(),
    Rule::new("frontmatter-not-mapping", Error, "The frontmatter holds `key: value` lines.")
        .because("There is no name and no description in a list or a plain text.")
        .minded_by(&[CODEX, COPILOT, GEMINI, OPENCODE, CLAUDE_CODE, UPLOAD, MCP_HOSTS])
        .specified(),
    // Name and description.
    Rule::new("name-missing", Error, "A skill has a name.")
        .because("It is required. Gemini CLI and opencode ignore a skill without one; others call it by its folder.")
        .minded_by(&[GEMINI, OPENCODE, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(name::missing),
    Rule::new("name-type", Warning, "The name is text.")
        .because("For YAML `name: 123` is a number. Quotes make it text for every reader.")
        .minded_by(&[COPILOT, OPENCODE])
        .specified()
        .found_by(name::kind),
    Rule::new("name-length", Warning, "The name has at most 64 characters.")
        .because("That is the specification's limit, and some clients drop the skill for a longer one.")
        .minded_by(&[CODEX, COPILOT, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(name::length),
    Rule::new("name-format", Warning, "The name is made of a-z, 0-9 and single hyphens.")
        .because("A name is also a folder, a command and a part of addresses, so it has to be plain everywhere.")
        .minded_by(&[COPILOT, GEMINI, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(name::format),
    Rule::new("name-folder", Warning, "The name is that of the skill's folder.")
        .because("Some clients go by the folder, others by the name: people would know the skill by two names.")
        .minded_by(&[CLAUDE_CODE, MCP_HOSTS])
        .specified()
        .found_by(name::folder),
    Rule::new("name-reserved", Warning, "The name holds neither `claude` nor `anthropic`.")
        .because("The words are reserved; the upload refuses the skill. Everything else takes it.")
        .minded_by(&[UPLOAD])
        .found_by(name::reserved),
    Rule::new("description-missing", Error, "A skill has a description.")
        .because("The description is all that a model knows of a skill when it decides whether to use it.")
        .minded_by(&[CODEX, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(description::missing),
    Rule::new("description-type", Warning, "The description is text.")
        .because("For YAML a number, a list or a date is no text, and several clients ignore the skill.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, MCP_HOSTS])
        .specified()
        .found_by(description::kind),
    Rule::new("description-length", Warning, "The description has at most 1,024 characters.")
        .because("Copilot drops the skill, the upload refuses it, and others cut it to their budget.")
        .minded_by(&[COPILOT, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(description::length),
    Rule::new("control-character", Error, "Neither the name nor the description holds control characters.")
        .because("They steer terminals and cut lines, and no client shows them. In the description tabs and line ends are fine.")
        .minded_by(&[UPLOAD, MCP_HOSTS])
        .found_by(name::controls),
    Rule::new("description-tag", Warning, "The description holds no XML tags.")
        .because("Clients put descriptions into XML. The upload refuses tags, because they could end that XML early.")
        .minded_by(&[UPLOAD])
        .found_by(description::tag),
    // The other keys.
    Rule::new("unknown-key", Warning, "Keys are spelt as clients know them.")
        .because("Unknown keys are ignored without a word. One that is nearly a known key is most likely meant to be it.")
        .found_by(keys::misspelt),
    Rule::new("key-type", Warning, "Each known key holds the kind of value that clients expect.")
        .because("Some clients drop the whole skill for one value of another kind, such as a list in `argument-hint`.")
        .minded_by(&[CODEX, COPILOT])
        .found_by(keys::kinds),
    Rule::new("compatibility-length", Warning, "`compatibility` has at most 500 characters.")
        .because("That is the specification's limit for the one line that says what a skill needs around it.")
        .minded_by(&[UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(specified::compatibility),
    Rule::new("metadata-value", Warning, "Each value of `metadata` is text.")
        .because("The specification knows `metadata` as a map from text to text. In the wild two of five hold other values; such a skill is left out of `skills/list` (see `skill-unlisted`).")
        .minded_by(&[MCP_HOSTS])
        .found_by(specified::metadata),
    Rule::new("skill-unlisted", Warning, "The optional keys hold what the specification says, so that the skill stands in `skills/list`.")
        .because("FastMCP and others drop the whole list for one value of another kind, so such a skill is left out of it: text in `license`, `compatibility` and `allowed-tools`, a map from text to text in `metadata`. Everything else has the skill.")
        .minded_by(&[MCP_HOSTS])
        .found_by(specified::unlisted),
    Rule::new("metadata-reserved", Warning, "No key of `metadata` starts with `io.modelcontextprotocol/`.")
        .because("These keys are reserved for MCP, which may give them a meaning of its own (SEP-2640).")
        .minded_by(&[MCP_HOSTS])
        .found_by(specified::reserved),
    // `x-personal-mcp`.
    Rule::new("personal-block", Error, "The block `x-personal-mcp` keeps to its contract.")
        .because("The catalog and the addresses of a skill are made from the block, so it holds as a whole or not at all."),
    Rule::new("personal-tags", Advice, "Tags are lowercase words joined by hyphens.")
        .because("The same label written in two ways is two labels."),
    Rule::new("personal-key", Warning, "Keys of `x-personal-mcp` and of its references are known ones.")
        .because("An unknown key is ignored, and what it says is lost."),
    Rule::new("personal-capability", Warning, "Each capability is a URI that is served.")
        .because("Clients find the URI in the catalog and fail when they read it."),
    // `requires-mcp-servers`.
    Rule::new("server-block", Error, "Each entry of `requires-mcp-servers` says what is needed in a known spelling.")
        .because("What cannot be read cannot be started, nor asked for."),
    Rule::new("server-unknown", Warning, "Each needed server says how it is started or where it runs.")
        .because("A name that is not well known does not say which program is meant, and guessing would start somebody's program."),
    Rule::new("server-placeholder", Error, "Each `${NAME}` is declared as a parameter.")
        .because("Only declared values are asked for and filled in; nothing is taken from the environment by name."),
    Rule::new("server-undeclared", Advice, "Each `${NAME}` in the environment or a header is declared as a parameter.")
        .because("It is asked for all the same, and a declaration says to people what it is for and whether it is a secret."),
    Rule::new("server-credential", Error, "No key, token or password is written out in the declaration of a server.")
        .because("Everybody who has the skill can read it, and it is the same for all of them; a secret is asked for and kept in the keychain."),
    Rule::new("server-mount", Error, "A mount of a container is a folder that a person gives, and a place inside.")
        .because("An author cannot know the folders of another computer, and some places of it lead out of every container."),
    Rule::new("server-secret", Error, "A secret is passed in the environment, as a whole value, or at the end of a header.")
        .because("Arguments can be read by every program on the computer, and SKILL.md by everybody who has the skill."),
    Rule::new("server-environment", Error, "No variable is set that decides which programs are found and what they load.")
        .because("Variables such as `PATH` or `LD_PRELOAD` could make a trusted program run the skill's code."),
    Rule::new("server-redirect", Warning, "A variable that leads a program elsewhere is set with reason.")
        .because("Proxies, `NODE_OPTIONS` or `..._BASE_URL` change where a program connects or what it loads, so people are asked for each of them by itself."),
    Rule::new("server-header", Error, "Each header has a plain name, holds one line, and is not one that the connection sets.")
        .because("Headers such as `Host` or `Content-Type` are the connection's own; a line end in one would be a second header."),
    Rule::new("server-transport", Error, "A server that runs elsewhere speaks Streamable HTTP.")
        .because("MCP gave SSE up, and an address without encryption can be read and changed on its way."),
    Rule::new("server-key", Warning, "Keys of a server, of its container and of its parameters are known ones.")
        .because("An unknown key is ignored, and what it says is lost."),
    Rule::new("server-description", Advice, "Each needed server says what it is for.")
        .because("People are asked whether the server may run. The sentence is what they decide by."),
    Rule::new("server-parameter-unused", Warning, "Each parameter is used in the arguments, the environment, the headers or the address.")
        .because("People are asked for a value that goes nowhere."),
    Rule::new("server-sensitive", Warning, "A parameter that sounds like a secret says whether it is one.")
        .because("What is not declared as a secret is kept and shown as plain text, outside of the keychain."),
    // The content.
    Rule::new("description-vague", Advice, "The description says what the skill does and when to use it.")
        .because("It is all that a model has when it decides whether to read the skill.")
        .found_inside_by(wording::vague),
    Rule::new("description-person", Advice, "The description speaks in the third person.")
        .because("It is put before a model among many others, where \u{201c}I\u{201d} and \u{201c}you\u{201d} could be anybody.")
        .found_inside_by(wording::person),
    Rule::new("description-budget", Advice, "Name and description take about 100 tokens.")
        .because("They are a part of every conversation; clients cut or drop what exceeds their budget for all skills together.")
        .minded_by(&[CLAUDE_CODE, CODEX])
        .found_inside_by(wording::budget),
    Rule::new("invisible-text", Error, "No text is invisible to people and visible to models.")
        .because("Hidden characters carry instructions past whoever reviews a skill. Emoji and scripts that need joiners are left alone.")
        .found_inside_by(invisible::hidden),
    Rule::new("credential", Error, "No key, token or private key stands in SKILL.md.")
        .because("A skill is copied, shared and shown to models, and its secrets with it.")
        .found_inside_by(credentials::literal),
    Rule::new("body-length", Advice, "The body has at most 500 lines and about 5,000 tokens.")
        .because("The whole body is read into the model's context at each use. What is rarely needed belongs into references/.")
        .found_inside_by(content::length),
    Rule::new("link-broken", Warning, "Each link leads to a file of the skill.")
        .because("A model that follows it finds nothing, and makes up what could have stood there.")
        .found_inside_by(links::broken),
    Rule::new("link-outside", Advice, "Links stay inside the skill's folder.")
        .because("A skill that is installed, packed or read over MCP comes without the folders around it: `../`, whole paths, `file:` and symbolic links lead nowhere then. `pack` says it too.")
        .found_inside_by(links::outside),
    Rule::new("reference-link", Warning, "Each link in a Markdown file beside SKILL.md leads to a file of the skill.")
        .because("A model that reads the file follows the link, finds nothing, and makes up what could have stood there.")
        .found_inside_by(links::broken_beside),
    Rule::new("file-missing", Warning, "Scripts and files that the text names are there.")
        .because("A model that is told to run a script that does not exist writes one of its own.")
        .found_inside_by(named_files::missing),
    Rule::new("file-unlinked", Advice, "Files outside scripts/, references/, assets/ and agents/ are named in some text of the skill.")
        .because("A model opens only what it has read about. A name, a folder or a pattern in any Markdown file or script counts; licences, cards, signatures, manifests, tests and hidden files need none.")
        .found_inside_by(unlinked::unlinked),
    Rule::new("reference-missing", Error, "Each reference in `x-personal-mcp` is a file of the skill.")
        .because("Its address is in the catalog, and reading it fails.")
        .found_inside_by(references::missing),
    Rule::new("reference-length", Advice, "SKILL.md says what to search a reference of over 10,000 words for.")
        .because("A model that opens such a file as a whole loses its context to it.")
        .found_inside_by(references::long),
    // The library.
    Rule::new("duplicate-id", Warning, "No two skills of a library have the same id.")
        .because("Only the first one is served. Which one that is depends on the order of the folders."),
    Rule::new("folder-size", Warning, "A skill has at most 512 files and 16 MiB.")
        .because("Beyond that MCP servers should not offer a skill with all its files (SEP-2640).")
        .minded_by(&[MCP_HOSTS]),
    Rule::new("depends-on-unknown", Warning, "Each skill in `depends_on` is in the library and switched on.")
        .because("The skill counts on another one that no client can read here."),
    Rule::new("depends-on-cycle", Warning, "No skill depends on itself, not even through others.")
        .because("Whoever reads the skills in the order in which they build on each other would never come to an end."),
];

/// The row of a rule, by its id.
pub(crate) fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
