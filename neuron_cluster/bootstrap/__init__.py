"""What instances run at first boot: the NodeConfig of nodeadm, mounts of file systems, services of a workstation."""
