//! The orders: one for each action of the command line.

use std::collections::BTreeMap;

use api::{AgreedUpdate, AppSwitch, ClientChange, CustomClient, DriftChoice, Language, PlaceWay, TeamYes, Transport};
use mcp::Surface;
use serde::{Deserialize, Serialize};

use super::{GivenOrder, ServerOrder, WorkTreeOrder};

/// One request of a person on the command line. A skill is named by its key, its id, or the absolute path of
/// its folder or SKILL.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// Switches skills on or off; answers with their keys.
    Enable {
        /// The skills.
        skills: Vec<String>,
        /// On or off.
        on: bool,
        /// For skills of other authors, by their keys: the digests of the looks that the person was shown.
        #[serde(default)]
        seen: BTreeMap<String, String>,
    },
    /// Makes a skill from a template; answers with its key.
    New {
        /// The id or the absolute path of a folder of the library.
        folder: String,
        /// The id of the new skill.
        id: String,
        /// The template's name.
        template: String,
    },
    /// Makes a copy; answers with its key.
    Duplicate {
        /// The skill.
        skill: String,
        /// The id of the copy.
        id: String,
    },
    /// Imports what was planned; answers with the keys.
    Import {
        /// The folder or zip file, absolute.
        path: String,
        /// The digest of the plan that the person was shown.
        plan: String,
        /// The id or the absolute path of a folder of the library.
        folder: String,
        /// The paths of the skills inside; `None` for all of them.
        only: Option<Vec<String>>,
    },
    /// Adds skills of a source as planned; answers with their keys.
    AddSource {
        /// The source, as the person wrote it.
        source: String,
        /// The commit that the person was shown.
        commit: String,
        /// The digest of the plan that the person was shown.
        plan: String,
        /// The id or the absolute path of a folder of the library.
        folder: String,
        /// The paths of the skills inside; `None` for all of them.
        only: Option<Vec<String>>,
    },
    /// Asks the sources of skills for other versions; answers with [`Asked`].
    AskSources {
        /// The skills; none for all.
        skills: Vec<String>,
    },
    /// Follows the source of a skill that another program installed; answers with its key.
    AdoptSkill {
        /// The skill.
        skill: String,
    },
    /// Forgets where the skills of a source came from; answers with their keys.
    ForgetSource {
        /// Its name or its address, with `#` and the branch behind it.
        source: String,
    },
    /// Updates skills as planned.
    UpdateSkills {
        /// The updates, by the keys of the skills.
        updates: Vec<AgreedUpdate>,
    },
    /// Does everything of a team's file that needs no answer; answers with a [`TeamLeft`](api::TeamLeft).
    JoinTeam {
        /// The text of the file.
        text: String,
        /// What names the page that the person was shown.
        id: String,
        /// The id or the absolute path of a folder of the library, for skills that come.
        folder: String,
        /// What the person agreed to.
        yes: TeamYes,
    },
    /// Goes back to a version of a skill as planned.
    GoBackTo {
        /// The skill.
        skill: String,
        /// The version's number.
        number: u32,
        /// The digest of the plan that the person was shown.
        plan: String,
    },
    /// Moves a skill to another folder of the library; answers with its key.
    Move {
        /// The skill.
        skill: String,
        /// The id or the absolute path of a folder of the library.
        folder: String,
    },
    /// Moves a skill to the trash; answers with its name there.
    Trash {
        /// The skill.
        skill: String,
    },
    /// Restores a skill from the trash; answers with its key.
    Restore {
        /// Its name in the trash, its key, or its name in the library.
        id: String,
    },
    /// Deletes a skill in the trash for good, with its values and secrets.
    DeleteTrashed {
        /// Its name in the trash, its key, or its name in the library.
        id: String,
    },
    /// Switches a part of the server, for one client or for all.
    SetSurface {
        /// The client; `None` for all clients without a switch of their own.
        client: Option<String>,
        /// The part.
        surface: Surface,
        /// `None` removes the switch.
        on: Option<bool>,
    },
    /// Offers packed skills, or stops it.
    SetArchives {
        /// On or off.
        on: bool,
    },
    /// Serves HTTP at another port.
    SetPort {
        /// The port.
        port: u16,
    },
    /// Starts the app at login, or no longer.
    SetLoginStart {
        /// On or off.
        on: bool,
    },
    /// Puts the app into the desktop's menu of programs, or takes it out.
    SetAppMenu {
        /// On or off.
        on: bool,
    },
    /// Switches something that the app does unasked.
    SetAppSwitch {
        /// Which.
        switch: AppSwitch,
        /// On or off.
        on: bool,
    },
    /// Chooses the language of the window and the tray.
    SetLanguage {
        /// The language; none follows the desktop.
        language: Option<Language>,
    },
    /// Looks for new versions of Skilltender once a day, or no longer.
    SetUpdates {
        /// On or off.
        on: bool,
    },
    /// Asks sources of skills for other versions once a day, or no longer.
    SetAskSources {
        /// On or off.
        on: bool,
    },
    /// Withholds skills that are not ready from clients, or stops it.
    SetWithhold {
        /// On or off.
        on: bool,
    },
    /// Applies every fix to skills; answers with the keys of those that changed.
    Fix {
        /// The skills.
        skills: Vec<String>,
    },
    /// Changes the tags of skills; answers with what came of it.
    Tag {
        /// The keys of the skills, with the digests that the person was shown.
        skills: BTreeMap<String, String>,
        /// The tags to add.
        add: Vec<String>,
        /// The tags to remove.
        remove: Vec<String>,
    },
    /// Undoes something that Skilltender wrote.
    UndoWrite {
        /// Its number.
        id: u64,
    },
    /// Makes a set of skills; answers with its id.
    MakeSet {
        /// The set's name.
        name: String,
        /// The skills.
        skills: Vec<String>,
    },
    /// Replaces the skills of a set.
    ChangeSet {
        /// Its id or its name.
        set: String,
        /// The skills.
        skills: Vec<String>,
    },
    /// Deletes a set; its skills stay.
    DeleteSet {
        /// Its id or its name.
        set: String,
    },
    /// Binds a set to more folders.
    BindSet {
        /// Its id or its name.
        set: String,
        /// The folders, as patterns.
        folders: Vec<String>,
    },
    /// Takes folders from a set.
    UnbindSet {
        /// Its id or its name.
        set: String,
        /// The folders, as they are shown.
        folders: Vec<String>,
    },
    /// Shows a client only the skills of a set; without a set it sees every skill.
    GiveSet {
        /// The client's id.
        client: String,
        /// The set's id or name.
        set: Option<String>,
    },
    /// Plans a change of a client's files; answers with the plan.
    PlanClient {
        /// The client's id.
        client: String,
        /// The change.
        change: ClientChange,
    },
    /// Makes a change of a client's files.
    ChangeClient {
        /// The client's id.
        client: String,
        /// The change.
        change: ClientChange,
        /// The digest of the plan that the person was shown.
        plan: String,
    },
    /// Adds an entry to a client's file again, once, if the running client drops it.
    AddAgain {
        /// The client's id.
        client: String,
    },
    /// Issues a client's token for HTTP, or replaces it; answers with the token.
    Token {
        /// The client's id, or `by-hand`.
        client: String,
        /// Whether to replace an existing token.
        replace: bool,
    },
    /// An order about servers.
    Server(ServerOrder),
    /// An order about the secrets and values that skills get.
    Given(GivenOrder),
    /// Revokes a client's token.
    ForgetToken {
        /// The client's id.
        client: String,
    },
    /// Answers with a sentence about what could not be saved yet, or with nothing.
    ReadUnsaved,
    /// Puts enabled skills into a folder that a client reads by itself, or removes Skilltender's; answers with a sentence
    /// where they are copied because no link can be made.
    FillFolder {
        /// The client's id, or the folder's path.
        target: String,
        /// How; `None` removes Skilltender's.
        way: Option<PlaceWay>,
        /// The digest of the plan that the person was shown.
        plan: String,
    },
    /// Adds a folder to the library.
    AddFolder {
        /// Its absolute path.
        path: String,
        /// Whether skills that appear later are switched on; `None` for the usual way of such a folder.
        #[serde(default)]
        enable_new: Option<bool>,
    },
    /// Sets whether skills that appear in a folder of the library are switched on.
    SwitchNewSkills {
        /// Its id or its absolute path.
        folder: String,
        /// On or off.
        on: bool,
    },
    /// Removes a folder from the library; nothing in it changes.
    RemoveFolder {
        /// Its id or its absolute path.
        folder: String,
    },
    /// Something about the git work tree that a folder of the library lies in.
    WorkTree {
        /// Its id or its absolute path.
        folder: String,
        /// What.
        #[serde(flatten)]
        act: WorkTreeOrder,
    },
    /// Pauses or resumes serving.
    Pause {
        /// On or off.
        on: bool,
    },
    /// Adds a client that a person describes; answers with its id.
    AddClient(CustomClient),
    /// Forgets a client that a person described.
    RemoveClient {
        /// Its id.
        client: String,
    },
    /// Answers with the changes that others made to Skilltender's entry.
    ReadDrift {
        /// The client's id.
        client: String,
        /// The project's folder, for the entry there.
        project: Option<String>,
    },
    /// Settles such changes without writing into the client's file.
    SettleDrift {
        /// The client's id.
        client: String,
        /// The project's folder, for the entry there.
        project: Option<String>,
        /// The digest of the drift that the person was shown.
        drift: String,
        /// The choice.
        choice: DriftChoice,
    },
    /// Answers with Skilltender's entry as text, for a client's file that is written by hand.
    EntryText {
        /// The client's id.
        client: String,
        /// The transport; `None` for the usual one.
        transport: Option<Transport>,
    },
    /// Stops offering a kept text of a skill.
    SettleKept {
        /// The skill.
        skill: String,
        /// The moment when it was kept.
        moment: u64,
    },
    /// Ends the running engine and its program, which puts unsaved edits aside.
    Stop,
    /// Plans taking out everything of ours; answers with it.
    PlanUninstall,
    /// Takes it out; answers with sentences about what could not be done.
    Uninstall {
        /// The id of the plan that the person was shown.
        plan: String,
        /// Whether the secrets in the keychain go too.
        secrets: bool,
    },
    /// Answers with what was used in some days.
    ReadUsage {
        /// How many days.
        days: u32,
    },
    /// Answers with the same as a table, in lines with commas.
    UsageAsCsv {
        /// How many days.
        days: u32,
    },
    /// Forgets what was used.
    WipeUsage,
    /// Tries the keychain again; secrets that were kept in memory meanwhile move there.
    RetryKeychain,
    /// Settles a copy that a person edited.
    SettleCopy {
        /// The client's id, or the folder's path.
        target: String,
        /// The name of the skill's folder.
        skill: String,
        /// `true` replaces it; `false` leaves it to the person.
        replace: bool,
    },
}

/// What came of asking sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The keys of the skills that were asked about.
    pub skills: Vec<String>,
    /// Why sources did not answer, as sentences, by what names them in the snapshot.
    pub troubles: BTreeMap<String, String>,
}
