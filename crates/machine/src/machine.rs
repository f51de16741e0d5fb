//! The machine that Skilltender runs on: its folders and its platform. The only reader of the environment.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use clients::{Places, Platform};

use crate::session_bus;

/// One user's machine, as Skilltender sees it. Tests make their own with [`Machine::at`].
#[derive(Debug, Clone)]
pub struct Machine {
    /// The user's home folder.
    pub home: PathBuf,
    /// Skilltender's data folder: state, tokens, socket, journal. Private to the user (0700).
    pub data: PathBuf,
    /// Whether `data` follows from HOME alone. If not, the entries that Skilltender writes into clients' files
    /// name it, because clients often pass on nothing but HOME and PATH.
    pub default_data: bool,
    /// Where the web engine of the app's window keeps its own. Tauri decides that by the app's id, the same for every data
    /// folder, so none belongs to a folder that was named.
    pub window: Vec<PathBuf>,
    /// The folders that the paths of clients' files are relative to.
    pub places: Places,
    /// Where the entries are that the user adds to the menu of programs. Of Linux.
    pub applications: PathBuf,
    /// The absolute path of the program `skilltender`, which clients run.
    pub program: PathBuf,
    /// The absolute path of the app with the window and the tray, if it is installed beside this program.
    pub app: Option<PathBuf>,
    /// Whether the program is in the files of an AppImage, whose place is another one at each start.
    pub in_appimage: bool,
    /// Where to search for programs: the folders of PATH and, because a window is often started with a short
    /// one, the usual folders of people's programs.
    pub search: Vec<PathBuf>,
    /// Where Linux lists processes: `/proc`. Other systems are asked in their own way.
    pub processes: PathBuf,
    /// The address of the session bus, if a Linux desktop has one: tray icons and secrets are reached there.
    pub bus: Option<String>,
    /// Where secrets are kept.
    pub keychain: KeychainKind,
    /// The folder of the installed starter skills.
    pub starters: Option<PathBuf>,
    /// The folders that SKILLTENDER_SKILLS_DIR names, separated as in PATH: served by a plain server without
    /// folders as arguments.
    pub skills_dirs: Vec<PathBuf>,
    /// Whether this is a container that says so (SKILLTENDER_CONTAINER=1): its network decides who reaches its ports.
    pub container: bool,
    /// The languages of the person's desktop, best first, as BCP 47 tags: `zh-Hans-CN`, `en-GB`.
    pub languages: Vec<String>,
}

/// Which keychain a machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeychainKind {
    /// The operating system's.
    System,
    /// One in this process's memory: for tests, which must not reach a person's own.
    StandIn,
    /// None, as on a computer without a desktop.
    None,
}

/// The machine has no home folder, or the data folder cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The user's home is unknown.
    #[error("No home folder is known: set HOME, or SKILLTENDER_HOME to the folder that Skilltender may use.")]
    NoHome,
    /// The data folder cannot be made.
    #[error("{path} cannot be made: {source}.", path = path.display())]
    Data {
        /// The data folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Machine {
    /// The machine as the environment describes it. `data` (the option `--home`) takes precedence over
    /// SKILLTENDER_HOME, which takes precedence over the platform's default. Creates nothing: a server of plain
    /// folders works even if the home is not writable.
    ///
    /// # Errors
    /// When the home folder is unknown.
    pub fn here(data: Option<&Path>) -> Result<Self, MachineError> {
        let base = directories::BaseDirs::new().ok_or(MachineError::NoHome)?;
        let default = directories::ProjectDirs::from("dev", "Skilltender", "Skilltender")
            .ok_or(MachineError::NoHome)?
            .data_local_dir()
            .to_path_buf();
        let chosen = data.map(Path::to_path_buf).or_else(|| variable("SKILLTENDER_HOME"));
        // Absolute, because clients that find Skilltender by this folder start it elsewhere.
        let chosen = chosen.map(|chosen| std::path::absolute(&chosen).unwrap_or(chosen));
        let places = Places {
            platform: platform(),
            home: base.home_dir().to_path_buf(),
            config: if cfg!(target_os = "linux") {
                base.config_dir().to_path_buf()
            } else {
                base.home_dir().join(".config")
            },
            appdata: base.config_dir().to_path_buf(),
            localappdata: base.data_local_dir().to_path_buf(),
            variables: of_clients(),
        };
        let program = program();
        let in_appimage = is_below(&program, variable("APPDIR").as_deref());
        Ok(Self {
            home: places.home.clone(),
            default_data: chosen.is_none() && home_leads_to(base.home_dir(), &default),
            applications: base.data_local_dir().join("applications"),
            window: if chosen.is_none() { window(&base) } else { Vec::new() },
            data: chosen.unwrap_or(default),
            app: app(in_appimage),
            in_appimage,
            program,
            search: search(base.home_dir()),
            processes: PathBuf::from("/proc"),
            bus: bus_address(),
            keychain: KeychainKind::System,
            starters: variable("SKILLTENDER_STARTERS").or_else(starters),
            skills_dirs: skills_dirs(),
            container: env::var_os("SKILLTENDER_CONTAINER").is_some_and(|said| said == "1"),
            languages: sys_locale::get_locales().collect(),
            places,
        })
    }

    /// A machine whose home is `home`, with the data folder in it: for tests.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn at(home: &Path) -> Result<Self, MachineError> {
        // With this system's own kind of slash.
        let below = |path: &str| path.split('/').fold(home.to_path_buf(), |folder, name| folder.join(name));
        let places = Places {
            platform: platform(),
            home: home.to_path_buf(),
            config: below(".config"),
            appdata: below("AppData/Roaming"),
            localappdata: below("AppData/Local"),
            variables: BTreeMap::new(),
        };
        let machine = Self {
            home: home.to_path_buf(),
            data: below(".local/share/skilltender"),
            default_data: true,
            applications: below(".local/share/applications"),
            window: vec![below(".local/share").join(APP_ID)],
            program: PathBuf::from("/usr/bin/skilltender"),
            app: None,
            in_appimage: false,
            search: vec![below(".local/bin")],
            processes: home.join("proc"),
            bus: None,
            keychain: KeychainKind::None,
            starters: None,
            skills_dirs: Vec::new(),
            container: false,
            languages: Vec::new(),
            places,
        };
        make_private(&machine.data).map_err(|source| MachineError::Data { path: machine.data.clone(), source })?;
        Ok(machine)
    }

    /// Whether this desktop shows tray icons. Blocks for a few seconds at most.
    pub fn shows_tray(&self) -> bool {
        session_bus::tray(self.bus.as_deref()).unwrap_or(false)
    }

    /// A path for people: the home folder is `~`, and Windows' own writing of a resolved path (`\\?\`) is left out.
    pub fn place(&self, path: &Path) -> String {
        let path = dunce::simplified(path);
        match path.strip_prefix(dunce::simplified(&self.home)) {
            Ok(below) if below.as_os_str().is_empty() => "~".to_owned(),
            // One kind of slash after the `~`, which is the same on every system; PowerShell takes it too.
            Ok(below) if cfg!(windows) => format!("~/{}", below.display().to_string().replace('\\', "/")),
            Ok(below) => format!("~/{}", below.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

/// Makes a folder that only the user may enter, and so the folders above it that are missing.
///
/// # Errors
/// When it cannot be made, or its rights cannot be set.
pub fn make_private(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
    }
    #[cfg(not(unix))]
    fs::create_dir_all(folder)
}

/// Options to open a file of Skilltender's, for the user alone whatever the umask.
pub fn private() -> fs::OpenOptions {
    #[cfg(unix)]
    {
        let mut options = fs::File::options();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
    }
    #[cfg(not(unix))]
    fs::File::options()
}

/// Whether a program that gets only HOME finds this folder: on Linux XDG_DATA_HOME may have led elsewhere, even
/// within the home folder.
fn home_leads_to(home: &Path, data: &Path) -> bool {
    cfg!(not(target_os = "linux")) || data == home.join(".local/share/skilltender")
}

/// The address of the session bus: from the environment, or the usual one.
fn bus_address() -> Option<String> {
    let told = env::var(BUS).ok().filter(|address| !address.is_empty());
    told.or_else(|| Some(format!("unix:path={}", usual_bus()?.display())))
}

/// The variable with the address of the session bus.
pub const BUS: &str = "DBUS_SESSION_BUS_ADDRESS";

/// The usual path of the session bus, if a socket exists there.
#[cfg(unix)]
fn usual_bus() -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;

    let user = || fs::metadata("/proc/self").map(|own| PathBuf::from(format!("/run/user/{}", own.uid()))).ok();
    variable("XDG_RUNTIME_DIR").or_else(user).map(|folder| folder.join("bus")).filter(|bus| bus.exists())
}

#[cfg(not(unix))]
fn usual_bus() -> Option<PathBuf> {
    None
}

/// The variables that move clients' files. A relative path would mean another folder for each program, so it is
/// ignored.
fn of_clients() -> BTreeMap<&'static str, PathBuf> {
    let said = |name| Some((name, variable(name).filter(|path| path.is_absolute())?));
    clients::variables().into_iter().filter_map(said).collect()
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

const fn platform() -> Platform {
    if cfg!(target_os = "macos") {
        Platform::MacOs
    } else if cfg!(windows) {
        Platform::Windows
    } else {
        Platform::Linux
    }
}

/// The id of the app, after which desktops name what is its own.
pub const APP_ID: &str = "dev.skilltender.desktop";

/// Tauri's folder for the web engine; WebKit on macOS chooses its own two.
fn window(base: &directories::BaseDirs) -> Vec<PathBuf> {
    match platform() {
        Platform::MacOs => {
            ["WebKit", "Caches"].map(|kind| base.home_dir().join("Library").join(kind).join(APP_ID)).into()
        }
        Platform::Linux | Platform::Windows => vec![base.data_local_dir().join(APP_ID)],
    }
}

fn program() -> PathBuf {
    command_line(env::current_exe().unwrap_or_default())
}

/// Whether the program is in the folder that an AppImage's start names. A program that inherits the name is not.
fn is_below(program: &Path, files: Option<&Path>) -> bool {
    files.is_some_and(|files| program.starts_with(files))
}

/// The command line that belongs to the running program: the `skilltender` installed next to it, as next to the
/// app; else the program itself, because people may rename it.
fn command_line(running: PathBuf) -> PathBuf {
    let beside = running.with_file_name(format!("skilltender{}", env::consts::EXE_SUFFIX));
    let is_app = running.file_stem().is_some_and(|name| name.eq_ignore_ascii_case("skilltender-app"));
    if is_app || beside.is_file() { beside } else { running }
}

/// The app to start: the AppImage that the running program belongs to, else the program next to it.
fn app(in_appimage: bool) -> Option<PathBuf> {
    let beside =
        || Some(env::current_exe().ok()?.with_file_name(format!("skilltender-app{}", env::consts::EXE_SUFFIX)));
    let image = if in_appimage { variable("APPIMAGE") } else { None };
    image.or_else(beside).filter(|app| app.is_absolute() && app.is_file())
}

fn skills_dirs() -> Vec<PathBuf> {
    let named = env::var_os("SKILLTENDER_SKILLS_DIR").unwrap_or_default();
    env::split_paths(&named).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// The usual folders of people's programs, below the home folder.
const PROGRAMS: &[&str] = &[".local/bin", "bin", ".npm-global/bin", ".bun/bin", ".cargo/bin", ".opencode/bin"];

fn search(home: &Path) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"].map(PathBuf::from);
    let ours = PROGRAMS.iter().map(|below| home.join(below));
    env::split_paths(&path).chain(ours).chain(usual).filter(|folder| folder.is_absolute()).collect()
}

/// The starter skills where this system's packages put them: `lib/Skilltender/skills` next to `bin`, in an app
/// bundle `Resources/skills`, on Windows next to the programs.
fn starters() -> Option<PathBuf> {
    let running = env::current_exe().ok()?;
    let programs = running.parent()?;
    let installed = match platform() {
        Platform::Linux => programs.parent()?.join("lib/Skilltender/skills"),
        Platform::MacOs => programs.parent()?.join("Resources/skills"),
        Platform::Windows => programs.join("skills"),
    };
    installed.is_dir().then_some(installed)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_in_an_appimage_only_below_its_files() {
        let mounted = Path::new("/tmp/.mount_Skill1/usr/bin/skilltender");
        assert!(is_below(mounted, Some(Path::new("/tmp/.mount_Skill1"))));
        assert!(!is_below(mounted, None));
        assert!(!is_below(Path::new("/home/ada/bin/skilltender"), Some(Path::new("/tmp/.mount_Editor2"))));
    }

    #[cfg(unix)]
    #[test]
    fn folders_that_are_made_on_the_way_to_a_private_one_are_private() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        make_private(&folder.path().join("kept/agents/tea")).unwrap();
        for made in ["kept", "kept/agents", "kept/agents/tea"] {
            let mode = fs::metadata(folder.path().join(made)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{made}");
        }
    }

    #[test]
    fn the_apps_id_is_the_one_that_tauri_names_its_folders_by() {
        let configuration = include_str!("../../../src-tauri/tauri.conf.json");
        assert!(configuration.contains(&format!("\"identifier\": \"{APP_ID}\"")), "{configuration}");
    }

    #[test]
    fn a_program_under_another_name_is_the_command_line_itself() {
        let folder = tempfile::tempdir().unwrap();
        let (own, app, usual) = (folder.path().join("st"), folder.path().join("skilltender-app"), "skilltender");
        assert_eq!(command_line(own.clone()), own);
        assert_eq!(command_line(app.clone()), folder.path().join(usual), "the app is no command line");
        fs::write(folder.path().join(usual), "").unwrap();
        assert_eq!((command_line(own), command_line(app)), (folder.path().join(usual), folder.path().join(usual)));
    }

    #[test]
    fn a_data_folder_that_home_alone_does_not_lead_to_is_not_the_default_one() {
        let home = Path::new("/home/ada");
        assert!(home_leads_to(home, Path::new("/home/ada/.local/share/skilltender")));
        assert!(!home_leads_to(home, Path::new("/home/ada/data/skilltender")));
        assert!(!home_leads_to(home, Path::new("/data/skilltender")));
    }
}

#[cfg(test)]
mod on_every_system {
    use super::*;

    #[test]
    fn a_place_is_written_for_people_on_every_system() {
        let machine = Machine::at(&std::env::temp_dir().join("ada")).unwrap();
        let place = |path: &Path| machine.place(path);
        assert_eq!(place(&machine.home), "~");
        assert_eq!(place(&machine.home.join("AppData").join("Roaming")), "~/AppData/Roaming");
        if cfg!(windows) {
            assert_eq!(place(Path::new(r"\\?\D:\skills")), r"D:\skills");
            let verbatim = format!(r"\\?\{}", machine.home.join("skills").display());
            assert_eq!(place(Path::new(&verbatim)), "~/skills");
        } else {
            // A backslash is a letter of a name here.
            assert_eq!(place(&machine.home.join(r"a\b")), r"~/a\b");
        }
    }
}
