set -Eeuo pipefail
umask 022
fstab=/etc/fstab

# Into the log of the agent, which ends with the node, and into the console, which EC2 shows for an hour after that.
# Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/troubleshoot-unreachable-instance.html
say() {
  echo "neuron-cluster: $1" >&2
  { echo "neuron-cluster: $1" >/dev/console; } 2>/dev/null || true
}

fail() {
  say "the start of the node failed: $1"
  exit 1
}
trap 'say "the start of the node failed in line $LINENO: $BASH_COMMAND"' ERR

# Two minutes, 14 where each attempt runs for a minute: a file system that was created just now is not in DNS yet, and a
# driver loads in the background.
retry() {
  local attempt
  for attempt in {1..12}; do
    if "$@"; then return; fi
    say "attempt $attempt of 12 failed: $*"
    sleep 10
  done
  return 1
}

# Memory that users and units may lock: EFA registers 110 MB for an endpoint, systemd gives units 8 MiB, and Slurm gives
# jobs the limits of the session that submits them. Sessions are those of the SSM agent, which is a snap on Ubuntu.
# Source of the numbers: SchedMD/slurm@284c3b9 etc/slurmd.service.in.
raise_limits() {
  local unit folder agents=(amazon-ssm-agent.service snap.amazon-ssm-agent.amazon-ssm-agent.service)
  mkdir -p /etc/security/limits.d
  printf '%s\n' '* - memlock unlimited' '* - nofile 131072' >/etc/security/limits.d/99-neuron-cluster.conf
  if [[ -e /etc/systemd/system/slurmd.service.d/neuron-cluster.conf ]]; then return; fi # a session ends at a restart
  for unit in slurmd.service "${agents[@]}"; do
    folder=/etc/systemd/system/$unit.d
    mkdir -p "$folder"
    printf '%s\n' '[Service]' LimitMEMLOCK=infinity LimitNOFILE=131072 >"$folder/neuron-cluster.conf"
  done
  if ! { systemctl daemon-reload && systemctl try-restart "${agents[@]}"; }; then say "limits of units count from the next boot on"; fi
}

# Folder of the scripts. systemd sets the rules again at a reboot, before a session or a timer of a user starts.
close_metadata() {
  local unit=/etc/systemd/system/neuron-cluster-metadata.service
  command -v nft >/dev/null || command -v iptables >/dev/null || retry install_nft || true
  bash "$1/metadata_access.sh" || fail "jobs would reach the instance metadata: the AMI has neither nft nor iptables that work"
  cat >"$unit" <<UNIT
[Unit]
Description=Only root reaches the instance metadata service
DefaultDependencies=no
After=local-fs.target
Wants=network-pre.target
Before=network-pre.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/bash $1/metadata_access.sh
UNIT
  mkdir -p /etc/systemd/system/sysinit.target.wants
  ln -sf "$unit" /etc/systemd/system/sysinit.target.wants/
}

install_nft() {
  if command -v apt-get >/dev/null; then
    apt-get --quiet update && apt-get --quiet --yes -o DPkg::Lock::Timeout=60 install nftables
  else
    dnf --quiet --assumeyes install nftables
  fi
}

# slurmd does not start without a device file that its gres.conf names.
wait_for_devices() {
  local number
  for ((number = 0; number < $1; number++)); do
    retry test -c "/dev/neuron$number" ||
      fail "Neuron device neuron$number is missing: the AMI has no Neuron driver for its kernel, or the device failed"
  done
}
