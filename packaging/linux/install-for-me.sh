#!/bin/sh
# Make this user's desktop know Headroom and its documents; no rights of root needed.
# Run it from the unpacked bundle. `--remove` takes everything back.
set -eu

bundle=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
icons=$share/icons/hicolor/256x256

if [ "${1:-}" = --remove ]; then
    rm -f "$bin/headroom" "$share/applications/headroom.desktop" \
        "$share/mime/packages/headroom-mime.xml" \
        "$icons/apps/headroom.png" "$icons/mimetypes/application-x-headroom.png"
else
    mkdir -p "$bin" "$share/applications" "$share/mime/packages" "$icons/apps" "$icons/mimetypes"
    ln -sf "$bundle/headroom" "$bin/headroom"
    # The program is named in full: a desktop does not always have ~/.local/bin in its path.
    # Some letters mean something in such a line, and some to sed: a folder may be called R&D.
    program=$(printf '%s' "$bundle/headroom" | sed 's/[\"`$]/\\\\&/g; s/%/%%/g; s/[\&|]/\\&/g')
    sed "s|^Exec=headroom|Exec=\"$program\"|" "$bundle/headroom.desktop" \
        >"$share/applications/headroom.desktop"
    cp "$bundle/headroom-mime.xml" "$share/mime/packages/"
    cp "$bundle/headroom.png" "$icons/apps/headroom.png"
    cp "$bundle/headroom.png" "$icons/mimetypes/application-x-headroom.png"
fi

# Desktops without these tools find out by themselves, later.
command -v update-mime-database >/dev/null && update-mime-database "$share/mime"
command -v update-desktop-database >/dev/null && update-desktop-database "$share/applications"
exit 0
