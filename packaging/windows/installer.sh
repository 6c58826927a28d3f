#!/usr/bin/env bash
# Compiles the Windows installer from a frozen program: on Windows the real one, elsewhere any folder, which shows
# that the script and the file lists fit together. If WINDOWS_CERTIFICATE names a .pfx file, the result is signed.
#
# NSIS_COMPRESSION=zlib saves minutes while trying things out.
#
# usage: packaging/windows/installer.sh [FROZEN_FOLDER] [OUTPUT]
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$(command -v python3 || command -v python)
version=$("$python" packaging/version.py | tr -d '\r')
frozen=${1:-build/frozen/backscroll}
output=${2:-dist/backscroll-$version-windows-x86_64-setup.exe}
mkdir -p "$(dirname "$output")" build/nsis
"$python" packaging/windows/files.py "$frozen" build/nsis
native() { if command -v cygpath >/dev/null 2>&1; then cygpath -w "$1"; else realpath -m "$1"; fi; }
makensis=$(command -v makensis || echo "/c/Program Files (x86)/NSIS/makensis.exe")
"$makensis" -V2 -WX -DCOMPRESSION="${NSIS_COMPRESSION:-/SOLID lzma}" -INPUTCHARSET UTF8 -DVERSION="$version" -DLISTS="$(native build/nsis)" \
  -DICON="$(native build/icons/backscroll.ico)" -DLICENCE="$(native LICENSE)" -DOUTPUT="$(native "$output")" \
  -DSIZE="$(du -sk "$frozen" | cut -f1)" packaging/windows/backscroll.nsi
if [ -n "${WINDOWS_CERTIFICATE:-}" ]; then
  signtool sign //f "$WINDOWS_CERTIFICATE" //p "$WINDOWS_CERTIFICATE_PASSWORD" //fd SHA256 \
    //tr http://timestamp.digicert.com //td SHA256 "$(native "$output")"
fi
ls -l "$output"
