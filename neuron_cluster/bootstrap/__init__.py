"""What instances run at first boot: the NodeConfig of nodeadm, and the services of a workstation."""
