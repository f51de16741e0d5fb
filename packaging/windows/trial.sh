#!/bin/bash
# Installers for Windows in Wine: built, installed, run, installed again over a running bridge, and removed, each without
# a question. $1 is a folder with skilltender.exe, $2 an empty one to work in, $3 the version. WINEPREFIX is a Windows
# that is prepared. Each line that begins with "ok:" is something that was seen; anything else ends the script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
built=$1 work=$2 version=$3
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
unset DISPLAY
fail() {
    echo "failed: $*" >&2
    exit 1
}
wait_until() { for _ in $(seq 150); do "$@" && return 0 || sleep 0.2; done; return 1; }
gone() { [ ! -e "$1" ]; }

mkdir -p "$work/programs"
for program in skilltender.exe skilltender-app.exe; do
    [ ! -e "$built/$program" ] || x86_64-w64-mingw32-strip -o "$work/programs/$program" "$built/$program"
done
makensis -V2 -NOCD -DPROGRAMS="$work/programs" -DSKILLS="$here/../../skills" -DVERSION="$version" -DOUT="$work/skilltender-setup.exe" \
    -X"!addincludedir $here" "$here/check.nsi"
# wixl looks for files beside its own.
cp "$here/check.wxs" "$work/programs/"
wixl --define VERSION="$version" --output "$work/skilltender.msi" "$work/programs/check.wxs"
echo "ok: both installers are built"

local_data=$(wine cmd /c 'echo %LOCALAPPDATA%' 2>/dev/null | tr -d '\r\n')
local_data=$(winepath --unix "$local_data" 2>/dev/null)
installed=$local_data/Programs/Skilltender
kept=$local_data/Skilltender/Skilltender/data/kept-by-the-trial
mkdir -p "$(dirname "$kept")" && echo kept >"$kept"

# Runs the installed program, connects a client, installs again while a bridge runs: $1 names the installer, the rest
# is its command.
tried() {
    local name=$1
    shift
    "$@" >/dev/null 2>&1 || fail "$name does not install"
    [ -f "$installed/skilltender.exe" ] || fail "$name does not put the program into $installed"
    gone "$local_data/Skilltender/skilltender.exe" || fail "$name puts the program above the person's data"
    [ "$(wine "$installed/skilltender.exe" --version 2>/dev/null | tr -d '\r')" = "skilltender $version" ] || fail "the program that $name installed does not run"
    echo "ok: $name installs, and the program says its version"

    wine "$installed/skilltender.exe" connect claude-code --yes >/dev/null 2>&1 || fail "no client is connected"
    local copy=$local_data/Skilltender/Skilltender/data/bin/skilltender.exe
    [ -f "$copy" ] || fail "clients are given no copy"
    mkfifo "$work/to-bridge"
    wine "$copy" mcp <"$work/to-bridge" >"$work/from-bridge" 2>/dev/null &
    local bridge=$!
    exec 9>"$work/to-bridge"
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"trial","version":"1"}}}' >&9
    wait_until grep -q '"id":1' "$work/from-bridge" || fail "the bridge does not answer"
    "$@" >/dev/null 2>&1 || fail "$name does not install over a running bridge"
    printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' >&9
    wait_until grep -q '"id":2' "$work/from-bridge" || fail "the bridge ended with the installation"
    exec 9>&-
    wait "$bridge" || true
    rm "$work/to-bridge"
    wine "$installed/skilltender.exe" undo claude-code --yes >/dev/null 2>&1 || fail "the change of the client's file is not undone"
    echo "ok: $name installs again while a bridge runs, which goes on answering"
}
removed() {
    wait_until gone "$installed" || fail "$1 leaves $(ls "$installed")"
    [ "$(cat "$kept")" = kept ] || fail "$1 took the person's data"
    echo "ok: $1 is removed, and the person's data is left in place"
}

tried 'the NSIS installer' wine "$work/skilltender-setup.exe" /S
[ -f "$installed/skills/plain-writing/SKILL.md" ] || fail "the starter skills are not installed"
wine "$installed/uninstall.exe" /S >/dev/null 2>&1 || fail "the NSIS installer does not remove"
removed 'the NSIS installer'
! wine reg query 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Skilltender' >/dev/null 2>&1 || fail "it is still in the list of programs"

tried 'the msi' wine msiexec /qn /i "$(winepath --windows "$work/skilltender.msi" 2>/dev/null)"
wine msiexec /qn /x "$(winepath --windows "$work/skilltender.msi" 2>/dev/null)" >/dev/null 2>&1 || fail "the msi does not remove"
removed 'the msi'
