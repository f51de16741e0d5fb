//! Writes a team's file: sorted, one value on a line, every text in quotes where it could be read as something else.

use std::{collections::BTreeMap, fmt};

use super::{Form, Policy, Team, TeamServer, VERSION};
use crate::yaml::{is_printed, quoted};

/// The first lines of the file.
const HEAD: &str = "\
# What this team's Skilltenders have in common: `skilltender team join` shows it, and sets it up.
# `skilltender team export` writes it. It holds names of secrets, and never a value.
";

/// The text of the file.
impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}version: {VERSION}")?;
        if let Some(name) = &self.name {
            writeln!(f, "name: {}", quoted(name))?;
        }
        if let Some(advice) = &self.advice {
            writeln!(f, "advice: {}", text(advice, "  "))?;
        }
        list(f, "", "clients", &self.clients)?;
        policy(f, &self.policy)?;
        if !self.sets.is_empty() {
            writeln!(f, "sets:")?;
            for (name, skills) in &self.sets {
                match skills.is_empty() {
                    true => writeln!(f, "  {}: []", quoted(name))?,
                    false => list(f, "  ", &quoted(name), skills)?,
                }
            }
        }
        if !self.servers.is_empty() {
            writeln!(f, "servers:")?;
            self.servers.iter().try_for_each(|one| server(f, one))?;
        }
        if !self.skills.is_empty() {
            writeln!(f, "skills:")?;
        }
        for (name, skill) in &self.skills {
            writeln!(f, "  - name: {}\n    source: {}", quoted(name), quoted(&skill.source))?;
            field(f, "follows", skill.follows.as_deref())?;
            field(f, "commit", skill.commit.as_deref())?;
            field(f, "inside", Some(skill.inside.as_str()).filter(|inside| !inside.is_empty()))?;
            writeln!(f, "    digest: {}", quoted(&skill.digest()))?;
            let files: Vec<_> = skill.files.iter().map(|(path, file)| file.line(path)).collect();
            match files.is_empty() {
                true => writeln!(f, "    files: []")?,
                false => list(f, "    ", "files", &files)?,
            }
        }
        Ok(())
    }
}

fn policy(f: &mut fmt::Formatter<'_>, policy: &Policy) -> fmt::Result {
    if *policy == Policy::default() {
        return Ok(());
    }
    writeln!(f, "policy:")?;
    if let Some(sources) = &policy.sources {
        let sources: Vec<_> = sources.iter().map(ToString::to_string).collect();
        match sources.is_empty() {
            true => writeln!(f, "  sources: []")?,
            false => list(f, "  ", "sources", &sources)?,
        }
    }
    let words = [(policy.no_remote_servers, "remote-servers"), (policy.no_unpinned_servers, "unpinned-servers")];
    let words: Vec<_> = words.into_iter().filter(|(is_on, _)| *is_on).map(|(_, word)| word.to_owned()).collect();
    list(f, "  ", "refuse", &words)
}

fn server(f: &mut fmt::Formatter<'_>, server: &TeamServer) -> fmt::Result {
    writeln!(f, "  - name: {}", quoted(&server.name))?;
    list(f, "    ", "skills", &server.skills)?;
    match &server.form {
        Form::Program { command, args, env, cwd } => {
            field(f, "command", Some(command))?;
            list(f, "    ", "args", args)?;
            map(f, "env", env)?;
            field(f, "cwd", cwd.as_deref())?;
        }
        Form::Address { url, headers } => {
            field(f, "url", Some(url))?;
            map(f, "headers", headers)?;
        }
        Form::Container { image, args, env, mounts, port } => {
            field(f, "image", Some(image))?;
            list(f, "    ", "args", args)?;
            map(f, "env", env)?;
            list(f, "    ", "mounts", mounts)?;
            if let Some(port) = port {
                writeln!(f, "    port: {port}")?;
            }
        }
    }
    field(f, "version", server.version.as_deref())?;
    if !server.secrets.is_empty() {
        writeln!(f, "    secrets:")?;
    }
    for (name, secret) in &server.secrets {
        if secret.how.is_none() && secret.address.is_none() {
            writeln!(f, "      {}: {{}}", quoted(name))?;
            continue;
        }
        writeln!(f, "      {}:", quoted(name))?;
        if let Some(how) = &secret.how {
            writeln!(f, "        how: {}", text(how, "          "))?;
        }
        if let Some(address) = &secret.address {
            writeln!(f, "        address: {}", quoted(address))?;
        }
    }
    Ok(())
}

fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<&str>) -> fmt::Result {
    value.map_or(Ok(()), |value| writeln!(f, "    {name}: {}", quoted(value)))
}

fn list<'t>(
    f: &mut fmt::Formatter<'_>,
    indent: &str,
    name: &str,
    texts: impl IntoIterator<Item = &'t String>,
) -> fmt::Result {
    for (index, text) in texts.into_iter().enumerate() {
        if index == 0 {
            writeln!(f, "{indent}{name}:")?;
        }
        writeln!(f, "{indent}  - {}", quoted(text))?;
    }
    Ok(())
}

fn map(f: &mut fmt::Formatter<'_>, name: &str, texts: &BTreeMap<String, String>) -> fmt::Result {
    for (index, (key, text)) in texts.iter().enumerate() {
        if index == 0 {
            writeln!(f, "    {name}:")?;
        }
        writeln!(f, "      {}: {}", quoted(key), quoted(text))?;
    }
    Ok(())
}

/// A text of several lines as people write one; any other in quotes.
fn text(text: &str, indent: &str) -> String {
    let is_plain = |line: &str| {
        !line.starts_with(char::is_whitespace)
            && !line.ends_with(char::is_whitespace)
            && line.chars().all(|c| c == ' ' || is_printed(c))
    };
    let body = text.strip_suffix('\n').unwrap_or(text);
    let is_block =
        body.contains('\n') && body.split('\n').all(is_plain) && !body.starts_with('\n') && !body.ends_with('\n');
    if !is_block {
        return quoted(text);
    }
    let mut written = if text.ends_with('\n') { "|" } else { "|-" }.to_owned();
    for line in body.split('\n') {
        let line = if line.is_empty() { String::new() } else { format!("{indent}{line}") };
        written += &format!("\n{line}");
    }
    written
}
