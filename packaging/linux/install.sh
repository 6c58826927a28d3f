#!/bin/sh
# Installs Backscroll from the folder in which this file lies. As root for everybody (/opt, /usr/local), else for
# you alone (~/.local). Run again with a newer version to upgrade. Your chats are not touched.
#
# usage: ./install.sh [--prefix DIR]
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
if [ "${1:-}" = --prefix ] && [ -n "${2:-}" ]; then
  program=$2/lib/backscroll bin=$2/bin share=$2/share
elif [ "$(id -u)" = 0 ]; then
  program=/opt/backscroll bin=/usr/local/bin share=/usr/local/share
else
  program=$HOME/.local/lib/backscroll bin=$HOME/.local/bin share=${XDG_DATA_HOME:-$HOME/.local/share}
fi

# What must come from the system, because a copy of ours would not fit its graphics.
missing=$(LD_LIBRARY_PATH=$here/backscroll/_internal ldd "$here/backscroll/_internal/PySide6/Qt/plugins/platforms/libqxcb.so" \
  "$here/backscroll/_internal/llama_cpp/lib/libggml-base.so" "$here"/backscroll/_internal/llama_cpp/lib/libggml-cpu*.so 2>/dev/null \
  | sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' | sort -u | tr '\n' ' ')
if [ -n "$missing" ]; then
  echo "Backscroll needs libraries that this system does not have yet: $missing" >&2
  echo "On Debian and Ubuntu:  sudo apt-get install @PACKAGES@" >&2
  echo "On Fedora:             sudo dnf install libxkbcommon-x11 xcb-util-cursor xcb-util-image xcb-util-keysyms xcb-util-renderutil xcb-util-wm mesa-libEGL mesa-libGL libgomp" >&2
  echo "Install them, then run this again. Nothing was changed." >&2
  exit 1
fi
if [ -e "$program" ] && [ ! -f "$program/.installed-files" ]; then
  echo "There is something else at $program. Move it away, then run this again. Nothing was changed." >&2
  exit 1
fi
if [ -f "$program/.installed-files" ]; then
  sh "$program/uninstall.sh" --quietly
fi

mkdir -p "$program" "$bin" "$share/applications"
cp -R "$here/backscroll/." "$program/"
cp "$here/uninstall.sh" "$program/"
ln -sfn "$program/backscroll" "$bin/backscroll"
sed "s|^Exec=.*|Exec=$bin/backscroll|; s|^TryExec=.*|TryExec=$bin/backscroll|" "$here/share/applications/backscroll.desktop" \
  > "$share/applications/backscroll.desktop"
(cd "$here/share" && find . -type f ! -name backscroll.desktop) | while read -r file; do
  mkdir -p "$share/$(dirname "$file")"
  cp "$here/share/$file" "$share/$file"
done
# Exactly what was written, so that only this is ever removed.
{
  (cd "$here/share" && find . -type f) | sed "s|^\.|$share|"
  echo "$bin/backscroll"
  (cd "$here/backscroll" && find . ! -type d) | sed "s|^\.|$program|"
  echo "$program/uninstall.sh"
} > "$program/.installed-files"

model=$(find "$here" -maxdepth 2 -name '*.gguf' | head -n 1)
if [ -n "$model" ]; then
  mkdir -p "$program/models"
  cp "$model" "$program/models/"
  echo "$program/models/$(basename "$model")" >> "$program/.installed-files"
fi
echo "Backscroll is installed. Start it from your menu, or with $bin/backscroll."
case :$PATH: in *:"$bin":*) ;; *) echo "($bin is not on your PATH yet; after the next login it usually is.)" ;; esac
