# What the other steps need, and what keeps a node as it was built.
install_packages gcc make gnupg tar
if command -v apt-get >/dev/null; then
  # An upgrade of libraries would restart slurmd, which ends the jobs of the node.
  mkdir -p /etc/needrestart/conf.d
  # shellcheck disable=SC2016 # Perl
  echo '$nrconf{override_rc}{qr(^slurmd)} = 0;' >/etc/needrestart/conf.d/90-slurmd.conf
fi
