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
    Rule::new("unreadable", Error, "SKILL.md is a readable file of at most 1 MiB.")
        .because("An unreadable skill cannot be served. None of 89,046 skills in public repositories is larger."),
    Rule::new("no-frontmatter", Error, "SKILL.md starts with frontmatter between two lines `---`.")
        .because("Without it, clients do not know the skill's name and description; nearly all ignore the file.")
        .minded_by(&[CODEX, COPILOT, GEMINI, OPENCODE, CLAUDE_CODE, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(file::frontmatter),
    Rule::new("path-instead-of-text", Error, "SKILL.md holds the skill itself, not the path of another file.")
        .because("Git writes such a file instead of a symbolic link where links are switched off.")
        .found_by(file::path),
    Rule::new("sloppy-fence", Warning, "Each fence is a line of exactly `---`.")
        .because("Clients differ in which other lines they accept. With blanks or a fourth hyphen, some find no frontmatter.")
        .minded_by(&[CODEX, COPILOT, GEMINI, OPENCODE, CLAUDE_CODE])
        .specified()
        .found_by(file::fences),
    Rule::new("byte-order-mark", Warning, "SKILL.md starts with `---`, not with a byte order mark.")
        .because("The invisible mark comes before the first fence, so some clients find no frontmatter.")
        .minded_by(&[CODEX, GEMINI, CLAUDE_CODE])
        .specified()
        .found_by(file::byte_order_mark),
    Rule::new("not-utf8", Warning, "SKILL.md is UTF-8.")
        .because("Text in other encodings shows as replacement characters at best.")
        .minded_by(&[CODEX, MCP_HOSTS])
        .specified()
        .found_by(file::encoding),
    // The frontmatter.
    Rule::new("yaml-syntax", Error, "The frontmatter is YAML 1.2.")
        .because("Strict readers drop the skill; lenient ones each lose different lines.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, UPLOAD, MCP_HOSTS])
        .specified(),
    Rule::new("yaml-limit", Error, "The frontmatter is within our limits of size, depth and repetition.")
        .because("64 KiB, 16 levels and 16 aliases are far more than any real skill needs; larger files are made to exhaust readers.")
        .specified(),
    Rule::new("yaml-tag", Warning, "The frontmatter uses only the YAML tags of the core schema.")
        .because("A tag asks the reader to build a value of some type. Strict readers refuse the skill, and Skilltender ignores the tag.")
        .minded_by(&[CODEX, COPILOT])
        .specified(),
    Rule::new("unquoted-colon", Warning, "A value that contains a colon and a blank is in quotes.")
        .because("In YAML, the colon starts another key. This is the most frequent reason why clients drop real skills.")
        .minded_by(&[COPILOT, UPLOAD, MCP_HOSTS])
        .specified(),
    Rule::new("unquoted-value", Warning, "A value that YAML would read as something else is in quotes.")
        .because("Text that starts with `@`, `*`, `[`, `{`, `|`, a backtick or a quote has a meaning in YAML.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, UPLOAD, MCP_HOSTS])
        .specified(),
    Rule::new("duplicate-key", Warning, "Each key occurs once in its mapping.")
        .because("Some readers take the first value, some the last; strict ones drop the skill.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, MCP_HOSTS])
        .specified(),
    Rule::new("frontmatter-not-mapping", Error, "The frontmatter holds `key: value` lines.")
        .because("A list or plain text has no name and no description.")
        .minded_by(&[CODEX, COPILOT, GEMINI, OPENCODE, CLAUDE_CODE, UPLOAD, MCP_HOSTS])
        .specified(),
    // Name and description.
    Rule::new("name-missing", Error, "A skill has a name.")
        .because("The name is required. Gemini CLI and opencode ignore a skill without one; others use the folder's name.")
        .minded_by(&[GEMINI, OPENCODE, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(name::missing),
    Rule::new("name-type", Warning, "The name is text.")
        .because("In YAML, `name: 123` is a number. Quotes make it text for every reader.")
        .minded_by(&[COPILOT, OPENCODE])
        .specified()
        .found_by(name::kind),
    Rule::new("name-length", Warning, "The name has at most 64 characters.")
        .because("This is the specification's limit, and some clients drop skills with longer names.")
        .minded_by(&[CODEX, COPILOT, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(name::length),
    Rule::new("name-format", Warning, "The name consists of a-z, 0-9 and single hyphens.")
        .because("The name is also a folder, a command and a part of addresses.")
        .minded_by(&[COPILOT, GEMINI, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(name::format),
    Rule::new("name-folder", Warning, "The name equals the name of the skill's folder.")
        .because("Some clients use the folder, others the name, so the skill would have two names.")
        .minded_by(&[CLAUDE_CODE, MCP_HOSTS])
        .specified()
        .found_by(name::folder),
    Rule::new("name-reserved", Warning, "The name contains neither `claude` nor `anthropic`.")
        .because("These words are reserved: the upload refuses the skill. All other clients accept it.")
        .minded_by(&[UPLOAD])
        .found_by(name::reserved),
    Rule::new("description-missing", Error, "A skill has a description.")
        .because("A model decides by the description whether to use the skill.")
        .minded_by(&[CODEX, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(description::missing),
    Rule::new("description-type", Warning, "The description is text.")
        .because("In YAML, a number, a list or a date is not text, and several clients then ignore the skill.")
        .minded_by(&[CODEX, COPILOT, OPENCODE, MCP_HOSTS])
        .specified()
        .found_by(description::kind),
    Rule::new("description-length", Warning, "The description has at most 1,024 characters.")
        .because("Copilot drops skills with longer ones, the upload refuses them, and others cut the text.")
        .minded_by(&[COPILOT, UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(description::length),
    Rule::new("control-character", Error, "Neither the name nor the description contains control characters.")
        .because("They control terminals and break lines, and no client shows them. Tabs and line ends are fine in the description.")
        .minded_by(&[UPLOAD, MCP_HOSTS])
        .found_by(name::controls),
    Rule::new("description-tag", Warning, "The description contains no XML tags.")
        .because("Clients put descriptions into XML, and a tag could end that XML early. The upload refuses them.")
        .minded_by(&[UPLOAD])
        .found_by(description::tag),
    // The other keys.
    Rule::new("unknown-key", Warning, "Keys are spelt as clients know them.")
        .because("Clients silently ignore unknown keys. One that is close to a known key is probably misspelt.")
        .found_by(keys::misspelt),
    Rule::new("key-type", Warning, "Each known key has the kind of value that clients expect.")
        .because("Some clients drop the whole skill because of one value of another kind, such as a list in `argument-hint`.")
        .minded_by(&[CODEX, COPILOT])
        .found_by(keys::kinds),
    Rule::new("compatibility-length", Warning, "`compatibility` has at most 500 characters.")
        .because("This is the specification's limit.")
        .minded_by(&[UPLOAD, MCP_HOSTS])
        .specified()
        .found_by(specified::compatibility),
    Rule::new("metadata-value", Warning, "Each value of `metadata` is text.")
        .because("In the specification, `metadata` maps text to text. Two of five public skills have other values; such a skill is left out of `skills/list` (see `skill-unlisted`).")
        .minded_by(&[MCP_HOSTS])
        .found_by(specified::metadata),
    Rule::new("skill-unlisted", Warning, "The optional keys have the kinds of values that `skills/list` needs.")
        .because("They are text in `license`, `compatibility` and `allowed-tools`, and a map from text to text in `metadata`. FastMCP and others drop the whole list because of one other value, so such a skill is left out of it. It is available everywhere else.")
        .minded_by(&[MCP_HOSTS])
        .found_by(specified::unlisted),
    Rule::new("metadata-reserved", Warning, "No key of `metadata` starts with `io.modelcontextprotocol/`.")
        .because("These keys are reserved for MCP (SEP-2640).")
        .minded_by(&[MCP_HOSTS])
        .found_by(specified::reserved),
    // `x-personal-mcp`.
    Rule::new("personal-block", Error, "The block `x-personal-mcp` is valid.")
        .because("The catalog and the addresses of a skill are made from the block, so it counts as a whole or not at all."),
    Rule::new("personal-tags", Advice, "Tags are lowercase words joined by hyphens.")
        .because("A label with two spellings is two labels."),
    Rule::new("personal-key", Warning, "`x-personal-mcp` and its references have only known keys.")
        .because("Unknown keys are ignored."),
    Rule::new("personal-capability", Warning, "Each capability is a URI that is served.")
        .because("Clients find the URI in the catalog and fail to read it."),
    // `requires-mcp-servers`.
    Rule::new("server-block", Error, "Each entry of `requires-mcp-servers` is in a known form.")
        .because("A server with an unreadable entry cannot be started."),
    Rule::new("server-unknown", Warning, "Each needed server says how it is started or where it runs.")
        .because("A name that is not well known does not tell which program to start, and a guess could start the wrong one."),
    Rule::new("server-placeholder", Error, "Each `${NAME}` is declared as a parameter.")
        .because("Only declared values are asked for and filled in; nothing is taken from the environment."),
    Rule::new("server-undeclared", Advice, "Each `${NAME}` in the environment or a header is declared as a parameter.")
        .because("People are asked for the value in any case. A declaration tells them its purpose, and whether it is a secret."),
    Rule::new("server-credential", Error, "The declaration of a server contains no key, token or password.")
        .because("Everybody with the skill could read and use it. Declare a secret instead: each person enters their own, and it is kept in the keychain."),
    Rule::new("server-mount", Error, "A mount of a container is a folder that the person chooses, and a place inside.")
        .because("An author does not know the folders of another computer, and some places there give a container control of the computer."),
    Rule::new("server-secret", Error, "A secret is a whole environment variable, or the end of a header.")
        .because("Every program on the computer can read arguments, and everybody with the skill can read SKILL.md."),
    Rule::new("server-environment", Error, "No variable decides which programs are found or what they load.")
        .because("Variables such as `PATH` or `LD_PRELOAD` could make a trusted program run the skill's code."),
    Rule::new("server-redirect", Warning, "Variables that lead a program elsewhere are set only if needed.")
        .because("Proxies, `NODE_OPTIONS` or `..._BASE_URL` change where a program connects or what it loads, so people must approve each one separately."),
    Rule::new("server-header", Error, "Each header has a plain name and one line, and is not set by the connection itself.")
        .because("The connection sets headers such as `Host` and `Content-Type`; a line end would start a second header."),
    Rule::new("server-transport", Error, "A server that runs elsewhere speaks Streamable HTTP.")
        .because("MCP no longer supports SSE, and data sent without encryption can be read and changed on the way."),
    Rule::new("server-key", Warning, "A server, its container and its parameters have only known keys.")
        .because("Unknown keys are ignored."),
    Rule::new("server-description", Advice, "Each needed server has a description.")
        .because("People decide by it whether the server may run."),
    Rule::new("server-parameter-unused", Warning, "Each parameter is used in the arguments, the environment, the headers or the address.")
        .because("Otherwise people are asked for a value that goes nowhere."),
    Rule::new("server-sensitive", Warning, "A parameter that sounds like a secret says whether it is one.")
        .because("A value that is not declared as a secret is kept and shown as plain text, outside the keychain."),
    // The content.
    Rule::new("description-vague", Advice, "The description says what the skill does and when to use it.")
        .because("A model decides by the description alone whether to read the skill.")
        .found_inside_by(wording::vague),
    Rule::new("description-person", Advice, "The description speaks in the third person.")
        .because("A model reads it among many others, where \u{201c}I\u{201d} and \u{201c}you\u{201d} could be anybody.")
        .found_inside_by(wording::person),
    Rule::new("description-budget", Advice, "Name and description take about 100 tokens.")
        .because("They are part of every conversation. Clients have one budget for all skills, and cut or drop what exceeds it.")
        .minded_by(&[CLAUDE_CODE, CODEX])
        .found_inside_by(wording::budget),
    Rule::new("invisible-text", Error, "No text is invisible to people and visible to models.")
        .because("Hidden characters carry instructions past the people who review a skill. Emoji and scripts that need joiners are fine.")
        .found_inside_by(invisible::hidden),
    Rule::new("credential", Error, "SKILL.md contains no key, token or private key.")
        .because("Skills are copied, shared and shown to models, with every secret in them.")
        .found_inside_by(credentials::literal),
    Rule::new("body-length", Advice, "The body has at most 500 lines and about 5,000 tokens.")
        .because("A model reads the whole body at each use. Rarely needed parts belong in references/.")
        .found_inside_by(content::length),
    Rule::new("link-broken", Warning, "Each link leads to a file of the skill.")
        .because("A model that follows a broken link finds nothing, and may make up the content.")
        .found_inside_by(links::broken),
    Rule::new("link-outside", Advice, "Links stay inside the skill's folder.")
        .because("An installed, packed or served skill comes without the folders around it, so `../`, absolute paths, `file:` and symbolic links lead nowhere. `pack` reports them too.")
        .found_inside_by(links::outside),
    Rule::new("reference-link", Warning, "Each link in a Markdown file beside SKILL.md leads to a file of the skill.")
        .because("A model that follows a broken link finds nothing, and may make up the content.")
        .found_inside_by(links::broken_beside),
    Rule::new("file-missing", Warning, "Scripts and files named in the text exist.")
        .because("A model that should run a missing script writes its own.")
        .found_inside_by(named_files::missing),
    Rule::new("file-unlinked", Advice, "Files outside scripts/, references/, assets/ and agents/ are named in some text of the skill.")
        .because("A model opens only files that it has read about. A name, a folder or a pattern in any Markdown file or script counts; licences, cards, signatures, manifests, tests and hidden files need none.")
        .found_inside_by(unlinked::unlinked),
    Rule::new("reference-missing", Error, "Each reference in `x-personal-mcp` is a file of the skill.")
        .because("Its address is in the catalog, but cannot be read.")
        .found_inside_by(references::missing),
    Rule::new("reference-length", Advice, "SKILL.md says what to search for in a reference of over 10,000 words.")
        .because("Such a file fills the context of a model that reads all of it.")
        .found_inside_by(references::long),
    // The library.
    Rule::new("duplicate-id", Warning, "No two skills of a library have the same id.")
        .because("Only the first one is served, by the order of the library folders."),
    Rule::new("folder-size", Warning, "A skill has at most 512 files and 16 MiB.")
        .because("MCP servers should not offer larger skills with all their files (SEP-2640).")
        .minded_by(&[MCP_HOSTS]),
    Rule::new("depends-on-unknown", Warning, "Each skill in `depends_on` is in the library and switched on.")
        .because("The skill relies on another one that clients cannot read here."),
    Rule::new("depends-on-cycle", Warning, "No skill depends on itself, not even through others.")
        .because("Skills that depend on each other in a circle cannot be read in order."),
];

/// The row of a rule, by its id.
pub(crate) fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
