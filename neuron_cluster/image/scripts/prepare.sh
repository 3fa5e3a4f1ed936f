# What the other steps need, and what keeps a node as it was built.
if command -v apt-get >/dev/null; then
  # Ubuntu downloads and installs upgrades after the first boot. Until the next one it does not: installers do not wait.
  systemctl stop apt-daily.timer apt-daily-upgrade.timer apt-daily.service apt-daily-upgrade.service || true # one is not there
  install_packages gcc make gnupg tar
  # An upgrade of libraries would restart slurmd, which ends the jobs of the node.
  mkdir -p /etc/needrestart/conf.d
  # shellcheck disable=SC2016 # Perl
  echo '$nrconf{override_rc}{qr(^slurmd)} = 0;' >/etc/needrestart/conf.d/90-slurmd.conf
else
  install_packages gcc make tar
  # Amazon Linux 2023 has gpg in gnupg2-minimal, which another package of gpg would replace.
  command -v gpg >/dev/null || install_packages gnupg2
fi
# Programs of jobs need Python 3.11; python3 of Amazon Linux 2023 stays 3.9.
# Source: https://docs.aws.amazon.com/linux/al2023/ug/python.html
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  install_packages python3.11
fi
