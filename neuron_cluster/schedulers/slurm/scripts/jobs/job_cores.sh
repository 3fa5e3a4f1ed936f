#!/bin/bash
# Prints how many NeuronCores this job has on this node, at the logical NeuronCore configuration of node.conf.
set -euo pipefail
folder=$(dirname "$0")/../slurm
. "$folder/node.conf"
devices=${SLURM_GPUS_ON_NODE:-0}
# Without generic resources, as on ParallelCluster, a job with all CPUs of its node has all devices.
if ((devices == 0)); then
  shown=" $(scontrol --oneliner show node "${SLURMD_NODENAME:-$(hostname --short)}" 2>/dev/null || true) "
  if [[ $shown == *' Gres=(null) '* && $shown == *" CPUTot=${SLURM_CPUS_ON_NODE:-0} "* ]]; then devices=$NEURON_DEVICES; fi
fi
if ((devices == 0)); then
  echo "the job has no Neuron devices: submit it with --exclusive or --gpus-per-node to nodes that have them" >&2
  exit 1
fi
echo $((devices * CORES_PER_DEVICE))
