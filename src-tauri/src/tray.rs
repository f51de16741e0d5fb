//! The tray icon: draws the entries of `menu` and does what is chosen.
//!
//! On Linux a tray icon has only its menu (no clicks, no tooltip), so the menu holds everything.

use std::sync::Arc;

use api::{ActionError, ErrorKind, Snapshot, UpdateState, failed};
use engine::{Engine, Machine, actions};
use parking_lot::Mutex;
use tauri::{
    AppHandle, Manager as _, Runtime,
    menu::{CheckMenuItemBuilder, IsMenuItem, Menu, MenuBuilder, MenuItemBuilder, PredefinedMenuItem, SubmenuBuilder},
    tray::TrayIconBuilder,
};
use tauri_plugin_dialog::MessageDialogKind;

use crate::{
    desktop,
    events::{self, Leave, Show},
    menu::{self, Choice, Entry},
    quit,
    remembered::Remembered,
    tray_icon::TrayIcon,
    updates, windows,
};

const ID: &str = "skilltender";

/// The tray's current content.
#[derive(Default)]
pub(crate) struct Shown {
    snapshot: Option<Arc<Snapshot>>,
    recent: Vec<String>,
    entries: Vec<Entry>,
    icon: Option<TrayIcon>,
}

/// Puts the icon into the tray.
pub(crate) fn open(app: &AppHandle, machine: &Machine) -> tauri::Result<()> {
    app.manage(Mutex::new(Shown { recent: app.state::<Remembered>().get().recent, ..Shown::default() }));
    // By default the picture goes to a folder in /tmp that other users can guess.
    TrayIconBuilder::with_id(ID)
        .temp_dir_path(machine.data.join("tray"))
        .icon(TrayIcon::Running.picture(app))
        .icon_as_template(cfg!(target_os = "macos"))
        .tooltip("Skilltender")
        .menu(&Menu::new(app)?)
        .on_menu_event(|app, event| choose(app, event.id().as_ref()))
        .build(app)?;
    Ok(())
}

/// Shows a snapshot, from any thread.
pub(crate) fn draw(app: &AppHandle, snapshot: Arc<Snapshot>) {
    let there = app.clone();
    // Menus belong on the main thread.
    let sent = app.run_on_main_thread(move || draw_here(&there, snapshot));
    if let Err(why) = sent {
        tracing::warn!("the tray was not redrawn: {why}");
    }
}

/// The menu is replaced only when its content differs, because that closes it.
fn draw_here(app: &AppHandle, snapshot: Arc<Snapshot>) {
    let shown = app.state::<Mutex<Shown>>();
    let mut shown = shown.lock();
    let recent = menu::recent(&shown.recent, shown.snapshot.as_deref(), &snapshot);
    let entries = menu::entries(&snapshot, &recent);
    let icon = TrayIcon::of(&snapshot);
    app.state::<Remembered>().change(|memory| memory.recent.clone_from(&recent));
    shown.recent = recent;
    shown.snapshot = Some(snapshot);
    if let Err(why) = redraw(app, &mut shown, entries, icon) {
        tracing::warn!("the tray cannot be drawn: {why}");
    }
}

/// Redraws everything, for example when the desktop changes its colours.
pub(crate) fn draw_anew(app: &AppHandle) {
    {
        let shown = app.state::<Mutex<Shown>>();
        let mut shown = shown.lock();
        shown.entries.clear();
        shown.icon = None;
    }
    draw(app, app.state::<Engine>().snapshot());
}

fn redraw(app: &AppHandle, shown: &mut Shown, entries: Vec<Entry>, icon: TrayIcon) -> tauri::Result<()> {
    let Some(tray) = app.tray_by_id(ID) else { return Ok(()) };
    if shown.icon != Some(icon) {
        tray.set_icon_with_as_template(Some(icon.picture(app)), cfg!(target_os = "macos"))?;
        shown.icon = Some(icon);
    }
    if shown.entries != entries {
        tray.set_menu(Some(build(app, &entries)?))?;
        shown.entries = entries;
    }
    Ok(())
}

fn build<R: Runtime>(app: &AppHandle<R>, entries: &[Entry]) -> tauri::Result<Menu<R>> {
    let mut menu = MenuBuilder::new(app);
    for entry in entries {
        menu = menu.item(&*item(app, entry)?);
    }
    menu.build()
}

fn item<R: Runtime>(app: &AppHandle<R>, entry: &Entry) -> tauri::Result<Box<dyn IsMenuItem<R>>> {
    // A single `&` would underline the next character.
    let spelled = |text: &str| text.replace('&', "&&");
    Ok(match entry {
        Entry::Words(text) => Box::new(MenuItemBuilder::new(spelled(text)).enabled(false).build(app)?),
        Entry::Do(choice, text) => Box::new(MenuItemBuilder::with_id(choice.id(), spelled(text)).build(app)?),
        Entry::Switch(choice, text, on) => {
            Box::new(CheckMenuItemBuilder::with_id(choice.id(), spelled(text)).checked(*on).build(app)?)
        }
        Entry::Menu(text, entries) => {
            let mut menu = SubmenuBuilder::new(app, spelled(text));
            for entry in entries {
                menu = menu.item(&*item(app, entry)?);
            }
            Box::new(menu.build()?)
        }
        Entry::Gap => Box::new(PredefinedMenuItem::separator(app)?),
    })
}

fn choose(app: &AppHandle, id: &str) {
    match Choice::from_id(id) {
        Some(Choice::Needs) => events::show(app, Show::Needs),
        Some(Choice::Connect(id)) => events::show(app, Show::Client { id }),
        Some(Choice::Open) => windows::show(app),
        Some(Choice::Quit) => quit::ask(app, Leave::Person),
        Some(Choice::Skill(key)) => switch(app, key),
        Some(Choice::Set { client, set }) => give_set(app, client, set),
        Some(Choice::Update) => update(app),
        Some(Choice::Pause) => pause(app, true),
        Some(Choice::Resume) => pause(app, false),
        None => {}
    }
}

fn switch(app: &AppHandle, key: String) {
    let engine = app.state::<Engine>().inner().clone();
    let snapshot = engine.snapshot();
    let Some(skill) = snapshot.skills.iter().find(|skill| skill.key == key) else { return };
    let on = !skill.enabled;
    if skill.asks {
        events::show(app, Show::Enable { key });
        // The system has already moved the tick.
        return draw_anew(app);
    }
    act(app, async move { actions::enable_skill(&engine, &key, on).await });
}

fn give_set(app: &AppHandle, client: String, set: Option<String>) {
    let engine = app.state::<Engine>().inner().clone();
    let given = engine.snapshot().clients.iter().find(|known| known.id == client).and_then(|known| known.set.clone());
    if given == set {
        // The system has taken the tick off what is chosen already.
        return draw_anew(app);
    }
    act(app, async move { actions::give_set(&engine, &client, set).await });
}

/// Takes the new version. When that fails, shows why.
fn update(app: &AppHandle) {
    let there = app.clone();
    let engine = app.state::<Engine>().inner().clone();
    act(app, async move {
        updates::take(&there).await;
        match &engine.snapshot().settings.updates.state {
            UpdateState::Failed { why } => Err(failed(ErrorKind::System, why.clone())),
            _ => Ok(()),
        }
    });
}

fn pause(app: &AppHandle, on: bool) {
    let engine = app.state::<Engine>().inner().clone();
    act(app, async move { actions::pause(&engine, on).await });
}

/// Runs an action. When it fails, shows why and redraws the menu, because the system has already moved the tick.
fn act(app: &AppHandle, action: impl Future<Output = Result<(), ActionError>> + Send + 'static) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let Err(error) = action.await else { return };
        desktop::tell(&app, MessageDialogKind::Error, &desktop::sentences(&error), || {});
        draw_anew(&app);
    });
}
