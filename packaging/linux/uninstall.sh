#!/bin/sh
# Removes what install.sh has written, and nothing else. Your chats stay where they are.
set -eu
program=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
list=$program/.installed-files
if [ ! -f "$list" ]; then
  echo "This is not an installed Backscroll: $list is missing. Nothing was changed." >&2
  exit 1
fi
while read -r file; do
  if [ -e "$file" ] || [ -L "$file" ]; then rm -f -- "$file"; fi
done < "$list"
rm -f -- "$list"
# Folders of ours that are empty now; one with somebody else's files in it stays.
find "$program" -depth -type d -exec rmdir -- {} \; 2>/dev/null || true
if [ "${1:-}" != --quietly ]; then
  echo "Backscroll is removed. Your archive stays in ${BACKSCROLL_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/backscroll}; delete that folder if you do not need it."
fi
