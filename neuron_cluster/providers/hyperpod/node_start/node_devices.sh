#!/bin/bash
# Tells the controller which Neuron devices this node has: it writes Gres for a node whose comment names them.
# Run as root by systemd, each 20 seconds; argument: value of Gres, or none. It changes nothing that is right already.
set -u
node=${SLURMD_NODENAME:-$(hostname --short)} # of HyperPod: ip-10-1-2-3
shown=" $(scontrol --oneliner show node "$node" 2>/dev/null) " || exit 0 # not a node of Slurm yet, or no controller
if [[ $1 == none && $shown != *" Comment=neuron-cluster:"* ]]; then
  exit 0 # no former node of this name had devices
fi
if [[ $shown != *" Comment=neuron-cluster:$1 "* ]]; then
  scontrol update nodename="$node" comment="neuron-cluster:$1" || exit 1
  if [[ $shown == *' Reason=Prolog error'* ]]; then
    scontrol update nodename="$node" state=resume # a job that started before this node had a prolog
  fi
fi
# slurmctld drains a node that registers before slurmd has read the new configuration.
if [[ $shown == *' Reason=gres/gpu count'* && $shown != *INVALID_REG* ]]; then
  scontrol update nodename="$node" state=resume
fi
