# Functions of the other scripts: packages of the operating system, and downloads.
# shellcheck shell=bash
set -euo pipefail

# Installs packages. Another process may hold the lock of APT for minutes after the first boot.
install_packages() {
  if command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    # The lock of package lists has no time-out, which that of packages has.
    for _ in {1..60}; do
      if apt-get --quiet update; then break; fi
      sleep 10
    done
    apt-get --quiet -o DPkg::Lock::Timeout=600 --yes install "$@"
  else
    dnf --quiet --assumeyes install "$@"
  fi
}

# A minute without a byte ends an attempt: the step would wait for two hours.
download() {
  curl --fail --silent --show-error --location --connect-timeout 30 --speed-time 60 \
    --retry 5 --retry-delay 5 --retry-all-errors --output "$2" "$1"
}

folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
