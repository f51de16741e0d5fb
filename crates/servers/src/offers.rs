//! What clients get of the servers that run or may run: the tools and prompts that a person has seen, of
//! approved servers, and the resources that these listed last, for skills that the client sees.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use api::{ServerState, ToolMode};
use choices::ServerChoices;
use machine::waiting::Mutex;
use mcp::{Offered, OfferedPrompt, OfferedResources, OfferedServer, OfferedTool, Taken, our_name};
use skills::Catalog;

use super::Servers;

/// The names of the servers that each client has in its own file, by the client's id.
pub type Present = BTreeMap<String, Arc<BTreeSet<String>>>;

/// What all servers offer at one moment.
#[derive(Debug, Default)]
pub struct Offers {
    servers: Vec<Offer>,
    /// The server and its own name for each exposed tool name.
    named: HashMap<String, (String, String)>,
    /// The servers of exposed names that would be ambiguous: these names are offered to no client.
    clashes: Clashes,
    choices: ServerChoices,
    /// The skills that each client opened since it connected, by the client's id.
    opened: BTreeMap<String, BTreeSet<String>>,
    /// The servers in clients' own files: a client gets nothing of these from Skilltender (decision 56).
    present: Present,
    /// What each client was offered so far, computed at its first request.
    told: Mutex<HashMap<String, Offered>>,
}

/// What one server offers.
#[derive(Debug)]
struct Offer {
    server: String,
    users: BTreeSet<String>,
    tools: Vec<OfferedTool>,
    prompts: Arc<Vec<OfferedPrompt>>,
    resources: Arc<OfferedResources>,
}

impl Offers {
    /// What is offered now.
    pub fn of(
        servers: &Servers,
        choices: &ServerChoices,
        opened: &BTreeMap<String, BTreeSet<String>>,
        present: &Present,
    ) -> Self {
        let (opened, present) = (opened.clone(), present.clone());
        let mut offers = Self { choices: choices.clone(), opened, present, ..Self::default() };
        let Some(wanted) = &servers.wanted else { return offers };
        offers.clashes = clashes(servers);
        // In the order of server names, so that the order in which servers report does not decide whose URIs
        // get a prefix.
        let (mut prompts_named, mut uris) = (BTreeSet::new(), Taken::default());
        for want in wanted.servers.values() {
            let run = servers.runs.get(&want.name);
            let held = run.is_some_and(|run| run.changed.is_some() || matches!(run.stage, ServerState::Stopped { .. }));
            let Some(approval) = servers.approvals.to(want) else { continue };
            let Some(pinned) = approval.tools.as_ref().filter(|_| !held) else { continue };
            let mut tools = Vec::new();
            for tool in pinned {
                let name = our_name(&want.name, &tool.name);
                // If a server lists a name twice, the first entry counts.
                if offers.named.contains_key(&name) || offers.clashes.contains_key(&name) {
                    continue;
                }
                if let Some(offered) = OfferedTool::new(&name, &tool.listed()) {
                    offers.named.insert(name, (want.name.clone(), tool.name.clone()));
                    tools.push(offered);
                }
            }
            let prompts = approval.prompts.iter().flatten().filter_map(|prompt| {
                let name = our_name(&want.name, &prompt.name);
                let free = !offers.clashes.contains_key(&name);
                OfferedPrompt::new(&name, &prompt.listed()).filter(|_| free && prompts_named.insert(name))
            });
            let prompts = Arc::new(prompts.collect());
            let listed = run.and_then(|run| run.resources.as_ref());
            let resources = listed.map(|listed| OfferedResources::new(&want.name, listed, &mut uris));
            offers.servers.push(Offer {
                server: want.name.clone(),
                users: want.users.clone(),
                tools,
                prompts,
                resources: Arc::new(resources.unwrap_or_default()),
            });
        }
        offers
    }

    /// What one client may use, of the skills that it sees.
    pub fn of_client(&self, client: &str, catalog: &Catalog) -> Offered {
        let mut told = self.told.lock();
        told.entry(client.to_owned()).or_insert_with(|| self.make(client, catalog)).clone()
    }

    fn make(&self, client: &str, catalog: &Catalog) -> Offered {
        let sees = |key: &String| {
            catalog
                .by_key(key)
                .is_some_and(|entry| catalog.get(&entry.skill.id).is_some_and(|served| served.key() == *key))
        };
        let opened = self.opened.get(client);
        let mode = self.choices.mode(client);
        let (mut tools, mut listed, mut servers) = (Vec::new(), Vec::new(), Vec::new());
        for offer in &self.servers {
            let has = self.present.get(client).is_some_and(|present| present.contains(&offer.server));
            if has || !offer.users.iter().any(sees) {
                continue;
            }
            let shown = mode == ToolMode::Always || opened.is_some_and(|opened| !opened.is_disjoint(&offer.users));
            for tool in &offer.tools {
                let own = self.named.get(tool.name()).map_or("", |(_, own)| own);
                if self.choices.is_off(client, &offer.server, own) {
                    continue;
                }
                tools.push(tool.clone());
                if shown {
                    listed.push(tool.clone());
                }
            }
            if !self.choices.is_off(client, &offer.server, "") {
                // A client that finds tools by search reads its lists once.
                let listed = shown || mode == ToolMode::Search;
                let (prompts, resources) = (Arc::clone(&offer.prompts), Arc::clone(&offer.resources));
                servers.push(OfferedServer { name: offer.server.clone(), listed, prompts, resources });
            }
        }
        Offered {
            tools: Arc::new(tools),
            listed: Arc::new(listed),
            search: mode == ToolMode::Search,
            servers: Arc::new(servers),
        }
    }

    /// The server of a tool and its own name for it.
    pub fn find(&self, name: &str) -> Option<(&str, &str)> {
        self.named.get(name).map(|(server, tool)| (server.as_str(), tool.as_str()))
    }

    /// Why this exposed name is withheld, if two servers have a tool or prompt of that name.
    pub fn clash(&self, name: &str) -> Option<String> {
        clash(&self.clashes, name)
    }

    /// Whether these offers were computed with these opened skills and these servers in clients' files.
    pub fn knows(&self, opened: &BTreeMap<String, BTreeSet<String>>, present: &Present) -> bool {
        self.opened == *opened && self.present == *present
    }

    /// Whether both offer clients the same, as far as it depends on the servers.
    pub fn same(&self, other: &Self) -> bool {
        let key = |offer: &Offer| (offer.server.clone(), offer.users.clone());
        let same = |one: &Offer, other: &Offer| {
            one.tools == other.tools && one.prompts == other.prompts && one.resources == other.resources
        };
        self.choices == other.choices
            && self.opened == other.opened
            && self.present == other.present
            && self.servers.len() == other.servers.len()
            && self.servers.iter().zip(&other.servers).all(|(one, other)| key(one) == key(other) && same(one, other))
    }
}

/// Exposed names of tools and prompts that would be several servers', with those servers.
pub(crate) type Clashes = BTreeMap<String, BTreeSet<String>>;

/// Why this name is withheld, if it is ambiguous.
pub(crate) fn clash(clashes: &Clashes, name: &str) -> Option<String> {
    let servers = clashes.get(name)?.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
    Some(format!(
        "{name} is held back, because the servers {servers} both have one of this name. Give one of them another name in its skill."
    ))
}

/// All ambiguous names.
pub(crate) fn clashes(servers: &Servers) -> Clashes {
    let mut all = Clashes::new();
    for want in servers.wanted.iter().flat_map(|wanted| wanted.servers.values()) {
        let Some(approval) = servers.approvals.to(want) else { continue };
        for one in approval.tools.iter().flatten().chain(approval.prompts.iter().flatten()) {
            all.entry(our_name(&want.name, &one.name)).or_default().insert(want.name.clone());
        }
    }
    all.retain(|_, servers| servers.len() > 1);
    all
}
