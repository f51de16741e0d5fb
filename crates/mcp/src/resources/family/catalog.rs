//! The catalogue: a summary of every skill, and the full record of one (docs/wire-contract.md, "The catalogue").

use serde_json::{Map, Value, json};
use skills::{Address, Catalog, Entry, Severity};

use super::{super::archive, references};

/// Every skill, as a list of short records, sorted by id.
pub(in crate::resources) fn index(catalog: &Catalog) -> String {
    let records = catalog.served().filter(|entry| entry.cataloged()).map(|entry| Value::Object(short(entry)));
    Value::Array(records.collect()).to_string()
}

/// The record of one skill. `remark` says why it cannot be used yet (decision 25).
pub(in crate::resources) fn record(catalog: &Catalog, entry: &Entry, remark: Option<String>, archives: bool) -> String {
    let mut record = short(entry);
    let personal = entry.skill.personal.as_ref();
    let references: Vec<Value> = references(entry)
        .map(|(id, reference, _)| {
            let uri = Address::Reference(entry.skill.id.clone(), id.to_owned()).to_string();
            json!({"id": id, "uri": uri, "title": reference.title, "mime_type": reference.mime_type})
        })
        .collect();
    let among_others = catalog.problems_of(entry);
    let problems = entry.skill.problems.iter().chain(&among_others);
    let problems = problems.filter(|problem| problem.severity != Severity::Advice);
    let mut warnings: Vec<String> = problems.map(|problem| problem.message.clone()).collect();
    if archives && !archive::fits(entry) {
        warnings.push("A path is too long for the packed form, so the skill is not offered packed.".to_owned());
    }
    record.insert("depends_on".to_owned(), json!(personal.map_or(&[][..], |personal| &personal.depends_on)));
    record.insert("document_uri".to_owned(), json!(document_uri(entry)));
    record.insert("references".to_owned(), Value::Array(references));
    record.insert("enabled".to_owned(), json!(entry.enabled));
    record.insert("ready".to_owned(), json!(remark.is_none()));
    warnings.extend(remark);
    record.insert("warnings".to_owned(), json!(warnings));
    Value::Object(record).to_string()
}

/// The summary to choose by. A skill without the block `x-personal-mcp` has its document as its only capability.
fn short(entry: &Entry) -> Map<String, Value> {
    let skill = &entry.skill;
    let capabilities = match &skill.personal {
        Some(personal) => json!(personal.capabilities),
        None => json!([document_uri(entry)]),
    };
    let fields = [
        ("id", json!(skill.id)),
        ("name", json!(skill.name)),
        ("description", json!(skill.description)),
        ("version", json!(skill.version())),
        ("tags", json!(skill.tags())),
        ("capabilities", capabilities),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn document_uri(entry: &Entry) -> String {
    Address::Document(entry.skill.id.clone()).to_string()
}
