//! A stand-in for docker: the program `docker` is only a client, and what it runs are processes of a daemon, which do
//! not notice the client's end. They heed no request to end.

use std::{
    fs,
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command},
};

use machine::random;

/// The client. A container is a folder, named by its id, with its label, its name and its process.
const CLIENT: &str = r#"#!/bin/sh
cd FOLDER || exit 1
echo "$*" >> asked
if [ -e down ]; then
  echo "Cannot connect to the Docker daemon at FOLDER. Is the docker daemon running?" >&2
  exit 125
fi
case "$1" in
run)
  while [ $# -gt 0 ]; do
    case "$1" in
    --label=*) label=${1#--label=} ;;
    --name) name=$2 ;;
    esac
    shift
  done
  if grep -qsx "$name" containers/*/name; then
    echo "docker: Error response from daemon: Conflict. The container name \"/$name\" is already in use." >&2
    exit 125
  fi
  id=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
  mkdir "made/$id"
  echo "$label" > "made/$id/label"
  echo "$name" > "made/$id/name"
  mv "made/$id" "containers/$id"
  # It passes the request on, and goes on waiting.
  trap : TERM
  while [ -e "containers/$id" ]; do sleep 0.02; done
  exit 137
  ;;
ps)
  label=${6#label=}
  for at in containers/*; do
    if grep -qsx "$label" "$at/label"; then echo "${at#containers/}"; fi
  done
  ;;
rm)
  shift 3
  for id; do
    until [ -e "containers/$id/process" ]; do sleep 0.02; done
    kill -9 "$(cat "containers/$id/process")"
    mv "containers/$id" "made/$id.gone"
  done
  ;;
esac
"#;

/// The daemon.
const DAEMON: &str = r#"
while sleep 0.02; do
  for at in containers/*; do
    [ -e "$at/label" ] && [ ! -e "$at/process" ] || continue
    sleep 86400 &
    echo $! > made/process
    mv made/process "$at/process"
  done
done
"#;

/// A daemon. It and its containers end when this is dropped.
pub(super) struct Docker {
    folder: PathBuf,
    daemon: Child,
}

impl Docker {
    pub(super) fn start(folder: &Path) -> Self {
        let folder = folder.join("docker");
        for part in ["containers", "made", "bin"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        let client = folder.join("bin/docker");
        let text = folder.join("client");
        fs::write(&text, CLIENT.replace("FOLDER", folder.to_str().unwrap())).unwrap();
        // A process that another test starts meanwhile may hold a file of ours open, and such a one cannot be started.
        assert!(Command::new("cp").args([&text, &client]).status().unwrap().success());
        fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).unwrap();
        let daemon =
            Command::new("/bin/sh").args(["-c", DAEMON]).current_dir(&folder).process_group(0).spawn().unwrap();
        Self { folder, daemon }
    }

    /// The folder with the program.
    pub(super) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// The program.
    pub(super) fn client(&self) -> PathBuf {
        self.programs().join("docker")
    }

    /// Whether the daemon answers.
    pub(super) fn set_down(&self, down: bool) {
        let mark = self.folder.join("down");
        if down { fs::write(mark, "").unwrap() } else { fs::remove_file(mark).unwrap() }
    }

    /// What it was asked, one question on each line.
    pub(super) fn asked(&self) -> String {
        fs::read_to_string(self.folder.join("asked")).unwrap_or_default()
    }

    /// The ids of the containers that run.
    pub(super) fn containers(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join("containers")).unwrap().flatten();
        let runs = entries.filter(|entry| entry.path().join("process").exists());
        runs.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    /// Whether the process of a container, which may have been removed, has ended.
    pub(super) fn has_ended(&self, id: &str) -> bool {
        let places = ["containers/", "made/"].map(|part| self.folder.join(format!("{part}{id}")));
        let gone = self.folder.join(format!("made/{id}.gone"));
        let at = places.into_iter().chain([gone]).find(|at| at.exists()).unwrap();
        let process = fs::read_to_string(at.join("process")).unwrap();
        let stat = fs::read_to_string(format!("/proc/{}/stat", process.trim()));
        // A shell reaps its children when it likes.
        stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
    }

    /// A container that somebody else started: of this name, with this label.
    pub(super) async fn runs(&self, name: &str, label: &str) -> String {
        let id = random::hex(&random::bytes::<32>());
        let made = self.folder.join("made").join(&id);
        fs::create_dir(&made).unwrap();
        fs::write(made.join("label"), format!("{label}\n")).unwrap();
        fs::write(made.join("name"), format!("{name}\n")).unwrap();
        fs::rename(made, self.folder.join("containers").join(&id)).unwrap();
        super::until("the other container runs", || self.containers().contains(&id)).await;
        id
    }
}

impl Drop for Docker {
    fn drop(&mut self) {
        let group = format!("-{}", self.daemon.id());
        drop(Command::new("kill").args(["-9", "--", &group]).status());
        drop(self.daemon.wait());
    }
}
