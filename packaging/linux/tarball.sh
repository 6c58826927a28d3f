#!/usr/bin/env bash
# Makes the tar.gz for Linux systems other than Debian, from build/frozen/backscroll.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(python3 packaging/version.py)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
name=backscroll-$version-linux-$(uname -m)
folder=build/tarball/$name
here=packaging/linux
packages=$(sed 's/#.*//; /^g++$/d; /^python3-venv$/d; /^$/d' packaging/system-packages.txt | tr '\n' ' ')
rm -rf build/tarball
mkdir -p "$folder/share/applications" "$folder/share/metainfo" "$folder/share/man/man1" dist
cp -a build/frozen/backscroll "$folder/backscroll"
cp $here/backscroll.desktop "$folder/share/applications/"
date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)
for file in app.backscroll.Backscroll.metainfo.xml:metainfo backscroll.1:man/man1; do
  sed "s/@VERSION@/$version/g; s/@DATE@/$date/g" "$here/${file%%:*}" > "$folder/share/${file#*:}/${file%%:*}"
done
for side in 16 22 24 32 48 64 128 256 512; do
  mkdir -p "$folder/share/icons/hicolor/${side}x$side/apps"
  cp build/icons/$side.png "$folder/share/icons/hicolor/${side}x$side/apps/backscroll.png"
done
mkdir -p "$folder/share/icons/hicolor/scalable/apps"
cp packaging/icons/backscroll.svg "$folder/share/icons/hicolor/scalable/apps/"
sed "s/@PACKAGES@/${packages% }/" $here/install.sh > "$folder/install.sh"
cp $here/uninstall.sh LICENSE "$folder/"
cp build/frozen/backscroll/THIRD-PARTY-NOTICES.txt "$folder/"
chmod +x "$folder/install.sh" "$folder/uninstall.sh"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C build/tarball -cf - "$name" \
  | gzip -9n > "dist/$name.tar.gz"
ls -l "dist/$name.tar.gz"
