#!/usr/bin/env bash
# Makes the Debian package from build/frozen/backscroll, and with --model FILE the package of the default model.
# The libraries that Debian has are left to Debian, with exact dependencies found by dpkg-shlibdeps.
#
# DEB_COMPRESSION=gzip saves minutes while trying things out.
#
# usage: packaging/linux/deb.sh [--model FILE]
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(python3 packaging/version.py)
debian_version=${DEBIAN_VERSION:-$version}
architecture=$(dpkg --print-architecture)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
maintainer="The Backscroll authors <maintainers@backscroll.invalid>"
root=build/deb/backscroll
here=packaging/linux
mkdir -p dist
umask 022

fill() { sed -e "s/@VERSION@/$version/g" -e "s/@DATE@/$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)/g" "$1"; }

changelog() {
  local folder=$1 name=$2
  mkdir -p "$folder/usr/share/doc/$name"
  {
    echo "$name ($debian_version) stable; urgency=medium"
    echo
    echo "  * Version $version; what changed is told in NEWS.gz of the package backscroll."
    echo
    echo " -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n > "$folder/usr/share/doc/$name/changelog.gz"
}

finish() {
  local folder=$1 compression=$2
  (cd "$folder" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
  find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group --no-uniform-compression "-Z$compression" --build "$folder" dist >/dev/null
}

dependencies() {
  # dpkg-shlibdeps wants to be in a source package; this one is made up for it.
  mkdir -p build/deb/shlibs/debian
  echo "Source: backscroll" > build/deb/shlibs/debian/control
  local inside=$PWD/$root/opt/backscroll/_internal libraries
  libraries=$(find "$inside" -type f \( -name '*.so' -o -name '*.so.*' \) -printf '%h\n' | sort -u | sed 's/^/-l/')
  # shellcheck disable=SC2046,SC2086
  (cd build/deb/shlibs && dpkg-shlibdeps -O --ignore-missing-info $libraries \
    -e "$PWD/../backscroll/opt/backscroll/backscroll" \
    $(find "$inside" -type f \( -name '*.so' -o -name '*.so.*' \) -printf '-e%p ')) \
    2>build/deb/shlibs/log.txt | sed 's/^shlibs:Depends=//'
}

rm -rf build/deb
mkdir -p $root/{DEBIAN,opt,usr/bin,usr/share/{applications,metainfo,doc/backscroll,man/man1,lintian/overrides}}
cp -a build/frozen/backscroll $root/opt/backscroll
ln -s /opt/backscroll/backscroll $root/usr/bin/backscroll

multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
# What a Debian package brings is not carried twice. libpython stays: no other release of Debian has this one.
for library in "$root"/opt/backscroll/_internal/lib*.so*; do
  name=$(basename "$library")
  case $name in libpython*) continue ;; esac
  if [ ! -L "$library" ] && dpkg-query -S "*/$name" 2>/dev/null | grep -q ": /\(usr/\)\?lib/$multiarch/$name$"; then
    rm "$library"
  fi
done

rm $root/opt/backscroll/LICENSE.txt
cp $here/backscroll.desktop $root/usr/share/applications/
fill $here/app.backscroll.Backscroll.metainfo.xml > $root/usr/share/metainfo/app.backscroll.Backscroll.metainfo.xml
fill $here/backscroll.1 | gzip -9n > $root/usr/share/man/man1/backscroll.1.gz
cp $here/lintian-overrides $root/usr/share/lintian/overrides/backscroll
cp $here/copyright $root/usr/share/doc/backscroll/
gzip -9nc CHANGELOG.md > $root/usr/share/doc/backscroll/NEWS.gz
changelog $root backscroll
for side in 16 22 24 32 48 64 128 256 512; do
  mkdir -p $root/usr/share/icons/hicolor/${side}x$side/apps
  cp build/icons/$side.png $root/usr/share/icons/hicolor/${side}x$side/apps/backscroll.png
done
mkdir -p $root/usr/share/icons/hicolor/scalable/apps
cp packaging/icons/backscroll.svg $root/usr/share/icons/hicolor/scalable/apps/
chmod -R u=rwX,go=rX $root

depends=$(dependencies) || { tail -n 5 build/deb/shlibs/log.txt >&2; exit 1; }
# Opened by name while it runs, so that no library asks for it.
opened="tzdata"
cat > $root/DEBIAN/control <<CONTROL
Package: backscroll
Version: $debian_version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN $root | cut -f1)
Depends: $depends, $opened
Recommends: backscroll-model-default, ca-certificates, xdg-desktop-portal
Suggests: gnome-keyring | kwalletmanager
Section: utils
Priority: optional
Description: answers questions about your own chat history
 Backscroll reads the exports of chat apps, keeps every message in one
 encrypted file, and lets a language model on this computer look through them.
 Every answer quotes the messages it rests on.
 .
 It needs no account and no network.
CONTROL
finish $root "${DEB_COMPRESSION:-xz}"

if [ "${1:-}" = --model ]; then
  model=$2
  folder=build/deb/backscroll-model-default
  mkdir -p $folder/{DEBIAN,usr/share/backscroll/models,usr/share/doc/backscroll-model-default,usr/share/lintian/overrides}
  cp $here/lintian-overrides-model $folder/usr/share/lintian/overrides/backscroll-model-default
  cp "$model" "$folder/usr/share/backscroll/models/"
  cp $here/copyright-model $folder/usr/share/doc/backscroll-model-default/copyright
  changelog $folder backscroll-model-default
  chmod -R u=rwX,go=rX $folder
  cat > $folder/DEBIAN/control <<CONTROL
Package: backscroll-model-default
Version: $debian_version
Architecture: all
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN $folder | cut -f1)
Enhances: backscroll
Section: utils
Priority: optional
Description: language model that Backscroll uses by default
 The file $(basename "$model"), for all accounts of
 this computer. Backscroll finds it by itself. Licence: Apache-2.0.
CONTROL
  # Model files do not get smaller.
  finish $folder none
fi
ls -l dist/*.deb
