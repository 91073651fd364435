#!/bin/sh
# Make dist/Headroom-VERSION.dmg of dist/Headroom.app, after `python3 packaging/run.py bundle`.
# Written from the documentation of codesign and hdiutil; not tried on macOS.
set -eu

cd "$(dirname "$0")/../.."
app=dist/Headroom.app
version=$(plutil -extract CFBundleShortVersionString raw "$app/Contents/Info.plist")
image=dist/Headroom-$version.dmg

# For this machine only. For others, instead: codesign --force --deep --options runtime \
#   --sign "Developer ID Application: …" "$app", and after the image is made:
#   xcrun notarytool submit "$image" --keychain-profile … --wait && xcrun stapler staple "$image"
codesign --force --deep --sign - "$app"
"$app/Contents/MacOS/headroom" --self-test

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$app" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -volname Headroom -srcfolder "$folder" -fs HFS+ -format UDZO "$image"
echo "$image"
