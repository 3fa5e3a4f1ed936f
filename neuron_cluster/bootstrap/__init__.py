"""Programs and configuration of instances at first boot: the NodeConfig of nodeadm, mounts of file systems, services of a workstation."""
