//! The servers in clients' files that we did not add. They are listed here; what moves their secrets
//! to the keychain is left to `rescue`.

use std::{collections::BTreeSet, path::Path};

use api::{ConfiguredServer, ServerRuns, Standing};
use clients::{LARGEST, NAME, Runs, Server};
use files::replace_file;

use super::{
    context::{ClientContext, KnownClient},
    moving::named,
    standing::look_at,
};

/// Every such server, by client and then in file order. A file that several clients read belongs to the first of them;
/// a file that cannot be read is reported with its client.
pub fn configured(context: &ClientContext) -> Vec<ConfiguredServer> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for known in &context.clients {
        let projects = context.projects(known);
        let files = [None].into_iter().chain(projects.iter().map(|project| Some(project.as_path())));
        let files =
            files.flat_map(|project| context.files(known, project).into_iter().map(move |path| (path, project)));
        for (path, project) in files.collect::<Vec<_>>() {
            if seen.insert((path.clone(), known.row.key.path)) {
                found.extend(in_file(context, known, &path, project));
            }
        }
    }
    found
}

fn in_file(context: &ClientContext, known: &KnownClient, path: &Path, project: Option<&Path>) -> Vec<ConfiguredServer> {
    let current = replace_file::read(path, LARGEST as u64).ok().flatten();
    let servers = current.and_then(|current| clients::servers(known.row, &current).ok()).unwrap_or_default();
    // An entry with our name may still belong to someone else.
    let look = look_at(context, known, path, project);
    let theirs = |server: &Server| match server.name == NAME {
        true => look.standing == Standing::Different,
        false => look.direct.iter().all(|(name, _)| *name != server.name),
    };
    let configured = |server: Server| ConfiguredServer {
        client: known.id.clone(),
        name: server.name,
        place: context.machine.place(path),
        path: path.display().to_string(),
        line: server.place.line,
        column: server.place.column,
        runs: match server.runs {
            Runs::Program { command, args, .. } => {
                ServerRuns::Command { words: [command].into_iter().chain(args).collect() }
            }
            Runs::Address { url, .. } => ServerRuns::Address { address: url },
            Runs::Unclear => ServerRuns::Unclear,
        },
        off: server.off,
        secrets: server.secrets.into_iter().map(named).collect(),
    };
    servers.into_iter().filter(theirs).map(configured).collect()
}
