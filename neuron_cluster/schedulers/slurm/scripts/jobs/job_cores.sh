#!/bin/bash
# Prints how many NeuronCores this job has on this node, at the logical NeuronCore configuration of node.conf.
set -euo pipefail
folder=$(dirname "$0")/../slurm
. "$folder/node.conf"
if [[ -z ${SLURM_GPUS_ON_NODE:-} ]]; then
  echo "the job has no Neuron devices: submit it with --exclusive or --gpus-per-node to nodes that have them" >&2
  exit 1
fi
echo $((SLURM_GPUS_ON_NODE * CORES_PER_DEVICE))
