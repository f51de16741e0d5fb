#!/bin/bash
# A package's life on a clean system, one step a call: of the deb and the AppImage on a Debian, inside that system's own tree
# (`cargo xtask packages`), of the rpm on a Fedora (.github/workflows/packages.yml). Each line that begins with "ok:" is
# something that was seen; whatever is not as it should be ends the script.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
port=8363
display=76

fail() {
    echo "failed: $*" >&2
    exit 1
}
as_ada() { runuser -u ada -- env -i HOME=/home/ada PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"; }
appimage() { as_ada APPIMAGE_EXTRACT_AND_RUN=1 TMPDIR=/home/ada/tmp /trial/skilltender.AppImage "$@"; }

# What the system's own tools do. `tools` show and drive the programs, and are no part of what is tried.
if command -v dnf >/dev/null; then
    tools=(xorg-x11-server-Xvfb xorg-x11-xauth xwininfo dbus-daemon curl procps-ng diffutils findutils)
    # A container leaves out manual pages.
    dnf_quietly() { dnf --assumeyes --quiet --setopt=install_weak_deps=False --setopt=tsflags= "$@" >/dev/null; }
    install_tools() { dnf_quietly install "${tools[@]}"; }
    install_package() { dnf_quietly install /trial/skilltender.rpm; }
    remove_package() { dnf_quietly remove skilltender; }
    verify_package() { rpm --verify skilltender; }
    list_files() { rpm --query --list skilltender; }
    installed() { rpm --query --all --queryformat '%{NAME}\n' | grep -v '^gpg-pubkey$' | sort -u; }
else
    tools=(xvfb xauth x11-utils dbus dbus-x11 curl ca-certificates procps)
    install_tools() {
        apt-get update -qq
        apt-get install -qq -y --no-install-recommends "${tools[@]}" >/dev/null
        apt-get clean
    }
    install_package() { apt-get install -qq -y --no-install-recommends /trial/skilltender.deb >/dev/null; }
    remove_package() {
        apt-get purge -qq -y skilltender >/dev/null
        # What a package that stays only suggests goes too.
        apt-get autoremove -qq -y --purge -o APT::AutoRemove::SuggestsImportant=false \
            -o APT::AutoRemove::RecommendsImportant=false >/dev/null
    }
    verify_package() { dpkg --verify skilltender; }
    list_files() { dpkg --listfiles skilltender | grep -v '/\.$'; }
    installed() { dpkg-query --show --showformat='${Package}\n' | sort; }
fi

# Answers whether the endpoint of Ada's app lists skills to a client with a token.
endpoint_answers() {
    local token said
    token=$(as_ada skilltender token 2>/dev/null | grep -Eo '[A-Za-z0-9_-]{20,}' | head -n 1)
    said=$(curl --silent --max-time 5 "http://127.0.0.1:$port/mcp" \
        --header "Authorization: Bearer $token" --header 'Content-Type: application/json' \
        --header 'Accept: application/json, text/event-stream' \
        --data '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"trial","version":"1"}}}')
    grep -q '"serverInfo"' <<<"$said"
}

# Starts the window of a program and ends it when it was seen: $1 names it in the output, the rest is its command.
window() {
    local name=$1 log=/home/ada/window.log
    shift
    # Another display each time: the one before may still be going away.
    display=$((display + 1))
    as_ada WEBKIT_DISABLE_COMPOSITING_MODE=1 NO_AT_BRIDGE=1 APPIMAGE_EXTRACT_AND_RUN=1 TMPDIR=/home/ada/tmp \
        xvfb-run --auto-servernum --server-num="$display" --server-args='-screen 0 1280x800x24' dbus-run-session -- \
        bash -c '"$@" & app=$!
            for _ in $(seq 600); do xwininfo -root -tree | grep -q "\"Skilltender" && touch ~/seen && break; sleep 0.1; done
            while [ ! -e ~/enough ]; do sleep 0.1; done
            kill $app; wait $app || true' bash "$@" >"$log" 2>&1 &
    local shown=$!
    for _ in $(seq 600); do [ -e /home/ada/seen ] && break || sleep 0.1; done
    [ -e /home/ada/seen ] || { cat "$log" >&2; fail "no window of $name in a minute"; }
    echo "ok: the window of $name is shown"
    local answers=
    for _ in $(seq 100); do endpoint_answers && answers=yes && break || sleep 0.2; done
    [ -n "$answers" ] || { cat "$log" >&2; fail "the endpoint of $name does not answer"; }
    echo "ok: the endpoint of $name answers a client with its token"
    [ "$(curl --silent --output /dev/null --write-out '%{http_code}' "http://127.0.0.1:$port/mcp")" = 401 ] || fail "the endpoint lets in who has no token"
    touch /home/ada/enough
    wait "$shown" || true
    rm -f /home/ada/seen /home/ada/enough
    # A dead process that nobody has asked after is none.
    ! pgrep -u ada -r D,R,S,T -f skilltender >/dev/null || fail "$name left a process: $(pgrep -u ada -fa skilltender)"
    echo "ok: $name ended and left no process"
}

case $1 in
tools)
    install_tools
    useradd --create-home ada
    ;;
install)
    installed >/trial/before
    install -d -o ada /home/ada/tmp
    if [ -e /trial/skilltender.AppImage ]; then
        echo "ok: the AppImage says $(appimage --version) before anything is installed"
        ! appimage >/dev/null 2>/trial/missing || fail "the AppImage's window starts without its libraries"
        grep -q 'libwebkit2gtk-4.1.so.0' /trial/missing || fail "the AppImage does not name what is missing: $(cat /trial/missing)"
        echo "ok: the AppImage's window names the libraries that are missing"
    fi
    install_package
    echo "ok: $(skilltender --version) is installed, with $(installed | comm -13 /trial/before - | wc -l) packages"
    verify_package
    man_pages=$(list_files | grep -c '/man1/.*\.1\.gz$' || true)
    [ "$man_pages" -gt 50 ] || fail "only $man_pages manual pages"
    list_files | sort >/trial/files
    ;;
run)
    as_ada skilltender list >/home/ada/list 2>&1 || fail "list: $(cat /home/ada/list)"
    rm -rf /home/ada/.local /home/ada/.config
    window skilltender-app skilltender-app
    as_ada skilltender list | grep -q plain-writing || fail "the starter skills are not there after the first run"
    echo "ok: the first run brought the starter skills"
    as_ada skilltender list --json >/dev/null
    as_ada skilltender connect claude-code --yes >/dev/null
    grep -q '"/usr/bin/skilltender"' /home/ada/.claude.json || fail "a client's entry names $(cat /home/ada/.claude.json)"
    as_ada skilltender undo claude-code --yes >/dev/null
    echo "ok: a client is connected to /usr/bin/skilltender, and the change is taken back"
    if [ -e /trial/skilltender.AppImage ]; then
        rm -rf /home/ada/.local /home/ada/.config /home/ada/.claude.json
        window 'the AppImage' /trial/skilltender.AppImage
        appimage connect claude-code --yes >/dev/null
        grep -q '"/home/ada/.local/share/skilltender/bin/skilltender"' /home/ada/.claude.json ||
            fail "a client's entry names $(cat /home/ada/.claude.json)"
        as_ada /home/ada/.local/share/skilltender/bin/skilltender --version >/dev/null
        echo "ok: a client that the AppImage connects is given the copy, which starts without the AppImage"
    fi
    ;;
remove)
    remove_package
    installed | comm -13 /trial/before - >/trial/left
    [ ! -s /trial/left ] || fail "packages are left: $(tr '\n' ' ' </trial/left)"
    while read -r file; do
        [ -d "$file" ] && continue
        [ ! -e "$file" ] || fail "$file is left"
    done </trial/files
    left=$(find / -xdev \( -path /home -o -path /trial -o -path /proc -o -path /sys -o -path /dev -o -path /tmp \) -prune -o -iname '*skilltender*' -print)
    [ -z "$left" ] || fail "files are left: $left"
    [ -d /home/ada/.local/share/skilltender ] || fail "the person's own data is gone"
    echo "ok: removed with all that came with it; the person's own data is left in place"
    ;;
esac
