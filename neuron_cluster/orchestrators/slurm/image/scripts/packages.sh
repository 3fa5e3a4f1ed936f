# Functions of the other scripts: packages of the operating system, and downloads.
# shellcheck shell=bash
set -euo pipefail

# Installs packages. Another process may hold the lock of APT for minutes after the first boot.
install_packages() {
  if command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get --quiet -o DPkg::Lock::Timeout=600 update
    apt-get --quiet -o DPkg::Lock::Timeout=600 --yes install "$@"
  else
    dnf --quiet --assumeyes install "$@"
  fi
}

download() {
  curl --fail --silent --show-error --location --retry 5 --retry-delay 5 --output "$2" "$1"
}

folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
