//! The tray icon: the state that a snapshot gives it, and its picture for the desktop's panel.

use std::env;

use api::{EndpointState, Snapshot};
use tauri::{AppHandle, Manager as _, Theme, image::Image};

use crate::{
    menu,
    remembered::{Memory, Remembered},
    windows,
};

/// The three icons. They differ in outline, so that one colour is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrayIcon {
    /// All is well.
    Running,
    /// Something needs the user.
    Attention,
    /// Nothing is served.
    Paused,
}

/// The background of the icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Panel {
    /// A dark bar.
    Dark,
    /// A light bar.
    Light,
    /// macOS colours the icon itself.
    Coloured,
}

impl TrayIcon {
    /// The icon for a snapshot.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        if snapshot.endpoint.state == EndpointState::Paused {
            Self::Paused
        } else if menu::needs(snapshot) > 0 {
            Self::Attention
        } else {
            Self::Running
        }
    }

    /// Its picture on the panel of this desktop.
    pub(crate) fn picture(self, app: &AppHandle) -> Image<'static> {
        let remembered = app.state::<Remembered>();
        if let Some(window) = app.get_webview_window(windows::MAIN) {
            remembered.change(|memory| {
                memory.dark = window.theme().ok().map(|theme| theme == Theme::Dark);
                memory.fine = window.scale_factor().is_ok_and(|scale| scale > 1.0);
            });
        }
        let Memory { dark, fine: is_fine, .. } = remembered.get();
        let theme = dark.map(|dark| if dark { Theme::Dark } else { Theme::Light });
        let desktop = env::var("XDG_CURRENT_DESKTOP").unwrap_or_default();
        Image::from_bytes(self.bytes(Panel::here(&desktop, theme), is_fine)).expect("our own pictures are PNG")
    }

    fn bytes(self, panel: Panel, is_fine: bool) -> &'static [u8] {
        macro_rules! icons {
            ($panel:literal, $size:literal) => {
                match self {
                    Self::Running => png!("running", $panel, $size),
                    Self::Attention => png!("attention", $panel, $size),
                    Self::Paused => png!("paused", $panel, $size),
                }
            };
        }
        macro_rules! png {
            ($icon:literal, $panel:literal, $size:literal) => {
                include_bytes!(concat!("../../icons/tray/", $icon, "-", $panel, "-", $size, ".png"))
            };
        }
        // Windows shows 16 pixels, Linux 22; macOS scales.
        match (panel, is_fine) {
            (Panel::Coloured, _) => icons!("template", "44"),
            (Panel::Dark, false) if cfg!(windows) => icons!("on-dark", "16"),
            (Panel::Light, false) if cfg!(windows) => icons!("on-light", "16"),
            (Panel::Dark, true) if cfg!(windows) => icons!("on-dark", "32"),
            (Panel::Light, true) if cfg!(windows) => icons!("on-light", "32"),
            (Panel::Dark, false) => icons!("on-dark", "22"),
            (Panel::Light, false) => icons!("on-light", "22"),
            (Panel::Dark, true) => icons!("on-dark", "44"),
            (Panel::Light, true) => icons!("on-light", "44"),
        }
    }
}

impl Panel {
    /// The panel of this desktop. GNOME's bar is dark whatever the theme of the windows.
    fn here(desktop: &str, theme: Option<Theme>) -> Self {
        if cfg!(target_os = "macos") {
            Self::Coloured
        } else if desktop.split(':').any(|name| name == "GNOME") || theme == Some(Theme::Dark) {
            Self::Dark
        } else {
            Self::Light
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn the_bar_of_gnome_is_dark_and_others_follow_the_theme() {
        for (desktop, theme, panel) in [
            ("ubuntu:GNOME", Some(Theme::Light), Panel::Dark),
            ("KDE", Some(Theme::Light), Panel::Light),
            ("KDE", Some(Theme::Dark), Panel::Dark),
            ("", None, Panel::Light),
        ] {
            assert_eq!(Panel::here(desktop, theme), panel, "{desktop} {theme:?}");
        }
    }

    #[test]
    fn every_picture_can_be_drawn_and_no_two_are_equal() {
        let mut seen = std::collections::BTreeSet::new();
        for icon in [TrayIcon::Running, TrayIcon::Attention, TrayIcon::Paused] {
            for (panel, is_fine) in [
                (Panel::Dark, false),
                (Panel::Dark, true),
                (Panel::Light, false),
                (Panel::Light, true),
                (Panel::Coloured, true),
            ] {
                let picture = Image::from_bytes(icon.bytes(panel, is_fine)).unwrap();
                assert!(seen.insert((picture.width(), picture.rgba().to_vec())), "{icon:?} on {panel:?}");
            }
        }
    }
}
