//! What is asked of the library: each skill is looked at, switched off and on again; one is fixed, one is packed, some
//! are refused; new ones are made and imported, and leave again.

use std::{collections::BTreeMap, fs};

use api::{PackOptions, SkillRow};
use engine::actions;
use serde_json::json;

use super::{home::Home, recording::Recording};

const BROKEN: &str = "projects/quarterly-report";
const NEW: &str = "new-skill";

pub(super) async fn record(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let rows: Vec<SkillRow> = engine.snapshot().skills.iter().cloned().collect();
    for row in &rows {
        let about = format!("skill {}", row.key);
        let look = actions::look_at_skill(&engine, &row.key).await;
        recording.answer(&about, "lookAtSkill", json!([row.key]), &look);
        if row.asks {
            switch(recording, &row.key, true, BTreeMap::new()).await;
        }
        let digest = look.unwrap().digest;
        let seen = if row.asks { BTreeMap::from([(row.key.clone(), digest)]) } else { BTreeMap::new() };
        switch(recording, &row.key, !row.enabled, seen).await;
        switch(recording, &row.key, row.enabled, BTreeMap::new()).await;
        if row.asks {
            // It has been seen by now.
            switch(recording, &row.key, true, BTreeMap::new()).await;
            switch(recording, &row.key, false, BTreeMap::new()).await;
        }
        for file in actions::read_skill(&engine, &row.key).await.unwrap().files {
            let text = actions::read_file(&engine, &row.key, &file.path).await;
            recording.answer(&about, "readFile", json!([row.key, file.path]), &text);
        }
    }
    for row in &rows {
        throw_away(recording, &row.key).await;
    }
    recording.refusal("readSkill", &json!(["gone"]), actions::read_skill(&engine, "gone").await);
    recording.refusal("restoreSkill", &json!(["gone"]), actions::restore_skill(&engine, "gone").await);
    fix(recording, home).await;
    pack(recording, home).await;
    refuse_to_move(recording, home).await;
    make(recording).await;
    import(recording, home).await;
}

async fn switch(recording: &mut Recording, key: &str, on: bool, seen: BTreeMap<String, String>) {
    let keys = [key.to_owned()];
    let done = actions::enable_skills(&recording.engine, &keys, on, &seen).await;
    recording.change(&format!("skill {key}"), "enableSkills", json!([keys, on, seen]), &done).await;
}

/// Each fix of the broken skill by itself, and all of them.
async fn fix(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let about = format!("skill {BROKEN}");
    let page = actions::read_skill(&engine, BROKEN).await.unwrap();
    let text = page.text.unwrap();
    for problem in &page.problems {
        let Some(fix) = &problem.fix else { continue };
        let mut after: Vec<u16> = text.encode_utf16().collect();
        for splice in fix.splices.iter().rev() {
            after.splice(splice.from as usize..splice.to as usize, splice.insert.encode_utf16());
        }
        let after = String::from_utf16(&after).unwrap();
        let problems = actions::check_text(&engine, BROKEN, after.clone()).await;
        recording.answer("", "checkText", json!([BROKEN, after]), &problems);
    }
    let fixed = actions::fix_skill(&engine, BROKEN, &page.digest).await;
    recording.change(&about, "fixSkill", json!([BROKEN, page.digest]), &fixed).await;
    let after = actions::read_skill(&engine, BROKEN).await.unwrap().text.unwrap();
    let problems = actions::check_text(&engine, BROKEN, after.clone()).await;
    recording.answer("", "checkText", json!([BROKEN, after]), &problems);
    fs::write(home.path("projects/skills/quarterly-report/SKILL.md"), &text).unwrap();
    actions::read_again(&engine).await.unwrap();
}

async fn pack(recording: &mut Recording, home: &Home) {
    let to = home.path("Documents/release-notes.zip");
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    for key in ["claude/release-notes", BROKEN] {
        let options = PackOptions { flat: false, keep_claude_code: false, replace: true };
        let packed = actions::pack_skill(&recording.engine, key, to.to_str().unwrap(), options).await;
        recording.answer(&format!("skill {key}"), "packSkill", json!([key]), &packed);
    }
}

async fn refuse_to_move(recording: &mut Recording, home: &Home) {
    let taken = home.path("projects/skills/release-notes");
    fs::create_dir_all(&taken).unwrap();
    let refused = actions::move_skill(&recording.engine, "claude/release-notes", "projects").await;
    recording.refusal("moveSkill", &json!(["release-notes"]), refused);
    fs::remove_dir(taken).unwrap();
}

async fn make(recording: &mut Recording) {
    let engine = recording.engine.clone();
    let templates = actions::templates();
    recording.answer::<_>("", "templates", json!([]), &Ok(&templates));
    for template in &templates {
        let made = actions::new_skill(&engine, "projects", NEW, &template.id).await;
        recording.change("", "newSkill", json!(["projects", NEW, template.id]), &made).await;
        let again = actions::new_skill(&engine, "projects", NEW, &template.id).await;
        recording.refusal("newSkill", &json!(["projects", NEW, template.id]), again);
        leave(recording, &made.unwrap()).await;
    }
}

async fn import(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let place = |name: &str| home.path(name).to_str().unwrap().to_owned();
    let refused = place("report.pdf");
    recording.answer("", "lookAtImport", json!([refused]), &actions::look_at_import(&engine, &refused, None).await);
    let zip = place("Downloads/skills.zip");
    let plan = actions::look_at_import(&engine, &zip, None).await;
    recording.answer("", "lookAtImport", json!([zip]), &plan);
    let plan = plan.unwrap();
    recording.refusal(
        "importSkill",
        &json!([]),
        actions::import_skill(&engine, &zip, "another plan", "claude", None).await,
    );
    let paths: Vec<_> = plan.skills.iter().map(|skill| skill.path.clone()).collect();
    // Every choice of some of them.
    for some in 1..1_usize << paths.len() {
        let chosen = paths.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
        let only: Vec<_> = chosen.map(|(_, path)| path.clone()).collect();
        let keys = actions::import_skill(&engine, &zip, &plan.id, "claude", Some(only.clone())).await;
        recording.change("", "importSkill", json!([zip, plan.id, "claude", only]), &keys).await;
        for key in keys.unwrap_or_default() {
            leave(recording, &key).await;
        }
    }
}

/// A skill goes to the trash and comes back.
async fn throw_away(recording: &mut Recording, key: &str) {
    let engine = recording.engine.clone();
    let id = actions::trash_skill(&engine, key).await;
    recording.change(&format!("skill {key}"), "trashSkill", json!([key]), &id).await;
    let id = id.unwrap();
    let back = actions::restore_skill(&engine, &id).await;
    recording.change(&format!("trash {id}"), "restoreSkill", json!([id]), &back).await;
}

/// A skill goes to the trash, and for good.
pub(super) async fn leave(recording: &Recording, key: &str) {
    let id = actions::trash_skill(&recording.engine, key).await.unwrap();
    actions::delete_trashed(&recording.engine, &id).await.unwrap();
}
