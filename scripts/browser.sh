#!/bin/sh
# Finds a Chromium that refute can drive, or installs one. Usage: browser.sh BIN (the folder of the environment's commands).
set -u
bin=$1

found() {
  "$bin/python" -c 'from playwright.sync_api import sync_playwright
from refute.browser import find_chromium
with sync_playwright() as p: print(find_chromium(p.chromium.executable_path))' 2>/dev/null
}

if path=$(found); then
  echo "Browser: $path"
  exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "No Chromium found: installing Debian's (apt-get install chromium) ..."
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1
  # what runs without a window needs a third less of the processor with this one
  apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null 2>&1
  path=$(found) && echo "Browser: $path" && exit 0
fi
echo "No Chromium found: trying Playwright's own download ..."
if "$bin/playwright" install --with-deps chromium >/dev/null 2>&1 || "$bin/playwright" install chromium >/dev/null 2>&1; then
  path=$(found) && echo "Browser: $path" && exit 0
fi
cat >&2 <<'TEXT'
refute needs a Chromium and could not install one. Do one of these, then run the command again:
  sudo apt-get install chromium
  .venv/bin/playwright install --with-deps chromium
  export REFUTE_BROWSER=/path/to/chromium
TEXT
exit 1
