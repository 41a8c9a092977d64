#!/usr/bin/env bash
# Installs what the tests need besides Go, Node and npm: Debian's Chromium (browser
# suite) and PostgreSQL (second database). Without root it says what to install.
set -euo pipefail
need=()
command -v chromium >/dev/null || need+=(chromium)
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || need+=(postgresql)
fc-list :lang=zh 2>/dev/null | grep -q . || need+=(fontconfig fonts-noto-cjk)
[ ${#need[@]} -eq 0 ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these Debian packages: ${need[*]}" >&2
  echo "Install them with: sudo apt-get install ${need[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${need[@]}"
