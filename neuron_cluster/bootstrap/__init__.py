"""First boot of instances: the NodeConfig of nodeadm, mounts of file systems, services of a workstation."""
