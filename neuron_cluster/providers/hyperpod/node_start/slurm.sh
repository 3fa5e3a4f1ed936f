# Slurm of HyperPod: what the controller adds to slurm.conf, and what nodes tell it.

# Name of a unit, its description, folder of the programs of Slurm, and the program with its arguments: run now, and each 20 seconds.
keep_running() {
  local unit=/etc/systemd/system/$1
  cat >"$unit.service" <<UNIT
[Unit]
Description=$2

[Service]
Type=oneshot
Environment=PATH=$3:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStart=${*:4}
UNIT
  cat >"$unit.timer" <<UNIT
[Unit]
Description=$2

[Timer]
OnBootSec=30
OnUnitInactiveSec=20
AccuracySec=1

[Install]
WantedBy=timers.target
UNIT
  systemctl daemon-reload
  retry systemctl start "$1.service" || fail "$1 has not run: journalctl --unit $1.service"
  systemctl enable --now "$1.timer"
}
