//! The text of a login entry, for each platform. Reads and writes nothing. Removing a package leaves the entry, so on
//! Linux it says by which file a desktop sees that the program is gone (`TryExec`).

use std::path::{Path, PathBuf};

use clients::{Places, Platform};

use crate::session::desktop_entry::{in_exec, in_string, out_of_exec, value};

/// The argument with which the app opens no window, where there is a tray.
pub const BACKGROUND: &str = "--background";

/// After which the entry is called.
const ID: &str = machine::APP_ID;

/// The file of the entry; on Windows there is none.
pub(super) fn path(places: &Places) -> PathBuf {
    match places.platform {
        Platform::MacOs => places.home.join("Library/LaunchAgents").join(format!("{ID}.plist")),
        Platform::Linux | Platform::Windows => places.config.join("autostart").join(format!("{ID}.desktop")),
    }
}

/// Whether an entry can name this program. GLib takes `%%` for a part of the name when it looks whether the program
/// exists, and ignores the entry.
pub(super) fn can_name(platform: Platform, app: &Path) -> bool {
    let odd: &[char] = if platform == Platform::Linux { &['\n', '\r', '%'] } else { &['\n', '\r'] };
    app.to_str().is_some_and(|app| !app.contains(odd))
}

/// The entry that starts `app`.
pub(super) fn text(platform: Platform, app: &Path) -> String {
    let app_text = app.to_string_lossy();
    match platform {
        Platform::Linux => format!(
            "[Desktop Entry]\nType=Application\nVersion=1.5\nName=Skilltender\nComment=Tends your agent skills\n\
             Icon=skilltender-app\nTryExec={}\nExec={} {BACKGROUND}\nTerminal=false\nStartupNotify=false\n",
            in_string(&app_text),
            in_exec(&app_text)
        ),
        Platform::MacOs => format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
             <plist version=\"1.0\">\n<dict>\n\
             \t<key>Label</key>\n\t<string>{ID}</string>\n\
             \t<key>ProgramArguments</key>\n\t<array>\n\t\t<string>{}</string>\n\t\t<string>{BACKGROUND}</string>\n\t</array>\n\
             \t<key>RunAtLoad</key>\n\t<true/>\n\
             \t<key>ProcessType</key>\n\t<string>Interactive</string>\n\
             </dict>\n</plist>\n",
            in_xml(&app_text)
        ),
        Platform::Windows => command(app),
    }
}

/// The command line in a value of the registry.
pub(super) fn command(app: &Path) -> String {
    format!("\"{}\" {BACKGROUND}", app.display())
}

/// Whether the desktop follows the entry. Desktops switch one off by a key in it.
pub(super) fn is_on(platform: Platform, text: &str) -> bool {
    match platform {
        Platform::Linux => {
            value(text, "Exec").is_some()
                && value(text, "Hidden").is_none_or(|hidden| hidden != "true")
                && value(text, "X-GNOME-Autostart-enabled").is_none_or(|enabled| enabled != "false")
        }
        Platform::MacOs => text.contains("<key>RunAtLoad</key>") && !text.contains("<key>Disabled</key>"),
        Platform::Windows => !text.is_empty(),
    }
}

/// The program that an entry of ours starts.
pub(super) fn program(platform: Platform, text: &str) -> Option<String> {
    match platform {
        Platform::Linux => out_of_exec(value(text, "Exec")?),
        Platform::MacOs => {
            let (_, arguments) = text.split_once("<key>ProgramArguments</key>")?;
            let (program, _) = arguments.split_once("<string>")?.1.split_once("</string>")?;
            Some(program.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        }
        Platform::Windows => Some(text.strip_prefix('"')?.split_once('"')?.0.to_owned()),
    }
}

fn in_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
