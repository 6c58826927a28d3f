#!/usr/bin/env bash
# `make package-test`: tries the packages in dist/ out in a Debian 12 that has never seen this repository.
#
# A fresh system is made with debootstrap. In it a person without rights installs the version before, imports a chat
# export, upgrades, opens the window from the desktop entry, asks a question with the network taken away and every
# network call recorded, and in the end removes and purges the packages. Their archive must come through unchanged.
# The window is opened and the sample questions are asked with the network taken away, too.
# Needs root, for the fresh system, and the packages debootstrap, lintian, desktop-file-utils, appstream, imagemagick.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(python3 packaging/version.py)
architecture=$(dpkg --print-architecture)
package=dist/backscroll_${version}_$architecture.deb
model=dist/backscroll-model-default_${version}_all.deb
tarball=dist/backscroll-$version-linux-$(uname -m).tar.gz
room=build/room
result=build/package-test
base=build/debian-12-base.tar
question="What did Teodor's sister call her boat?"
# Of the 25 sample questions. Fewer save time where there is little.
questions=${BACKSCROLL_QUESTIONS:-25}
mkdir -p $result
rm -f $result/*

say() { printf '\n== %s\n' "$*"; }
fail() { echo "package-test: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "a fresh Debian can only be made as root"
for file in "$package" "$model" "$tarball"; do [ -f "$file" ] || fail "$file is missing; run make package"; done

say "Checks of the packages themselves"
desktop-file-validate packaging/linux/backscroll.desktop
appstreamcli validate --no-net --explain build/deb/backscroll/usr/share/metainfo/app.backscroll.Backscroll.metainfo.xml
# Each exception is explained in packaging/linux/lintian-overrides.
lintian --tag-display-limit 0 --allow-root --fail-on error,warning "$package"
lintian --tag-display-limit 0 --allow-root --fail-on error "$model"
(cd dist && sha256sum --quiet -c SHA256SUMS)

say "A fresh Debian 12"
# Whatever still runs in the fresh system, and nothing else: its root is the room.
stop_inside() {
  local process
  for process in /proc/[0-9]*; do
    if [ "$(readlink "$process/root" 2>/dev/null)" = "$PWD/$room" ]; then kill "${process#/proc/}" 2>/dev/null || true; fi
  done
  sleep 2
}
leave() {
  stop_inside
  for place in dev/shm dev/pts dev proc; do umount -l "$room/$place" 2>/dev/null || true; done
  rm -rf --one-file-system "$room"
}
trap leave EXIT
leave
mkdir -p $room
if [ ! -f $base ]; then
  debootstrap --variant=minbase --include=xvfb,xauth,x11-apps,x11-utils,libglib2.0-bin,strace,fonts-dejavu-core,ca-certificates \
    bookworm $room > $result/debootstrap.txt
  tar -C $room -cf $base.part . && mv $base.part $base
else
  tar -C $room -xf $base
fi
mount -t proc proc $room/proc
mount --bind /dev $room/dev
mount -t devpts devpts $room/dev/pts 2>/dev/null || mount --bind /dev/pts $room/dev/pts
mount -t tmpfs tmpfs $room/dev/shm
cp /etc/resolv.conf $room/etc/
inside() { chroot $room env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
person() { inside runuser -u person -- env HOME=/home/person XDG_RUNTIME_DIR=/tmp/run "$@"; }
inside useradd -m person
person mkdir -p -m 700 /tmp/run
cp tests/packaging/boat.txt "$room/home/person/WhatsApp Chat with Teodor.txt"
inside find / -xdev -not -path '/proc/*' -not -path '/var/*' | sort > $result/files-before.txt

say "Install the version before"
old=build/old
rm -rf $old && mkdir -p $old $room/packages
dpkg-deb -R "$package" $old/tree
sed -i "s/^Version: .*/Version: 0.0.1/" $old/tree/DEBIAN/control
dpkg-deb --root-owner-group -Znone --build $old/tree $room/packages/backscroll_old.deb >/dev/null
cp "$package" "$model" $room/packages/
rm -rf $old
inside apt-get update -q > $result/apt.txt
inside apt-get install -y -q --no-install-recommends /packages/backscroll_old.deb >> $result/apt.txt
[ "$(inside dpkg-query -W -f='${Version}' backscroll)" = 0.0.1 ] || fail "the version before is not installed"
person backscroll import "/home/person/WhatsApp Chat with Teodor.txt" --date-order dmy --me Ilse 2>&1 | tee $result/import.txt
! grep -q Traceback $result/import.txt || fail "the import complains of the program itself"
archive=$room/home/person/.local/share/backscroll/archive.db
[ -f $archive ] || fail "there is no archive"
[ "$(stat -c %a $archive)" = 600 ] || fail "others may read the archive"

say "Upgrade, and the default model"
inside apt-get install -y -q --no-install-recommends "/packages/$(basename "$package")" "/packages/$(basename "$model")" >> $result/apt.txt
[ "$(inside dpkg-query -W -f='${Version}' backscroll)" = "$version" ] || fail "not upgraded"
person backscroll --version
person backscroll verify --json | tee $result/verify.json
grep -q '"ok": *true' $result/verify.json || fail "the archive is not whole after the upgrade"

say "Smoke test, without a display"
person backscroll --smoke-test --within 500 | tee $result/smoke.json
grep -q '"ok": true' $result/smoke.json || fail "the smoke test failed"
[ "$(wc -l < $result/smoke.json)" = 1 ] || fail "the smoke test said more than one line"
if [ "$architecture" = amd64 ]; then
  module=$(python3 packaging/best_module.py $room/opt/backscroll/_internal/llama_cpp/lib)
  echo "The best module for this processor is $module."
  grep -q "\"module\": \"$module\"" $result/smoke.json || fail "another module runs than $module"
fi
person backscroll --models-fetch no-such-model /tmp > $result/fetch.txt || true
grep -q 'There is no model called no-such-model' $result/fetch.txt || fail "the program that fetches models does not answer"

say "A processor below the floor"
sed '/^flags/s/ sse4_2//' /proc/cpuinfo > $room/packages/cpuinfo
mount --bind $room/packages/cpuinfo $room/proc/cpuinfo
person backscroll --version > $result/floor.txt 2>&1 && fail "it starts on a processor that is too old"
umount $room/proc/cpuinfo
cat $result/floor.txt
grep -q '^Backscroll needs a processor with SSE4.2' $result/floor.txt || fail "it does not say that the processor is too old"

say "The window, from the desktop entry"
cat > $room/packages/window.sh <<'INSIDE'
export DISPLAY=:77
Xvfb :77 -screen 0 1280x860x24 -nolisten tcp >/dev/null 2>&1 &
for _ in $(seq 50); do xwininfo -root >/dev/null 2>&1 && break; sleep 0.2; done
window() { xwininfo -root -tree | awk '/"Backscroll": \("backscroll"/ { print $1; exit }'; }
viewable() { id=$(window); [ -n "$id" ] && xwininfo -id "$id" 2>/dev/null | grep -q IsViewable; }
shown() {
  for _ in $(seq 900); do viewable && break; sleep 0.02; done
  viewable || exit 1
  seconds=$(echo "$(date +%s.%N) $1" | awk '{printf "%.2f", $1 - $2}')
  # On a busy machine only the second figure means something.
  busy=$(awk '{printf "%.2f", ($14 + $15) / 100}' "/proc/$(process)/stat")
  echo "$2 after $seconds seconds, for $busy of which it had the processor"
}
process() { xprop -id "$(window)" _NET_WM_PID | sed 's/.*= //'; }
close() {
  kill "$(process)"
  for _ in $(seq 50); do [ -n "$(window)" ] || break; sleep 0.2; done
}
gio launch /usr/share/applications/backscroll.desktop >/dev/null 2>&1 &
shown "$(date +%s.%N)" "the desktop entry's window"
xwininfo -root -tree | grep '"Backscroll": ("backscroll"'
sleep 8
xwd -root -out /tmp/window.xwd
close
for _ in 1 2 3; do
  backscroll &
  shown "$(date +%s.%N)" "the command's window"
  close
done
INSIDE
# In a network of its own: other displays of the building machine cannot be reached by mistake, and nothing else can.
unshare -n -- chroot $room env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 runuser -u person -- \
  env HOME=/home/person XDG_RUNTIME_DIR=/tmp/run sh /packages/window.sh > $result/window.txt || fail "no window"
cat $result/window.txt
stop_inside
convert xwd:$room/tmp/window.xwd $result/window.png
[ "$(identify -format %k $result/window.png)" -gt 50 ] || fail "the window is empty; see $result/window.png"

say "A question, with the network taken away and every network call recorded"
cat > $room/packages/ask.sh <<'INSIDE'
strace -f -qq -e trace=%network -o /tmp/trace.txt backscroll ask "$1" --now 2024-09-01 --json
INSIDE
unshare -n -- chroot $room env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 runuser -u person -- \
  env HOME=/home/person sh /packages/ask.sh "$question" > $result/answer.json
cat $result/answer.json
grep -qi 'kittiwake' $result/answer.json || fail "the answer is not in it"
# Each socket is made by a call that names its family, and each address names one.
foreign() { grep -E 'socket(pair)?\(|[^A-Z]AF_[A-Z]' "$1" | grep -v 'AF_UNIX' || true; }
cp $room/tmp/trace.txt $result/trace.txt
echo "$(wc -l < $result/trace.txt) network calls, $(foreign $result/trace.txt | wc -l) of them not local"
[ -z "$(foreign $result/trace.txt)" ] || fail "a network call: $(foreign $result/trace.txt | head -3)"
# The control: the same look at a program that does use a network must find it.
inside strace -f -qq -e trace=%network -o /tmp/control.txt getent ahosts example.org >/dev/null 2>&1 || true
cp $room/tmp/control.txt $result/control.txt
[ -n "$(foreign $result/control.txt)" ] || fail "the look at the trace does not see network calls"

say "The sample questions, in the window's engine under Xvfb, with the network taken away and every network call recorded"
cat > $room/packages/sample.sh <<'INSIDE'
export DISPLAY=:78 QT_QPA_PLATFORM=xcb
Xvfb :78 -screen 0 1280x860x24 -nolisten tcp >/dev/null 2>&1 &
for _ in $(seq 50); do xwininfo -root >/dev/null 2>&1 && break; sleep 0.2; done
strace -f -qq -e trace=%network -o /tmp/sample.txt backscroll --smoke-test --questions "$1" --within 5000
INSIDE
unshare -n -- chroot $room env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 runuser -u person -- \
  env HOME=/home/person XDG_RUNTIME_DIR=/tmp/run sh /packages/sample.sh "$questions" > $result/sample.json || fail "see $result/sample.json"
stop_inside
grep -q '"ok": true.*"platform": "xcb"' $result/sample.json || fail "the questions were not asked; see $result/sample.json"
python3 -c '
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
asked, right = report["questions"], report["right"]
seconds = sum(each["seconds"] for each in asked.values()) / len(asked)
print(f"{right} of {len(asked)} sample questions are right, {seconds:.1f} seconds each.")
print("Wrong:", *[name for name, each in asked.items() if not each["right"]])
' $result/sample.json
cp $room/tmp/sample.txt $result/sample-trace.txt
echo "$(wc -l < $result/sample-trace.txt) network calls, $(foreign $result/sample-trace.txt | wc -l) of them not local"
[ -z "$(foreign $result/sample-trace.txt)" ] || fail "a network call: $(foreign $result/sample-trace.txt | head -3)"

say "Remove and purge"
before=$(sha256sum < $archive)
inside apt-get remove -y -q backscroll backscroll-model-default >> $result/apt.txt
[ ! -e $room/opt/backscroll ] || fail "/opt/backscroll is still there"
# There is nothing left to purge, as the packages have no settings of their own; asking for it must do no harm.
inside dpkg --purge backscroll backscroll-model-default >> $result/apt.txt 2>&1
[ "$(sha256sum < $archive)" = "$before" ] || fail "removing the packages changed the archive"
inside find / -xdev -not -path '/proc/*' -not -path '/var/*' | sort > $result/files-after.txt
comm -13 $result/files-before.txt $result/files-after.txt | grep -i backscroll | grep -v '^/home/person/\.local/share/backscroll\|^/packages' \
  > $result/left-behind.txt || true
[ ! -s $result/left-behind.txt ] || fail "left behind: $(head -3 $result/left-behind.txt)"

say "The tar.gz, for one person"
tar -C $room/tmp --no-same-owner -xzf "$tarball"
inside apt-get install -y -q --no-install-recommends $(sed 's/#.*//; /^g++$/d; /^python3-venv$/d' packaging/system-packages.txt) >> $result/apt.txt
folder=/tmp/$(basename "$tarball" .tar.gz)
person sh "$folder/install.sh"
person /home/person/.local/bin/backscroll search boat
person sh "$folder/install.sh"
person sh /home/person/.local/lib/backscroll/uninstall.sh
[ -z "$(inside find /home/person/.local -iname '*backscroll*' -not -path '*/share/backscroll*')" ] || fail "uninstall.sh left something behind"
[ -f $archive ] || fail "uninstall.sh removed the archive"

say "All of it works. The picture of the window is $result/window.png."
