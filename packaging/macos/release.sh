#!/usr/bin/env bash
# Signs build/frozen/Backscroll.app from the inside out, puts it with the default model into a disk image, and has
# Apple notarise it. Without MACOS_IDENTITY the result is unsigned and for trying out only.
#
# environment: MACOS_IDENTITY ("Developer ID Application: …"), APPLE_ID, APPLE_TEAM_ID, APPLE_PASSWORD (of the app-specific
# kind); MODEL, a .gguf file to put beside the program
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(python3 packaging/version.py)
app=build/frozen/Backscroll.app
image=dist/backscroll-$version-macos-$(uname -m).dmg
plutil -lint packaging/macos/entitlements.plist "$app/Contents/Info.plist"

if [ -n "${MODEL:-}" ]; then
  # Signed with the program, and where models/shared.py looks for it.
  mkdir -p "$app/Contents/Resources/models"
  cp "$MODEL" "$app/Contents/Resources/models/"
fi
sign() { codesign --force --timestamp --options runtime --entitlements packaging/macos/entitlements.plist --sign "$MACOS_IDENTITY" "$@"; }
if [ -n "${MACOS_IDENTITY:-}" ]; then
  # Each library first, the whole last; --deep would sign in the wrong order.
  find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' -o -perm -u+x \) ! -name backscroll -print0 \
    | while IFS= read -r -d '' file; do
        if file -b "$file" | grep -q Mach-O; then sign "$file"; fi
      done
  sign "$app/Contents/MacOS/backscroll"
  sign "$app"
  codesign --verify --strict --verbose=2 "$app"
else
  codesign --force --deep --sign - "$app"
fi

rm -rf build/dmg && mkdir -p build/dmg dist
# ditto keeps the links inside; a plain copy would turn them into second files and break the signature.
ditto "$app" build/dmg/Backscroll.app
ln -s /Applications build/dmg/Applications
hdiutil create -quiet -volname Backscroll -srcfolder build/dmg -format UDZO -ov "$image"
if [ -n "${MACOS_IDENTITY:-}" ]; then
  codesign --timestamp --sign "$MACOS_IDENTITY" "$image"
  xcrun notarytool submit "$image" --wait --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM_ID" --password "$APPLE_PASSWORD"
  xcrun stapler staple "$image"
  spctl --assess --type open --context context:primary-signature "$image"
fi
ls -l "$image"
