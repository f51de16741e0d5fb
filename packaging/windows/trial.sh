#!/bin/bash
# Installers for Windows in Wine: built, installed, run, replaced by a newer one over a running bridge, refused when they
# are older, and removed, each without a question. $1 is a folder with skilltender.exe, $2 an empty one to work in, $3 the
# version. WINEPREFIX is a Windows that is prepared. Each line that begins with "ok:" is something that was seen; anything
# else ends the script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
built=$1 work=$2 version=$3
# Older than every version that there is.
older=0.0.1
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
unset DISPLAY
fail() {
    echo "failed: $*" >&2
    exit 1
}
wait_until() { for _ in $(seq 150); do "$@" && return 0 || sleep 0.2; done; return 1; }
gone() { [ ! -e "$1" ]; }
windows_path() { winepath --windows "$1" 2>/dev/null; }

# Builds both installers of a version.
build() {
    makensis -V2 -NOCD -DPROGRAMS="$work/$1" -DSKILLS="$here/../../skills" -DVERSION="$1" -DOUT="$work/$1/skilltender-setup.exe" \
        -X"!addincludedir $here" "$here/check.nsi"
    # wixl looks for files where it is started.
    (cd "$work/$1" && wixl --arch x64 --define VERSION="$1" --output skilltender.msi "$here/check.wxs")
}
mkdir -p "$work/$version" "$work/$older"
for program in skilltender.exe skilltender-app.exe; do
    [ -e "$built/$program" ] || continue
    x86_64-w64-mingw32-strip -o "$work/$version/$program" "$built/$program"
    # The older one is told by its bytes: what follows a program's parts is not read when it starts.
    { cat "$work/$version/$program" && echo older; } >"$work/$older/$program"
done
build "$version"
build "$older"
echo "ok: both installers are built, of the versions $older and $version"

local_data=$(wine cmd /c 'echo %LOCALAPPDATA%' 2>/dev/null | tr -d '\r\n')
local_data=$(winepath --unix "$local_data" 2>/dev/null)
installed=$local_data/Programs/Skilltender
kept=$local_data/Skilltender/Skilltender/data/kept-by-the-trial
mkdir -p "$(dirname "$kept")" && echo kept >"$kept"

# What the list of programs has of ours, each with its key and its version.
entries() {
    local hive
    for hive in HKCU HKLM; do
        wine reg query "$hive\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall" /s 2>/dev/null || true
    done | tr -d '\r' | awk '
        /^HKEY/ { key = $0; sub(/.*\\/, "", key); name = version = "" }
        $1 == "DisplayName" { name = $3 }
        $1 == "DisplayVersion" { version = $3 }
        name == "Skilltender" && version != "" { print key, version; name = version = "" }'
}
listed() { entries | awk '{ print $2 }' | xargs; }
# What an earlier trial left when it failed.
entries | while read -r key _; do
    if [ -e "$installed/uninstall.exe" ]; then wine "$installed/uninstall.exe" /S; else wine msiexec /qn /x "$key"; fi >/dev/null 2>&1 </dev/null || true
done
wait_until gone "$installed" || fail "an earlier trial left $(ls "$installed")"

# Whether the program of a version is installed, and no other is listed: $1 names the installer.
is_installed() {
    cmp --quiet "$work/$2/skilltender.exe" "$installed/skilltender.exe" || fail "$1 did not put the program of $2 into $installed"
    [ "$(listed)" = "$2" ] || fail "the list of programs names '$(listed)' and not $2 after $1"
}

# Runs the installed program, connects a client, installs the newer version while a bridge runs and then the older one:
# $1 names the installer, $2 is the function that installs a version.
tried() {
    local name=$1 install=$2
    "$install" "$older" || fail "$name does not install"
    is_installed "$name" "$older"
    gone "$local_data/Skilltender/skilltender.exe" || fail "$name puts the program above the person's data"
    [ "$(wine "$installed/skilltender.exe" --version 2>/dev/null | tr -d '\r')" = "skilltender $version" ] || fail "the program that $name installed does not run"
    echo "ok: $name installs $older, and the program says its version"

    wine "$installed/skilltender.exe" connect claude-code --yes >/dev/null 2>&1 || fail "no client is connected"
    local copy=$local_data/Skilltender/Skilltender/data/bin/skilltender.exe
    [ -f "$copy" ] || fail "clients are given no copy"
    mkfifo "$work/to-bridge"
    wine "$copy" mcp <"$work/to-bridge" >"$work/from-bridge" 2>/dev/null &
    local bridge=$!
    exec 9>"$work/to-bridge"
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"trial","version":"1"}}}' >&9
    wait_until grep -q '"id":1' "$work/from-bridge" || fail "the bridge does not answer"
    "$install" "$version" || fail "$name does not install over a running bridge"
    is_installed "$name" "$version"
    printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' >&9
    wait_until grep -q '"id":2' "$work/from-bridge" || fail "the bridge ended with the installation"
    echo "ok: $name replaces $older by $version while a bridge runs, which goes on answering"

    ! "$install" "$older" || fail "$name installs $older over $version"
    is_installed "$name" "$version"
    printf '%s\n' '{"jsonrpc":"2.0","id":3,"method":"tools/list"}' >&9
    wait_until grep -q '"id":3' "$work/from-bridge" || fail "the bridge ended with the older version"
    exec 9>&-
    wait "$bridge" || true
    rm "$work/to-bridge"
    wine "$installed/skilltender.exe" undo claude-code --yes >/dev/null 2>&1 || fail "the change of the client's file is not undone"
    echo "ok: $name refuses $older over $version, which stays as it was"
}
removed() {
    wait_until gone "$installed" || fail "$1 leaves $(ls "$installed")"
    [ "$(cat "$kept")" = kept ] || fail "$1 took the person's data"
    [ -z "$(listed)" ] || fail "$1 leaves $(listed) in the list of programs"
    echo "ok: $1 is removed, and the person's data is left in place"
}

nsis() { wine "$work/$1/skilltender-setup.exe" /S >/dev/null 2>&1; }
tried 'the NSIS installer' nsis
[ -f "$installed/skills/plain-writing/SKILL.md" ] || fail "the starter skills are not installed"
wine "$installed/uninstall.exe" /S >/dev/null 2>&1 || fail "the NSIS installer does not remove"
removed 'the NSIS installer'

msi() { wine msiexec /qn /i "$(windows_path "$work/$1/skilltender.msi")" >/dev/null 2>&1; }
tried 'the msi' msi
wine msiexec /qn /x "$(windows_path "$work/$version/skilltender.msi")" >/dev/null 2>&1 || fail "the msi does not remove"
removed 'the msi'
